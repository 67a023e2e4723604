import Foundation
import Glibc
import Programs
import Runtime
import Testing

@testable import talon

/// `talon serve-mcp` itself, as systemd starts it: its input is a connection, and it is root until it knows what is
/// allowed. These tests need to be root.
@Suite("The service that runs MCP servers", .serialized, .enabled(if: geteuid() == 0))
struct ServerServiceTests {
  private static let program = (CommandLine.arguments[0] as NSString).deletingLastPathComponent + "/talon"
  /// nobody, and daemon in the agent's place: users that every system has.
  private static let (asker, user) = ("daemon", "nobody")
  private let folder = TemporaryFolder()

  init() { chmod(folder.path, 0o755) }

  /// A connection to the service, and what it has told.
  private final class Connection {
    private let process = Foundation.Process()
    private var socket: Int32 = -1
    private var reader = RunFrameReader()
    /// Frames that were told: output and errors as texts of their own.
    private(set) var output = ""
    private(set) var errors = ""
    private(set) var frames: [String] = []

    init(_ file: String, asker: String, user: String) throws {
      var ends: [Int32] = [0, 0]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      // One that hears nothing fails, and does not hang.
      var limit = timeval(tv_sec: 20, tv_usec: 0)
      setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      process.executableURL = URL(filePath: ServerServiceTests.program)
      process.arguments = ["serve-mcp", file, asker, user]
      process.standardInput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
      process.standardError = FileHandle.nullDevice
      try process.run()
      close(ends[1])
      socket = ends[0]
    }

    deinit { hangUp() }

