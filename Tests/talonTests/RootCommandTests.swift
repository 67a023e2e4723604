import Foundation
import Glibc
import Runtime
import Testing

@testable import talon

/// Root runs a command in folders of the agent's user, who has put something in the place of every file there. These
/// tests run the program itself, for a command of root's that gives up its rights cannot take them back; they need to
/// be root.
@Suite("What root runs in folders of the agent's user", .serialized, .enabled(if: geteuid() == 0))
struct RootCommandTests {
  /// nobody: a user that every system has.
  private static let user: uid_t = 65534
  private static let secret = "what is root's alone\n"

  /// What stands in the place of a file.
  enum Trap: String, CaseIterable {
    case link, hardLink, pipe, folder, danglingLink
  }

  /// Folders as a board has them: root's own around those of the agent's user.
  private final class Board {
    let base = TemporaryFolder()
    var state: String { base.path + "/state" }
    var run: String { base.path + "/run" }
    var configuration: String { base.path + "/talon.conf" }
    /// Root's file, which nothing may change, give away or read out; and a folder in which nothing may appear.
    var precious: String { base.path + "/precious" }
    var shut: String { base.path + "/shut" }

    init() {
      chmod(base.path, 0o755)
      for folder in [state, run] {
        mkdir(folder, 0o755)
        chown(folder, user, user)
      }
      mkdir(shut, 0o700)
      _ = base.put("precious", secret)
      chmod(precious, 0o600)
      _ = base.put(
        "talon.conf",
        """
        [gateway]
        url = wss://127.0.0.1:9
        [node]
        state_directory = \(state)
        runtime_directory = \(run)
        [camera]
        driver = none

        """)
    }

    func set(_ trap: Trap, at path: String) {
      switch trap {
      case .link: symlink(precious, path)
      case .hardLink: link(precious, path)
      case .pipe: mkfifo(path, 0o666)
      case .folder: mkdir(path, 0o777)
      case .danglingLink: symlink(shut + "/made", path)
      }
      lchown(path, user, user)
      // A hard link is the file itself.
      if trap == .hardLink { chown(precious, 0, 0) }
    }

