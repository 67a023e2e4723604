import Glibc
import Testing

@testable import talon

@Suite struct CommandLineTests {
  /// The exit code of a command line, as a number of sysexits.
  private func code(_ words: [String]) -> Int32 {
    do throws(Failure) {
      return try Talon.run(words).rawValue
    } catch {
      return error.code.rawValue
    }
  }

  private func says(_ words: [String]) -> String? {
    do throws(Failure) {
      _ = try Talon.run(words)
      return nil
    } catch {
      return error.text
    }
  }

  @Test(
    "a shell completes what the program knows",
    arguments: [
      ([], "console", "clear"), (["connect"], "--tools", "--seconds-ago"), (["camera"], "list", "release"),
      (["grants", "give"], "camera", "yes"), (["console"], "--help", "list"),
    ] as [([String], String, String)])
  func completions(words: [String], one: String, none: String) {
    let completions = ConsoleGrammar.completions(after: words)
    #expect(completions.contains(one))
    #expect(!completions.contains(none))
    #expect(ConsoleGrammar.completions(after: ["nonsense"]).isEmpty)
  }

  @Test(
    "help and version are given for the asking, without a configuration",
    arguments: [
      ["--help"], ["-h"], ["help"], ["version"], ["--version"], ["-V"], ["run", "--help"], ["status", "-h"],
      ["identity", "--help"],
      ["trust", "--help"], ["trust", "--replace", "--help"], ["config", "--help"],
      ["config", "check", "--help"],
      ["version", "--help"], ["camera", "--help"], ["gps", "--help"], ["imu", "--help"],
      ["discover", "--help"], ["discover", "--json", "--seconds", "3", "-h"],
    ])
  func help(words: [String]) {
    #expect(code(words) == 0)
  }

  @Test("every command says how it is used, and takes --config if it needs one")
  func usages() {
    for usage in Usage.all {
      #expect(usage.text.hasPrefix("talon \(usage.command)"))
      #expect(usage.text.contains("[--config FILE]") == usage.takesConfiguration)
      #expect(Usage.overview.contains("talon \(usage.command)"))
    }
  }

  /// True when the parser itself refuses a dash in this place.
  private func refusesDash(_ words: [String], _ usage: Usage) -> Bool {
    do throws(Failure) {
      _ = try Options(words, usage)
      return false
    } catch {
      return error.code == .usage && error.text.contains("takes no -")
    }
  }

