/// The help of commands that send requests to the running agent.
extension Usage {
  static let console = [
    Usage(
      command: "chat", takesConfiguration: true,
      text: """
        talon chat TEXT [--session KEY] [--config FILE]

        Says TEXT to the gateway's agent and prints its reply as it comes. Ctrl-C stops the reply.
        Needs [operator] enabled = yes, and its approval on the gateway (talon status shows the command).
        Exit code: 0 the reply is complete, 69 there is no agent or no console connection, 75 it failed.
        """, values: ["--session"], words: 1...1),
    Usage(
      command: "history", takesConfiguration: true,
      text: """
        talon history [--limit N] [--session KEY] [--config FILE]

        Prints the last N messages of a conversation (1 to 1000; default 20).
        """, values: ["--limit", "--session"]),
    Usage(
      command: "sessions", takesConfiguration: true,
      text: """
        talon sessions [--limit N] [--config FILE]

        Prints the keys of the conversations of the gateway's agents, and when each was last used.
        """, values: ["--limit"]),
    Usage(
      command: "hear", takesConfiguration: true,
      text: """
        talon hear TEXT [--config FILE]

        Tells the agent TEXT as if the board had heard it. While the gateway is away it waits, for 5 minutes.
        """, words: 1...1),
    Usage(
      command: "speak", takesConfiguration: true,
      text: """
        talon speak TEXT --out FILE [--config FILE]

        Lets the gateway make speech of TEXT, writes the sound to FILE and says which kind it is.
        """, values: ["--out"], words: 1...1),
    Usage(
      command: "voicewake", takesConfiguration: true,
      text: """
        talon voicewake [PHRASE...] [--config FILE]

        Prints the phrases that wake the agent. With phrases: sets them (at most 32, of 64 characters),
        for every node of the gateway, and prints what the gateway made of them.
        """, words: 0...32),
    Usage(
      command: "gateway", takesConfiguration: true,
      text: """
        talon gateway [--config FILE]

        Prints the gateway's own device id and public key.
        """),
    Usage(
      command: "tools", takesConfiguration: true,
      text: """
        talon tools [--config FILE]
        talon tools test NAME [JSON] [--config FILE]

        Lists the tools of this board: whether the agent sees each, and why not; the last call and the last failure.
        test: calls the tool NAME as the agent would, with the arguments JSON, and prints its result. Of a picture only
        type and size are printed.
        Exit code of test: 0 it succeeded, 69 there is no such tool, 75 it failed.
        """, words: 0...3),
    Usage(
      command: "update", takesConfiguration: true,
      text: """
        talon update [status] [--config FILE]
        talon update FILE|URL [--older] [--config FILE]
        talon update check|rollback|confirm|cancel [--config FILE]

        Shows which release runs, what is in the board's other slot, and how far an update is.
        FILE, URL: installs that bundle into the other slot and restarts into it, for a trial: unless the self-test
        passes and the gateway accepts the board within ten minutes, the old release comes back. --older: also an
        older one.
        check: asks the update server now. rollback: goes back to the other slot's release. confirm: takes the release
        that is being tried as it is. cancel: ends an update that does not run yet.
        Exit code: 64 a word is wrong, 69 there is no agent, no second slot, or it refuses, 75 an update is under way.
        """, flags: ["--older"], words: 0...1),
    Usage(
      command: "event", takesConfiguration: true,
      text: """
        talon event NAME JSON [--config FILE]

        Posts an event for the gateway: voice.transcript, agent.request or notifications.changed, with a JSON
        object as its payload. It waits on flash while the gateway is away.
        """, words: 2...2),
    Usage(
      command: "beacon", takesConfiguration: true,
      text: """
        talon beacon [--config FILE]

        Tells the gateway now that this board is alive; at most once a minute.
        """),
    Usage(
      command: "gps", takesConfiguration: true,
      text: """
        talon gps [--once] [--json] [--config FILE]

        Shows what the position receiver of the running agent says, once a second until Ctrl-C: the fix, the satellites
        with the strength of their signals (a star for those in use), and how much comes over the line, with its errors.
        --once: once, after a second. --json: the reports as they are, one a line.
        Exit code: 69 there is no agent.
        """, flags: ["--once", "--json"]),
    Usage(
      command: "imu", takesConfiguration: true,
      text: """
        talon imu [--once] [--json] [--config FILE]
        talon imu calibrate [--config FILE]
        talon imu probe [--bus /dev/i2c-N] [--address 0x68]
        talon imu probe --iio [--device NAME]

        Shows what the motion sensor of the running agent feels, once a second until Ctrl-C: axes, tilt, steps,
        activity.
        --once: once. --json: the reports as they are, one a line.
        calibrate: guides through a rest for the gyroscope and six positions for the accelerometer; the agent keeps it.
        probe: asks who is at the addresses of the known motion chips (or at one alone), opens the first that is known,
        and shows what it felt last. On /dev/i2c-1 unless said otherwise. With --iio a sensor that a driver of the
        kernel has; NAME is in its file `name` below /sys/bus/iio/devices. The sensor serves one program at a time.
        Needs no agent. Exit code: 69 when there is no agent, no sensor, or it refuses.
        """, flags: ["--iio", "--once", "--json"], values: ["--bus", "--address", "--device"], words: 0...1),
  ]
}
