import Foundation
import MCP
import Programs
import Runtime
import Testing

@testable import Board

@Suite("The way to the service that runs MCP servers") final class MCPSocketTests: MCPLinkDelegate {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "talon-\(UUID().uuidString)").path
  private let loop: Loop
  private let link: MCPSocket
  private let listener: Descriptor
  private var told: [String] = []

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    loop = try Loop(clock: SystemClock())
    link = try MCPSocket("home", path: folder + "/mcp", loop: loop)
    listener = try Syscall.localSocket()
    try Syscall.bind(listener, to: try Path(folder + "/mcp"))
    try Syscall.listen(listener, backlog: 4)
  }

  deinit {
    listener.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  func linkOpened() { told.append("opened") }
  func linkReceived(_ bytes: UnsafeBufferPointer<UInt8>) {
    told.append("o:" + String(decoding: bytes, as: UTF8.self))
    if bytes.elementsEqual("stop".utf8) { link.close() }
  }
  func linkComplained(_ line: UnsafeBufferPointer<UInt8>) {
    told.append("e:" + String(decoding: line, as: UTF8.self))
  }
  func linkLost(_ words: UnsafeBufferPointer<UInt8>) {
    told.append("lost:" + String(decoding: words, as: UTF8.self))
    loop.stop()
  }

  private func service() throws -> Descriptor { try Syscall.accept(listener) }

  private func say(_ service: Descriptor, _ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try Syscall.writeAll(service, $0) }
  }

  private func frame(_ kind: RunMessage.Kind, _ text: String = "") -> [UInt8] {
    let room = FixedBuffer(capacity: 2048)
    let count = text.withBytes { RunMessage.write(kind, $0, into: room.bytes) }
    return Array(room.bytes[..<count])
  }

  private func send(_ text: String) -> Bool { text.withBytes { link.send($0) } }

  /// Lets the loop run for so many milliseconds.
  private func wait(_ milliseconds: Int64 = 100) throws {
    let timer = Timer(loop, milliseconds)
    try loop.run()
    withExtendedLifetime(timer) {}
  }

  private final class Timer: TimerHandler {
    private let loop: Loop

    init(_ loop: Loop, _ milliseconds: Int64) {
      self.loop = loop
      loop.setTimer(TimerID(0), of: self, at: SystemClock().monotonic + milliseconds)
    }

    func timerFired(_ id: TimerID) { loop.stop() }
  }

  @Test("it says the section's name and nothing else; lines go there, and bytes and lines of errors come back")
  func whole() throws {
    #expect(link.open(self) && !link.open(self))
    let service = try service()
    let room = FixedBuffer(capacity: 100)
    let count = try Syscall.receiveStream(service, into: room.bytes)
    #expect(Array(room.bytes[..<count]) == [4] + Array("home".utf8))
    #expect(told.isEmpty)
    try say(service, frame(.begun) + frame(.output, "{}") + frame(.errors, "a\nb") + frame(.errors, "c\n\nd"))
    try wait()
    #expect(told == ["opened", "o:{}", "e:a", "e:bc"])
    #expect(send("line\n"))
    let more = try Syscall.receiveStream(service, into: room.bytes)
    #expect(Array(room.bytes[..<more]) == Array("line\n".utf8))
    service.close()
    try loop.run()
    // The last words, which had no end of line.
    #expect(told.suffix(2) == ["e:d", "lost:d"])
    #expect(!send("line\n"))
    // The next one begins with nothing of this one.
    told = []
    #expect(link.open(self))
    let next = try self.service()
    try say(next, frame(.refused, "why"))
    next.close()
    try loop.run()
    #expect(told == ["lost:why"])
  }

  @Test("what the service has no room for waits in its order; more than the budget is refused as a whole")
  func deaf() throws {
    #expect(link.open(self))
    let service = try service()
    defer { service.close() }
    let line = String(repeating: "x", count: Budget.mcpRequestBytes - 1) + "\n"
    var accepted = 0
    while accepted < 1_000, send(line) { accepted += 1 }
    // What the kernel holds, and then the budget.
    #expect(accepted > Budget.mcpCalls && accepted < 1_000)
    #expect(!send(line))
    var read = 0
    let room = FixedBuffer(capacity: 1 << 16)
    let expected = 5 + accepted * line.utf8.count
    let deadline = SystemClock().monotonic + 20_000
    var isOrdered = true
    while read < expected, SystemClock().monotonic < deadline {
      do throws(Errno) {
        let count = try Syscall.receiveStream(service, into: room.bytes)
        for index in 0..<count where read + index >= 5 {
          let isEnd = (read + index - 5) % line.utf8.count == line.utf8.count - 1
          if (room.bytes[index] == 0x0A) != isEnd { isOrdered = false }
        }
        read += count
      } catch {
        #expect(error == .wouldBlock)
        try wait(5)
      }
    }
    #expect(read == expected && isOrdered)
    #expect(send(line))
  }

  @Test("a delegate may close it in the middle of what is told, and nothing follows")
  func closes() throws {
    #expect(link.open(self))
    let service = try service()
    defer { service.close() }
    try say(service, frame(.output, "stop") + frame(.output, "more"))
    try wait()
    #expect(told == ["o:stop"])
  }

  @Test("a line of errors without an end is cut, and a service that says what is no frame is lost")
  func endless() throws {
    #expect(link.open(self))
    let service = try service()
    defer { service.close() }
    for _ in 0..<10 { try say(service, frame(.errors, String(repeating: "x", count: 1_000))) }
    try say(service, frame(.errors, "\n") + [1, 2, 3, 4])
    try loop.run()
    let words = String(repeating: "x", count: Budget.mcpErrorBytes)
    #expect(told == ["e:" + words, "lost:" + words])
  }

  @Test("without a service, and for what is no name of a section, nothing begins")
  func nobody() throws {
    let alone = try MCPSocket("home", path: folder + "/nobody", loop: loop)
    #expect(!alone.open(self))
    for name in ["", "Home", "a b", "../run", String(repeating: "a", count: Budget.mcpServerNameBytes + 1)] {
      let other = try MCPSocket(name, path: folder + "/mcp", loop: loop)
      #expect(!other.open(self), "\(name)")
    }
    #expect(told.isEmpty)
  }
}
