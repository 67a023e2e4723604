import Runtime
import Testing

@testable import Codec
@testable import Completion

@Suite("Answers of models")
struct CompletionReaderTests {
  @Test("text comes as it is said, without the white space of the stream")
  func text() {
    let answer = answer(
      stream([chunk(#"{"role":"assistant"}"#), said("Hel"), said("lo\\n"), chunk("{}", reason: "stop")]))
    #expect(answer.outcome == "answered" && answer.text == "Hello\n" && answer.isDeliveredWell && answer.usage == nil)
  }

  @Test("the delegate gets each piece at once")
  func early() {
    let reader = CompletionReader()
    let heard = Heard()
    reader.delegate = heard
    reader.begin()
    #expect(feed(reader, "data: \(said("Hel"))\n\n") && heard.text == Array("Hel".utf8))
    #expect(feed(reader, "data: \(said("lo"))\n") && heard.text == Array("Hel".utf8))
    #expect(feed(reader, "\n") && heard.text == Array("Hello".utf8))
    #expect(!feed(reader, "data: [DONE]\n\n"))
    reader.delegate = nil
  }

  @Test("thoughts are left out of the text, and what servers call reasoning")
  func thoughts() {
    let events = [
      chunk(#"{"reasoning_content":"hm"}"#), chunk(#"{"reasoning":"hm","content":null}"#), said("<th"),
      said("ink>hm</think"),
      said(">\\n\\nYes"), chunk("{}", reason: "stop"),
    ]
    #expect(answer(stream(events)).text == "Yes")
    #expect(answer(stream([said("hm</think>Yes")]), startsInThought: true).text == "Yes")
  }

  @Test("an answer that ends with a half tag has it as text")
  func halfTag() {
    let answer = answer(stream([said("1 <th"), chunk("{}", reason: "stop")]))
    #expect(answer.text == "1 <th" && answer.isDeliveredWell)
  }

  @Test("an answer that ends at the limit of tokens, whatever is in it")
  func length() {
    #expect(answer(stream([said("Yes, bu"), chunk("{}", reason: "length")])).outcome == "cutAtLimit")
    let call = chunk(
      #"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x"}}]}"#, reason: "length")
    let cut = answer(stream([call]))
    #expect(cut.outcome == "cutAtLimit" && cut.calls.isEmpty)
  }

  @Test("usage in a last chunk without choices, and after the announced end")
  func usage() {
    let usage = #"{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}}"#
    let expected = TokenCount(prompt: 12, completion: 3, isEstimated: false)
    let end = chunk("{}", reason: "stop")
    #expect(answer(stream([said("x"), end, usage])).usage == expected)
    #expect(answer(stream([said("x"), end], end: "data: [DONE]\n\ndata: \(usage)\n\n")).usage == expected)
    let reader = CompletionReader()
    reader.begin()
    let pieces = [stream([said("x"), end]), "data: \(usage)\n\ndata: \(said("y"))\n\n"]
    for piece in pieces { _ = feed(reader, piece) }
    #expect(reader.usage == expected && string(reader.text) == "x")
    let strange = #"{"choices":[],"usage":{"prompt_tokens":-5,"completion_tokens":1e99}}"#
    #expect(
      answer(stream([said("x"), end, strange])).usage == TokenCount(prompt: 0, completion: 0, isEstimated: false))
    #expect(answer(stream([said("x"), end, #"{"choices":[],"usage":null}"#])).usage == nil)
  }

  @Test("where the server counts no tokens, they are estimated, with thoughts and calls")
  func estimate() {
    let reader = CompletionReader()
    let events = [
      said("<think>12</think>1234"), chunk(#"{"reasoning_content":"12345"}"#),
      chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}"#),
    ]
    #expect(answer([Array(stream(events).utf8)], reader: reader).outcome == "calls")
    #expect(reader.tokens(promptBytes: 41) == TokenCount(prompt: 11, completion: 8, isEstimated: true))
    let usage = #"{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#
    #expect(answer([Array(stream(events + [usage]).utf8)], reader: reader).outcome == "calls")
    #expect(reader.tokens(promptBytes: 41) == TokenCount(prompt: 1, completion: 2, isEstimated: false))
  }

  @Test("what a model says instead of an answer is its text")
  func refusal() {
    #expect(answer(stream([chunk(#"{"content":null,"refusal":"I will not."}"#)])).text == "I will not.")
  }

  @Test("the announced end may be missing, if a reason was given; or the reason, if the end was announced")
  func ends() {
    #expect(answer(stream([said("x"), chunk("{}", reason: "stop")], end: "")).outcome == "answered")
    #expect(answer(stream([said("x")])).outcome == "answered")
    #expect(answer(stream([said("x"), chunk("{}", reason: "stop")], end: "data: [DONE]")).outcome == "answered")
    #expect(answer("data: \(said("x"))\n\ndata: \(chunk("{}", reason: "eos"))").outcome == "answered")
    #expect(answer(stream([said("x"), chunk("{}", reason: "")], end: "")).outcome == "cut")
  }

  @Test("comments and empty events keep a connection open and say nothing")
  func keepAlive() {
    let text =
      ": OPENROUTER PROCESSING\n\n\ndata:\n\ndata: \(said("x"))\n\n:\n\n" + stream([chunk("{}", reason: "stop")])
    #expect(answer(text).text == "x" && answer(text).outcome == "answered")
  }

  @Test("content in parts, as some servers send it with thoughts")
  func parts() {
    let delta =
      #"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"Yes"}]}"#
    #expect(answer(stream([chunk(delta), said(".")])).text == "Yes.")
  }

  @Test("a plain answer, of a server that does not stream")
  func plain() {
    let text =
      #" {"choices":[{"index":0,"message":{"role":"assistant","content":"<think>hm</think>Hi","tool_calls":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#
    let whole = answer(text)
    #expect(whole.outcome == "answered" && whole.text == "Hi" && whole.usage?.completion == 2)
    let bytes = Array(text.utf8)
    for cut in 1..<bytes.count {
      #expect(answer([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole)
      #expect(answer([Array(bytes[..<cut])]).outcome == "cut", "\(cut)")
    }
  }

  @Test("a plain answer with calls, one with an error, one without a message, one that is too large, and a page")
  func plainOthers() {
    let calls =
      #"{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#
    #expect(answer(calls).calls == [Answer.Call(id: "a", name: "f", arguments: "{}")])
    #expect(answer(#"{"error":{"message":"no","code":"429"}}"#).outcome == "tooManyRequests")
    #expect(answer("{}").outcome == "malformed" && answer(#"{"choices":[]}"#).outcome == "malformed")
    #expect(answer("{" + String(repeating: " ", count: Budget.modelEventBytes)).outcome == "tooLarge")
    #expect(
      answer("<html>no</html>").message == "the model's answer cannot be read: neither events nor JSON came, but a page"
    )
  }

  @Test("one reader serves one answer after the other")
  func again() {
    let reader = CompletionReader()
    let first = stream([
      said("<think>"), chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}"#),
    ])
    #expect(answer([Array(first.utf8)], reader: reader).outcome == "calls")
    #expect(answer([Array("data: x\n\n".utf8)], reader: reader).outcome == "malformed")
    let last = answer([Array(stream([said("Hi")]).utf8)], reader: reader)
    #expect(last == answer(stream([said("Hi")])) && last.text == "Hi" && last.calls.isEmpty)
  }
}
