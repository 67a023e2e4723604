import Board
import Foundation
import Location
import Runtime
import Simulated
import Testing

/// What every position source promises, whether it is a line or a recording.
@Suite struct SerialContractTests {
  enum Kind: CaseIterable { case serialPort, replay }

  private static let sentences = """
    $GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r
    $GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,150726,,,A*74\r

    """

  private let clock = SystemClock()
  private let loop: Loop
  private let sink = SerialSinkLog()
  private let terminal = SerialTerminal()
  private let recording = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).nmea").path

  init() throws { loop = try Loop(clock: clock) }

  private func source(_ kind: Kind, isThere: Bool) throws -> any PositionSource {
    switch kind {
    case .serialPort:
      if isThere {
        terminal.plug()
      }
      return try SerialPort(
        path: terminal.path, baud: 115_200, loop: loop, clock: clock, log: Log(output: nil))
    case .replay:
      if isThere { try Self.sentences.write(toFile: recording, atomically: false, encoding: .utf8) }
      return try ReplayGPS(path: recording, speed: 100, clock: clock, loop: loop)
    }
  }

  @Test("a source is absent until it is started, then open, then absent again", arguments: Kind.allCases)
  func states(kind: Kind) throws {
    let source = try source(kind, isThere: true)
    #expect(source.state == .absent)
    source.start(sink)
    #expect(source.state == .open)
    #expect(sink.events == ["opened"])
    source.stop()
    #expect(source.state == .absent)
    #expect(sink.events == ["opened"])
  }

  @Test("a source that is not there says why, and does not fail", arguments: Kind.allCases)
  func missing(kind: Kind) throws {
    let source = try source(kind, isThere: false)
    source.start(sink)
    #expect(source.state == .lost(.noSuchFile))
    #expect(sink.events == ["lost 2"])
    source.stop()
  }

  @Test(
    "bytes come unchanged from the loop, stamped with an instant that has passed", arguments: Kind.allCases)
  func delivers(kind: Kind) throws {
    let source = try source(kind, isThere: true)
    let start = clock.monotonic
    source.start(sink)
    if kind == .serialPort { terminal.send(Self.sentences) }
    sink.onBytes = { if sink.received.count >= Self.sentences.count { loop.stop() } }
    try loop.run()
    #expect(sink.received.hasPrefix(Self.sentences))
    for arrival in sink.arrivals { #expect(arrival >= start && arrival <= clock.monotonic) }
    source.stop()
  }

  @Test("a service answers from it", arguments: Kind.allCases)
  func answers(kind: Kind) throws {
    let source = try source(kind, isThere: true)
    let service = LocationService(clock: clock, log: Log(output: nil))
    source.start(service)
    if kind == .serialPort { terminal.send(Self.sentences) }
    try loop.run { if service.latest != nil { loop.stop() } }
    #expect(service.latest?.instant == 1_784_118_919_000)
    source.stop()
  }
}
