import Runtime
import Testing

@testable import Codec
@testable import Completion

@Suite("Faults in answers")
struct CompletionFaultsTests {
  @Test("a stream that ends in the middle is cut")
  func cut() {
    #expect(answer(stream([said("x")], end: "")).message == "the model's answer was cut: the stream ends in the middle")
    #expect(answer("data: \(said("x"))\n\ndata: {\"choi").outcome == "cut")
    #expect(answer("").outcome == "cut" && answer("\n").outcome == "cut" && answer(": ping\n\n").outcome == "cut")
  }

  @Test("an error in the stream is a fault with the server's words")
  func streamError() {
    let overloaded = stream([said("x"), #"{"error":{"message":"The server is\noverloaded","code":503}}"#], end: "")
    #expect(answer(overloaded).outcome == "serverError" && answer(overloaded).text == "x")
    #expect(answer(overloaded).message == "the model's server has failed (status 503): The server is overloaded")
    #expect(
      answer(stream([#"{"error":"model \"x\" not found"}"#])).message
        == #"the model's server has failed: model "x" not found"#)
    let older = stream([#"{"object":"error","message":"no","code":400}"#])
    #expect(answer(older).message == "the model's server refuses the request (status 400): no")
    #expect(answer(stream([#"{"error":null,"choices":[{"delta":{"content":"x"}}]}"#])).text == "x")
  }

  @Test("what a server says in an error is bounded and without the key")
  func errorWithKey() {
    let long = String(repeating: "é", count: 300)
    let event = stream([#"{"error":{"message":"key sk-secret-1234 \#(long)"}}"#])
    let message = answer(event, key: "sk-secret-1234").message
    #expect(message.contains("key [key] é") && !message.contains("secret") && message.utf8.count < 220)
  }

  @Test(
    "an event that is no JSON object is a fault",
    arguments: [
      "{", "x", "[]", "1", #"{"choices":[{"delta":{"content":"\ud800"}}]}"#, String(repeating: "[", count: 100),
    ])
  func malformed(data: String) { #expect(answer(stream([said("x"), data])).outcome == "malformed") }

  @Test("members of other kinds than they should be are ignored")
  func strange() {
    let events = [
      #"{"choices":{}}"#, #"{"choices":[1,null,"x"]}"#, #"{"choices":[{"delta":[]}]}"#,
      chunk(#"{"content":7,"tool_calls":{}}"#),
      chunk(#"{"tool_calls":[1,null]}"#), #"{"choices":[{"index":1,"delta":{"content":"no"}}]}"#, said("yes"), "{}",
      #"{"choices":[{"delta":{},"finish_reason":1}]}"#,
    ]
    #expect(answer(stream(events)).text == "yes")
  }

  @Test("an event larger than the memory is a fault that names it")
  func largeEvent() {
    let large = said(String(repeating: "x", count: Budget.modelEventBytes))
    let answer = answer(stream([said("x"), large]))
    #expect(answer.outcome == "tooLarge")
    #expect(answer.message.hasSuffix("event 2 of the stream has more than the 65536 bytes that are taken"))
  }

  @Test("text beyond its limit is a fault, and what came before was delivered")
  func largeText() {
    let piece = said(String(repeating: "x", count: 1024))
    let most = Array(repeating: piece, count: Budget.modelTextBytes / 1024)
    #expect(answer(stream(most)).outcome == "answered")
    let answer = answer(stream(most + [said("y")]))
    #expect(answer.outcome == "endless" && answer.text.utf8.count == Budget.modelTextBytes && answer.isDeliveredWell)
  }

  @Test("a stream that never ends is a fault, also when it says nothing that is seen")
  func endless() {
    let reader = CompletionReader()
    reader.begin()
    let thought = "data: \(chunk(#"{"reasoning_content":"\#(String(repeating: "hm ", count: 8000))"}"#))\n\n"
    var taken = 0
    while feed(reader, thought) { taken += thought.utf8.count }
    #expect(taken <= Budget.modelStreamBytes && taken > Budget.modelStreamBytes - thought.utf8.count)
    #expect(throws: ModelFault.self) { try reader.finish() }
    #expect(!feed(reader, thought))
  }

  @Test("calls of an answer with a fault are forgotten, and what is said of it stays")
  func faultWithCalls() {
    let call = chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}"#)
    let reader = CompletionReader()
    #expect(answer([Array(stream([call], end: "").utf8)], reader: reader).outcome == "cut" && reader.calls.isEmpty)
    #expect(throws: ModelFault.self) { try reader.finish() }
    #expect(reader.tokens(promptBytes: 0).completion == 1)
  }

  @Test("reasons that are faults")
  func reasons() {
    #expect(answer(stream([said("x"), chunk("{}", reason: "content_filter")])).outcome == "refused")
    #expect(answer(stream([said("x"), chunk("{}", reason: "error")])).outcome == "serverError")
    #expect(answer(stream([chunk("{}", reason: "tool_calls")])).outcome == "malformed")
    #expect(answer(stream([said("x"), chunk("{}", reason: "tool_calls")])).outcome == "answered")
  }
}
