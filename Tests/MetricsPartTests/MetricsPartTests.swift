import Codec
import Metrics
import Runtime
import Simulated
import Testing

@testable import MetricsPart

@Suite("The part of metrics")
struct MetricsPartTests {
  @Test("samples go out once an interval, with what remote write wants, and nothing is written to flash")
  func usual() throws {
    let bench = try MetricsBench()
    bench.pass(600_000)
    #expect((9...11).contains(bench.taken.count))
    #expect(bench.taken.map(\.number) == Array(0..<bench.taken.count))
    let steps = zip(bench.taken.dropFirst(), bench.taken).map { $0.time - $1.time }
    #expect(steps.allSatisfy { $0 == 60_000 })
    #expect(bench.taken.allSatisfy { $0.time > 1_800_000_000_000 && $0.time < 1_800_000_700_000 })
    let head = bench.requests[0].head
    #expect(head.hasPrefix("POST /api/v1/write HTTP/1.1\r\nHost: metrics.example.org\r\n"))
    for field in [
      "Content-Encoding: snappy", "Content-Type: application/x-protobuf", "X-Prometheus-Remote-Write-Version: 0.1.0",
      "User-Agent: Talon/0.4.0", "Authorization: Bearer S3cret",
    ] { #expect((head + "\r\n").contains("\r\n\(field)\r\n"), "\(field)") }
    #expect((bench.store as! MemoryStore).saves == 0)
    #expect(bench.receiver.connections == 1)
    // One a minute for the samples, and a few for what comes of them at once.
    #expect(bench.wakeups <= bench.taken.count + 1)
  }

  @Test("each series has the labels of the board, and no position unless it is wanted")
  func labels() throws {
    let bench = try MetricsBench()
    bench.pass(61_000)
    let memory = try #require(bench.latest.first { $0["__name__"] == "talon_board_memory_size_bytes" })
    #expect(memory.samples[0].value == Double(512 << 20))
    #expect(memory.labels.map(\.name) == ["__name__", "board", "instance", "job", "place", "site", "tags"])
    #expect(
      memory.labels.map(\.value).dropFirst() == [
        "Weather mast", "0123456789ab", "talon", "Hill 7", "roof", "north,pilot",
      ])
    #expect(!bench.latest.contains { $0["__name__"]!.contains("position") })
    let open = try MetricsBench { $0.hasPositions = true }
    open.pass(61_000)
    #expect(open.latest.first { $0["__name__"] == "talon_position_latitude_degrees" }?.samples[0].value == 47.5)
  }

  @Test("an outage loses nothing: samples arrive in order, with their own times, a limited number at once")
  func outage() throws {
    let bench = try MetricsBench()
    bench.pass(300_000)
    bench.isThere = false
    bench.pass(3_600_000)
    let before = bench.taken.count
    #expect(bench.part.ring.count >= 59)
    bench.isThere = true
    bench.pass(600_000)
    #expect(bench.taken.count >= before + 68)
    #expect(bench.taken.map(\.number) == Array(0..<bench.taken.count))
    // What tries the server again wakes the agent, and samples may be taken a little early then.
    let steps = zip(bench.taken.dropFirst(), bench.taken).map { $0.time - $1.time }
    #expect(steps.allSatisfy { (50_000...70_000).contains($0) })
    #expect(bench.part.ring.count == 0)
    // Logged once, and its end.
    #expect(bench.lines.count { $0.contains("does not accept connections") } == 1)
    #expect(bench.lines.contains { $0.contains("takes samples again") })
  }

  @Test("a board that is switched off in an outage goes on after it")
  func restart() throws {
    let store = MemoryStore()
    let first = try MetricsBench(store: store)
    first.isThere = false
    first.pass(3_000_000)
    first.stop()
    let next = first.part.ring.count
    let second = try MetricsBench(wall: first.clock.wall + 60_000, store: store, from: next)
    second.pass(600_000)
    #expect(second.taken.map(\.number) == Array(0..<second.taken.count))
    #expect(second.taken.count > next + 5)
    let third = try MetricsBench(wall: second.clock.wall, store: store, from: 5000)
    third.pass(120_000)
    #expect(third.taken.first?.number == 5000)
  }

