/// The help of commands that send requests to the running agent.
extension Usage {
  static let console = [
    Usage(
      command: "chat", takesConfiguration: true,
      text: """
        talon chat [TEXT] [--agent NAME] [--session KEY] [--new] [--attach-photo] [--verbose] [--config FILE]
        talon chat agents|sessions [--config FILE]

        Says TEXT to the gateway's agent and prints its reply as it comes; the agent's tools and thoughts are lines on
        standard error. Ctrl-C stops the reply. Without TEXT: one message a line, with commands (:help).
        --agent: another agent's main conversation. --session: this conversation. --new: a conversation that has not
        begun yet. --attach-photo: takes a photo with this board's camera and sends it along. --verbose: also what tools
        were given, and the beginnings of thoughts. agents, sessions: which there are.
        Needs [operator] enabled = yes, and its approval on the gateway (talon status shows the command).
        Exit code: 0 the reply is complete, 64 a word is wrong, 69 there is no agent, no console connection or no photo,
        75 it failed.
        """, flags: ["--new", "--attach-photo", "--verbose"], values: ["--agent", "--session"], words: 0...1),
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

        Lets the gateway make speech of TEXT, writes the sound to FILE (- is standard output) and says which kind it is.
        """, values: ["--out"], words: 1...1, dashes: ["--out"]),
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
        talon gateway approvals [yes NAME | no NAME] [--config FILE]

        Prints the gateway's version, device id and public key, what this board may do there, and how the gateway fares:
        for how long it is up, its channels, agents, sessions and last heartbeat, as far as its version tells.
        approvals: the requests of the gateway that wait for a person (programs, devices, nodes), and answers them by
        the name that the list has: yes allows one, for once. Needs [operator] approvals = yes, and the gateway's
        approval of that.
        Exit code: 64 a word is wrong, 69 there is no agent, no console connection, or no such request.
        """, words: 0...3),
    Usage(
      command: "grants", takesConfiguration: true,
      text: """
        talon grants [--config FILE]
        talon grants yes NAME [once|60s|session|today] [--config FILE]
        talon grants no [NAME] [--config FILE]
        talon grants give WHAT[,WHAT...] [once|session|today|TIME] [--config FILE]
        talon grants end [WHAT[,WHAT...]] [--config FILE]

        Lists what the agent may use, by [consent] of talon.conf and by what was granted at the board, and the question
        that waits for an answer; in a terminal it asks you for yours.
        yes, no: answers the question of this name, which the list has; yes alone is for once. A grant for longer is for
        what was asked: photos are no films, and of programs and tools it is for the same words alone. give: grants
        every use before anybody asks, for 60 s unless it says otherwise; TIME is a length such as 90s, 10m or 2h. end:
        takes grants back, all of them without WHAT.
        WHAT: camera, camera.front, microphone, location, screen.record, motion, tools, run.
        Exit code: 64 a word is wrong, 69 there is no agent, no question, or nothing that is asked about.
        """, words: 0...3),
    Usage(
      command: "journal", takesConfiguration: true,
      text: """
        talon journal [--limit N] [--config FILE]

        Prints the last N uses of the camera, the microphone, the place, the screen's recordings, the motion sensor, the
        tools and programs (1 to 1000; default 20), the newest first: when, what, how often, how long, and who had
        allowed it.
        """, values: ["--limit"]),
    Usage(
      command: "tools", takesConfiguration: true,
      text: """
        talon tools [--config FILE]
        talon tools test NAME [JSON] [--config FILE]

        Lists the tools of this board: whether the agent sees each, and why not; the owner's MCP servers and what they
        do; the last call and the last failure.
        test: calls the tool NAME as the agent would, with the arguments JSON, and prints its result. Of a picture only
        type and size are printed.
        Exit code of test: 0 it succeeded, 69 there is no such tool, 75 it failed.
        """, words: 0...3),
    Usage(
      command: "agent", takesConfiguration: true,
      text: """
        talon agent [status | models] [--config FILE]
        talon agent chat [TEXT] [--verbose] [--config FILE]
        talon agent search WORDS [--config FILE]
        talon agent forget WORDS | --entry N | --all [--config FILE]
        talon agent export FILE | import FILE [--config FILE]

        The board's own agent ([agent] enabled): whether it answers, and what models have used today.
        models: asks each server of [model NAME] whether it has the model.
        chat: as talon chat, with this agent, also while the gateway is there.
        search: entries of its memory that have one of the words. forget: those that have each of the words, the entry
        with the number N of a search, or everything; nothing of them is left in the memory's file.
        export: writes the memory as Markdown into FILE, which must not be there. import: takes the entries of such a
        file that are not known yet; lines that are no entries are named. FILE - is standard output or input.
        Exit code: 64 a word is wrong, 69 there is no agent, or it refuses, 75 it does something else.
        """, flags: ["--all", "--verbose"], values: ["--entry"], words: 0...32, dashes: ["-"]),
    Usage(
      command: "update", takesConfiguration: true,
      text: """
        talon update [status] [--config FILE]
        talon update FILE|URL [--older] [--config FILE]
        talon update check|rollback|confirm|cancel [--config FILE]

        Shows which release runs, what is in the board's other slot, and how far an update is.
        FILE, URL: installs that bundle into the other slot and restarts into it, for a trial: unless the self-test
        passes and the gateway accepts the board within ten minutes, the old release comes back. --older: also one
        that is older than the board has confirmed, which root alone may say.
        check: asks the update server now. rollback: goes back to the other slot's release, as root. confirm: takes the
        release that is being tried as it is. cancel: ends an update that does not run yet.
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

        Tells the gateway now that this board is alive, or says when it will: at most once a minute.
        """),
    Usage(
      command: "gps", takesConfiguration: true,
      text: """
        talon gps [--once] [--json] [--config FILE]
        talon gps track [--forget] [--config FILE]

        Shows what the position receiver of the running agent says, once a second until Ctrl-C: the fix, the satellites
        with the strength of their signals (a star for those in use), and how much comes over the line, with its errors.
        --once: once, after a second. --json: the reports as they are, one a line.
        track: where the board was, as far back as [location] track says, as GPX 1.1 for maps, as in
        talon gps track > track.gpx. The places are exact, whatever [location] precision says.
        --forget: erases the track on the board, for good.
        Exit code: 69 there is no agent, or it keeps no track.
        """, flags: ["--once", "--json", "--forget"], words: 0...1),
    Usage(
      command: "imu", takesConfiguration: true,
      text: """
        talon imu [--once] [--json] [--config FILE]
        talon imu calibrate [--config FILE]
        talon imu probe [--bus /dev/i2c-N] [--address 0x68] [--chip NAME]
        talon imu probe --iio [--device NAME]

        Shows what the motion sensor of the running agent feels, once a second until Ctrl-C: axes, tilt, steps,
        activity.
        --once: once. --json: the reports as they are, one a line.
        calibrate: guides through a rest for the gyroscope and six positions for the accelerometer; the agent keeps it.
        probe: asks who is at the addresses of the known motion chips (or at one alone), opens the first that is known,
        and shows what it felt last. On /dev/i2c-1 unless said otherwise. --chip: what the chip is, whatever number it
        has, as in [motion] chip. With --iio a sensor that a driver of the
        kernel has; NAME is in its file `name` below /sys/bus/iio/devices. The sensor serves one program at a time.
        Needs no agent. Exit code: 69 when there is no agent, no sensor, or it refuses.
        """, flags: ["--iio", "--once", "--json"], values: ["--bus", "--address", "--chip", "--device"],
      words: 0...1),
  ]
}