    /// What was changed of what is root's; nil: nothing.
    var damage: String? {
      var status = stat()
      guard stat(precious, &status) == 0 else { return "root's file is gone" }
      if status.st_uid != 0 || status.st_gid != 0 { return "root's file was given away" }
      if status.st_mode & 0o7777 != 0o600 { return "the rights of root's file are others" }
      guard let text = try? String(contentsOfFile: precious, encoding: .utf8), text == secret else {
        return "root's file was written"
      }
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: shut), names.isEmpty else {
        return "a file was made through a link"
      }
      return nil
    }
  }

  /// The program, beside the tests.
  private static let program = (CommandLine.arguments[0] as NSString).deletingLastPathComponent + "/talon"

  /// Runs the program; its exit code and what it said. Nil when it hung.
  private static func talon(
    _ words: [String], input: String = "", isTyped: Bool = false, seconds: Double = 10
  ) throws -> (code: Int32, text: String)? {
    let process = Foundation.Process()
    process.executableURL = URL(filePath: program)
    process.arguments = words
    if isTyped { process.environment = ProcessInfo.processInfo.environment.merging(["TALON_CONSOLE": "1"]) { $1 } }
    let (stdin, stdout) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (stdin, stdout, stdout)
    try process.run()
    // A program that has ended already reads nothing; `write(_:)` would end the tests with it.
    try? stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try? stdin.fileHandleForWriting.close()
    let deadline = Date(timeIntervalSinceNow: seconds)
    while process.isRunning, Date() < deadline { usleep(2_000) }
    let hung = process.isRunning
    if hung { kill(process.processIdentifier, SIGKILL) }
    let text = String(decoding: stdout.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return hung ? nil : (process.terminationStatus, text)
  }

  /// Every command with words that make it work, as far as it gets without an agent. Left out: reboot, which would;
  /// discover and version, which have no configuration; screen, which takes displays.
  private static let commands: [(words: [String], input: String)] = [
    (["status"], ""), (["doctor"], ""), (["identity"], ""), (["connect"], code), (["trust"], ""),
    (["import", "/nowhere"], ""), (["ssh-identity"], ""), (["io", "safe"], ""),
    (["trust", "--replace"], ""),
    (["open"], "openclaw://gateway?host=127.0.0.1\n"), (["open", "--key"], ""),
    (["open", "openclaw://agent?message=a"], ""),
    (["chat", "hi"], ""), (["chat"], "hi\n"), (["chat", "agents"], ""), (["history"], ""), (["sessions"], ""),
    (["hear", "hi"], ""),
    (["speak", "hi", "--out", "/dev/null"], ""),
    (["voicewake"], ""), (["gateway"], ""), (["gateway", "approvals"], ""), (["event", "voice.transcript", "{}"], ""),
    (["beacon"], ""), (["reload"], ""),
    (["grants"], ""), (["grants", "give", "camera", "10m"], ""), (["journal"], ""),
    (["tools"], ""), (["update"], ""), (["update", "/nowhere.raucb"], ""), (["support", "--out", "-"], ""),
    (["tools", "test", "photo"], ""),
    (["agent"], ""), (["agent", "export", "/dev/null"], ""), (["agent", "import", "/dev/null"], ""),
    (["config", "check"], ""), (["config", "show"], ""), (["config", "set", "node.name", "A"], ""),
    (["config", "unset", "node.name"], ""),
    (["camera", "list"], ""), (["gps", "--once"], ""), (["gps", "track"], ""),
    (["imu", "--once"], ""), (["imu", "calibrate"], ""),
    (["listen", "--once"], ""), (["listen", "--forget", "hey kitchen"], ""),
    (["talk"], ""), (["speaker", "tone"], ""), (["say", "hi"], ""), (["recognise", "/dev/null"], ""),
    (["light", "test", "--seconds", "1"], ""),
    (["log"], ""), (["snap"], ""), (["photos", "delete"], ""), (["selftest"], ""), (["panic"], ""),
    (["acknowledge"], ""),
    (["reset", "--confirm", "yes"], ""),
    (["console"], ""),
  ]

  /// A setup code of a gateway at this machine (gateway reference: base64url of JSON).
  private static let code: String = {
    let json = #"{"url":"wss://127.0.0.1:9","bootstrapToken":"0123456789abcdef0123456789abcdef"}"#
    return Data(json.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(
      of: "/", with: "_"
    )
    .replacingOccurrences(of: "=", with: "") + "\n"
  }()

  @Test("every command is tried")
  func complete() {
    let tried = Set(Self.commands.map(\.words[0])).union(["run", "reboot", "discover", "version", "screen"])
    #expect(tried == Set(Usage.all.map(\.command)))
  }

  /// The names of what commands keep: found by running them where nothing is in their way, and the rest by what the
  /// agent keeps.
  private func names() throws -> [String] {
    let board = Board()
    for command in [["identity"], ["trust", "--replace"], ["connect"]] {
      _ = try Self.talon(command + ["--config", board.configuration], input: command == ["connect"] ? Self.code : "")
    }
    let made = try FileManager.default.contentsOfDirectory(atPath: board.state)
    #expect(made.contains("identity") && made.contains("paired") && made.contains { $0.hasPrefix("gateway-") })
    // What is made there belongs to whom the folder belongs to.
    for name in made {
      var status = stat()
      lstat(board.state + "/" + name, &status)
      #expect(status.st_uid == Self.user, "\(name)")
    }
    var names = Set(
      made.map { $0.replacingOccurrences(of: ".old", with: "").replacingOccurrences(of: ".new", with: "") })
    names.formUnion(["lock", "enrolled", "enrolled.lock", "console-pin", "console-lock", "reset-begun", "said.wav"])
    return names.sorted()
  }

  @Test("changes nothing of root's, and waits for nothing", arguments: Trap.allCases)
  func traps(trap: Trap) throws {
    let names = try names()
    for command in Self.commands {
      for suffix in ["", ".new"] {
        // With all names taken a command ends at the first; with those of new generations alone it gets to writing.
        let board = Board()
        for name in names { board.set(trap, at: "\(board.state)/\(name)\(suffix)") }
        for name in ["control", "snap.jpg"] { board.set(trap, at: "\(board.run)/\(name)") }
        let result = try Self.talon(command.words + ["--config", board.configuration], input: command.input)
        #expect(result != nil, "talon \(command.words.joined(separator: " ")) waits where a \(trap.rawValue) stands")
        let damage = board.damage
        #expect(
          damage == nil, "talon \(command.words.joined(separator: " ")), a \(trap.rawValue), \(suffix): \(damage ?? "")"
        )
      }
    }
  }

  @Test("a simulated speaker writes over nothing of root's", arguments: [Trap.link, .hardLink, .danglingLink])
  func speaker(trap: Trap) throws {
    let board = Board()
    let text = try String(contentsOfFile: board.configuration, encoding: .utf8)
    _ = board.base.put("talon.conf", text + "\n[speaker]\ndriver = simulated\nfile = \(board.state)/said.wav\n")
    board.set(trap, at: board.state + "/said.wav")
    for words in [["speaker", "tone"], ["say", "hi"]] {
      #expect(try Self.talon(words + ["--config", board.configuration]) != nil)
      #expect(board.damage == nil)
    }
  }

  @Test("a state folder that is a link of the agent's user leads nowhere")
  func folders() throws {
    let board = Board()
    let inner = board.state + "/deep"
    symlink(board.shut, inner)
    lchown(inner, Self.user, Self.user)
    let text = try String(contentsOfFile: board.configuration, encoding: .utf8)
    _ = board.base.put("talon.conf", text.replacingOccurrences(of: "= \(board.state)\n", with: "= \(inner)\n"))
    for words in [["identity"], ["trust", "--replace"], ["connect"]] {
      let result = try Self.talon(words + ["--config", board.configuration], input: Self.code)
      #expect(result?.code != 0)
      #expect(board.damage == nil)
    }
  }

  @Test("a setup code of root's behind a link of the agent's user is neither read nor removed")
  func codeFile() throws {
    let board = Board()
    mkdir(board.base.path + "/codes", 0o700)
    _ = board.base.put("codes/code", Self.code)
    let way = board.state + "/way"
    symlink(board.base.path + "/codes", way)
    lchown(way, Self.user, Self.user)
    let result = try Self.talon(["connect", way + "/code", "--config", board.configuration])
    #expect(result?.code == ExitCode.usage.rawValue)
    #expect(access(board.base.path + "/codes/code", F_OK) == 0)
    // Without the link it is taken, and gone.
    let direct = try Self.talon(["connect", board.base.path + "/codes/code", "--config", board.configuration])
    #expect(direct?.code == 0)
    #expect(access(board.base.path + "/codes/code", F_OK) != 0)
  }

  @Test("a configuration in a folder of the agent's user is written with that user's rights alone")
  func configurationFile() throws {
    let board = Board()
    let file = board.state + "/talon.conf"
    let text = try String(contentsOfFile: board.configuration, encoding: .utf8)
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    mkdir(board.base.path + "/other", 0o755)
    _ = board.base.put("other/node.json", #"{"displayName":"Roof","gateway":{"host":"127.0.0.1","port":9}}"#)
    // Root could write there.
    chmod(board.state, 0o555)
    _ = try Self.talon(["import", board.base.path + "/other", "--config", file])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
  }

  @Test("an older release is allowed by root's word in root's folder, and in no other")
  func olderRelease() throws {
    let board = Board()
    let folder = board.run + "-system/kept"
    for folder in [board.run + "-system", folder] { mkdir(folder, 0o755) }
    for (words, word) in [(["/x.raucb", "--older"], "install 20 "), (["rollback"], "rollback 20 ")] {
      _ = try Self.talon(["update"] + words + ["--config", board.configuration])
      #expect(try String(contentsOfFile: folder + "/older", encoding: .utf8).hasPrefix(word))
    }
    unlink(folder + "/older")
    for words in [["/x.raucb"], ["check"], ["status", "--older"]] {
      _ = try Self.talon(["update"] + words + ["--config", board.configuration])
    }
    chown(folder, Self.user, Self.user)
    _ = try Self.talon(["update", "/x.raucb", "--older", "--config", board.configuration])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test("a last configuration that the agent's user wrote counts with that user's rights alone")
  func lastConfiguration() throws {
    let board = Board()
    let text = try String(contentsOfFile: board.configuration, encoding: .utf8)
    let forged = text.replacingOccurrences(of: board.state, with: board.shut)
      .replacingOccurrences(of: board.run, with: board.shut)
    #expect(LastConfiguration.save(Array(forged.utf8), state: board.state, runtime: board.run) == nil)
    chown(board.state + "/configuration", Self.user, Self.user)
    _ = board.base.put("talon.conf", text + "nonsense\n")
    let result = try Self.talon(["run", "--config", board.configuration])
    #expect(result?.code == ExitCode.cannotCreate.rawValue)
    #expect(board.damage == nil)
  }

  @Test("the agent itself becomes the user whose state it keeps")
  func agent() throws {
    let board = Board()
    rmdir(board.run)
    let process = Foundation.Process()
    process.executableURL = URL(filePath: Self.program)
    process.arguments = ["run", "--config", board.configuration]
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { process.waitUntilExit() }
    defer { process.terminate() }
    var status = stat()
    for _ in 0..<1000 where lstat(board.run + "/control", &status) != 0 { usleep(10_000) }
    #expect(status.st_uid == Self.user)
    let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    for key in ["Uid", "Gid"] { #expect(text.contains("\(key):\t65534\t65534\t65534\t65534\n")) }
    #expect(text.contains("CapEff:\t0000000000000000\n") && text.contains("CapPrm:\t0000000000000000\n"))
    // Root's commands reach it, and see that it is whom the folder belongs to.
    #expect(try Self.talon(["status", "--json", "--config", board.configuration])?.text.contains("\"pid\"") == true)
  }

  // MARK: The socket

  @Test("a command that stays root says nothing to who listens in the agent's place")
  func foreignSocket() throws {
    let board = Board()
    let listener = try LineListener(board.base.path + "/socket") { _ in #"{"id":1,"type":"result","result":{}}"# }
    defer { listener.stop() }
    symlink(board.base.path + "/socket", board.run + "/control")
    lchown(board.run + "/control", Self.user, Self.user)
    // This one keeps root, for its file is the person's.
    let result = try #require(
      try Self.talon(["speak", "hi", "--out", board.shut + "/sound", "--config", board.configuration]))
    #expect(result.code == ExitCode.unavailable.rawValue)
    #expect(result.text.contains("not the agent"))
    #expect(listener.lines.isEmpty && board.damage == nil)
  }

  @Test("who is told to start over says the kernel, and not the agent")
  func hangUp() throws {
    let board = Board()
    chown(board.run, 0, 0)
    chown(board.state, 0, 0)
    // A process of root's that the agent names in its own place.
    let victim = Foundation.Process()
    victim.executableURL = URL(filePath: "/bin/sleep")
    victim.arguments = ["60"]
    try victim.run()
    defer { victim.waitUntilExit() }
    defer { kill(victim.processIdentifier, SIGKILL) }
    let listener = try LineListener(board.run + "/control") { _ in
      #"{"id":1,"type":"result","result":{"pid":\#(victim.processIdentifier),"state":"online"}}"#
    }
    defer { listener.stop() }
    // The listener is in this process, which is told.
    let old = signal(SIGHUP) { _ in hangUps += 1 }
    let result = try Self.talon(["trust", "--replace", "--config", board.configuration])
    #expect(result?.code == 0 && listener.lines.count == 1)
    #expect(try hangUps > 0 || Self.waitsForHangUp(getpid()))
    #expect(try victim.isRunning && !Self.waitsForHangUp(victim.processIdentifier))
    // One that waits is forgotten.
    signal(SIGHUP, SIG_IGN)
    signal(SIGHUP, old)
  }

  /// A SIGHUP was sent to a process that blocks it, as what is started on a thread of the tests does.
  private static func waitsForHangUp(_ process: pid_t) throws -> Bool {
    let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ShdPnd:\t") })
    return try #require(UInt64(line.dropFirst(8), radix: 16)) >> UInt64(SIGHUP - 1) & 1 == 1
  }

  // MARK: At the console

  @Test("what is typed at the console acts as the agent's user: it writes nowhere where that may not")
  func typedAtConsole() throws {
    let board = Board()
    let words = ["say", "hi", "--out", board.precious, "--config", board.configuration]
    #expect(try Self.talon(words, isTyped: true)?.code == ExitCode.cannotCreate.rawValue)
    #expect(
      try Self.talon(["config", "set", "node.name", "A", "--config", board.configuration], isTyped: true)?.code == 0)
    #expect(board.damage == nil)
    // Root's own shell writes where it says.
    #expect(try Self.talon(words)?.code == 0)
  }
}

/// Those that came to this process.
private nonisolated(unsafe) var hangUps: sig_atomic_t = 0

/// Listens at a path, answers each line with another, and keeps what came.
private final class LineListener: @unchecked Sendable {
  private let socket: Int32
  private let lock = NSLock()
  private var heard: [String] = []

  var lines: [String] { lock.withLock { heard } }

  init(_ path: String, answer: @escaping @Sendable (String) -> String) throws {
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(socket, $0, size) }
    }
    try #require(bound == 0 && listen(socket, 4) == 0)
    let listening = socket
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(listening, nil, nil)
        if client < 0 { return }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(client, &bytes, bytes.count, 0)
        if count > 0 {
          let line = String(decoding: bytes[..<count], as: UTF8.self)
          lock.withLock { heard.append(line) }
          let reply = Array((answer(line) + "\n").utf8)
          _ = send(client, reply, reply.count, Int32(MSG_NOSIGNAL))
        }
        close(client)
      }
    }
  }

  /// Its thread keeps it alive until then.
  func stop() { shutdown(socket, Int32(SHUT_RDWR)) }
}
