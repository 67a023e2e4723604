import Device
import Foundation
import Runtime
import Testing

@testable import Board

@Suite("Files of recovery")
struct RecoveryFilesTests {
  private let tree = ReadingsTree()

  private func readings() throws -> SystemReadings { try SystemReadings(root: tree.root, clock: SerialTestClock()) }

  private func writeRoute(flags: String) {
    tree.write("/sys/class/net/eth0/device/uevent", "\n")
    tree.write("/sys/class/net/eth0/type", "1\n")
    tree.write("/sys/class/net/eth0/carrier", "1\n")
    tree.write(
      "/proc/net/route",
      "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\neth0\t00000000\t0202000A\t0003\t0\t0\t0\t00000000\n"
    )
    tree.write(
      "/proc/net/arp",
      "IP address HW type Flags HW address Mask Device\n10.0.2.2 0x1 \(flags) 00:00:00:00:00:00 * eth0\n")
  }

  @Test("a default router that does not answer is a dead link, and one that does is not")
  func router() throws {
    writeRoute(flags: "0x0")
    #expect(
      try readings().readRecovery().deadLink
        == DeadLink(name: DeviceName(cutting: "eth0"), isWireless: false, reason: .routerSilent))
    writeRoute(flags: "0x2")
    #expect(try readings().readRecovery().deadLink == nil)
  }

  @Test("memory of which nearly nothing is available is full")
  func memory() throws {
    tree.write("/proc/meminfo", "MemTotal: 1000000 kB\nMemAvailable: 9000 kB\n")
    #expect(try readings().readRecovery() == RecoveryReading(isMemoryFull: true))
  }

  @Test("why the board was restarted is what root's side says, and else what the watchdog says")
  func restart() throws {
    var snapshot = DeviceSnapshot()
    try readings().read(into: &snapshot)
    #expect(snapshot.restart == nil)
    tree.write("/sys/class/watchdog/watchdog0/identity", "softdog\n")
    tree.write("/sys/class/watchdog/watchdog0/bootstatus", "32\n")
    try readings().read(into: &snapshot)
    #expect(snapshot.restart == RestartReading(.watchdog))
    tree.write("/run/talon-system/restart", "cause = recovery\nreason = the memory is full\n")
    try readings().read(into: &snapshot)
    #expect(snapshot.restart == RestartReading(.recovery, reason: InlineText(cutting: "the memory is full")))
  }

  @Test("a request replaces the one before, in a folder that is the agent's alone")
  func request() throws {
    let file = try RecoveryRequestFile(stateFolder: tree.root)
    for text in ["id = 1\n", "id = 2\n"] {
      try Array(text.utf8).withUnsafeBufferPointer { try file.send($0) }
      #expect(try String(contentsOfFile: tree.root + "/recovery/request", encoding: .utf8) == text)
    }
    let rights = try FileManager.default.attributesOfItem(atPath: tree.root + "/recovery")[.posixPermissions] as? Int
    #expect(rights == 0o700)
    #expect(try FileManager.default.contentsOfDirectory(atPath: tree.root + "/recovery") == ["request"])
  }
}