    func send(_ bytes: [UInt8]) { _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// Hears until a frame or a text was told, or the end; false at the end.
    @discardableResult
    func hear(until isEnough: (Connection) -> Bool = { _ in false }) -> Bool {
      while !isEnough(self) {
        let room = reader.room()
        let count = recv(socket, room.baseAddress, room.count, 0)
        if count <= 0 { return false }
        reader.wrote(count)
        while let frame = reader.next() {
          switch frame {
          case .bytes(.output, let bytes): output += String(decoding: bytes, as: UTF8.self)
          case .bytes(.errors, let bytes): errors += String(decoding: bytes, as: UTF8.self)
          case .bytes(let kind, let bytes): frames.append("\(kind):" + String(decoding: bytes, as: UTF8.self))
          case .number(let kind, let number): frames.append("\(kind):\(number)")
          }
        }
      }
      return true
    }

    func hangUp() {
      if socket >= 0 { close(socket) }
      socket = -1
    }

    /// The exit code of the service.
    func end() -> Int32 {
      hangUp()
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  private static func request(_ name: String) -> [UInt8] { [UInt8(name.utf8.count)] + Array(name.utf8) }

  /// A configuration whose section `[mcp home]` runs this script.
  private func configuration(_ script: String, _ lines: String = "") -> String {
    let path = folder.put("server.sh", "#!/bin/bash\n\(script)\n")
    chmod(path, 0o755)
    let section = "[mcp home]\ncommand = \(path) one \"two 2\"\n\(lines)"
    _ = folder.put("talon.conf", "[gateway]\ntoken_file = /nowhere\n" + section)
    chmod(folder.path + "/talon.conf", 0o640)
    return folder.path + "/talon.conf"
  }

  private func connect(
    _ script: String, _ lines: String = "", name: String = "home", asker: String = asker, user: String = user
  ) throws -> Connection {
    let connection = try Connection(configuration(script, lines), asker: asker, user: user)
    connection.send(Self.request(name))
    return connection
  }

  /// True when no command line has this word, at once or soon: a process that was killed may take a moment.
  private static func isGone(_ word: String) -> Bool {
    for _ in 0..<500 {
      let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil } ?? []
      let isThere = ids.contains {
        (try? Data(contentsOf: URL(filePath: "/proc/\($0)/cmdline")))?.split(separator: 0).contains(Data(word.utf8))
          == true
      }
      if !isThere { return true }
      usleep(10_000)
    }
    return false
  }

  @Test("the program of the section has the user, its words, the folder, and nothing else")
  func bare() throws {
    let connection = try connect("id -u; id -G; pwd; printf '%s|' \"$@\"; env | grep -c SECRET; ulimit -v")
    connection.hear()
    #expect(connection.frames == ["begun:"])
    #expect(connection.output == "65534\n65534\n/tmp\none|two 2|0\nunlimited\n")
    #expect(connection.end() == 0)
  }

  @Test("lines go to the program and back as they are, however long, and its errors apart from them")
  func lines() throws {
    let connection = try connect("echo ready >&2; while read -r line; do echo \"${#line}\"; done; echo bye >&2")
    #expect(connection.hear { $0.frames == ["begun:"] && $0.errors == "ready\n" })
    connection.send(Array("abc\n".utf8))
    #expect(connection.hear { $0.output == "3\n" })
    let long = [UInt8](repeating: 0x78, count: 50_000) + [0x0A]
    connection.send(long)
    #expect(connection.hear { $0.output == "3\n50000\n" })
    // The end of the connection is the end of its input; it may say goodbye.
    #expect(connection.end() == 0)
  }

  @Test("a program that ends by itself ends the connection, with its last words")
  func dies() throws {
    let connection = try connect("echo 'no such module' >&2; exit 1")
    connection.hear()
    #expect(connection.errors == "no such module\n" && connection.frames == ["begun:"])
  }

  @Test("one that does not read is ended with the connection, and so is what does not end by itself")
  func deaf() throws {
    let connection = try connect("trap '' TERM; sleep 4721 & echo begun; exec sleep 4721")
    #expect(connection.hear { $0.output == "begun\n" })
    // More than its pipe and the service hold.
    connection.send([UInt8](repeating: 0x78, count: 150_000))
    let start = SystemClock().monotonic
    #expect(connection.end() == 0)
    #expect(SystemClock().monotonic - start < 15_000)
    #expect(Self.isGone("4721"))
  }

  @Test("without network = yes it opens no socket, with it it does")
  func network() throws {
    let script = "exec 3<>/dev/tcp/127.0.0.1/9"
    let offline = try connect(script)
    offline.hear()
    #expect(offline.errors.contains("not permitted"))
    let online = try connect(script, "network = yes\n")
    online.hear()
    #expect(online.errors.contains("refused"))
  }

  @Test("only sections of root's file run, and only a program that is root's")
  func listed() throws {
    let other = try connect("echo x", name: "other")
    other.hear()
    #expect(other.frames == ["refused:there is no such section [mcp NAME] with a command"])
    let file = configuration("echo x")
    chmod(folder.path + "/server.sh", 0o775)
    let shared = try Connection(file, asker: Self.asker, user: Self.user)
    shared.send(Self.request("home"))
    shared.hear()
    #expect(shared.frames == ["refused:\(folder.path)/server.sh is not root's alone: others may change it"])
    chmod(folder.path + "/server.sh", 0o755)
    chmod(file, 0o660)
    let open = try Connection(file, asker: Self.asker, user: Self.user)
    open.hear()
    #expect(open.frames == ["refused:\(file) is not root's alone: others may change it"])
  }

  @Test("users that are wrong, and requests that are none, are refused")
  func odd() throws {
    for (asker, user) in [("daemon", "root"), ("daemon", "daemon"), ("nobody", "nobody"), ("daemon", "no-such-user")] {
      let connection = try connect("echo x", asker: asker, user: user)
      connection.hear()
      #expect(connection.frames.count == 1 && connection.output.isEmpty)
      #expect(connection.end() == ExitCode.system.rawValue)
    }
    for bytes: [UInt8] in [[0], [255], [4] + Array("HOME".utf8), [4] + Array("../x".utf8)] {
      let connection = try Connection(configuration("echo x"), asker: Self.asker, user: Self.user)
      connection.send(bytes)
      connection.hear()
      #expect(connection.frames == ["refused:no request arrived that can be read: invalid argument"], "\(bytes)")
    }
  }
}