  @Test("a power cut costs what was not on flash yet, and nothing else", arguments: [10, 27, 65, 180, 700])
  func powerCut(_ minutes: Int64) throws {
    let store = MemoryStore()
    let first = try MetricsBench(store: store)
    first.isThere = false
    first.pass(minutes * 60_000)
    let all = first.part.ring.count
    // No stop, no flush.
    let second = try MetricsBench(wall: first.clock.wall + 60_000, store: store, from: 10_000)
    second.pass(900_000)
    let old = second.taken.map(\.number).filter { $0 < 10_000 }
    #expect(old == Array(0..<old.count))
    #expect(old.count >= all - 11)
    #expect(second.taken.last!.number > 10_000)
    // Ten minutes of samples are one write of a few records.
    #expect(store.saves <= Int(minutes) / 10 * 2 + 40)
  }

  @Test("a power cut while the queue is being emptied sends nothing twice that flash knows of")
  func powerCutAfterwards() throws {
    let store = MemoryStore()
    let first = try MetricsBench(store: store)
    first.isThere = false
    first.pass(6_000_000)
    first.isThere = true
    while first.taken.count < 60 { first.pass(500) }
    let second = try MetricsBench(wall: first.clock.wall + 60_000, store: store, from: 10_000)
    second.pass(300_000)
    let old = second.taken.map(\.number).filter { $0 < 10_000 }
    #expect(old.first! >= first.taken.count - Budget.metricBatch)
    #expect(old == Array(old.first!..<(old.first! + old.count)))
  }

  @Test("flash that fails costs no sample while the board runs")
  func brokenFlash() throws {
    let store = MemoryStore()
    store.failure = .system(.noSpace)
    let bench = try MetricsBench(store: store)
    bench.isThere = false
    bench.pass(3_000_000)
    #expect(bench.lines.count { $0.contains("could not be written to flash") } == 1)
    store.failure = nil
    bench.pass(1_200_000)
    #expect(store.saves > 0)
    bench.isThere = true
    bench.pass(600_000)
    #expect(bench.taken.map(\.number) == Array(0..<bench.taken.count))
  }
}

@Suite("Servers that refuse, are busy or lie")
struct MetricsServerTests {
  @Test("a refusal costs what was sent, is told once, and fills no flash", arguments: [400, 401, 403, 404, 413, 422])
  func refusal(_ status: Int) throws {
    let bench = try MetricsBench()
    bench.status = status
    bench.pass(3_600_000)
    #expect((59...61).contains(bench.requests.count))
    #expect(bench.part.ring.count == 0)
    #expect((bench.store as! MemoryStore).saves == 0)
    #expect(bench.lines.count { $0.contains("answered with status \(status): these samples are dropped") } == 1)
    #expect(bench.report.contains("\"refused\":\(bench.requests.count)"))
    #expect(bench.report.contains("answered with status \(status)"))
    bench.status = 204
    bench.pass(120_000)
    #expect(bench.taken.count >= 1)
    #expect(bench.report.contains("\"isCurrent\":false"))
  }

  @Test("an overloaded server is waited for, as long as it says", arguments: [429, 503])
  func overload(_ status: Int) throws {
    let bench = try MetricsBench()
    bench.status = status
    bench.fields = "Retry-After: 600\r\n"
    bench.pass(61_000)
    #expect(bench.requests.count == 1)
    bench.pass(530_000)
    #expect(bench.requests.count == 1)
    bench.status = 200
    bench.pass(120_000)
    #expect(bench.taken.map(\.number) == Array(0..<bench.taken.count))
    #expect(bench.taken.count >= 10)
  }

  @Test("it may say so by a date")
  func retryDate() throws {
    let bench = try MetricsBench(wall: 1_799_999_999_000)
    bench.status = 429
    bench.date = 1_800_000_000_000
    // 15 January 2027, 08:00:00 is 1,800,000,000.
    bench.fields = "Retry-After: Fri, 15 Jan 2027 08:20:00 GMT\r\n"
    bench.pass(1_100_000)
    #expect(bench.requests.count == 1)
    bench.pass(200_000)
    #expect(bench.requests.count >= 2)
  }

  @Test("one that says nothing is tried less and less often")
  func backoff() throws {
    let bench = try MetricsBench()
    bench.status = 500
    bench.pass(3_600_000)
    #expect((10...40).contains(bench.requests.count))
    #expect(bench.taken.isEmpty)
    bench.status = 200
    bench.pass(600_000)
    #expect(bench.taken.map(\.number) == Array(0..<bench.taken.count))
  }

