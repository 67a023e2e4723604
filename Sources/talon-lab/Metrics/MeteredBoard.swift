import Codec
import Foundation
import Metrics
import Runtime
import Simulated

/// One of many boards that push metrics: the encoder, the queue and the compression are Talon's own; what it measures
/// is made up, and changes as a real board's does.
final class MeteredBoard {
  private let labels: BoardLabels
  private let ring: SampleRing
  private let random: SeededRandom
  private var uptime = 0.0
  private var counters = [Double](repeating: 0, count: 12)
  private var connection: PlainConnection?

  init(number: Int) throws {
    var labels = BoardLabels()
    try labels.add("site".utf8.span, "site-\(number % 40)".utf8.span)
    labels.addDefault("board", "mast-\(number)".utf8.span)
    labels.addDefault("instance", String(format: "%012x", number &* 2_654_435_761).utf8.span)
    labels.addDefault("job", "talon".utf8.span)
    self.labels = labels
    ring = try SampleRing()
    random = SeededRandom(seed: UInt64(number))
  }

  /// A number from 0 up to 1.
  private func dice() -> Double { Double(random.next() >> 11) / 9_007_199_254_740_992 }

  /// Takes the samples of an instant: 60 series.
  func sample(at time: Int64, interval: Double) {
    uptime += interval
    var values = MetricValues()
    for index in 0..<60 {
      guard let metric = Metric(rawValue: index) else { continue }
      values.set(metric, index % 3 == 0 ? 1.0 : 0.0)
    }
    values.set(.uptime, uptime)
    values.set(.boardUptime, uptime + 31.27)
    values.set(.onlineSeconds, uptime - 4)
    for (index, metric) in [
      Metric.wakeups, .turnCount, .turnAll, .turn5ms, .turn10ms, .turn50ms, .succeeded, .processorTime, .turnSum,
      .eventsDelivered, .receiverErrors, .connections,
    ].enumerated() {
      counters[index] += (dice() * 100 / Double(index + 1)).rounded()
      values.set(metric, counters[index])
    }
    values.set(.roundTrip, (20 + dice() * 30).rounded() / 1000)
    values.set(.resident, (9_000_000 + (dice() * 100).rounded() * 4096))
    values.set(.memoryAvailable, (300_000_000 + (dice() * 1000).rounded() * 4096))
    values.set(.satellites, (8 + dice() * 6).rounded())
    values.set(.load, (dice() * 100).rounded() / 100)
    ring.append(values, at: time, isDated: true)
  }

  /// Pushes what waits. Returns the bytes on the wire, of the body alone and with the request's header, and how many
  /// samples those are; nil when the server did not take them.
  func push(
    port: UInt16, _ batch: SampleBatch, _ snappy: SnappyEncoder, _ message: FixedBuffer, _ body: FixedBuffer
  ) throws -> (body: Int, all: Int, samples: Int)? {
    guard batch.fill(from: ring) else { return (0, 0, 0) }
    var writer = ByteWriter(into: message.bytes)
    var texts = MetricTexts()
    texts.version = InlineText(cutting: "0.4.0")
    let samples = WriteRequest(labels, texts).write(batch, to: &writer)
    guard let count = snappy.encode(UnsafeBufferPointer(message.bytes).extracting(0..<writer.count), into: body.bytes)
    else { return nil }
    let head = """
      POST /api/v1/write HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUser-Agent: Talon/0.4.0\r\nAccept: */*\r\n\
      Accept-Encoding: identity\r\nContent-Encoding: snappy\r\nX-Prometheus-Remote-Write-Version: 0.1.0\r\n\
      Content-Type: application/x-protobuf\r\nContent-Length: \(count)\r\n\r\n
      """
    let request = Array(head.utf8) + body.bytes[..<count]
    let connection = try connection ?? PlainConnection(port: port)
    self.connection = connection
    let isTaken = try connection.exchange(request).status == 204
    ring.settle(isDone: isTaken)
    return isTaken ? (count, request.count, samples) : nil
  }
}
