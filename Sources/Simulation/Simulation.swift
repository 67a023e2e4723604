// Simulation: boards, gateways, networks and people in virtual time, for `talon-lab simulate` and its tests. A
// `Scenario` with a seed makes a `Schedule` of incidents; `SimulatedBoard` runs the real agent on simulated devices
// against gateways in the same process; `Ledgers` and `Invariants` check what every board sends and keeps.
//
// Everything is deterministic: the same seed gives the same trace. No wall clock, no system calls, no threads.
// Never part of the firmware.
