import Codec
import Completion
import Fetch
import Gateway
import Runtime

@testable import OwnAgent

/// Numbers that are the same in every run.
final class SameNumbers: RandomSource {
  func fill(_ bytes: UnsafeMutableRawBufferPointer) { for index in bytes.indices { bytes[index] = 0 } }
}

/// A client of two models, and the servers that it asks.
final class ModelBench: FetchTransport, ModelClientDelegate, Clock {
  var monotonic: Int64 = 1_000_000
  var wall: Int64 { 0 }
  private(set) var client: ModelClient! = nil
  private var connection: (any TransportDelegate)?
  let prompt = Prompt(bytes: 4096)
  /// Where it went: "https://a.example:443 authorities".
  var visits: [String] = []
  var sent = ""
  /// What the client told: "said x", "answered x", "called photo", "failed: why", "used 3 5".
  var log: [String] = []
  var leaf: UInt8 = 1

  static func settings(_ host: String, key: String = "sk-secret-123456") throws -> ModelSettings {
    ModelSettings(base: try WebURL("https://\(host)/v1/".utf8.span), name: "model of \(host)", key: key)!
  }

  init(_ models: [ModelSettings]? = nil, retries: Int = 1) throws {
    client = try ModelClient(
      try models ?? [Self.settings("a.example"), Self.settings("b.example")], retries: retries, transport: self,
      clock: self, random: SameNumbers())
    client.delegate = self
    _ = prompt.addSystem("You are a board.".utf8.span)
    _ = prompt.addUser("hello".utf8.span)
  }

  func ask(mayCall: Bool = true) {
    var tools = ModelTools()
    try? tools.add(name: "photo", description: "d", parameters: "{}")
    client.ask(prompt, tools, mayCall: mayCall)
    pass(0)
  }

  func take() -> [String] {
    defer { log = [] }
    return log
  }

  func pass(_ milliseconds: Int64) {
    monotonic += milliseconds
    while let due = client.nextDeadline, due <= monotonic { client.advance(to: monotonic) }
  }

  // MARK: A server

  var isOpen: Bool { connection != nil }

  func accept() {
    let digest = Fingerprint(digest: InlineArray(repeating: leaf))
    connection?.transportSecured(certificate: PeerCertificate(leaf: digest, key: digest))
    for _ in 0..<200 { connection?.transportWritable() }
  }

  func deliver(_ text: String) {
    let bytes = Array(text.utf8)
    _ = connection?.transportReceived(bytes.span)
    pass(0)
  }

  func begin(_ status: Int = 200, _ fields: String = "") {
    accept()
    deliver("HTTP/1.1 \(status) X\r\n\(fields)\r\n")
  }

  func event(_ json: String) { deliver("data: \(json)\n\n") }

  func say(_ text: String) { event(#"{"choices":[{"delta":{"content":"\#(text)"}}]}"#) }

  func stop(_ reason: String = "stop") {
    event(#"{"choices":[{"delta":{},"finish_reason":"\#(reason)"}]}"#)
    event(#"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":5}}"#)
    event("[DONE]")
  }

  func refuse(_ status: Int, _ body: String, _ fields: String = "") {
    accept()
    deliver("HTTP/1.1 \(status) X\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  func end(_ failure: TransportFailure = TransportFailure(.closedByPeer)) {
    let last = connection
    connection = nil
    last?.transportFailed(failure)
    pass(0)
  }

  // MARK: FetchTransport

  func open(_ url: GatewayURL, trust: FetchTrust, judge: any AddressPolicy, _ delegate: any TransportDelegate) {
    visits.append("\(url.host):\(url.port)\(url.path) \(trust)")
    sent = ""
    guard let address = SocketAddress(literal: "192.168.1.7", port: url.port), judge.permits(address) else {
      return delegate.transportFailed(TransportFailure(.forbidden))
    }
    connection = delegate
  }

  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let count = min(bytes.count, 100)
    sent += String(decoding: bytes[..<count], as: UTF8.self)
    return count
  }

  func resumeReading() {}
  func close() { connection = nil }

  // MARK: ModelClientDelegate

  func modelSaid(_ text: UnsafeBufferPointer<UInt8>) { log.append("said \(String(decoding: text, as: UTF8.self))") }

  func modelEnded(_ outcome: CompletionOutcome, _ reader: CompletionReader) {
    guard outcome == .calls else { return log.append("\(outcome) \(String(decoding: reader.text, as: UTF8.self))") }
    log.append("called \(String(decoding: reader.calls[0].name, as: UTF8.self))")
  }

  func modelFailed(_ fault: ModelFault) {
    let room = FixedBuffer(capacity: 400)
    var writer = ByteWriter(into: room.bytes)
    fault.write(to: &writer)
    log.append("failed: \(String(decoding: room.bytes[..<writer.count], as: UTF8.self))")
  }

  func modelUsed(_ tokens: TokenCount, _ price: ModelPrice, milliseconds: Int64) {
    log.append("used \(tokens.prompt) \(tokens.completion)\(tokens.isEstimated ? " about" : "")")
  }
}
