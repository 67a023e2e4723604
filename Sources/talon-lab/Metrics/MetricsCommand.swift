import ArgumentParser
import Foundation
import Metrics
import Runtime

/// Many boards that push metrics to one Prometheus.
struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Pushes the metrics of many simulated boards to a real Prometheus, and asks it what it took.",
    discussion: """
      Starts Debian's prometheus with a folder of its own. Each board has a connection, a phase and 60 series; queue, \
      message and compression are Talon's own. Exits with 1 when a sample was refused, is missing or came out of \
      order, or when the bytes of a board and minute miss their bar.
      """)

  @Option(name: .long, help: "How many boards.")
  var boards = 1000

  @Option(name: .long, help: "For how many seconds.")
  var seconds = 600.0

  @Option(name: .long, help: "Seconds between the samples of a board.")
  var interval = 60.0

  @Option(name: .long, help: "The server's program.")
  var prometheus = "/usr/bin/prometheus"

  @Option(name: .long, help: "Its port.")
  var port: UInt16 = 19_090

  func validate() throws {
    guard boards > 0, seconds >= interval, interval > 0 else {
      throw ValidationError("--boards and --interval must be more than 0, and --seconds at least --interval")
    }
  }

  func run() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "talon-metrics-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try start(in: folder)
    defer {
      kill(server.pid, SIGTERM)
      server.waitUntilEnd()
    }
    let all = try (0..<boards).map { try MeteredBoard(number: $0) }
    let sent = try push(all)
    try report(sent)
  }

  private func start(in folder: URL) throws -> ChildProcess {
    let configuration = folder.appending(path: "prometheus.yml").path
    try LabOutput.write(Array("global: {}\n".utf8), toFile: configuration)
    let server = try ChildProcess(
      [
        prometheus, "--config.file=\(configuration)", "--storage.tsdb.path=\(folder.appending(path: "data").path)",
        "--web.enable-remote-write-receiver", "--web.listen-address=127.0.0.1:\(port)", "--log.level=warn",
        // A connection of each board stays open; the default is 512.
        "--web.max-connections=\(boards + 50)",
      ], output: folder.appending(path: "log").path)
    for _ in 0..<100 {
      if (try? get("/-/ready").status) == 200 { return server }
      if server.end != nil { break }
      usleep(200_000)
    }
    let log = (try? String(contentsOfFile: folder.appending(path: "log").path, encoding: .utf8)) ?? ""
    throw LabFailure("prometheus does not start: \(log)")
  }

  private func get(_ path: String) throws -> (status: Int, content: String) {
    try PlainConnection(port: port).exchange(
      Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: identity\r\nConnection: close\r\n\r\n".utf8))
  }

  /// What went out.
  private struct Sent {
    var requests = 0
    var refused = 0
    var samples = 0
    var (body, all) = (0, 0)
  }

  private func push(_ all: [MeteredBoard]) throws -> Sent {
    let (batch, snappy) = (try SampleBatch(), try SnappyEncoder())
    let message = FixedBuffer(capacity: Budget.metricRequestBytes)
    let body = FixedBuffer(capacity: SnappyEncoder.bound(Budget.metricRequestBytes))
    var sent = Sent()
    let begun = Date()
    // Each in its phase, as boards that were switched on at some time.
    var due = all.indices.map { interval * Double($0) / Double(all.count) }
    while true {
      guard let next = due.indices.min(by: { due[$0] < due[$1] }), due[next] < seconds else { return sent }
      let wait = begun.addingTimeInterval(due[next]).timeIntervalSinceNow
      if wait > 0 { Thread.sleep(forTimeInterval: wait) }
      all[next].sample(at: Int64(Date().timeIntervalSince1970 * 1000), interval: interval)
      sent.requests += 1
      if let bytes = try all[next].push(port: port, batch, snappy, message, body) {
        sent.samples += bytes.samples
        sent.body += bytes.body
        sent.all += bytes.all
      } else {
        sent.refused += 1
      }
      due[next] += interval
    }
  }

  private func report(_ sent: Sent) throws {
    let metrics = try get("/metrics").content
    func counter(_ name: String) -> Int {
      var sum = 0
      for line in metrics.split(separator: "\n") where line.hasPrefix(name) && !line.hasPrefix("#") {
        let value: Substring = line.split(separator: " ").last ?? ""
        sum += Int(Double(value) ?? 0)
      }
      return sum
    }
    let appended = counter("prometheus_tsdb_head_samples_appended_total")
    let disordered =
      counter("prometheus_tsdb_out_of_order_samples_total") + counter("prometheus_tsdb_out_of_bound_samples_total")
    let series = counter("prometheus_tsdb_head_series ")
    let minutes = Double(boards) * seconds / 60
    print("\(boards) boards, \(Int(seconds)) s, one push each \(Int(interval)) s: \(sent.requests) requests")
    print("sent \(sent.samples) samples of \(series) series")
    var verdict = Verdict()
    verdict.show(Self.figures(body: Double(sent.body) / minutes, all: Double(sent.all) / minutes))
    // Nor may there be some that nobody sent.
    verdict.show(Self.figures(lost: abs(sent.samples - appended), disordered: disordered, refused: sent.refused))
    try verdict.finish()
  }

  static func figures(lost: Int, disordered: Int, refused: Int) -> [Measurement] {
    [
      ("samples that Prometheus has not appended", lost), ("samples out of order or of bounds", disordered),
      ("requests not taken", refused),
    ].map { Measurement(name: $0.0, value: Double($0.1), unit: "", bar: .metricsLost) }
  }

  /// Of the bytes of a board and minute.
  static func figures(body: Double, all: Double) -> [Measurement] {
    [
      Measurement(name: "samples of a board and minute", value: body / 1e3, unit: "KB"),
      Measurement(name: "  with the request's header", value: all / 1e3, unit: "KB", bar: .metricsMinute),
    ]
  }
}
