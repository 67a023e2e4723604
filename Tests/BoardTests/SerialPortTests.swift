import Foundation
import Location
import Runtime
import Testing

@testable import Board

@Suite struct SerialPortTests {
  private let clock = SerialTestClock()
  private let log = Log(output: nil)
  private let sink = SerialSinkLog()
  private let terminal = SerialTerminal()
  private let loop: Loop

  /// Always ready, so that the loop never sleeps: the clock moves without it.
  private let spinner = try! Syscall.eventDescriptor()
  private let idler = SerialIdler()

  init() throws {
    loop = try Loop(clock: clock)
    Syscall.signal(spinner)
  }

  private func makePort(_ path: String? = nil, baud: UInt32 = 9600) throws -> SerialPort {
    try SerialPort(path: path ?? terminal.path, baud: baud, loop: loop, clock: clock, log: log)
  }

  /// Runs the loop until `condition` holds; each turn takes 50 ms of the test's clock.
  private func run(until condition: () -> Bool) throws {
    try loop.watch(spinner, for: .readable, idler)
    defer { loop.unwatch(spinner) }
    var turns = 0
    try loop.run {
      clock.monotonic += 50
      turns += 1
      if condition() || turns > 10_000 { loop.stop() }
    }
    #expect(condition())
  }

  private var lines: [String] {
    var lines: [String] = []
    log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  @Test("bytes arrive as they were sent, none of them cooked")
  func raw() throws {
    terminal.plug()
    let port = try makePort()
    port.start(sink)
    #expect(port.state == .open)
    let text = "$GPGGA,1*00\r\n\u{3}\u{4}\u{11}\u{13}\u{1A}\u{7F}é"
    terminal.send(text)
    try run { sink.received.utf8.count >= text.utf8.count }
    #expect(sink.received == text)
    #expect(sink.events == ["opened"])
    port.stop()
  }

  @Test("bytes that come one by one are gathered, and stamped with the moment that the first was seen")
  func gathered() throws {
    terminal.plug()
    let port = try makePort()
    port.start(sink)
    terminal.send("a")
    port.ready(Descriptor(-1), .readable)
    let seen = clock.monotonic
    for byte in "bcdefgh" { terminal.send(String(byte)) }
    #expect(sink.received.isEmpty)
    clock.monotonic += 100
    port.timerFired(SerialPort.gatherTimer)
    #expect(sink.received == "abcdefgh")
    #expect(sink.arrivals == [seen])
    port.stop()
  }

  @Test("a burst of many pieces wakes the loop twice")
  func wakeups() throws {
    terminal.plug()
    let port = try makePort()
    port.start(sink)
    for byte in "0123456789" { terminal.send(String(byte)) }
    sink.onBytes = { loop.stop() }
    // Without the spinner: the loop sleeps until something is ready or due.
    try loop.run { clock.monotonic += 100 }
    #expect(sink.received.count == 10)
    #expect(loop.wakeups == 2)
    port.stop()
  }

  @Test("more than one read can hold is delivered whole")
  func burst() throws {
    terminal.plug()
    let port = try makePort()
    port.start(sink)
    let text = String(repeating: "0123456789abcdef", count: 200)
    terminal.send(text)
    try run { sink.received.count >= text.count }
    #expect(sink.received == text)
    #expect(sink.arrivals.count > 1)
    port.stop()
  }

  @Test("a fast line gathers for less, so that the kernel's buffer never fills")
  func fastLine() throws {
    terminal.plug()
    let port = try makePort(baud: 921_600)
    port.start(sink)
    let start = clock.monotonic
    sink.onBytes = { loop.stop() }
    terminal.send("a")
    try loop.run { clock.monotonic += 1 }
    // Half of 4096 bytes take 22 ms.
    #expect(sink.received == "a")
    #expect(clock.monotonic - start <= 24)
    port.stop()
  }

  @Test("a line that hangs up is lost, once, after what it had delivered")
  func hangUp() throws {
    terminal.plug()
    let port = try makePort()
    port.start(sink)
    terminal.send("last words")
    try run { sink.received == "last words" }
    terminal.unplug()
    try run { port.state != .open }
    #expect(sink.events == ["opened", "lost 5"])
    #expect(port.state == .lost(.inputOutput))
    port.stop()
  }

  @Test("a port that is plugged in again delivers again")
  func recovery() throws {
    terminal.plug()
    let port = try makePort()
    port.start(sink)
    terminal.unplug()
    try run { port.state == .lost(.noSuchFile) }
    terminal.plug()
    try run { port.state == .open }
    terminal.send("again")
    try run { sink.received == "again" }
    #expect(sink.events == ["opened", "lost 5", "lost 2", "opened"])
    #expect(lines.count == 3)
    #expect(lines[0].contains(": it is no longer there; plug it in"))
    #expect(lines[1].contains(": it is not there; plug it in"))
    #expect(lines[2].hasSuffix(": delivers again"))
    port.stop()
  }

  @Test("a port that cannot be opened is tried after 5 s, then ever less often, in the end once a minute")
  func retries() throws {
    var failures: [Int64] = []
    sink.onLost = {
      failures.append(clock.monotonic)
      // Another reason each time, so that each attempt is told.
      terminal.point(to: failures.count % 2 == 0 ? "/" : "/dev/null")
    }
    let port = try makePort()
    port.start(sink)
    try run { failures.count == 7 }
    let pauses = zip(failures.dropFirst(), failures).map { $0 - $1 }
    #expect(pauses == [5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
    port.stop()
  }

  @Test("a port that has delivered is tried soon after it is lost again")
  func soonAgain() throws {
    let port = try makePort()
    port.start(sink)
    for _ in 0..<5 { port.timerFired(SerialPort.retryTimer) }
    terminal.plug()
    try run { port.state == .open }
    terminal.send("again")
    try run { sink.received == "again" }
    terminal.unplug()
    try run { port.state == .lost(.inputOutput) }
    let lost = clock.monotonic
    terminal.plug()
    try run { port.state == .open }
    #expect(clock.monotonic - lost <= 5_000)
    port.stop()
  }

  @Test("the log has a failure once, however often it is met")
  func loggedOnce() throws {
    let port = try makePort()
    port.start(sink)
    for _ in 0..<5 { port.timerFired(SerialPort.retryTimer) }
    #expect(lines.count == 1)
    #expect(sink.events == ["lost 2"])
    port.stop()
  }

  @Test("a port that opens and fails without a byte goes on being tried less often, silently")
  func flapping() throws {
    let port = try makePort()
    for _ in 0..<3 {
      terminal.plug()
      if port.state == .absent { port.start(sink) } else { port.timerFired(SerialPort.retryTimer) }
      #expect(port.state == .open)
      terminal.unplug()
      try run { port.state == .lost(.inputOutput) }
    }
    #expect(lines.count == 1)
    port.stop()
  }

  @Test(
    "what is no terminal is lost with its reason",
    arguments: [("/dev/null", 25), ("/", 21), ("/dev/null/x", 20)])
  func notATerminal(path: String, reason: Int32) throws {
    let port = try makePort(path)
    port.start(sink)
    #expect(sink.events == ["lost \(reason)"])
    port.stop()
  }

  @Test("a rate that termios does not know is lost as an invalid argument")
  func oddRate() throws {
    terminal.plug()
    let port = try makePort(baud: 12345)
    port.start(sink)
    #expect(port.state == .lost(.invalidArgument))
    port.stop()
  }

  @Test("a stopped port is closed and stays so")
  func stop() throws {
    terminal.plug()
    let port = try makePort()
    port.start(sink)
    port.stop()
    #expect(port.state == .absent)
    terminal.unplug()
    port.ready(Descriptor(-1), .failed)
    #expect(sink.events == ["opened"])
  }

  @Test("the delegate may stop the port during a call", arguments: [false, true])
  func stopInside(hangsUp: Bool) throws {
    terminal.plug()
    let port = try makePort()
    port.start(sink)
    sink.onBytes = { port.stop() }
    terminal.send(String(repeating: "x", count: 2000))
    port.ready(Descriptor(-1), hangsUp ? .failed : .readable)
    if !hangsUp { port.timerFired(SerialPort.gatherTimer) }
    #expect(port.state == .absent)
    #expect(sink.arrivals.count == 1)
  }

  @Test("a service answers from sentences on a line that come byte by byte")
  func service() throws {
    terminal.plug()
    let port = try makePort()
    let service = LocationService(clock: clock, log: log)
    port.start(service)
    for byte in "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n" {
      terminal.send(String(byte))
    }
    for byte in "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,150726,,,A*74\r\n" {
      terminal.send(String(byte))
    }
    try run { service.latest != nil }
    #expect(service.latest?.instant == 1_784_118_919_000)
    terminal.unplug()
    try run { service.state == .lost(.noSuchFile) }
    port.stop()
  }
}
