import Foundation
import Programs
import Runtime
import Testing

@testable import Board

@Suite("The way to the service that runs programs") final class ProgramSocketTests: ProgramDelegate {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "talon-\(UUID().uuidString)").path
  private let loop: Loop
  private let link: ProgramSocket
  private let listener: Descriptor
  private var told: [String] = []
  private var isOver = false

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    loop = try Loop(clock: SystemClock())
    link = try ProgramSocket(path: folder + "/run", loop: loop)
    listener = try Syscall.localSocket()
    try Syscall.bind(listener, to: try Path(folder + "/run"))
    try Syscall.listen(listener, backlog: 4)
  }

  deinit {
    listener.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  func programWrote(_ bytes: UnsafeBufferPointer<UInt8>, isError: Bool) {
    told.append((isError ? "e:" : "o:") + String(decoding: bytes, as: UTF8.self))
    if bytes.elementsEqual("stop".utf8) { link.cancel() }
  }
  func programCut() { told.append("cut") }
  func programRefused(_ sentence: UnsafeBufferPointer<UInt8>) {
    told.append("refused:" + String(decoding: sentence, as: UTF8.self))
  }
  func programEnded(_ verdict: ProgramVerdict) {
    told.append("\(verdict)")
    isOver = true
    loop.stop()
  }

  private func begin(_ words: String = "df\u{0}-h\u{0}") -> Bool {
    words.withBytes { link.begin($0, milliseconds: 3000, self) }
  }

  /// The service's end of the run that has begun.
  private func service() throws -> Descriptor { try Syscall.accept(listener) }

  private func say(_ service: Descriptor, _ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try Syscall.writeAll(service, $0) }
  }

  private func frame(_ kind: RunMessage.Kind, _ text: String) -> [UInt8] {
    let room = FixedBuffer(capacity: 2048)
    let count = text.withBytes { RunMessage.write(kind, $0, into: room.bytes) }
    return Array(room.bytes[..<count])
  }

  private func end(_ kind: RunMessage.Kind, _ number: Int32) -> [UInt8] {
    let room = FixedBuffer(capacity: 16)
    return Array(room.bytes[..<RunMessage.write(kind, number, into: room.bytes)])
  }

  @Test("the service is there as long as its socket is; another file in that place is none")
  func presence() throws {
    #expect(link.hasService)
    try FileManager.default.removeItem(atPath: folder + "/run")
    #expect(!link.hasService)
    #expect(FileManager.default.createFile(atPath: folder + "/run", contents: nil))
    #expect(!link.hasService)
    try FileManager.default.removeItem(atPath: folder + "/run")
    let again = try Syscall.localSocket()
    defer { again.close() }
    try Syscall.bind(again, to: try Path(folder + "/run"))
    #expect(link.hasService)
  }

  @Test("the request arrives whole; what the service says is told in its order, to the end")
  func whole() throws {
    #expect(begin())
    let service = try service()
    defer { service.close() }
    let room = FixedBuffer(capacity: 100)
    let count = try Syscall.receiveStream(service, into: room.bytes)
    #expect(count == RunMessage.headBytes + 6)
    let head = RunMessage.readHead(UnsafeBufferPointer(rebasing: room.bytes[..<RunMessage.headBytes]))
    #expect(head?.words == 6 && head?.milliseconds == 3000)
    try say(service, frame(.output, "out") + frame(.errors, "err") + frame(.cut, "") + end(.exited, 3))
    try loop.run()
    #expect(told == ["o:out", "e:err", "cut", "exited(3)"])
    // The next one goes another way.
    #expect(begin())
    let next = try self.service()
    try say(next, frame(.refused, "why"))
    next.close()
    try loop.run()
    #expect(told.suffix(2) == ["refused:why", "refused"])
  }

  @Test(
    "a service that ends, or says what is no frame, has lost the program", arguments: [[], [0x6F, 3], [1, 2, 3, 4]])
  func lost(bytes: [UInt8]) throws {
    #expect(begin())
    let service = try service()
    try say(service, bytes)
    service.close()
    try loop.run()
    #expect(told == ["lost"])
    #expect(begin())
    link.cancel()
  }

  @Test("a cancel closes the connection, also in the middle of what is told, and nothing follows")
  func cancels() throws {
    #expect(begin())
    let service = try service()
    defer { service.close() }
    try say(service, frame(.output, "stop") + frame(.output, "more") + end(.exited, 0))
    let timer = Timer(loop)
    try loop.run()
    #expect(timer.hasFired && told == ["o:stop"])
    let room = FixedBuffer(capacity: 100)
    _ = try Syscall.receiveStream(service, into: room.bytes)
    // Frames that were not read would make a reset of the end.
    let rest = try? Syscall.receiveStream(service, into: room.bytes)
    #expect(rest ?? 0 == 0)
  }

  private final class Timer: TimerHandler {
    private let loop: Loop
    private(set) var hasFired = false

    init(_ loop: Loop) {
      self.loop = loop
      loop.setTimer(TimerID(0), of: self, at: SystemClock().monotonic + 200)
    }

    func timerFired(_ id: TimerID) {
      hasFired = true
      loop.stop()
    }
  }

  @Test("without a service, and for words that are too many, nothing begins")
  func nobody() throws {
    let other = try ProgramSocket(path: folder + "/nobody", loop: loop)
    #expect(!"df\u{0}".withBytes { other.begin($0, milliseconds: 1, self) })
    #expect(!begin(String(repeating: "x", count: Budget.runCommandBytes + 1)))
    #expect(begin(String(repeating: "x", count: Budget.runCommandBytes)))
    link.cancel()
    #expect(told.isEmpty)
  }

  @Test("a program is installed that may be run, and is no folder")
  func installed() throws {
    #expect(link.isInstalled("/bin/sh"))
    #expect(!link.isInstalled("/bin") && !link.isInstalled("/etc/passwd") && !link.isInstalled("/nowhere"))
  }
}
