import Codec
import Runtime
import TestSupport
import Testing

@testable import Metrics

@Suite("The message of remote write")
struct WriteRequestTests {
  private static func labels(_ pairs: [(String, String)]) throws -> BoardLabels {
    var labels = BoardLabels()
    for (name, value) in pairs { try labels.add(name.utf8.span, value.utf8.span) }
    return labels
  }

  private static func series(_ ring: SampleRing, _ labels: BoardLabels, _ texts: MetricTexts) throws -> [ReadSeries] {
    let batch = try SampleBatch()
    #expect(batch.fill(from: ring))
    let buffer = FixedBuffer(capacity: Budget.metricRequestBytes)
    var writer = ByteWriter(into: buffer.bytes)
    let count = WriteRequest(labels, texts).write(batch, to: &writer)
    let isComplete = writer.isComplete
    #expect(isComplete)
    let all = try MessageReader.read(Array(buffer.bytes[..<writer.count]))
    #expect(all.reduce(0) { $0 + $1.samples.count } == count)
    return all
  }

  @Test("each value that is known becomes a series with its labels in the order of their names")
  func message() throws {
    let ring = try SampleRing()
    var values = MetricValues()
    values.set(.uptime, 12.5)
    values.set(.stateOnline, true)
    values.set(.stateWaiting, false)
    values.set(.temperature, -3.25)
    values.set(.info, 1.0)
    ring.append(values, at: 1_780_000_000_123, isDated: true)
    var labels = try Self.labels([("zone", "b"), ("Area", "north"), ("_x", "1")])
    labels.addDefault("instance", "abc".utf8.span)
    var texts = MetricTexts()
    texts.version = InlineText(cutting: "0.4.0")
    let all = try Self.series(ring, labels, texts)
    #expect(
      all.map { $0["__name__"] ?? "" } == [
        "talon_info", "talon_uptime_seconds", "talon_gateway_state", "talon_gateway_state", "talon_temperature_celsius",
      ])
    #expect(all[0].labels.map(\.name) == ["Area", "__name__", "_x", "instance", "version", "zone"])
    #expect(all[0]["version"] == "0.4.0")
    #expect(all[2].labels.map(\.name) == ["Area", "__name__", "_x", "instance", "state", "zone"])
    #expect(all[2]["state"] == "online")
    #expect(all[3].samples == [ReadSample(value: 0, time: 1_780_000_000_123)])
    #expect(all[4].samples == [ReadSample(value: -3.25, time: 1_780_000_000_123)])
  }

  @Test("the samples of several intervals stand together, the oldest first, and gaps stay gaps")
  func intervals() throws {
    let ring = try SampleRing()
    for interval in 0..<5 {
      var values = MetricValues()
      values.set(.wakeups, UInt64(interval * 100))
      if interval != 2 { values.set(.roundTrip, Double(interval) / 1000) }
      ring.append(values, at: 1000 + Int64(interval) * 60_000, isDated: true)
    }
    let all = try Self.series(ring, BoardLabels(), MetricTexts())
    #expect(all.map { $0["__name__"] ?? "" } == ["talon_gateway_round_trip_seconds", "talon_loop_wakeups_total"])
    #expect(all[0].samples.map(\.time) == [1000, 61_000, 181_000, 241_000])
    #expect(all[0].samples.map(\.value) == [0, 0.001, 0.003, 0.004])
    #expect(all[1].samples.map(\.value) == [0, 100, 200, 300, 400])
  }

  @Test("the largest message fits: every series, all labels as long as can be, a full batch")
  func largest() throws {
    let ring = try SampleRing()
    for interval in 0..<Budget.metricBatch {
      var values = MetricValues()
      for row in MetricCatalogue.rows { values.set(row.metric, Double(interval) + 0.125) }
      ring.append(values, at: .max / 2 + Int64(interval), isDated: true)
    }
    var labels = BoardLabels()
    let value = String(repeating: "v", count: Budget.metricLabelValueBytes)
    for index in 0..<Budget.metricOwnersLabels {
      let name = "n\(index)" + String(repeating: "n", count: Budget.metricLabelNameBytes - 2)
      try labels.add(name.utf8.span, value.utf8.span)
    }
    for name in ["board", "instance", "job"] as [StaticString] { labels.addDefault(name, value.utf8.span) }
    let all = try Self.series(ring, labels, MetricTexts())
    #expect(all.count == MetricCatalogue.rows.count)
    #expect(all.allSatisfy { $0.samples.count == Budget.metricBatch })
  }

  @Test(
    "wrong labels are refused by name",
    arguments: [
      ("1st", "a", LabelError.name), ("", "a", .name), ("ä", "a", .name), ("a-b", "a", .name),
      (String(repeating: "a", count: 33), "a", .name), ("__name__", "a", .reserved), ("__x", "a", .reserved),
      ("state", "a", .taken), ("le", "a", .taken), ("a", "", .value), ("a", String(repeating: "v", count: 65), .value),
      ("site", "b", .twice),
    ])
  func refusals(_ name: String, _ value: String, _ expected: LabelError) throws {
    var labels = try Self.labels([("site", "roof")])
    #expect(throws: expected) { try labels.add(name.utf8.span, value.utf8.span) }
  }

  @Test("there may be ten labels of the owner's, and theirs count before those that a board has")
  func many() throws {
    var labels = try Self.labels((0..<9).map { ("l\($0)", "v") } + [("job", "mine")])
    #expect(throws: LabelError.tooMany) { try labels.add("more".utf8.span, "v".utf8.span) }
    labels.addDefault("job", "talon".utf8.span)
    labels.addDefault("board", "roof".utf8.span)
    #expect(labels.count == 11)
    #expect((0..<11).contains { labels[$0].value == InlineText(cutting: "mine") })
  }
}
