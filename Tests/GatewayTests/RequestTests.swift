import Codec
import Foundation
import Gateway
import Runtime
import Simulated
import Testing

@Suite("Requests of ours")
struct RequestTests {
  private final class Owner: RequestDelegate {
    var heard: [String] = []
    func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {
      heard.append("\(tag) ok \(payload.rawText.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })")
    }
    func requestFailed(_ tag: Int, _ failure: RequestFailure) {
      let code = failure.code.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      heard.append("\(tag) \(failure.kind) \(code)")
    }
  }

  private let bench: Bench
  private let delegate = Owner()

  init() throws {
    bench = try Bench()
    try bench.reachOnline()
  }

  /// Sends a request; its id.
  private func ask(_ tag: Int, timeout: Int64 = 8_000) throws -> String {
    let isTaken = bench.session.request("health", delegate: delegate, tag: tag, timeout: timeout) { _ in }
    #expect(isTaken)
    let frame = try Bench.object(try #require(bench.gateway.take().last))
    #expect(frame["method"] as? String == "health")
    #expect((frame["params"] as? [String: Any])?.isEmpty == true)
    return try #require(frame["id"] as? String)
  }

  @Test("each response reaches its requester, in any order; a missing payload reads as null; late ones are dropped")
  func answers() throws {
    let first = try ask(1)
    let second = try ask(2)
    bench.gateway.send(#"{"type":"res","id":"\#(second)","ok":true,"payload":{"a":1}}"#)
    bench.gateway.send(#"{"type":"res","id":"\#(first)","ok":true}"#)
    bench.gateway.send(#"{"type":"res","id":"\#(first)","ok":true}"#)
    bench.gateway.send(#"{"type":"res","id":"q","ok":true}"#)
    bench.gateway.send(#"{"type":"res","id":"q99999999999999","ok":false}"#)
    #expect(delegate.heard == [#"2 ok {"a":1}"#, "1 ok null"])
  }

  @Test("a refusal carries the code of its details, or its own")
  func refusals() throws {
    bench.gateway.send(
      #"{"type":"res","id":"\#(try ask(1))","ok":false,"error":{"code":"FORBIDDEN","message":"m","details":{"code":"MISSING_SCOPE"}}}"#
    )
    bench.gateway.send(#"{"type":"res","id":"\#(try ask(2))","ok":false,"error":{"code":"UNAVAILABLE","message":"m"}}"#)
    #expect(delegate.heard == ["1 refused MISSING_SCOPE", "2 refused UNAVAILABLE"])
  }

  @Test("without an answer it fails in time, and with the connection at once")
  func failures() throws {
    _ = try ask(1, timeout: 1_000)
    bench.pass(999)
    #expect(delegate.heard.isEmpty)
    bench.pass(1)
    _ = try ask(2)
    bench.transport.fail(TransportFailure(.broken))
    #expect(delegate.heard == ["1 timedOut ", "2 lost "])
    #expect(!bench.session.request("health", delegate: delegate, tag: 3, timeout: 1) { _ in })
  }

  @Test("an answer larger than is kept fails as such, and the connection lives on")
  func tooLarge() throws {
    let id = try ask(1)
    let filler = String(repeating: "x", count: Budget.inboundMessageBytes)
    bench.gateway.send(#"{"type":"res","id":"\#(id)","ok":true,"payload":"\#(filler)"}"#)
    #expect(delegate.heard == ["1 tooLarge "])
    #expect(bench.session.state == .online)
  }

  @Test("no more requests wait than the budget names, and their places come free")
  func bound() throws {
    var ids: [String] = []
    for tag in 0..<Budget.requests { ids.append(try ask(tag)) }
    #expect(!bench.session.request("health", delegate: delegate, tag: 99, timeout: 1) { _ in })
    bench.gateway.send(#"{"type":"res","id":"\#(ids[3])","ok":true,"payload":1}"#)
    _ = try ask(99)
  }
}
