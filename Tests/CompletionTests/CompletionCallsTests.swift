import Runtime
import Testing

@testable import Codec
@testable import Completion

@Suite("Calls of tools in answers")
struct CompletionCallsTests {
  @Test("a call in fragments, with text before it")
  func call() {
    let events = [
      said("Let me see."),
      chunk(
        #"{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"clock","arguments":""}}]}"#),
      chunk(#"{"tool_calls":[{"index":0,"function":{"arguments":"{\"zone\":"}}]}"#),
      chunk(#"{"tool_calls":[{"index":0,"function":{"arguments":"\"UTC\"}"}}]}"#),
      chunk("{}", reason: "tool_calls"),
    ]
    let answer = answer(stream(events))
    #expect(answer.outcome == "calls" && answer.text == "Let me see.")
    #expect(answer.calls == [Answer.Call(id: "call_1", name: "clock", arguments: #"{"zone":"UTC"}"#)])
  }

  @Test("fragments of several calls belong together by their index")
  func interleaved() {
    let events = [
      chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}]}"#),
      chunk(#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"g","arguments":""}}]}"#),
      chunk(#"{"tool_calls":[{"index":1,"function":{"arguments":"{}"}},{"index":0,"function":{"arguments":":1}"}}]}"#),
      chunk("{}", reason: "tool_calls"),
    ]
    #expect(
      answer(stream(events)).calls == [
        Answer.Call(id: "a", name: "f", arguments: #"{"x":1}"#), Answer.Call(id: "b", name: "g", arguments: "{}"),
      ])
  }

  @Test("whole calls at once, without index and id, get ids of nine letters and digits")
  func wholeCalls() {
    let calls =
      #"{"content":"","tool_calls":[{"function":{"name":"f","arguments":"{}"}},{"function":{"name":"f","arguments":{"x":[1]}}},{"function":{"name":"g"}}]}"#
    let answer = answer(stream([chunk(calls, reason: "stop")]))
    #expect(answer.outcome == "calls")
    #expect(answer.calls.map(\.id) == ["call00001", "call00002", "call00003"])
    #expect(
      answer.calls.map(\.name) == ["f", "f", "g"] && answer.calls.map(\.arguments) == ["{}", #"{"x":[1]}"#, "{}"])
  }

  @Test("ids of our own are not given twice by one reader, and no id twice in one answer")
  func ids() {
    let reader = CompletionReader()
    let event = stream([
      chunk(
        #"{"tool_calls":[{"index":0,"id":"","function":{"name":"f","arguments":"{}"}},{"index":1,"id":7,"function":{"name":"g"}}]}"#
      )
    ])
    #expect(answer([Array(event.utf8)], reader: reader).calls.map(\.id) == ["call00001", "call00002"])
    #expect(answer([Array(event.utf8)], reader: reader).calls.map(\.id) == ["call00003", "call00004"])
    let same =
      #"{"tool_calls":[{"index":0,"id":"x","function":{"name":"f"}},{"index":1,"id":"x","function":{"name":"g"}}]}"#
    #expect(answer(stream([chunk(same)])).calls.map(\.id) == ["x", "call00001"])
    let long = String(repeating: "i", count: Budget.modelCallIDBytes)
    let longer =
      #"{"tool_calls":[{"index":0,"id":"\#(long)","function":{"name":"f"}},{"index":1,"id":"\#(long)i","function":{"name":"g"}}]}"#
    #expect(answer(stream([chunk(longer)])).calls.map(\.id) == [long, "call00001"])
  }

  @Test("a name that comes twice is one name, one in pieces is put together")
  func names() {
    let twice = [
      chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"clock"}}]}"#),
      chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"clock","arguments":"{}"}}]}"#),
    ]
    #expect(answer(stream(twice)).calls == [Answer.Call(id: "a", name: "clock", arguments: "{}")])
    let pieces = [
      chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"clo"}}]}"#),
      chunk(#"{"tool_calls":[{"index":0,"function":{"name":"ck","arguments":"{}"}}]}"#),
    ]
    #expect(answer(stream(pieces)).calls == [Answer.Call(id: "a", name: "clock", arguments: "{}")])
    let bare = [
      chunk(#"{"tool_calls":[{"function":{"name":"clock"}}]}"#),
      chunk(#"{"tool_calls":[{"function":{"name":"clock","arguments":"{"}}]}"#),
      chunk(#"{"tool_calls":[{"function":{"arguments":"}"}}]}"#),
    ]
    #expect(answer(stream(bare)).calls == [Answer.Call(id: "call00001", name: "clock", arguments: "{}")])
  }

  @Test("one index for all calls, each with its id and name, is several calls")
  func sameIndex() {
    let events = [
      chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}"#),
      chunk(#"{"tool_calls":[{"index":0,"id":"b","function":{"name":"f","arguments":"{}"}}]}"#),
    ]
    #expect(answer(stream(events)).calls.map(\.id) == ["a", "b"])
  }

  @Test("another id with each fragment, and no name, is one call")
  func changingIDs() {
    let events = [
      chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]}"#),
      chunk(#"{"tool_calls":[{"index":0,"id":"b","function":{"arguments":"}"}}]}"#),
    ]
    #expect(answer(stream(events)).calls == [Answer.Call(id: "a", name: "f", arguments: "{}")])
  }

  @Test(
    "arguments that are no object are refused, and `{}` takes their place",
    arguments: [
      ("{", CallRefusal.notJSON(JSONError(kind: .unexpectedEnd, offset: 1))), ("[1]", .notAnObject),
      ("null", .notAnObject),
      (#"\"{}\""#, .notAnObject), ("{} x", .notJSON(JSONError(kind: .unexpectedByte, offset: 3))),
    ] as [(String, CallRefusal)])
  func wrongArguments(text: String, refusal: CallRefusal) {
    let event = chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"\#(text)"}}]}"#)
    let answer = answer(stream([event, chunk("{}", reason: "tool_calls")]))
    #expect(answer.outcome == "calls")
    #expect(answer.calls == [Answer.Call(id: "a", name: "f", arguments: "{}", refusal: refusal)])
  }

  @Test("arguments of nothing but white space are an empty object")
  func noArguments() {
    let event = chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":" \n"}}]}"#)
    #expect(answer(stream([event])).calls == [Answer.Call(id: "a", name: "f", arguments: "{}")])
  }

  @Test("arguments nest as deep as the limit, and not deeper")
  func deepArguments() {
    for (depth, refusal) in [
      (Budget.modelDepth, nil),
      (Budget.modelDepth + 1, .notJSON(JSONError(kind: .tooDeep, offset: UInt64(5 * Budget.modelDepth)))),
    ] as [(Int, CallRefusal?)] {
      let text = String(repeating: #"{\"a\":"#, count: depth) + "1" + String(repeating: "}", count: depth)
      let event = chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"\#(text)"}}]}"#)
      #expect(answer(stream([event])).calls.map(\.refusal) == [refusal])
    }
  }

  @Test("a refused call says why")
  func refusals() {
    let event = chunk(
      #"{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{}"}},{"index":1,"id":"b","function":{"name":"\#(String(repeating: "n", count: 65))"}}]}"#
    )
    let calls = answer(stream([event])).calls
    #expect(calls.map(\.refusal) == [.noName, .nameTooLong])
    #expect(calls[0].refusal?.text == "the call names no tool")
    #expect(
      CallRefusal.notJSON(JSONError(kind: .invalidNumber, offset: 7)).text
        == "the arguments are not JSON: a wrong number at byte 7")
    #expect(CallRefusal.tooLong.text.contains("\(Budget.modelArgumentBytes)"))
    #expect(CallRefusal.nameTooLong.text.contains("\(Budget.modelToolNameBytes)"))
  }

  @Test("arguments up to their limit are taken, longer ones refused")
  func longArguments() {
    for (extra, refusal) in [(0, nil), (1, CallRefusal.tooLong)] as [(Int, CallRefusal?)] {
      let half = String(repeating: "x", count: Budget.modelArgumentBytes / 2 - 4)
      let rest = String(repeating: "x", count: Budget.modelArgumentBytes / 2 - 4 + extra)
      let events = [
        chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a\":\"\#(half)"}}]}"#),
        chunk(#"{"tool_calls":[{"index":0,"function":{"arguments":"\#(rest)\"}"}}]}"#),
      ]
      let call = answer(stream(events)).calls.first
      #expect(call?.refusal == refusal && call?.arguments.utf8.count == (extra == 0 ? Budget.modelArgumentBytes : 2))
    }
  }

  @Test("eight calls are taken, nine are a fault")
  func manyCalls() {
    func event(_ count: Int) -> String {
      let calls = (0..<count).map { #"{"index":\#($0),"id":"i\#($0)","function":{"name":"f","arguments":"{}"}}"# }
      return stream([chunk(#"{"tool_calls":[\#(calls.joined(separator: ","))]}"#)])
    }
    #expect(answer(event(Budget.modelCalls)).calls.count == 8)
    let answer = answer(event(Budget.modelCalls + 1))
    #expect(
      answer.outcome == "tooLarge"
        && answer.message == "the model's answer is too large: more than 8 calls of tools at once")
  }

  @Test("an answer with calls, refused ones too, becomes part of the prompt")
  func intoPrompt() {
    let event = chunk(
      #"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}},{"index":1,"id":"b","function":{"name":"g","arguments":"{"}}]}"#
    )
    let reader = CompletionReader()
    #expect(answer([Array(stream([said("Hm."), event]).utf8)], reader: reader).outcome == "calls")
    let prompt = Prompt()
    #expect(withText("go") { prompt.addUser(Span(_unsafeElements: $0)) })
    #expect(prompt.addAnswer(Span(_unsafeElements: reader.text), calls: reader.calls) && prompt.count == 4)
    #expect(string(reader.calls[1].rawArguments) == "{")
    let request = CompletionRequest(model: "m")
    let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1024)
    defer { room.deallocate() }
    let count = request.write(prompt, ModelTools(), into: room) ?? 0
    let body = String(decoding: room[..<count], as: UTF8.self)
    #expect(body.contains(#""name":"f","arguments":"{\"x\":1}""#) && body.contains(#""name":"g","arguments":"{}""#))
    #expect(withText("b") { id in withText("wrong") { prompt.addResult(id: id, Span(_unsafeElements: $0)) } })
    let small = Prompt(bytes: 8)
    #expect(!small.addAnswer(Span(_unsafeElements: reader.text), calls: reader.calls) && small.isEmpty)
  }
}
