import Foundation
import Glibc
import Programs
import Runtime
import Testing

@testable import talon

/// `talon serve-run` itself, as systemd starts it: its input is a connection, and it is root until it knows what is
/// allowed. These tests need to be root.
@Suite("The service that runs programs", .serialized, .enabled(if: geteuid() == 0))
struct RunServiceTests {
  /// What it said until its end.
  private struct Told: Equatable {
    var output = ""
    /// Of each frame that is neither output nor errors: its kind and its number or sentence.
    var frames: [String] = []
    var code: Int32 = 0
  }

  private static let program = (CommandLine.arguments[0] as NSString).deletingLastPathComponent + "/talon"
  /// nobody, and daemon in the agent's place: users that every system has.
  private static let (asker, user) = ("daemon", "nobody")
  private let folder = TemporaryFolder()

  init() { chmod(folder.path, 0o755) }

  private func configuration(_ lines: String = "", programs: String = "/bin/sh, /usr/bin/id") -> String {
    _ = folder.put("talon.conf", "[gateway]\ntoken_file = /nowhere\n[run]\nprograms = \(programs)\n\(lines)")
    chmod(folder.path + "/talon.conf", 0o640)
    return folder.path + "/talon.conf"
  }

  private static func request(_ words: [String], _ milliseconds: Int64) -> [UInt8] {
    let body: [UInt8] = words.flatMap { (word: String) -> [UInt8] in Array(word.utf8) + [0] }
    let room = FixedBuffer(capacity: RunMessage.headBytes)
    RunMessage.writeHead(words: body.count, milliseconds: milliseconds, into: room.bytes)
    return Array(room.bytes) + body
  }

  /// Sends a request, and hears it to the end; `cancelsAt`: hangs up when this was said.
  private func ask(
    _ file: String, _ request: [UInt8], asker: String = asker, user: String = user, cancelsAt: String? = nil
  ) throws -> Told {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let process = Foundation.Process()
    process.executableURL = URL(filePath: Self.program)
    process.arguments = ["serve-run", file, asker, user]
    process.standardInput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
    process.standardError = FileHandle.nullDevice
    try process.run()
    close(ends[1])
    _ = send(ends[0], request, request.count, Int32(MSG_NOSIGNAL))
    var told = Told()
    var reader = RunFrameReader()
    hearing: while !reader.isBroken {
      let room = reader.room()
      let count = recv(ends[0], room.baseAddress, room.count, 0)
      if count <= 0 { break }
      reader.wrote(count)
      while let frame = reader.next() {
        switch frame {
        case .bytes(.output, let bytes), .bytes(.errors, let bytes):
          told.output += String(decoding: bytes, as: UTF8.self)
        case .bytes(let kind, let bytes): told.frames.append("\(kind):" + String(decoding: bytes, as: UTF8.self))
        case .number(let kind, let number): told.frames.append("\(kind):\(number)")
        }
      }
      if let cancelsAt, told.output.contains(cancelsAt) { break hearing }
    }
    close(ends[0])
    process.waitUntilExit()
    told.code = process.terminationStatus
    return told
  }

  private func run(
    _ words: [String], _ lines: String = "", milliseconds: Int64 = 20_000, cancelsAt: String? = nil
  ) throws -> Told {
    try ask(configuration(lines), Self.request(words, milliseconds), cancelsAt: cancelsAt)
  }

  /// True when no command line has this word, at once or soon: a process that was killed may take a moment.
  private static func isGone(_ word: String) -> Bool {
    for _ in 0..<500 {
      if processes(word) == 0 { return true }
      usleep(10_000)
    }
    return false
  }

