import Foundation
import Glibc
import Runtime
import Testing

@testable import Board

/// Says back what it hears.
private final class EchoServer: LineServerDelegate {
  unowned let socket: ControlSocket
  var heard: [String] = []
  var gone: [Int] = []
  var tooLong = 0
  var isAwaited = false
  /// What is sent for a line, and how often.
  var answer: (String) -> [UInt8] = { Array($0.utf8) }
  var repeats = 1

  init(_ socket: ControlSocket) { self.socket = socket }

  func lineReceived(_ line: Span<UInt8>, from client: Int) {
    let text = line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    heard.append(text)
    for _ in 0..<repeats { _ = say(answer(text), to: client) }
  }
  func say(_ bytes: [UInt8], to client: Int) -> Bool {
    socket.send(to: client) { buffer in
      guard bytes.count <= buffer.count else { return nil }
      for index in bytes.indices { buffer[index] = bytes[index] }
      return bytes.count
    }
  }
  func lineTooLong(from client: Int) { tooLong += 1 }
  func lineClientDisconnected(_ client: Int) { gone.append(client) }
  func isAwaited(by client: Int) -> Bool { isAwaited }
}

/// A clock that a test moves on.
private final class ShiftedClock: Clock {
  var shift: Int64 = 0
  private let system = SystemClock()
  var monotonic: Int64 { system.monotonic + shift }
  var wall: Int64 { system.wall + shift }
}

@Suite("The local socket", .serialized)
struct ControlSocketTests {
  private let folder: String
  private let clock = ShiftedClock()
  private let loop: Loop
  private let socket: ControlSocket
  private let server: EchoServer

  init() throws {
    var template = Array("/tmp/talon-control-XXXXXX".utf8CString)
    folder = String(cString: mkdtemp(&template)!)
    loop = try Loop(clock: clock)
    socket = try ControlSocket(loop: loop, clock: clock)
    server = EchoServer(socket)
    socket.delegate = server
  }

  private var path: String { folder + "/control" }

  @Test("during a restart the file stays without a listener; a program that ends removes it")
  func startsOver() throws {
    try open()
    socket.close(comesBack: true)
    #expect(access(path, F_OK) == 0)
    #expect(connect() == -1 && errno == ECONNREFUSED)
    try open()
    let client = connect()
    #expect(client >= 0)
    close(client)
    socket.close()
    #expect(access(path, F_OK) != 0)
  }

  private func open() throws { try socket.open(folder: folder) }

  private func connect() -> Int32 {
    let file = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result == 0 { return file }
    close(file)
    return -1
  }

