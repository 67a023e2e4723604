import Codec
import Device
import Fetch
import Foundation
import Gateway
import Metrics
import Runtime
import Simulated
import TestSupport

@testable import MetricsPart

/// A server in memory: `answer` gets the head of a request and its body, and gives the bytes of the answer; nil: there
/// is no connection.
final class FakeReceiver: FetchTransport {
  var answer: (String, [UInt8]) -> [UInt8]? = { _, _ in nil }
  /// Connections that were made.
  private(set) var connections = 0
  /// The connection stays open after an answer.
  var keeps = true
  private var delegate: (any TransportDelegate)?
  private var incoming: [UInt8] = []
  private var outgoing: [UInt8]?
  private var isSecured = false

  func open(_ url: GatewayURL, trust: FetchTrust, judge: any AddressPolicy, _ delegate: any TransportDelegate) {
    connections += 1
    (incoming, outgoing, isSecured) = ([], nil, false)
    self.delegate = delegate
  }

  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let some = min(bytes.count, 700)
    incoming += bytes[..<some]
    return some
  }

  func resumeReading() {}
  func close() { delegate = nil }

  /// The server ends the connection.
  func hangUp() {
    let delegate = delegate
    self.delegate = nil
    delegate?.transportFailed(TransportFailure(.closedByPeer))
  }

  /// Moves what can be moved; true when something was.
  func pump() -> Bool {
    guard let delegate else { return false }
    guard isSecured else {
      isSecured = true
      delegate.transportSecured(certificate: nil)
      return true
    }
    if let bytes = outgoing {
      outgoing = nil
      _ = delegate.transportReceived(bytes.span)
      if !keeps { hangUp() }
      return true
    }
    let before = incoming.count
    delegate.transportWritable()
    guard let end = incoming.firstRange(of: Array("\r\n\r\n".utf8)) else { return incoming.count > before }
    let head = String(decoding: incoming[..<end.lowerBound], as: UTF8.self)
    let length = head.split(separator: "\r\n").compactMap { line -> Int? in
      line.hasPrefix("Content-Length: ") ? Int(line.dropFirst(16)) : nil
    }[0]
    guard incoming.count - end.upperBound >= length else { return incoming.count > before }
    let body = Array(incoming[end.upperBound...])
    incoming = []
    guard let bytes = answer(head, body) else {
      self.delegate = nil
      delegate.transportFailed(TransportFailure(.connect, reason: .connectionRefused))
      return true
    }
    outgoing = bytes
    return true
  }
}

/// A part with a server and a host that the test plays.
final class MetricsBench: MetricsHost {
  let clock: VirtualClock
  let runner = DeferredRunner()
  let store: any RecordStore
  let receiver = FakeReceiver()
  let log = Log(level: .info, output: nil)
  private(set) var part: MetricsPart! = nil
  private let device: DeviceService
  private let readings: FixedReadings
  private var counter: UInt64 = 0

  // What the server does, and what it got.
  var status = 204
  var isThere = true
  var fields = ""
  /// Its clock in milliseconds since 1970; nil: its answers have no date.
  var date: Int64?
  private(set) var requests: [(head: String, body: [UInt8])] = []
  /// The numbers of the intervals that it took, by a counter, and their times.
  private(set) var taken: [(number: Int, time: Int64)] = []
  private(set) var latest: [ReadSeries] = []

  init(
    wall: Int64 = 1_800_000_000_000, isSynchronized: Bool = true, store: any RecordStore = MemoryStore(), from: Int = 0,
    _ change: (inout MetricsSettings) throws -> Void = { _ in }
  ) throws {
    clock = VirtualClock(monotonic: 1_000_000, wall: wall)
    self.store = store
    counter = UInt64(from)
    var board = FixedReadings.fieldBoard
    board.clock.isSynchronized = isSynchronized
    readings = FixedReadings(board)
    device = DeviceService(
      readings: readings,
      identity: DeviceIdentity(name: DeviceText(), appVersion: DeviceText(), appBuild: DeviceText()),
      runner: runner)
    var settings = MetricsSettings()
    settings.url = "https://metrics.example.org/api/v1/write"
    settings.token = "S3cret"
    try settings.labels.add("site".utf8.span, "roof".utf8.span)
    try change(&settings)
    part = try MetricsPart(
      settings, board: InlineText(cutting: "Weather mast"), instance: InlineText(cutting: "0123456789ab"),
      place: InlineText(cutting: "Hill 7"), tags: InlineText(cutting: "north,pilot"),
      version: InlineText(cutting: "0.4.0"),
      surroundings: MetricsSurroundings(
        MetricsBoard(transport: receiver, store: store), runner: runner, clock: clock, random: SeededRandom(seed: 4),
        log: log))
    part.host = self
    receiver.answer = { [unowned self] in self.answer($0, $1) }
    part.start()
  }

  func readBoard(for delegate: any DeviceSnapshotDelegate) -> Bool { device.read(for: delegate) }

  func fill(_ values: inout MetricValues, positions: Bool) {
    values.set(.wakeups, counter)
    values.set(.info, 1.0)
    if positions { values.set(.latitude, 47.5) }
    counter += 1
  }

  var metricTexts: MetricTexts {
    var texts = MetricTexts()
    texts.version = InlineText(cutting: "0.4.0")
    return texts
  }

  private func answer(_ head: String, _ body: [UInt8]) -> [UInt8]? {
    guard isThere else { return nil }
    requests.append((head, body))
    if status / 100 == 2, let message = Snappy.decode(body), let all = try? MessageReader.read(message), !all.isEmpty {
      latest = all
      let counter = all.first { $0["__name__"] == "talon_loop_wakeups_total" }
      for sample in counter?.samples ?? [] { taken.append((Int(sample.value), sample.time)) }
    }
    let day = date.map { "Date: \(Self.text($0 + clock.monotonic - 1_000_000))\r\n" } ?? ""
    return Array("HTTP/1.1 \(status) X\r\n\(day)\(fields)Content-Length: 0\r\n\r\n".utf8)
  }

  private static func text(_ milliseconds: Int64) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
  }

  /// Lets everything happen that needs no time.
  func settle() {
    for _ in 0..<10_000 {
      part.advance(to: clock.monotonic)
      var hasMoved = runner.runAll() > 0
      if receiver.pump() { hasMoved = true }
      if !hasMoved, (part.nextDeadline ?? .max) > clock.monotonic { return }
    }
  }

  /// Times that the part woke the loop by its deadlines.
  private(set) var wakeups = 0

  func pass(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    settle()
    while let due = part.nextDeadline, due <= end {
      clock.advance(max(due - clock.monotonic, 1))
      wakeups += 1
      settle()
    }
    clock.advance(max(end - clock.monotonic, 0))
    settle()
  }

  /// The program ends.
  func stop() {
    part.stop()
    part.flush()
    for _ in 0..<1000 where !part.isStopped {
      runner.runAll()
      clock.advance(1000)
      part.advance(to: clock.monotonic)
    }
  }

  var lines: [String] {
    var lines: [String] = []
    log.forEachEntry(last: 50, upTo: .debug) { lines.append(String(decoding: $0.text, as: UTF8.self)) }
    return lines
  }

  var report: String {
    let buffer = FixedBuffer(capacity: 2000)
    var writer = JSONWriter(into: buffer.bytes)
    part.writeObject(to: &writer)
    return String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
  }
}