  private static func processes(_ word: String) -> Int {
    let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil } ?? []
    return ids.filter {
      (try? Data(contentsOf: URL(filePath: "/proc/\($0)/cmdline")))?.split(separator: 0).contains(Data(word.utf8))
        == true
    }.count
  }

  @Test("a program has the user, the folder and nothing else: no group, environment, capability or descriptor")
  func bare() throws {
    let told = try run([
      "sh", "-c",
      "exec 2>&1; id -u; id -G; pwd; env | grep -v ^PWD= | grep -v ^OLDPWD= | grep -v ^_= ; "
        + "ls /proc/self/fd | tr '\\n' ' '; "
        + "grep CapEff /proc/self/status; echo oops >&2; exit 7",
    ])
    #expect(told.output == "65534\n65534\n/tmp\n0 1 2 3 CapEff:\t0000000000000000\noops\n")
    #expect(told.frames == ["exited:7"] && told.code == 0)
  }

  @Test("what it may not see stays closed: the configuration, and the memory of who read it")
  func secrets() throws {
    let told = try run([
      "sh", "-c",
      "exec 2>&1; cat \(folder.path)/talon.conf; head -c 1 /proc/$PPID/mem; cat /proc/$PPID/environ; echo end",
    ])
    #expect(told.output.hasSuffix("end\n") && !told.output.contains("programs ="))
    #expect(told.output.components(separatedBy: "ermission denied").count == 4)
  }

  @Test("a flood is cut at the limit, once, and the program still ends by itself")
  func floods() throws {
    let told = try run(["sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x; exit 3"], "output = 5000\n")
    #expect(told.output.utf8.count == 5000 && told.frames == ["cut:", "exited:3"])
  }

  @Test("memory, time, processes and sockets end where the section says")
  func limits() throws {
    let memory = try run(["sh", "-c", "x=$(head -c 60M /dev/zero | tr '\\0' x); echo ${#x}"], "memory = 32\n")
    #expect(!memory.output.contains("62914560"))
    let time = try run(["sh", "-c", "echo begun; sleep 60"], "timeout = 1\n")
    #expect(time.output == "begun\n" && time.frames == ["timedOut:"])
    #expect(try run(["sh", "-c", "sleep 60"], milliseconds: 300).frames == ["timedOut:"])
    let network = "exec 3<>/dev/tcp/127.0.0.1/9"
    let offline = try ask(
      configuration(programs: "/bin/bash"), Self.request(["bash", "-c", network], 20_000))
    #expect(offline.output.contains("not permitted") && offline.frames == ["exited:1"])
    let online = try ask(
      configuration("network = yes\n", programs: "/bin/bash"), Self.request(["bash", "-c", network], 20_000))
    #expect(online.output.contains("refused"))
  }

  @Test("what it leaves running is killed with it, and everything when the agent hangs up")
  func children() throws {
    let told = try run(["sh", "-c", "sleep 4711 & (setsid sleep 4711 || true) & echo begun"])
    #expect(told.output.contains("begun\n") && told.frames == ["exited:0"])
    #expect(Self.isGone("4711"))
    let cancelled = try run(["sh", "-c", "sleep 4712 & echo begun; sleep 4712"], cancelsAt: "begun")
    #expect(cancelled.output == "begun\n" && cancelled.code == 0)
    #expect(Self.isGone("4712"))
  }

  @Test("only what root's file lists runs, and only if it is root's")
  func listed() throws {
    #expect(try run(["/usr/bin/env"]).frames == ["refused:/usr/bin/env is not among the programs of [run]"])
    let own = folder.put("own", "#!/bin/sh\necho own\n")
    chmod(own, 0o755)
    #expect(try ask(configuration(programs: own), Self.request(["own"], 1000)).output == "own\n")
    chmod(own, 0o775)
    let shared = try ask(configuration(programs: own), Self.request(["own"], 1000))
    #expect(shared.frames == ["refused:\(own) is not root's alone: others may change it"])
    chmod(own, 0o755)
    chown(folder.path, 1, 1)
    #expect(try ask(configuration(programs: own), Self.request(["own"], 1000)).code == ExitCode.unavailable.rawValue)
  }

  @Test("a file that others may write, that is another's, a link's or none, allows nothing")
  func files() throws {
    let request = Self.request(["id"], 1000)
    let file = configuration()
    for mode: mode_t in [0o660, 0o642] {
      chmod(file, mode)
      #expect(try ask(file, request).frames == ["refused:\(file) is not root's alone: others may change it"])
    }
    chmod(file, 0o640)
    chown(file, 1, 0)
    #expect(try ask(file, request).frames == ["refused:\(file) is not root's alone: others may change it"])
    symlink(file, folder.path + "/link")
    #expect(try ask(folder.path + "/link", request).frames.first?.contains("not root's alone") == true)
    #expect(try ask(folder.path, request).frames.first?.contains("cannot be used") == true)
    #expect(try ask("/nowhere", request).frames == ["refused:/nowhere cannot be used: no such file or directory"])
    let empty = folder.put("empty.conf", "[node]\nname = x\n")
    chmod(empty, 0o640)
    #expect(try ask(empty, request).frames == ["refused:id is not among the programs of [run]"])
    let wrong = folder.put("wrong.conf", "[run]\nprograms = id\n")
    chmod(wrong, 0o640)
    #expect(
      try ask(wrong, request).frames.first?.hasPrefix("refused:\(wrong):2: [run] programs: must be absolute") == true)
  }

  @Test("users that are wrong, and requests that are none, are refused")
  func odd() throws {
    let request = Self.request(["id"], 1000)
    for (asker, user) in [("daemon", "root"), ("daemon", "daemon"), ("nobody", "nobody"), ("daemon", "no-such-user")] {
      let told = try ask(configuration(), request, asker: asker, user: user)
      #expect(told.frames.count == 1 && told.code == ExitCode.system.rawValue && told.output.isEmpty)
    }
    for bytes: [UInt8] in [
      [UInt8](repeating: 0xFF, count: 12), Self.request([], 1000), Self.request([""], 1000),
      Self.request(["id", ""], 1),
      Array(Self.request(["id"], 1000).dropLast()) + [0x41], [UInt8](repeating: 0, count: 12),
    ] {
      let told = try ask(configuration(), bytes)
      #expect(told.frames == ["refused:no request arrived that can be read: invalid argument"])
    }
  }
}
