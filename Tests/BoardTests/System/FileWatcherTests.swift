import Foundation
import Runtime
import Testing

@testable import Board

@Suite struct FileWatcherTests {
  private final class Counter: FileWatcherDelegate {
    let loop: Loop
    var count = 0
    init(_ loop: Loop) { self.loop = loop }
    func fileChanged() {
      count += 1
      loop.stop()
    }
  }

  /// Ends a wait that nothing ends.
  private final class Patience: TimerHandler {
    let loop: Loop
    init(_ loop: Loop) { self.loop = loop }
    func timerFired(_ id: TimerID) { loop.stop() }
  }

  private let folder: String
  private let clock = SystemClock()
  private let loop: Loop
  private let counter: Counter

  init() throws {
    folder = NSTemporaryDirectory() + "talon-watch-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    loop = try Loop(clock: clock)
    counter = Counter(loop)
  }

  private var path: String { folder + "/talon.conf" }

  /// Waits for a change, for as long as the settling of one takes and some more.
  private func wait(_ milliseconds: Int64 = Budget.fileSettleMilliseconds + 300) throws {
    let patience = Patience(loop)
    loop.setTimer(TimerID(7), of: patience, at: clock.monotonic + milliseconds)
    try loop.run {}
    loop.cancelTimer(TimerID(7), of: patience)
  }

  @Test func `A file that is written, or replaced by another of its name, is reported once`() throws {
    let watcher = FileWatcher(loop: loop, clock: clock)
    try watcher.start(path, counter)
    try Data("a".utf8).write(to: URL(fileURLWithPath: path))
    try Data("b".utf8).write(to: URL(fileURLWithPath: path))
    try wait(10_000)
    #expect(counter.count == 1)
    try Data("c".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    try wait(10_000)
    #expect(counter.count == 2)
  }

  @Test func `Other files of the folder are nothing`() throws {
    let watcher = FileWatcher(loop: loop, clock: clock)
    try watcher.start(path, counter)
    for name in ["talon.con", "talon.conf~", "other"] {
      try Data("a".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    try wait()
    #expect(counter.count == 0)
  }

  @Test func `A folder that is not there is an error, and a watcher that has stopped says nothing`() throws {
    let watcher = FileWatcher(loop: loop, clock: clock)
    #expect(throws: Errno.self) { try watcher.start("/nowhere/talon.conf", counter) }
    try watcher.start(path, counter)
    watcher.stop()
    try Data("a".utf8).write(to: URL(fileURLWithPath: path))
    try wait()
    #expect(counter.count == 0)
  }
}
