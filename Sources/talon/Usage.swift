/// The help of one command.
struct Usage {
  let command: String
  let takesConfiguration: Bool
  let text: String
  /// Options without and with a value, and the number of words that may follow.
  var flags: [String] = []
  var values: [String] = []
  var words = 0...0
  /// Where - stands for standard input or output: options, and "-" for words.
  var dashes: [String] = []

  /// How the command is written: the lines of its help before the first empty one.
  var synopsis: String {
    text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }.map { "  \($0)" }
      .joined(separator: "\n")
  }

  /// The help of a command; nil for an unknown one. The command `connect` was `pair` before gateways had join URLs.
  static func named(_ command: String) -> Usage? {
    let name = command == "pair" ? "connect" : command
    for usage in all where usage.command == name { return usage }
    return nil
  }

  static let overview = """
    talon: turns this board into an OpenClaw node

      talon run            connect to the gateway and serve
      talon status         what the running agent does, and what it needs from you
      talon doctor         look at everything, and say what to do
      talon connect        find a gateway, and connect to it by a join URL or a setup code
      talon open           open a link: a message for the agent, or a gateway to connect to
      talon import         take over an openclaw node installation on this board
      talon ssh-identity   let gateways verify this board over SSH
      talon identity       who this board is to the gateway
      talon trust          which certificate of the gateway is trusted; --replace to change it
      talon chat           say something to the gateway's agent, and see its reply as it comes
      talon history        what was said last
      talon sessions       the conversations of the gateway's agents
      talon hear           send the agent a text as if it had been heard, and wait for no reply
      talon speak          let the gateway make speech of a text
      talon voicewake      the phrases that wake the agent; with phrases: set them
      talon gateway        who the gateway is
      talon event          post an event for the gateway
      talon beacon         tell the gateway now that this board is alive
      talon grants         what the agent may use, and the question that waits: yes, no, give, end
      talon journal        what was used, when, and who had allowed it
      talon tools          which tools the agent has of this board; try one
      talon agent          the board's own agent: talk to it, see and change what it remembers
      talon update         install another release, and see what became of it; go back
      talon config         check, show or set the configuration
      talon camera         which cameras there are, what they offer, and what they see
      talon gps            where the board is, and which satellites it hears
      talon io             bring the outputs of [tool NAME] into their safe state
      talon imu            what the motion sensor feels; calibrate it; which one there is
      talon listen         what the microphone hears; which there are; record it
      talon talk           talk to the gateway's agent by voice; switch talk mode on or off
      talon speaker        which speakers there are; play a tone or a file
      talon say            say something on the speaker, or into a file
      talon recognise      what the board's own recognizer makes of recordings
      talon light          what the status light says, and shows it
      talon screen         which displays and input devices there are; a test picture
      talon log            what the agent says of itself; follow it, or set how much
      talon snap           take a photo
      talon photos         which photos are kept; delete them
      talon selftest       try what the board has
      talon panic          hold the board still; release it
      talon acknowledge    somebody has seen what the agent wanted
      talon reload         read the configuration again, and connect anew
      talon console        a screen and a prompt for a serial line
      talon reset          forget everything: a factory reset
      talon reboot         reboot the board
      talon support        all that somebody needs who helps from afar, in one file
      talon discover       which gateways are near, or in a domain
      talon version        which build this is

    Every command takes --config FILE (default: \(ConfigurationFile.defaultPath)) and --help.
    """

  static let all =
    console + board + doctor + screen + sound + [
      Usage(
        command: "run", takesConfiguration: true,
        text: """
          talon run [--config FILE]

          Connects to the gateway of the configuration and serves its commands until TERM or INT.
          HUP reads the configuration again. The log goes to standard error in journald's form.
          """),
      Usage(
        command: "status", takesConfiguration: true,
        text: """
          talon status [--json] [--config FILE]

          Prints the state of the running agent and what a person must do, if anything.
          Exit code: 0 online, 75 running but not online, 69 not running.
          """, flags: ["--json"]),
      Usage(
        command: "connect", takesConfiguration: true,
        text: """
          talon connect [TARGET] [--name NAME] [--tools none|safe|all] [--camera allow|ask|never] \
          [--microphone allow|ask|never] [--consent allow|ask] [--wait | --later] [--config FILE]
          talon connect --scan [--seconds N] [--device NAME] [--config FILE]
          talon connect --waiting [--config FILE]

          Connects this board to a gateway. TARGET is a join URL (on the gateway's machine: openclaw devices join-code),
          a setup code or an oc-pair:// link (openclaw qr --setup-code-only), an openclaw://gateway link, the address of
          a dashboard with its token, or a file that holds one of these, which is removed.
          Without TARGET, at a terminal and on the serial console, it is a short conversation: it lists the gateways
          that it finds, asks for TARGET and for what is not decided yet, connects, and shows how far the board is until
          the gateway has accepted it. Where no terminal is, TARGET is read from standard input alone. Either way no
          other user of this board can see it.
          --scan looks for a QR code of one of these in front of the camera, for N seconds (1 to 600; default 60).
          --name, --tools, --camera and --microphone write into the configuration what this board is called, which tools
          the agent gets of it, and whether it may use either device: allow, ask a person at the board, or never.
          --consent is for these devices, the location and recordings of the screen together. What the file denies stays
          denied. None of them is asked for when the configuration has a name or tools.
          --wait shows how far the board is, as the conversation does, for ten minutes at most.
          A join URL is asked for once: what it gave is kept until the first connection. A running agent connects at
          once. --later keeps a join URL until --waiting, which asks for it.
          The command was talon pair, which is still understood.
          Exit code of --scan: 69 no code was seen, or the camera cannot be used.
          Exit code of the conversation and --wait: 0 accepted, 64 not answered, 69 no agent runs, 75 not accepted yet.
          """, flags: ["--later", "--waiting", "--wait", "--scan"],
        values: ["--seconds", "--device", "--name", "--tools", "--camera", "--microphone", "--consent"], words: 0...1),
      Usage(
        command: "open", takesConfiguration: true,
        text: """
          talon open [LINK | -] [--yes | --ask] [--config FILE]
          talon open yes [NAME] | no [NAME] [--config FILE]
          talon open --key [--renew] [--config FILE]

          Opens a link. openclaw://gateway and oc-pair:// links connect this board, as talon connect does.
          openclaw://agent links send a message to the gateway's agent: at once with this board's own key in it, else
          when somebody says yes; in a terminal you are asked, and --yes says so before. --ask, and what is no terminal,
          asks at the board: on the screen, with the button, or by talon open yes NAME, with
          the name of the question that talon open yes shows. LINK -, or none: read from standard input, where no other
          user of this board can see it.
          --key prints this board's own key for links, and makes it when there is none; --renew makes another.
          Exit code: 64 the link is wrong, 69 there is no agent, or it was refused, 75 try again.
          """, flags: ["--yes", "--ask", "--key", "--renew"], words: 0...2, dashes: ["-"]),
      Usage(
        command: "import", takesConfiguration: true,
        text: """
          talon import [FOLDER] [--config FILE]

          Takes over name, gateway and token of an openclaw node installation on this board, and changes nothing there.
          FOLDER is its state folder; without it that of the person who calls (.openclaw).
          """, words: 0...1),
      Usage(
        command: "ssh-identity", takesConfiguration: true,
        text: """
          talon ssh-identity [install | remove] [--config FILE]

          install: lets gateways verify this board over SSH instead of by a person. A link, /usr/local/bin/openclaw,
          answers openclaw node identity --json with this board's public key. It never takes the place of a real one.
          remove: takes that back. Without a word: whether it is installed.
          """, words: 0...1),
      Usage(
        command: "identity", takesConfiguration: true,
        text: """
          talon identity [--config FILE]

          Prints the node id and the public key of this board, which it makes on first use.
          """),
      Usage(
        command: "trust", takesConfiguration: true,
        text: """
          talon trust [--replace [FINGERPRINT] | --authorities] [--config FILE]

          Alone: prints what is trusted, the SHA-256 of the gateway's certificate or authorities.
          --replace FINGERPRINT trusts exactly that certificate from now on.
          --replace alone forgets the old one and trusts the next certificate seen.
          --authorities trusts each certificate of the gateway's name for which an authority of this
          board vouches: renewals need nobody then.
          A running agent connects again at once.
          """, flags: ["--replace", "--authorities"], words: 0...1),
      Usage(
        command: "config", takesConfiguration: true,
        text: """
          talon config check [--config FILE]
          talon config show [SECTION]
          talon config set SECTION.KEY VALUE
          talon config unset SECTION.KEY
          talon config hash-pin

          check: reads the configuration and says whether it is right, and which addresses of the gateway are tried, or
          which file, line and key is not right.
          show: the keys that are set, secrets hidden.
          set: changes a key where it stands, or adds it; comments stay. A value that is not right changes nothing.
          unset takes a key out. The running agent takes up the change. What grants rights, or names files, devices and
          programs, is refused: it is set in the file alone.
          hash-pin: reads a PIN from standard input, and prints what [console] pin may be in its place.
          """, words: 1...3),
      Usage(
        command: "io", takesConfiguration: true,
        text: """
          talon io safe [--config FILE]

          Brings the outputs of the sections [tool NAME] into their safe state, when no agent runs. The service runs it
          whenever the agent has ended.
          """, words: 1...1),
      Usage(
        command: "discover", takesConfiguration: false,
        text: """
          talon discover [--seconds N] [--domain DOMAIN] [--json]

          Lists the gateways that advertise themselves on this board's networks (multicast DNS), or in
          a domain (--domain, asked of the system's name servers). Needs no configuration. What is shown
          is what the network says, and proves nothing: the certificate does.
          Searches for 5 seconds unless told otherwise. Exit code: 0 found, 69 none found.
          """, flags: ["--json"], values: ["--seconds", "--domain"]),
      Usage(
        command: "camera", takesConfiguration: true,
        text: """
          talon camera list [--config FILE]
          talon camera modes [DEVICE] [--width N] [--rate N] [--clip]
          talon camera controls [DEVICE] [--set NAME=NUMBER]
          talon camera snap [DEVICE] --out FILE [--width N] [--delay MS] [--format CODE] [--size WxH]

          list: the cameras that can be used, and where they are plugged in. DEVICE is either, or a name of
          the configuration; without it, the first.
          modes: every format, size and rate that a camera offers. The one with a star is what a photo N pixels wide
          (or with --clip a clip, of N frames a second) would be taken in.
          controls: what can be set, from where to where, and how it is now. --set, which may stand more than once,
          sets.
          snap: takes a photo; with --format and --size in that format and size of the camera alone. FILE - is standard
          output.
          None of them needs a running agent, but a camera serves one program at a time. What the configuration says of
          cameras counts when there is one.
          Exit code: 69 when there is no such camera, or it refuses.
          """, flags: ["--clip"],
        values: ["--width", "--rate", "--set", "--out", "--delay", "--format", "--size"], words: 1...2,
        dashes: ["--out"]),
      Usage(
        command: "light", takesConfiguration: true,
        text: """
          talon light
          talon light SIGNAL [--seconds N] [--config FILE]
          talon light test [--seconds N] [--config FILE]

          Without words: everything that the status light says, how, and what to do about it.
          SIGNAL: shows one of them on the light of the configuration, until Ctrl-C. What the button does is told, and
          shown as well; nothing is reset. test: shows all of them, one after the other.
          A running agent has the light: stop it first.
          """, values: ["--seconds"], words: 0...1),
      Usage(
        command: "version", takesConfiguration: false,
        text: """
          talon version

          Prints the version, and of which commit and day the build is.
          """),
    ]
}