  @Test("nobody is asked to wait for more than an hour")
  func patience() throws {
    let bench = try MetricsBench()
    bench.status = 429
    bench.fields = "Retry-After: 999999999\r\n"
    bench.pass(61_000)
    bench.pass(3_700_000)
    #expect(bench.requests.count == 2)
  }

  @Test("a redirect is not followed, and samples wait")
  func redirect() throws {
    let bench = try MetricsBench()
    bench.status = 307
    bench.fields = "Location: https://elsewhere.example.org/\r\n"
    bench.pass(120_000)
    #expect(bench.requests.allSatisfy { $0.head.contains("\r\nHost: metrics.example.org\r\n") })
    #expect(bench.part.ring.count >= 1)
    #expect(bench.part.sender.refused == 0)
  }

  @Test("the status counts, whatever follows it")
  func endless() throws {
    let bench = try MetricsBench()
    bench.receiver.answer = { _, _ in
      Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        + Array(repeating: Array("1000\r\n".utf8) + [UInt8](repeating: 120, count: 4096) + [13, 10], count: 8).joined()
    }
    bench.pass(120_000)
    #expect(bench.part.sender.accepted >= 1)
    #expect(bench.part.ring.count == 0)
  }

  @Test("one that never ends its answer, or never begins, is given up")
  func silent() throws {
    let bench = try MetricsBench()
    bench.receiver.answer = { _, _ in [] }
    bench.pass(600_000)
    #expect(bench.part.ring.count >= 8)
    #expect(bench.lines.contains { $0.contains("took too long") })
  }

  @Test("a connection that the server closed meanwhile costs nothing")
  func keptConnection() throws {
    let bench = try MetricsBench()
    bench.pass(130_000)
    bench.receiver.hangUp()
    bench.pass(120_000)
    #expect(bench.receiver.connections == 2)
    bench.receiver.keeps = false
    bench.pass(180_000)
    #expect(bench.receiver.connections >= 4)
    #expect(bench.taken.map(\.number) == Array(0..<bench.taken.count))
    #expect(bench.lines.isEmpty)
  }

  @Test("no secret is in the log")
  func secrets() throws {
    let bench = try MetricsBench()
    bench.log.write(.warning, "test", "S3cret Bearer S3cret")
    #expect(!bench.lines.contains { $0.contains("S3cret") })
  }
}

@Suite("Boards whose clock is not set")
struct MetricsDateTests {
  @Test("samples wait until the clock is synchronized, and then have their own times")
  func waits() throws {
    let bench = try MetricsBench(wall: 86_400_000, isSynchronized: false)
    bench.pass(600_000)
    #expect(bench.taken.isEmpty)
    // A server without a date is asked for it with an empty message.
    #expect(bench.requests.allSatisfy { $0.body == [0] })
    #expect(bench.report.contains("\"hasDate\":false"))
    bench.date = 1_800_000_000_000
    bench.pass(600_000)
    #expect(bench.taken.map(\.number) == Array(0..<bench.taken.count))
    #expect(bench.taken.count > 10)
    // The first minute of the run was the first minute of the server's.
    #expect(bench.taken[0].time >= 1_799_999_999_000 && bench.taken[0].time < 1_800_000_062_000)
    let steps = zip(bench.taken.dropFirst(), bench.taken).map { $0.time - $1.time }
    #expect(steps.allSatisfy { (49_000...71_000).contains($0) })
  }

  @Test("a clock that nobody keeps right is believed where a server has the same date")
  func confirmed() throws {
    let bench = try MetricsBench(isSynchronized: false)
    bench.date = 1_800_000_002_000
    bench.pass(120_000)
    #expect(bench.taken.count >= 1)
    #expect(bench.taken[0].time < 1_800_000_061_000)
  }

  @Test("what a run never got a date for is not kept")
  func never() throws {
    let store = MemoryStore()
    let first = try MetricsBench(wall: 0, isSynchronized: false, store: store)
    first.isThere = false
    first.pass(1_800_000)
    first.stop()
    let second = try MetricsBench(store: store, from: 1000)
    second.pass(120_000)
    #expect(second.taken.first?.number == 1000)
  }
}
