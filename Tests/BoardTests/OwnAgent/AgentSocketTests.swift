import Foundation
import OwnAgent
import Runtime
import Testing

@testable import Board

@Suite("The way to the process of the board's own agent") final class AgentSocketTests: AgentLinkDelegate {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "talon-\(UUID().uuidString)").path
  private let loop: Loop
  private let link: AgentSocket
  private let listener: Descriptor
  private let room = FixedBuffer(capacity: 4096)
  private var received: [UInt8] = []
  private var writable = 0
  private var lost = 0
  /// What waits to be sent, as the part keeps it.
  private var waiting: [UInt8] = []
  private var isClosing = false

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    loop = try Loop(clock: SystemClock())
    link = try AgentSocket(path: folder + "/agent", loop: loop)
    listener = try Syscall.localSocket()
    try Syscall.bind(listener, to: try Path(folder + "/agent"))
    try Syscall.listen(listener, backlog: 4)
  }

  deinit {
    link.close()
    listener.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  // MARK: AgentLinkDelegate

  func agentLinkRoom() -> UnsafeMutableBufferPointer<UInt8> { room.bytes }

  func agentLinkReceived(_ count: Int) {
    received += room.bytes[..<count]
    if isClosing { link.close() }
  }

  func agentLinkIsWritable() {
    writable += 1
    sendWaiting()
  }

  func agentLinkLost() {
    lost += 1
    loop.stop()
  }

  private func sendWaiting() {
    while !waiting.isEmpty {
      let count = waiting.withUnsafeBufferPointer { link.send($0) }
      if count == 0 { return }
      waiting.removeFirst(count)
    }
  }

  // MARK: Helpers

  /// Runs the loop for so many milliseconds, or until the connection is lost.
  private func run(_ milliseconds: Int64 = 50, _ each: () -> Void = {}) throws {
    let timer = Timer(loop, milliseconds)
    try loop.run { each() }
    loop.cancelTimer(TimerID(0), of: timer)
  }

  private final class Timer: TimerHandler {
    private let loop: Loop
    init(_ loop: Loop, _ milliseconds: Int64) {
      self.loop = loop
      loop.setTimer(TimerID(0), of: self, at: SystemClock().monotonic + milliseconds)
    }
    func timerFired(_ id: TimerID) { loop.stop() }
  }

  private func accept() throws -> Descriptor {
    #expect(link.open(self))
    return try Syscall.accept(listener)
  }

  private func say(_ peer: Descriptor, _ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try Syscall.writeAll(peer, $0) }
  }

  // MARK: Tests

  @Test("what each side says arrives, and the connection stays")
  func both() throws {
    let peer = try accept()
    defer { peer.close() }
    waiting = Array("hello".utf8)
    sendWaiting()
    #expect(waiting.isEmpty)
    let buffer = FixedBuffer(capacity: 100)
    #expect(try Syscall.receiveStream(peer, into: buffer.bytes) == 5)
    for text in ["one", "two"] {
      try say(peer, Array(text.utf8))
      try run()
    }
    #expect(String(decoding: received, as: UTF8.self) == "onetwo" && lost == 0)
  }

  @Test("what the kernel does not take is sent when there is room again, all of it and in its order")
  func partial() throws {
    let peer = try accept()
    defer { peer.close() }
    waiting = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 5) }
    let whole = waiting
    sendWaiting()
    #expect(!waiting.isEmpty && waiting.count < whole.count)
    var arrived: [UInt8] = []
    let buffer = FixedBuffer(capacity: 60_000)
    for _ in 0..<200 where arrived.count < whole.count {
      try run(5) {
        while let count = try? Syscall.receiveStream(peer, into: buffer.bytes), count > 0 {
          arrived += buffer.bytes[..<count]
        }
      }
    }
    #expect(arrived == whole && writable > 1)
    // With nothing to send the loop sleeps.
    let wakeups = loop.wakeups
    try run(60)
    #expect(loop.wakeups - wakeups <= 2)
  }

  @Test("a process that ends is told once, and the next connection is another")
  func ends() throws {
    let peer = try accept()
    try say(peer, [1, 2, 3])
    peer.close()
    try run(1_000)
    #expect(received == [1, 2, 3] && lost == 1)
    #expect([9].withUnsafeBufferPointer { link.send($0) } == 0)
    let next = try accept()
    defer { next.close() }
    try say(next, [4])
    try run()
    #expect(received == [1, 2, 3, 4] && lost == 1)
  }

  @Test("a process that ends while much waits for it is told, too")
  func endsFull() throws {
    let peer = try accept()
    waiting = Array(repeating: 7, count: 1_000_000)
    sendWaiting()
    #expect(!waiting.isEmpty)
    peer.close()
    try run(1_000)
    #expect(lost == 1)
  }

  @Test("the delegate may close it while it is told something, and hears nothing more")
  func closes() throws {
    let peer = try accept()
    isClosing = true
    try say(peer, Array(repeating: 5, count: 10_000))
    try run(100)
    #expect(received.count == 4096 && lost == 0)
    #expect(link.open(self))
    link.close()
    link.close()
    peer.close()
  }

  @Test("where nobody listens, and while it is open, nothing is opened")
  func nobody() throws {
    let other = try AgentSocket(path: folder + "/nobody", loop: loop)
    #expect(!other.open(self))
    #expect([1].withUnsafeBufferPointer { other.send($0) } == 0)
    other.close()
    let peer = try accept()
    defer { peer.close() }
    #expect(!link.open(self))
    #expect(lost == 0)
  }
}