  private func write(_ file: Int32, _ text: String) { _ = send(file, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

  /// Lets the loop run while it has something to do.
  private func settle() throws {
    let stop = Stop(loop)
    loop.setTimer(TimerID(9), of: stop, at: clock.monotonic + 20)
    try loop.run()
  }

  /// What the client can read now; nil when the connection has ended.
  private func read(_ file: Int32) -> String? {
    var text = ""
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(file, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count == 0 || (count < 0 && errno == ECONNRESET) { return text.isEmpty ? nil : text }
      if count < 0 { return text }
      text += String(decoding: bytes[..<count], as: UTF8.self)
    }
  }

  @Test("the file is its owner's alone, and goes with the socket")
  func permissions() throws {
    try open()
    var status = stat()
    stat(path, &status)
    #expect(status.st_mode & S_IFMT == S_IFSOCK)
    #expect(status.st_mode & 0o777 == 0o600)
    socket.close()
    #expect(access(path, F_OK) != 0)
  }

  @Test("what a dead agent left is replaced; a living one's, and what is no socket, is not")
  func stale() throws {
    let old = try ControlSocket(loop: loop, clock: clock)
    try old.open(folder: folder)
    #expect(throws: Errno.addressInUse) { try open() }
    // As if that agent had been killed: the file stays, nobody listens.
    rename(path, path + ".kept")
    old.close()
    rename(path + ".kept", path)
    try open()
    #expect(connect() >= 0)
    socket.close()
    _ = FileManager.default.createFile(atPath: path, contents: Data("x".utf8))
    #expect(throws: Errno.addressInUse) { try open() }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "x")
  }

  @Test("a folder that is missing is made")
  func folderMade() throws {
    rmdir(folder)
    try open()
    #expect(connect() >= 0)
    socket.close()
  }

  @Test("an unusable folder is tried again after five seconds, until it works or the socket is closed")
  func openAgain() throws {
    rmdir(folder)
    Glibc.close(creat(folder, 0o600))
    #expect(throws: Errno.self) { try open() }
    clock.shift += ControlSocket.openPause
    try settle()
    #expect(connect() == -1)
    unlink(folder)
    try settle()
    #expect(connect() == -1)
    clock.shift += ControlSocket.openPause
    try settle()
    let client = connect()
    write(client, "hello\n")
    try settle()
    #expect(read(client) == "hello\n")
    socket.close()
    rmdir(folder)
    Glibc.close(creat(folder, 0o600))
    #expect(throws: Errno.self) { try open() }
    socket.close()
    unlink(folder)
    clock.shift += ControlSocket.openPause
    try settle()
    #expect(access(path, F_OK) != 0)
  }

  @Test("a path that is too long for a socket is refused")
  func longPath() throws {
    #expect(throws: Errno(36)) { try socket.open(folder: "/tmp/" + String(repeating: "x", count: 110)) }
  }

  @Test("lines arrive in any fragments, and responses go to the client that asked")
  func lines() throws {
    try open()
    let first = connect()
    let second = connect()
    write(first, "one\ntw")
    try settle()
    write(second, "three\n\n")
    write(first, "o\n")
    try settle()
    #expect(Set(server.heard) == ["one", "two", "three"])
    #expect(read(first) == "one\ntwo\n")
    #expect(read(second) == "three\n")
    close(first)
    try settle()
    #expect(server.gone == [0])
    #expect(read(second) == "")
  }

  /// As many connections as there are places, each a second younger than the one before.
  private func fill() throws -> [Int32] {
    try (0..<Budget.controlClients).map { _ in
      let file = connect()
      try settle()
      clock.shift += 1000
      return file
    }
  }

  /// Says that each place belongs to a process of its own, of another user than root.
  private func pretendStrangers() {
    for index in 0..<socket.clients.count {
      socket.clients[index].process = Int32(1_000_000 + index)
      socket.clients[index].user = 1000
    }
  }

  @Test("when all places are taken, a new client gets that of the one that has been idle for the longest time")
  func idleIsReplaced() throws {
    try open()
    let files = try fill()
    write(files[0], "busy\n")
    try settle()
    let next = connect()
    write(next, "status\n")
    try settle()
    #expect(read(next) == "status\n")
    #expect(read(files[1]) == nil && server.gone == [1])
    #expect(read(files[0]) == "busy\n")
    for file in files[2...] { #expect(read(file) == "") }
  }

  @Test("bytes of a line that never ends do not keep a place, neither from a new client nor for a minute")
  func trickle() throws {
    try open()
    let files = try fill()
    for file in files {
      write(file, "x")
      try settle()
    }
    for _ in 0..<3 {
      clock.shift += 10_000
      write(files[0], "x")
      try settle()
    }
    let next = connect()
    write(next, "status\n")
    try settle()
    #expect(read(next) == "status\n" && read(files[0]) == nil)
    for _ in 0..<5 {
      clock.shift += 10_000
      write(files[1], "x")
      try settle()
    }
    #expect(read(files[1]) == nil)
  }

  @Test("a process whose connections all wait loses the first of them to a new client")
  func hoarder() throws {
    try open()
    let files = try fill()
    server.isAwaited = true
    let next = connect()
    write(next, "status\n")
    try settle()
    #expect(read(next) == "status\n")
    #expect(read(files[0]) == nil && server.gone == [0])
  }

  @Test("when a different process waits at each place, only root gets one; others are refused")
  func strangers() throws {
    try open()
    let files = try fill()
    server.isAwaited = true
    pretendStrangers()
    var client = ControlSocket.Client()
    client.user = 1000
    #expect(socket.clientToReplace(for: client) == nil)
    client.user = 0
    #expect(socket.clientToReplace(for: client) == 0)
    let late = connect()
    try settle()
    #expect((read(late) == nil) == (getuid() != 0))
    for file in files[1...] { #expect(read(file) == "") }
  }

  @Test("a line that is too long ends the connection, the longest one does not")
  func longLine() throws {
    try open()
    let file = connect()
    write(file, String(repeating: "x", count: Budget.controlLineBytes - 1) + "\n")
    try settle()
    #expect(server.heard.first?.count == Budget.controlLineBytes - 1)
    #expect(server.tooLong == 0)
    _ = read(file)
    write(file, String(repeating: "y", count: Budget.controlLineBytes))
    try settle()
    #expect(server.tooLong == 1)
    #expect(server.gone == [0])
    #expect(read(file) == nil)
  }

  @Test(
    "the screen's program may write a line as long as its plugin may send, 32 MiB, and is given room for the largest answer"
  )
  func canvasLine() throws {
    #expect(Budget.canvasSocketLineBytes == 32 * 1024 * 1024)
    let canvasSocket = try ControlSocket(.canvas, loop: loop, clock: clock)
    let server = EchoServer(canvasSocket)
    canvasSocket.delegate = server
    server.answer = { _ in [UInt8](repeating: UInt8(ascii: "z"), count: Budget.canvasSocketOutputBytes - 1) }
    try canvasSocket.open(path: path)
    defer { canvasSocket.close() }
    let file = connect()
    var (sent, received) = (0, 0)
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: Budget.canvasSocketLineBytes - 1) + [UInt8(ascii: "\n")]
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    /// Writes what goes into the socket and reads what is there, each time that the loop has done its part.
    func exchange(_ isDone: @escaping () -> Bool) throws {
      let stop = Stop(loop)
      loop.setTimer(TimerID(9), of: stop, at: clock.monotonic + 120_000)
      try loop.run { [self] in
        if sent < line.count {
          let step = line[sent...].withUnsafeBytes {
            Glibc.send(file, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
          }
          sent += max(step, 0)
        }
        received += max(recv(file, &buffer, buffer.count, Int32(MSG_DONTWAIT)), 0)
        if isDone() { loop.stop() }
      }
      loop.cancelTimer(TimerID(9), of: stop)
    }
    try exchange { received == Budget.canvasSocketOutputBytes }
    #expect(server.heard.first?.utf8.count == Budget.canvasSocketLineBytes - 1)
    #expect(received == Budget.canvasSocketOutputBytes)
    write(file, "x")
    sent = 0
    try exchange { server.tooLong == 1 }
    #expect(server.tooLong == 1)
  }

  @Test("an answer of megabytes arrives whole")
  func largeAnswer() throws {
    try open()
    let file = connect()
    server.answer = { _ in [UInt8](repeating: UInt8(ascii: "z"), count: Budget.operatorMessageBytes) }
    write(file, "go\n")
    var text = ""
    for _ in 0..<400 where text.utf8.count <= Budget.operatorMessageBytes {
      try settle()
      text += read(file) ?? ""
    }
    #expect(text.utf8.count == Budget.operatorMessageBytes + 1)
    #expect(server.gone.isEmpty)
  }

  @Test("a client that does not read is dropped: when the buffer is full, or after 10 seconds")
  func slowReaders() throws {
    try open()
    let file = connect()
    server.answer = { _ in [UInt8](repeating: UInt8(ascii: "z"), count: 1 << 20) }
    server.repeats = 3
    write(file, "go\n")
    try settle()
    #expect(server.gone.isEmpty)
    clock.shift += 11_000
    try settle()
    #expect(server.gone == [0])
    let other = connect()
    server.repeats = 6
    write(other, "go\n")
    try settle()
    #expect(server.gone == [0, 0])
  }

  @Test("a client that sends nothing for a minute is dropped, unless a response is due")
  func idle() throws {
    try open()
    let file = connect()
    try settle()
    server.isAwaited = true
    clock.shift += 61_000
    try settle()
    #expect(read(file) == "")
    server.isAwaited = false
    clock.shift += 61_000
    try settle()
    #expect(read(file) == nil)
    #expect(server.gone == [0])
  }

  @Test("a client that has closed its sending side still gets its response")
  func halfClosed() throws {
    try open()
    let file = connect()
    server.answer = { _ in Array("wait".utf8) }
    server.isAwaited = true
    write(file, "go\n")
    shutdown(file, Int32(SHUT_WR))
    try settle()
    #expect(read(file) == "wait\n")
    server.isAwaited = false
    #expect(!server.say(Array("done".utf8), to: 0))
    #expect(read(file) == "done\n")
    #expect(read(file) == nil)
    #expect(server.gone == [0])
  }
}

private final class Stop: TimerHandler {
  private let loop: Loop
  init(_ loop: Loop) { self.loop = loop }
  func timerFired(_ id: TimerID) { loop.stop() }
}
