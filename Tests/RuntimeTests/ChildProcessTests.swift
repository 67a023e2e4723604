import Glibc
import Testing

@testable import Runtime

private final class Listener: ChildProcessDelegate {
  let loop: Loop
  var text: [UInt8] = []
  var code: Int32?
  /// Bytes that are taken from now on.
  var room = Int.max

  init(_ loop: Loop) { self.loop = loop }

  func childWrote(_ bytes: Span<UInt8>) -> Int {
    let count = min(bytes.count, room)
    for index in 0..<count { text.append(bytes[index]) }
    room -= count
    if room == 0 { loop.stop() }
    return count
  }

  /// What is offered, and how much of it was taken.
  var offered: [UInt8] = []
  var given = 0
  var process: ChildProcess?

  func childReadyForInput() {
    offered.withUnsafeBytes { bytes in
      given += process?.offer(UnsafeRawBufferPointer(rebasing: bytes[given...])) ?? 0
    }
    if given == offered.count { process?.endInput() }
  }

  func childEnded(_ code: Int32) {
    self.code = code
    loop.stop()
  }

  var words: String { String(decoding: text, as: UTF8.self) }
}

private final class Once: TimerHandler {
  private let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
  func timerFired(_ id: TimerID) { body() }
}

@Suite("Programs that are run") struct ChildProcessTests {
  private let clock = SystemClock()
  private let loop: Loop
  private let listener: Listener
  private let program: ChildProcess

  init() throws {
    loop = try Loop(clock: clock)
    listener = Listener(loop)
    program = ChildProcess(loop: loop, clock: clock, delegate: listener)
  }

  private func start(_ script: String) throws { try program.start(try Path("/bin/sh"), ["sh", "-c", script]) }

  private func after(_ milliseconds: Int64, _ body: @escaping () -> Void) throws {
    let once = Once(body)
    loop.setTimer(TimerID(0), of: once, at: clock.monotonic + milliseconds)
    try loop.run()
  }

  @Test("what it says on either output comes, then its exit code")
  func words() throws {
    try start("echo out; echo err >&2; exit 7")
    #expect(program.isRunning)
    try loop.run()
    #expect(listener.words == "out\nerr\n" && listener.code == 7 && !program.isRunning)
    try start("kill -9 $$")
    try loop.run()
    #expect(listener.code == 137)
  }

  @Test("it is told what a person types, and that there is no more")
  func input() throws {
    try start("read a; echo \"got $a\"; read b || echo end")
    let line: [UInt8] = Array("hello\n".utf8)
    line.withUnsafeBufferPointer { program.write($0) }
    program.endInput()
    try loop.run()
    #expect(listener.words == "got hello\nend\n" && listener.code == 0)
  }

  @Test("more than a pipe holds goes to it as it has room, and the loop does not wait")
  func offers() throws {
    listener.offered = [UInt8](repeating: 65, count: 1_000_000)
    listener.process = program
    defer { listener.process = nil }
    try start("sleep 0.1; wc -c")
    listener.childReadyForInput()
    #expect(listener.given > 0 && listener.given < 1_000_000)
    try loop.run()
    #expect(listener.given == 1_000_000 && listener.words.contains("1000000") && listener.code == 0)
  }

  @Test("what is offered to one that reads nothing ends with it")
  func deaf() throws {
    // As `Signals` has it in the program.
    signal(SIGPIPE, SIG_IGN)
    listener.offered = [UInt8](repeating: 65, count: 1_000_000)
    listener.process = program
    defer { listener.process = nil }
    try start("exec <&-; exit 3")
    listener.childReadyForInput()
    try loop.run()
    #expect(listener.given < 1_000_000 && listener.code == 3 && !program.isRunning)
  }

  @Test("output waits while it is not read, and none is lost")
  func pressure() throws {
    listener.room = 1000
    try start("i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done")
    try loop.run()
    #expect(listener.text.count == 1000)
    try after(100) { loop.stop() }
    #expect(listener.text.count == 1000 && program.isRunning)
    listener.room = .max
    program.resume()
    try loop.run()
    #expect(listener.text.count == 220_000 && listener.code == 0)
  }

  @Test("it is stopped with what it runs, and killed when it does not listen")
  func stop() throws {
    try start("sleep 100; echo never")
    try after(100) { program.stop() }
    #expect(listener.code == 130)
    try start("trap '' INT; while :; do sleep 100; done")
    try after(100) {
      program.stop()
      program.stop()
    }
    #expect(listener.code == 137)
  }

  @Test("a program that is not there is reported at once")
  func missing() throws {
    #expect(throws: Errno.noSuchFile) { try program.start(try Path("/no/such/program"), ["program"]) }
    #expect(!program.isRunning)
    try start("exit 0")
    try loop.run()
    #expect(listener.code == 0)
  }

  @Test("it is killed when the thread that has started it ends")
  func orphan() throws {
    var thread = pthread_t()
    let context = Unmanaged.passUnretained(program)
    pthread_create(
      &thread, nil,
      { program in
        try? Unmanaged<ChildProcess>.fromOpaque(program!).takeUnretainedValue()
          .start(try Path("/bin/sh"), ["sh", "-c", "trap '' INT TERM; echo begun; sleep 100; echo never"])
        return nil
      }, context.toOpaque())
    pthread_join(thread, nil)
    #expect(program.isRunning)
    try loop.run()
    #expect(!listener.words.contains("never") && listener.code == 137)
  }
}
