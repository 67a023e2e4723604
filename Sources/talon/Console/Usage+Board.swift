/// The help of commands for people at the board.
extension Usage {
  static let board = [
    Usage(
      command: "console", takesConfiguration: true,
      text: """
        talon console [--baud N] [--plain] [--no-shell] [--config FILE]

        A console for a serial line: a screen that shows how the board is, and a prompt for the commands of talon.
        Runs on the terminal that it is started on. --baud: the speed of that line, 9600 to 921600; without it the line
        stays as it is, and is taken to have 115200. --plain: lines for a terminal that knows no escape sequences, as
        with TERM=dumb. Ctrl-L redraws the screen, exit ends it. --no-shell: there is no shell, whatever [console]
        shell says.
        """, flags: ["--plain", "--no-shell"], values: ["--baud"]),
    Usage(
      command: "log", takesConfiguration: true,
      text: """
        talon log [--lines N] [--level LEVEL] [--config FILE]
        talon log follow [--lines N] [--level LEVEL]
        talon log level LEVEL

        Prints the last N lines (1 to 256, default 20) of the running agent's log, times in UTC; follow goes on with new
        ones until Ctrl-C. LEVEL and above: error, warning, notice, info, debug.
        level: what the agent's log keeps from now on, until the agent restarts.
        """, flags: ["--follow"], values: ["--lines", "--level"], words: 0...2),
    Usage(
      command: "snap", takesConfiguration: true,
      text: """
        talon snap [FILE] [--device NAME] [--width N] [--config FILE]

        The running agent takes a photo and writes FILE itself, so it needs the right to: below its state and runtime
        folders it has. Without FILE: snap.jpg in its runtime folder, which is in memory.
        """, values: ["--device", "--width"], words: 0...1),
    Usage(
      command: "photos", takesConfiguration: true,
      text: """
        talon photos [delete] [--config FILE]

        The photos of camera.snap that the board keeps ([photos] keep), the newest 50 first. delete: deletes all of them
        at once.
        """, words: 0...1),
    Usage(
      command: "selftest", takesConfiguration: true,
      text: """
        talon selftest [--config FILE]

        The running agent tries what the board has: camera, sensors, light, storage, clock, network. Takes some seconds.
        Exit code: 0 all is well, 69 something is not.
        """),
    Usage(
      command: "panic", takesConfiguration: true,
      text: """
        talon panic [release] [--config FILE]

        Holds the board still, as a long press of its button does: camera and microphone close at once, what runs is
        cancelled, the gateway is left. It stays so over restarts, until talon panic release.
        """, words: 0...1),
    Usage(
      command: "acknowledge", takesConfiguration: true,
      text: """
        talon acknowledge [--config FILE]

        Tells the agent that a person has seen what it wanted, as a short press of the board's button does.
        """),
    Usage(
      command: "reload", takesConfiguration: true,
      text: """
        talon reload [--config FILE]

        Lets the running agent read its configuration again and connect anew, as HUP does. A configuration with a
        mistake changes nothing.
        """),
    Usage(
      command: "reset", takesConfiguration: true,
      text: """
        talon reset [--confirm NODE|yes] [--config FILE]

        Factory reset: everything below the state folder is forgotten: identity, the gateway's certificate and tokens,
        learned phrases, files that people put there. The board has to be approved again. What root's files say stays:
        the configuration with its token and password, and the PIN. Asks first.
        """, values: ["--confirm"]),
    Usage(
      command: "reboot", takesConfiguration: true,
      text: """
        talon reboot [--yes] [--config FILE]

        Reboots the board, with systemd or /sbin/reboot. Asks first, unless --yes stands there.
        """, flags: ["--yes"]),
  ]
}
