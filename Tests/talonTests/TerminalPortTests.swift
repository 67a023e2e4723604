import Glibc
import Runtime
import Testing

@testable import talon

/// A terminal of the kernel's whose other end the test holds.
private final class Pseudoterminal {
  let master: Int32
  let terminal: Int32

  init() {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
    // TIOCSPTLCK and TIOCGPTN, which Swift does not see.
    var (lock, number): (Int32, Int32) = (0, -1)
    precondition(ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
    terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
  }

  deinit {
    close(master)
    close(terminal)
  }

  var settings: [UInt8] {
    var settings = termios()
    tcgetattr(terminal, &settings)
    return withUnsafeBytes(of: &settings) { Array($0) }
  }

  /// All that was sent to it.
  func take() -> Int {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var count = 0
    while true {
      let got = read(master, &buffer, buffer.count)
      if got <= 0 { return count }
      count += got
    }
  }
}

private final class ManualClock: Clock {
  var monotonic: Int64 = 1_000_000
  var wall: Int64 { monotonic }
}

private final class Listener: TerminalPortDelegate {
  var bytes: [UInt8] = []
  var takes = 0
  var isGone = false
  func terminalReceived(_ bytes: Span<UInt8>) { for index in 0..<bytes.count { self.bytes.append(bytes[index]) } }
  func terminalIsWritable() { takes += 1 }
  func terminalClosed() { isGone = true }
}

private final class End: TimerHandler {
  private let loop: Loop
  init(_ loop: Loop) { self.loop = loop }
  func timerFired(_ id: TimerID) { loop.stop() }
}

@Suite("The terminal that the console runs on") struct TerminalPortTests {
  private let terminal = Pseudoterminal()
  private let clock = ManualClock()
  private let listener = Listener()

  private func port(_ loop: Loop, baud: UInt32? = nil) throws -> TerminalPort {
    try TerminalPort(Descriptor(terminal.terminal), loop: loop, clock: clock, baud: baud, delegate: listener)
  }

  /// Runs the loop for what is ready now, and on until `isDone`, which a busy kernel may take its time for.
  private func turn(_ loop: Loop, milliseconds: Int64 = 60, until isDone: () -> Bool = { true }) throws {
    let end = End(loop)
    for round in 0..<10_000 where round < 3 || !isDone() {
      // The kernel hands bytes over in its own time.
      usleep(1000)
      clock.monotonic += milliseconds
      // What is ready comes before a timer that is due after it.
      loop.setTimer(TimerID(0), of: end, at: clock.monotonic + 1)
      try loop.run { clock.monotonic += 1 }
    }
  }

  @Test("it is raw, and left as it was found")
  func settings() throws {
    let loop = try Loop(clock: clock)
    let before = terminal.settings
    let port = try port(loop, baud: 115_200)
    #expect(terminal.settings != before)
    let bytes: [UInt8] = [0x03, 0x0D, 0x11, 0x13, 0x00, 0xFF, 0x1A]
    _ = write(terminal.master, bytes, bytes.count)
    try turn(loop, until: { listener.bytes.count >= bytes.count })
    #expect(listener.bytes == bytes)
    port.close()
    #expect(terminal.settings == before)
  }

  @Test("a program that it is lent to may write and wait, though it was given for reading only")
  func lends() throws {
    let loop = try Loop(clock: clock)
    let reader = open("/proc/self/fd/\(terminal.terminal)", O_RDONLY | O_NOCTTY)
    defer { close(reader) }
    let port = try TerminalPort(Descriptor(reader), loop: loop, clock: clock, baud: nil, delegate: listener)
    defer { port.close() }
    var flags: Int32 = -1
    port.lend { lent in
      flags = fcntl(lent.number, F_GETFL)
      _ = write(lent.number, "hello", 5)
    }
    #expect(flags & O_ACCMODE == O_RDWR && flags & O_NONBLOCK == 0)
    #expect(terminal.take() == 5)
  }

  @Test(
    "no more is sent in a second than the line carries",
    arguments: [(nil, 9_600), (115_200, 9_600), (9600, 800), (921_600, 9_600)])
  func allowance(baud: UInt32?, bytesPerSecond: Int) throws {
    let loop = try Loop(clock: clock)
    let port = try port(loop, baud: baud)
    defer { port.close() }
    var sent = 0
    for _ in 0..<10_000 {
      let room = port.room(atLeast: 100)
      port.send(room)
      sent += room
      _ = terminal.take()
      clock.monotonic += 1
    }
    #expect(sent <= bytesPerSecond * 10 + Budget.consoleFrameBytes && sent > bytesPerSecond * 9)
  }

  @Test("a line that takes nothing piles nothing up, and goes on when it does")
  func blocked() throws {
    let loop = try Loop(clock: clock)
    let port = try port(loop)
    defer { port.close() }
    for _ in 0..<1000 {
      clock.monotonic += 1000
      port.send(port.room(atLeast: 100))
    }
    // What the kernel has taken, and one update.
    #expect(port.room(atLeast: 1) == 0 && port.sent < 70_000)
    let sent = port.sent
    clock.monotonic += 100_000
    #expect(port.room(atLeast: 1) == 0 && port.sent == sent)
    _ = terminal.take()
    try turn(loop, until: { listener.takes > 0 })
    #expect(listener.takes > 0)
    #expect(port.room(atLeast: 1) > 0)
  }

  @Test("a flood is read no faster than a board bears")
  func flood() throws {
    let loop = try Loop(clock: clock)
    let port = try port(loop)
    defer { port.close() }
    let piece = [UInt8](repeating: 0x78, count: 4096)
    let start = clock.monotonic
    for _ in 0..<200 {
      _ = write(terminal.master, piece, piece.count)
      try turn(loop, milliseconds: 1)
    }
    let allowed = Int(clock.monotonic - start) * Budget.consoleReadBytesPerSecond / 1000
    #expect(listener.bytes.count <= allowed + Budget.consoleReadBytesPerSecond / 4 + Budget.consoleReadBytes)
    #expect(listener.bytes.count > allowed / 2)
  }

  @Test("a line that was hung up is gone")
  func gone() throws {
    let loop = try Loop(clock: clock)
    var other: Pseudoterminal? = Pseudoterminal()
    let port = try TerminalPort(
      Descriptor(dup(other!.terminal)), loop: loop, clock: clock, baud: nil, delegate: listener)
    other = nil
    try turn(loop, until: { listener.isGone })
    #expect(listener.isGone)
    #expect(port.room(atLeast: 1) == 0)
  }
}
