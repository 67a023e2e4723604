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
        """, flags: ["--json"]),
    Usage(
      command: "support", takesConfiguration: true,
      text: """
        talon support [--out FILE] [--config FILE]

        Writes what somebody needs who helps from afar into one file, talon-support.tar.gz or FILE (- is standard
        output): the findings of talon doctor, the configuration without its secrets, the log, the agent's status and
        health, the version, the slots and why the board last restarted. Needs no agent; without one there is less.
        Exit code: 73 the file cannot be written, 78 the configuration is wrong.
        """, values: ["--out"], dashes: ["--out"]),
  ]
}
