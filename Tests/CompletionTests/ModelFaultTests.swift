import Codec
import Runtime
import Testing

@testable import Completion

@Suite("Faults of models")
struct ModelFaultTests {
  private func fault(_ status: UInt16, _ body: String, key: String = "", retry: Int64? = nil) -> ModelFault {
    withText(body) { body in
      withText(key) { key in
        ModelFault(
          status: status, body: Span(_unsafeElements: body), retryAfterMilliseconds: retry,
          hiding: Span(_unsafeElements: key))
      }
    }
  }

  @Test(
    "a status tells what can be done",
    arguments: [
      (400, .refused), (401, .refusedKey), (402, .outOfCredit), (403, .refusedKey), (404, .notFound), (408, .timedOut),
      (409, .serverError), (413, .promptTooLong), (422, .refused), (429, .tooManyRequests), (500, .serverError),
      (503, .serverError), (599, .serverError), (301, .refused), (100, .refused),
    ] as [(UInt16, ModelFault.Kind)])
  func statuses(status: UInt16, kind: ModelFault.Kind) { #expect(fault(status, "").kind == kind) }

  @Test(
    "what a server says of the context or the credit goes before the status",
    arguments: [
      (
        400,
        #"{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}"#,
        .promptTooLong
      ),
      (
        400,
        #"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#,
        .promptTooLong
      ),
      (500, #"{"error":{"message":"the request exceeds the available context size"}}"#, .promptTooLong),
      (
        400, #"{"object":"error","message":"Prompt is too large for model with 32768 maximum context length"}"#,
        .promptTooLong
      ),
      (429, #"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#, .outOfCredit),
      (400, #"{"error":{"message":"Insufficient Balance"}}"#, .outOfCredit),
      (401, #"{"error":"context length"}"#, .refusedKey),
    ] as [(UInt16, String, ModelFault.Kind)])
  func texts(status: UInt16, body: String, kind: ModelFault.Kind) { #expect(fault(status, body).kind == kind) }

  @Test(
    "messages are found where servers have them",
    arguments: [
      #"{"error":{"message":"no luck","type":"x"}}"#, #"{"error":"no luck"}"#,
      #"{"object":"error","message":"no luck","code":7}"#,
      #"{"detail":"no luck"}"#, #"{"error":null,"message":"no\u0020luck"}"#,
    ])
  func messages(body: String) {
    #expect(fault(418, body).text == "the model's server refuses the request (status 418): no luck")
  }

  @Test(
    "bodies that say nothing",
    arguments: ["", "<html>", "{", "[]", "7", #"{"error":{}}"#, #"{"error":7}"#, #"{"detail":[{"msg":"x"}]}"#, "\"\""])
  func noMessage(body: String) { #expect(fault(500, body).text == "the model's server has failed (status 500)") }

  @Test("a very long message is left out, a long one is cut between characters")
  func longMessages() {
    let long = String(repeating: "é", count: 500)
    let message = fault(500, #"{"error":"x\#(long)"}"#).message.span.withUnsafeBufferPointer { Array($0) }
    #expect(String(validating: message, as: UTF8.self) == "x" + long.prefix(79))
    #expect(fault(500, #"{"error":"\#(long)\#(long)"}"#).message.isEmpty)
    let exact = String(repeating: "x", count: Budget.modelMessageBytes)
    #expect(fault(500, #"{"error":"\#(exact)"}"#).text.hasSuffix(exact))
  }

  @Test("the key is hidden, whole or in part, and short keys take the message with them")
  func keys() {
    let key = "sk-abcdefgh1234"
    #expect(fault(500, #"{"error":"bad sk-abcdefgh1234!"}"#, key: key).text.hasSuffix(": bad [key]!"))
    #expect(fault(500, #"{"error":"bad sk-abcde..."}"#, key: key).text.hasSuffix(": bad [key]..."))
    #expect(fault(500, #"{"error":"bad \u0073k-abcdefgh1234"}"#, key: key).text.hasSuffix(": bad [key]"))
    #expect(fault(500, #"{"error":"sk-ab is no key"}"#, key: key).text.hasSuffix(": sk-ab is no key"))
    #expect(fault(500, #"{"error":"bad xyz"}"#, key: "xyz").message.isEmpty)
    #expect(fault(500, #"{"error":"fine"}"#, key: "xyz").text.hasSuffix(": fine"))
    let cut = String(repeating: "-", count: Budget.modelMessageBytes - 3)
    let text = fault(500, #"{"error":"\#(cut)sk-abcdefgh1234 \#(cut)"}"#, key: key).text
    #expect(!text.contains("sk-") && !text.contains("abc"))
  }

  @Test("of a key that is refused, nothing is repeated")
  func refusedKey() {
    let body = #"{"error":{"message":"Incorrect API key provided: sk-ab***34."}}"#
    #expect(
      fault(401, body, key: "sk-abcdefgh1234").text
        == "the model's server refuses the key (status 401): put a valid one into the key's file")
  }

  @Test("control characters in messages become blanks")
  func controls() { #expect(fault(500, #"{"error":" a\n\u001b[31m\u007fb "}"#).text.hasSuffix(": a  [31m b")) }

  @Test("the pause that a server asks for is kept")
  func retryAfter() { #expect(fault(429, "", retry: 5000).retryAfterMilliseconds == 5000) }

  @Test("what is worth another attempt, and what another model")
  func worth() {
    let retried: [ModelFault.Kind] = [.unreachable, .timedOut, .tooManyRequests, .serverError, .malformed, .cut]
    for value in UInt8(0)...12 {
      guard let kind = ModelFault.Kind(rawValue: value) else {
        Issue.record("no kind \(value)")
        continue
      }
      let fault = ModelFault(kind)
      #expect(fault.isWorthRetrying == retried.contains(kind) && fault.isWorthAnother == (kind != .endless))
      #expect(!fault.text.isEmpty)
    }
  }

  @Test("errors in a stream have codes that are numbers, texts or names")
  func streamErrors() {
    let cases: [(String, ModelFault.Kind)] = [
      (#"{"code":429}"#, .tooManyRequests), (#"{"code":"503"}"#, .serverError),
      (#"{"code":"rate_limit_exceeded"}"#, .tooManyRequests),
      (#"{"code":"context_length_exceeded"}"#, .promptTooLong), (#"{"type":"authentication_error"}"#, .refusedKey),
      (#"{"code":"model_not_found"}"#, .notFound), (#"{"type":"invalid_request_error"}"#, .refused),
      (#"{"code":1e30}"#, .serverError),
      (#"{"code":-1}"#, .serverError), (#"{"code":200}"#, .serverError), (#"{"code":"abc"}"#, .serverError),
    ]
    for (error, kind) in cases {
      #expect(answer(stream([#"{"error":\#(error)}"#])).outcome == "\(kind)", "\(error)")
    }
  }

  @Test("any bytes are a body")
  func garbage() {
    var random = ModelNumbers(state: 3)
    let bodies = [#"{"error":{"message":"no luck","code":"x"}}"#, #"{"detail":"\ud83c\udf21"}"#].map { Array($0.utf8) }
    for round in 0..<2000 {
      var bytes = bodies[round % 2]
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let fault = ModelFault(
        status: UInt16.random(in: 0...999, using: &random), body: bytes.span, hiding: bytes.span.extracting(0..<2))
      #expect(fault.message.count <= Budget.modelMessageBytes && !fault.text.isEmpty)
    }
  }
}
