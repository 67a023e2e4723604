/// The help of `talon doctor`.
extension Usage {
  static let doctor = [
    Usage(
      command: "doctor", takesConfiguration: true,
      text: """
        talon doctor [--json] [--config FILE]

        Looks at everything from power and clock to what the gateway allows, a line each, and says below what is not as
        it should be what to do about it. Asks the running agent; without one it looks itself, as far as it may (as
        root: everywhere), and tries the gateway's addresses as far as the certificate. Changes nothing.
        Exit code: 0 all is well, 1 there are warnings, 2 something does not work.
        """, flags: ["--json"])
  ]
}
