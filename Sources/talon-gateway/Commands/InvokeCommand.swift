import ArgumentParser
import Foundation

struct InvokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invoke", abstract: "Run a command on a node and print its answer.")

  @OptionGroup var gateway: StateOptions
  @Option(help: "Device id, the beginning of one, or display name.") var node: String
  @Option(help: "For example camera.snap.") var command: String
  @Option(help: "Parameters as JSON text; without it the node gets none.") var params: String?
  @Option(help: "Milliseconds until the gateway gives up; 0 waits for ever.") var timeout: Int64 = 15_000
  @Option(help: "The key by which the node tells a repetition; without it every call has its own.")
  var idempotencyKey: String?
  @Flag(help: "Print the invoke's id at once, for `nodes cancel`, instead of waiting for the answer.")
  var noWait = false
  @Option(help: "Write the decoded payload.base64 to this file.") var out: String?
  @Option(help: "Invoke this many times and report figures instead of answers.") var `repeat`: Int?
  @Option(help: "With --repeat: how many are on their way at once.") var concurrency = 1

  func validate() throws {
    guard `repeat` ?? 1 > 0, concurrency > 0 else {
      throw ValidationError("--repeat and --concurrency must be positive.")
    }
    guard !noWait || (`repeat` == nil && out == nil) else {
      throw ValidationError("--no-wait does not go with --repeat and --out.")
    }
    guard `repeat` == nil || out == nil else { throw ValidationError("--out does not go with --repeat.") }
    do {
      _ = try params.map { try JSON(parsing: $0) }
    } catch {
      throw ValidationError("--params is not JSON: \(error)")
    }
  }

  func run() throws {
    let request = JSON.compact([
      "node": .string(node), "command": .string(command), "params": try params.map { try JSON(parsing: $0) },
      "timeoutMs": .integer(timeout), "idempotencyKey": idempotencyKey.map(JSON.string),
      "wait": given(noWait, false),
    ])
    try gateway.withGateway { client in
      if let `repeat` {
        let report = try InvokeReport.measure(client, request, count: `repeat`, concurrency: concurrency)
        return print(gateway.json ? report.json.prettyText : report.description)
      }
      if noWait {
        let started = try client.call("nodes.invoke", request)
        return print(gateway.json ? started.prettyText : started["invokeId"]?.string ?? "")
      }
      let result = try saved(try client.call("nodes.invoke", request))
      print(gateway.json ? result.prettyText : (result["payload"] ?? .null).prettyText)
    }
  }

  /// Writes the payload's bytes where `--out` says, and takes them out of what is printed.
  private func saved(_ result: JSON) throws -> JSON {
    guard let out else { return result }
    guard let base64 = result["payload"]?["base64"]?.string, let data = Data(base64Encoded: base64) else {
      throw GatewayFailure("the answer has no payload.base64 to write to \(out)")
    }
    try data.write(to: URL(fileURLWithPath: out))
    var object = result.object ?? JSONObject()
    var payload = object["payload"]?.object ?? JSONObject()
    payload["base64"] = "(\(base64.utf8.count) characters)"
    payload["file"] = .string(out)
    payload["bytes"] = .integer(Int64(data.count))
    object["payload"] = .object(payload)
    return .object(object)
  }
}

/// What `--repeat` found.
struct InvokeReport {
  let count: Int
  var errors = 0
  var firstError: JSON?
  var elapsed = Duration.zero

  init(count: Int) { self.count = count }

  /// Keeps `concurrency` invokes on their way through one control connection until `count` were answered.
  static func measure(
    _ client: ControlClient, _ request: JSON, count: Int, concurrency: Int
  ) throws -> InvokeReport {
    let start = ContinuousClock.now
    var report = InvokeReport(count: count)
    for _ in 0..<min(concurrency, count) { try client.send("nodes.invoke", request) }
    var sent = min(concurrency, count)
    for _ in 0..<count {
      report.note(try client.receive())
      guard sent < count else { continue }
      sent += 1
      try client.send("nodes.invoke", request)
    }
    report.elapsed = ContinuousClock.now - start
    return report
  }

  mutating func note(_ answer: JSON) {
    guard answer["ok"]?.bool != true else { return }
    errors += 1
    firstError = firstError ?? answer["error"]
  }

  private var seconds: Double { elapsed / .seconds(1) }

  var json: JSON {
    .compact([
      "count": .integer(Int64(count)), "errors": .integer(Int64(errors)),
      "elapsedMs": .double((seconds * 1_000_000).rounded() / 1000),
      "perSecond": .double((Double(count) / seconds).rounded()), "firstError": firstError,
    ])
  }

  var description: String {
    let rate = Int((Double(count) / seconds).rounded())
    let error = firstError.map { "\nfirst error: \($0.text)" } ?? ""
    return "\(count) invokes, \(errors) errors, \(Int(seconds * 1000)) ms, \(rate) per second\(error)"
  }
}
