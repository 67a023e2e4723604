import Foundation
import Location
import Runtime
import Simulated
import Testing

/// Keeps what a source delivers.
private final class SinkLog: PositionSourceDelegate {
  var events: [String] = []

  func positionSourceOpened() { events.append("opened") }
  func positionSourceLost(_ reason: Errno) { events.append("lost \(reason.number)") }
  func positionSourceReceived(_ bytes: Span<UInt8>, at monotonic: Int64) {
    events.append("\(monotonic) " + bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
  }
}

@Suite final class ReplayGPSTests {
  private let clock = ManualClock()
  private let sink = SinkLog()
  private let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).nmea").path

  init() { clock.monotonic = 0 }

  deinit { unlink(path) }

  private func replay(_ text: String, speed: Int = 1) throws -> ReplayGPS {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return try ReplayGPS(path: path, speed: speed, clock: clock)
  }

  /// Lets the source deliver `count` times, each when it wants to.
  private func run(_ source: ReplayGPS, _ count: Int) {
    for _ in 0..<count {
      guard let deadline = source.nextDeadline else { return }
      clock.monotonic = deadline
      source.advance(to: deadline)
    }
  }

  private let two = Receiver.gga("123519") + Receiver.rmc("123519")
  private let three = Receiver.gga("123521.5") + Receiver.rmc("123521.5")

  @Test("epochs come whole, at the pace of the times in the recording, and the recording begins anew")
  func pace() throws {
    let source = try replay(two + three)
    source.start(sink)
    #expect(source.state == .open)
    run(source, 3)
    #expect(sink.events == ["opened", "0 \(two)", "2500 \(three)", "3500 \(two)"])
  }

  @Test("a faster replay shortens the pauses")
  func faster() throws {
    let source = try replay(two + three, speed: 10)
    source.start(sink)
    run(source, 2)
    #expect(sink.events == ["opened", "0 \(two)", "250 \(three)"])
  }

  @Test("sentences without a time travel with the epoch before them")
  func timeless() throws {
    let source = try replay(two + Receiver.vtg() + three)
    source.start(sink)
    run(source, 1)
    #expect(sink.events.last == "0 " + two + Receiver.vtg())
  }

  @Test("midnight is a pause like any other, and a joint of two recordings waits a minute at most")
  func midnight() throws {
    let source = try replay(Receiver.gga("235959") + Receiver.gga("000001") + Receiver.gga("080000"))
    source.start(sink)
    run(source, 3)
    #expect(sink.events.count == 4)
    #expect(sink.events[2].hasPrefix("2000 "))
    #expect(sink.events[3].hasPrefix("62000 "))
  }

  @Test("a recording of many windows is replayed to its last byte")
  func long() throws {
    var text = ""
    for second in 0..<3600 {
      let time = String(format: "12%02d%02d", second / 60, second % 60)
      text += Receiver.gga(time) + Receiver.rmc(time)
    }
    let source = try replay(text)
    source.start(sink)
    run(source, 3600)
    let bodies = sink.events.dropFirst().map { $0.split(separator: " ", maxSplits: 1)[1] }
    #expect(bodies.joined() == text)
    #expect(clock.monotonic == 3_599_000)
  }

  @Test("a file that is missing, empty or a folder is a lost receiver, with its reason")
  func missing() throws {
    try ReplayGPS(path: path, speed: 1, clock: clock).start(sink)
    try replay("").start(sink)
    try ReplayGPS(path: FileManager.default.temporaryDirectory.path, speed: 1, clock: clock).start(sink)
    #expect(sink.events == ["lost 2", "lost 22", "lost 21"])
  }

  @Test("a lost recording is tried again, ever less often, and told once")
  func retry() throws {
    let source = try ReplayGPS(path: path, speed: 1, clock: clock)
    source.start(sink)
    run(source, 5)
    #expect(sink.events == ["lost 2"])
    // 5, 10, 20 and 40 seconds, then once a minute.
    #expect(source.nextDeadline == 195_000)
    try two.write(toFile: path, atomically: false, encoding: .utf8)
    run(source, 2)
    #expect(sink.events == ["lost 2", "opened", "195000 \(two)"])
    #expect(source.state == .open)
  }

  @Test("a stopped source delivers nothing more")
  func stop() throws {
    let source = try replay(two + three)
    source.start(sink)
    run(source, 1)
    source.stop()
    #expect(source.nextDeadline == nil)
    #expect(source.state == .absent)
    source.advance(to: .max)
    #expect(sink.events.count == 2)
  }

  @Test("lines that are no sentences are delivered as they are")
  func garbage() throws {
    let source = try replay("hello\n\n$GPGGA\n$GPGGA,1x3519\n" + two)
    source.start(sink)
    run(source, 1)
    #expect(sink.events.last == "0 hello\n\n$GPGGA\n$GPGGA,1x3519\n" + two)
  }

  @Test("a service answers from a replay with the dates of the recording and the age of the arrival")
  func service() throws {
    let service = LocationService(clock: clock, log: Log(output: nil))
    let source = try replay(two + three)
    source.start(service)
    run(source, 2)
    let fix = try #require(service.latest)
    #expect(fix.instant == 1_784_118_921_500)
    #expect(fix.arrival == 2500)
  }
}
