import Codec
import Device
import Foundation
import Runtime
import Simulated
import Testing

/// `debug.logs`: the newest lines of the log, within the bounds that clients expect.
@Suite struct LogPageTests {
  private let clock = VirtualClock()
  private let log: Log

  init() { log = Log(level: .debug, output: nil, clock: clock) }

  private func page(_ parameters: String) throws(DiagnosisError) -> [String] {
    let bytes = Array(parameters.utf8)
    let page = try LogPage(JSONView(bytes.span))
    let buffer = FixedBuffer(capacity: 1 << 16)
    var writer = JSONWriter(into: buffer.bytes)
    page.write(log, monotonic: clock.monotonic, wall: 1_700_000_000_000, to: &writer)
    let data = Data(buffer.bytes[..<writer.count])
    let object = try? JSONSerialization.jsonObject(with: data) as? [String: String]
    return (object?["logs"] ?? "").split(separator: "\n").map(String.init)
  }

  @Test("every line has its instant and its level, the oldest first")
  func lines() throws {
    log.write(.info, "gateway", "connected")
    clock.advance(1500)
    log.write(.warning, "camera", "it is gone")
    #expect(
      try page("null") == [
        "2023-11-14T22:13:18.500Z info gateway: connected", "2023-11-14T22:13:20.000Z warning camera: it is gone",
      ])
  }

  @Test("a count, a level and a module leave others out")
  func choices() throws {
    for number in 1...5 { log.write(.info, "gateway") { $0.add(number) } }
    log.write(.error, "gatewayed", "x")
    #expect(try page(#"{"module":"gateway"}"#).count == 5)
    #expect(try page(#"{"lines":2,"module":"gateway"}"#).map { $0.suffix(1) } == ["4", "5"])
    #expect(try page(#"{"level":"error"}"#).count == 1)
    #expect(try page(#"{"module":"gate"}"#).isEmpty)
  }

  @Test("a full log gives no more lines and bytes than clients take, and the newest of them")
  func bounds() throws {
    for number in 0..<Budget.logLines { log.write(.info, "x") { $0.add(number) } }
    #expect(try page("{}").count == Budget.debugLogLines)
    let long = String(repeating: "a", count: 200)
    for number in 0..<Budget.logLines {
      log.write(.info, "x") { line in
        line.add(long)
        line.add(number)
      }
    }
    let lines = try page("{}")
    #expect(lines.reduce(0) { $0 + $1.utf8.count + 1 } <= Budget.debugLogBytes)
    #expect(lines.count > 60)
    #expect(lines.last?.hasSuffix("\(Budget.logLines - 1)") == true)
  }

  @Test(
    "what is wrong is named",
    arguments: [
      ("[]", DiagnosisError.notAnObject), (#"{"lines":0}"#, .lines), (#"{"lines":201}"#, .lines),
      (#"{"lines":9223372036854775807}"#, .lines), (#"{"lines":"5"}"#, .lines), (#"{"level":"loud"}"#, .level),
      (#"{"level":6}"#, .level), (#"{"module":""}"#, .module), (#"{"module":7}"#, .module),
      (#"{"module":"0123456789012345678901234567890123"}"#, .module),
    ])
  func refusals(parameters: String, expected: DiagnosisError) {
    #expect(throws: expected) { try page(parameters) }
  }
}