  @Test("every command refuses - for each option and word, unless its help says that it is standard input or output")
  func dashes() {
    for usage in Usage.all {
      for option in usage.values {
        #expect(refusesDash([option, "-"], usage) != usage.dashes.contains(option), "\(usage.command) \(option)")
      }
      #expect(refusesDash(["-"], usage) != usage.dashes.contains("-"), "\(usage.command)")
      #expect(refusesDash(["--config", "-"], usage) == usage.takesConfiguration, "\(usage.command)")
      if !usage.dashes.isEmpty { #expect(usage.text.contains("standard"), "\(usage.command)") }
    }
  }

  @Test(
    "a wrong command line is refused with EX_USAGE, and told why",
    arguments: [
      (["fly"], #"unknown command "fly"; see talon --help"#),
      (["Run"], #"unknown command "Run"; did you mean talon run?"#),
      (["statsu"], #"unknown command "statsu"; did you mean talon status?"#),
      (["run", "--fast"], "talon run does not know --fast"),
      (["status", "--jsn"], "talon status does not know --jsn; did you mean --json?"),
      (["run", "now"], #"talon run does not take "now""#),
      (["run", "--config"], "--config needs a file"),
      (["run", "--replace"], "talon run does not know --replace"),
      (["version", "--config", "x"], "talon version does not know --config"),
      (["trust", "abc"], #""abc" needs --replace, and nothing else, before it"#),
      (["trust", "--replace", "a", "b"], #"talon trust does not take "b""#),
      (["say"], "talon say needs more words:\n  talon say TEXT [--speed N] [--out FILE] [--config FILE]"),
      (["say", ""], "talon say needs a text of 1 to 6144 bytes"),
      (["say", "hi", "--speed", "3"], "--speed needs a number from 0.5 to 2"),
      (["say", "hi", "--speed", "fast"], "--speed needs a number from 0.5 to 2"),
      (
        ["imu", "dance"], "\"imu dance\" is not understood; expected: talon imu, talon imu calibrate or talon imu probe"
      ),
      (["gps", "now"], "\"gps now\" is not understood; expected: talon gps or talon gps track"),
      (
        ["camera", "dance"], "\"camera dance\" is not understood; expected: talon camera list, modes, controls or snap"
      ),
      (["imu", "probe", "--address", "0x07"], "--address is a number from 0x08 to 0x77"),
      (["imu", "probe", "--address", "sixty"], "--address is a number from 0x08 to 0x77"),
      (["imu", "probe", "--bus"], "--bus needs a value"),
      (["imu", "probe", "--chip"], "--chip needs a value"),
      (
        ["imu", "probe", "--chip", "bmi270"],
        "--chip is BMI270, which only the kernel's driver can set up: set driver = iio"
      ),
      (["camera", "snap"], "talon camera snap needs --out FILE"),
      (["camera", "snap", "--out", "x", "--format", "YUYV2"], "--format needs four characters, as YUYV"),
      (["camera", "snap", "--out", "x", "--size", "640"], "--size needs WIDTHxHEIGHT"),
      (["camera", "modes", "--width", "1"], "--width needs a number from 2 to 65535"),
      (["camera", "controls", "--set", "gain"], "--set needs NAME=NUMBER"),
      (["discover", "here"], #"talon discover does not take "here""#),
      (["discover", "--config", "x"], "talon discover does not know --config"),
      (["discover", "--seconds"], "--seconds needs a value"),
      (["discover", "--seconds", "0"], "--seconds needs a number from 1 to 60"),
      (["discover", "--seconds", "61"], "--seconds needs a number from 1 to 60"),
      (["discover", "--domain"], "--domain needs a value"),
      (["chat", "a", "b"], #"talon chat does not take "b""#),
      (
        ["chat", "hi", "--new", "--session", "x"],
        "--new begins a conversation, --session goes on with one: leave out either"
      ),
      (
        ["gateway", "approvals", "yes"],
        "\"gateway approvals yes\" is not understood; expected: talon gateway approvals [yes NAME | no NAME]"
      ),
      (["gateway", "approvals", "yes", "me"], #""me" is no name of a request; see talon gateway approvals"#),
      (["gateway", "who"], #""gateway who" is not understood; expected: talon gateway [approvals], not "who""#),
      (["discover", "--domain", "."], "--domain needs a name"),
      (["discover", "--domain", "a..b"], "--domain has an empty label"),
      (["run", "--json"], "talon run does not know --json"),
      (
        ["config"],
        """
        talon config needs more words:
          talon config check [--config FILE]
          talon config show [SECTION]
          talon config set SECTION.KEY VALUE
          talon config unset SECTION.KEY
          talon config hash-pin
        """
      ),
      (
        ["config", "what"],
        "\"config what\" is not understood; expected: talon config check, show [SECTION], set SECTION.KEY VALUE, unset SECTION.KEY or hash-pin"
      ),
      (
        ["config", "check", "x"],
        "\"config check x\" is not understood; expected: talon config check, show [SECTION], set SECTION.KEY VALUE, unset SECTION.KEY or hash-pin"
      ),
      (
        ["config", "set", "gateway.url"],
        "\"config set gateway.url\" is not understood; expected: talon config check, show [SECTION], set SECTION.KEY VALUE, unset SECTION.KEY or hash-pin"
      ),
      (["console", "--baud", "300"], "--baud needs a number from 9600 to 921600"),
      (["reboot", "now"], "talon reboot does not take \"now\""),
    ])
  func wrong(words: [String], reason: String) {
    #expect(code(words) == 64)
    #expect(says(words) == reason)
  }

  @Test("no command at all shows the overview and is wrong")
  func nothing() {
    #expect(code([]) == 64)
  }

  /// A file with folders of its own. Without them a command would look for an agent in the usual ones, and an agent of
  /// this machine would answer it.
  private func configuration(in folder: TemporaryFolder, _ line: String) -> String {
    folder.put(
      "talon.conf",
      """
      [gateway]
      url = wss://gateway.local
      \(line)
      [node]
      state_directory = \(folder.path)/state
      runtime_directory = \(folder.path)/run
      """)
  }

  @Test(
    "a wrong configuration ends every command with EX_CONFIG",
    arguments: [
      ["run"], ["status"], ["identity"], ["trust"], ["trust", "--replace"], ["config", "check"],
    ])
  func wrongConfiguration(words: [String]) {
    let folder = TemporaryFolder()
    let path = configuration(in: folder, "token_file = /no/such/file")
    #expect(code(words + ["--config", path]) == 78)
    #expect(
      says(words + ["--config", path])
        == "\(path):3: [gateway] token_file: /no/such/file cannot be read: no such file or directory")
  }

  @Test("a configuration that is not there ends a command with EX_CONFIG")
  func noConfiguration() {
    #expect(code(["config", "check", "--config", "/no/such/file"]) == 78)
    #expect(
      says(["config", "check", "--config", "/no/such/file"])
        == "/no/such/file: cannot be read: no such file or directory")
  }

  @Test(
    "a file that the board fails to read just now ends a command with EX_TEMPFAIL, so that a supervisor tries again")
  func passingTrouble() {
    // The first page of a process is never there: reading it is EIO.
    #expect(code(["config", "check", "--config", "/proc/self/mem"]) == 75)
    let folder = TemporaryFolder()
    let path = configuration(in: folder, "token_file = /proc/self/mem")
    #expect(code(["status", "--config", path]) == 75)
    #expect(
      says(["status", "--config", path])
        == "\(path):3: [gateway] token_file: /proc/self/mem cannot be read: input/output error")
  }

  @Test("commands on a right configuration end as their help says")
  func right() {
    let folder = TemporaryFolder()
    let state = folder.path + "/state"
    let path = folder.put(
      "talon.conf",
      """
      [gateway]
      url = wss://gateway.local
      [node]
      state_directory = \(state)
      runtime_directory = \(folder.path)/run
      """)
    let pin = String(repeating: "0123456789abcdef", count: 4)
    for (words, expected) in [
      (["config", "check"], 0), (["status"], 69), (["identity"], 0), (["identity"], 0), (["trust"], 0),
      (["trust", "--replace"], 0), (["trust", "--replace", pin], 0), (["trust"], 0),
      (["trust", "--replace", "abc"], 64),
    ] as [([String], Int32)] {
      #expect(code(words + ["--config", path]) == expected, "\(words)")
    }
    var status = stat()
    stat(state, &status)
    #expect(status.st_mode & 0o777 == 0o700)
  }
}
