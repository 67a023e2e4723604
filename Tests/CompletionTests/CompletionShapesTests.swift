import Codec
import Runtime
import Testing

@testable import Completion

/// What a server's stream looks like, and what it means.
struct ServerShape: Sendable, CustomTestStringConvertible {
  let name: String
  let body: String
  let outcome: String
  let text: String
  var calls: [Answer.Call] = []
  var usage: TokenCount?

  var testDescription: String { name }

  static func counted(_ prompt: Int64, _ completion: Int64) -> TokenCount {
    TokenCount(prompt: prompt, completion: completion, isEstimated: false)
  }

  private static func events(_ events: [String], end: String = "data: [DONE]\n\n", line: String = "\n") -> String {
    (events.map { "data: \($0)\n\n" }.joined() + end).split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: line)
  }

  static let all = [
    openAI, openAICalls, llamaServer, llamaServerCalls, vLLM, vLLMCalls, ollama, ollamaCalls, mistral, plain,
  ]

  /// OpenAI: a role first, empty text, fingerprints, usage in a chunk of its own.
  static let openAI = ServerShape(
    name: "OpenAI, text",
    body: events([
      #"{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","service_tier":"default","system_fingerprint":"fp","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"a1"}"#,
      #"{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Zwei Grad"},"logprobs":null,"finish_reason":null}],"usage":null}"#,
      #"{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":" \u00fcber null \ud83c\udf21."},"logprobs":null,"finish_reason":null}],"usage":null}"#,
      #"{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"usage":null}"#,
      #"{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":21,"completion_tokens":9,"total_tokens":30,"prompt_tokens_details":{"cached_tokens":0}}}"#,
    ]), outcome: "answered", text: "Zwei Grad über null 🌡.", usage: counted(21, 9))

  /// Calls in fragments, one after the other.
  static let openAICalls = ServerShape(
    name: "OpenAI, calls",
    body: events([
      #"{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_aB3","type":"function","function":{"name":"camera_snap","arguments":""}}],"refusal":null},"finish_reason":null}]}"#,
      #"{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\""}}]},"finish_reason":null}]}"#,
      #"{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"width"}}]},"finish_reason":null}]}"#,
      #"{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\":640}"}}]},"finish_reason":null}]}"#,
      #"{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_cD4","type":"function","function":{"name":"location_get","arguments":""}}]},"finish_reason":null}]}"#,
      #"{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]},"finish_reason":null}]}"#,
      #"{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#,
    ]), outcome: "calls", text: "",
    calls: [
      Answer.Call(id: "call_aB3", name: "camera_snap", arguments: #"{"width":640}"#),
      Answer.Call(id: "call_cD4", name: "location_get", arguments: "{}"),
    ])

  /// llama-server: thoughts beside the content, timings and usage in the last chunk.
  static let llamaServer = ServerShape(
    name: "llama-server, text",
    body: events([
      #"{"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}],"created":1,"id":"chatcmpl-x","model":"file.gguf","system_fingerprint":"b1","object":"chat.completion.chunk"}"#,
      #"{"choices":[{"finish_reason":null,"index":0,"delta":{"reasoning_content":"The user"}}],"created":1,"id":"chatcmpl-x","object":"chat.completion.chunk"}"#,
      #"{"choices":[{"finish_reason":null,"index":0,"delta":{"content":"It is <b>dry</b>"}}],"created":1,"id":"chatcmpl-x","object":"chat.completion.chunk"}"#,
      #"{"choices":[{"finish_reason":"stop","index":0,"delta":{}}],"created":1,"id":"chatcmpl-x","object":"chat.completion.chunk"}"#,
      #"{"choices":[],"created":1,"id":"chatcmpl-x","object":"chat.completion.chunk","usage":{"completion_tokens":7,"prompt_tokens":40,"total_tokens":47},"timings":{"prompt_n":40,"prompt_ms":12.5,"predicted_per_second":8.25e1}}"#,
    ]), outcome: "answered", text: "It is <b>dry</b>", usage: counted(40, 7))

  /// llama-server: the arguments of a call in pieces after its name, and usage with the reason.
  static let llamaServerCalls = ServerShape(
    name: "llama-server, calls",
    body: events([
      #"{"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}]}"#,
      #"{"choices":[{"finish_reason":null,"index":0,"delta":{"tool_calls":[{"index":0,"id":"k2Yw9","type":"function","function":{"name":"notify","arguments":"{"}}]}}]}"#,
      #"{"choices":[{"finish_reason":null,"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"title\":\"Tür\","}}]}}]}"#,
      #"{"choices":[{"finish_reason":null,"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"body\":\"\\u00fc\"}"}}]}}]}"#,
      #"{"choices":[{"finish_reason":"tool_calls","index":0,"delta":{}}],"usage":{"completion_tokens":11,"prompt_tokens":2,"total_tokens":13}}"#,
    ]), outcome: "calls", text: "",
    calls: [Answer.Call(id: "k2Yw9", name: "notify", arguments: #"{"title":"Tür","body":"\u00fc"}"#)],
    usage: counted(2, 11))

  /// vLLM: usage in every chunk, thoughts in the content, `stop_reason`, lines that end in CR LF behind some proxies.
  static let vLLM = ServerShape(
    name: "vLLM, text",
    body: events(
      [
        #"{"id":"chatcmpl-7","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"usage":{"prompt_tokens":5,"total_tokens":5,"completion_tokens":0}}"#,
        #"{"id":"chatcmpl-7","choices":[{"index":0,"delta":{"content":"<think>"},"logprobs":null,"finish_reason":null}],"usage":{"prompt_tokens":5,"total_tokens":6,"completion_tokens":1}}"#,
        #"{"id":"chatcmpl-7","choices":[{"index":0,"delta":{"content":"so</thi"},"logprobs":null,"finish_reason":null}]}"#,
        #"{"id":"chatcmpl-7","choices":[{"index":0,"delta":{"content":"nk>\n\nJa."},"logprobs":null,"finish_reason":null}]}"#,
        #"{"id":"chatcmpl-7","choices":[{"index":0,"delta":{"content":""},"logprobs":null,"finish_reason":"stop","stop_reason":null}],"usage":{"prompt_tokens":5,"total_tokens":14,"completion_tokens":9}}"#,
      ], line: "\r\n"), outcome: "answered", text: "Ja.", usage: counted(5, 9))

  /// vLLM of old: each fragment with an id of its own.
  static let vLLMCalls = ServerShape(
    name: "vLLM, calls",
    body: events([
      #"{"choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":null}]}"#,
      #"{"choices":[{"index":0,"delta":{"tool_calls":[{"id":"chatcmpl-tool-0011223344556677","type":"function","index":0,"function":{"name":"clock"}}]},"finish_reason":null}]}"#,
      #"{"choices":[{"index":0,"delta":{"tool_calls":[{"id":"chatcmpl-tool-8899aabbccddeeff","type":"function","index":0,"function":{"arguments":"{\"zone\": "}}]},"finish_reason":null}]}"#,
      #"{"choices":[{"index":0,"delta":{"tool_calls":[{"id":"chatcmpl-tool-0123456789abcdef","type":"function","index":0,"function":{"arguments":"\"UTC\"}"}}]},"finish_reason":null}]}"#,
      #"{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"tool_calls","stop_reason":null}]}"#,
    ]), outcome: "calls", text: "",
    calls: [Answer.Call(id: "chatcmpl-tool-0011223344556677", name: "clock", arguments: #"{"zone": "UTC"}"#)])

  /// Ollama: a role with every piece, text and reason in one chunk.
  static let ollama = ServerShape(
    name: "Ollama, text",
    body: events([
      #"{"id":"chatcmpl-9","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"Guten"},"finish_reason":null}]}"#,
      #"{"id":"chatcmpl-9","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":" Tag"},"finish_reason":"stop"}]}"#,
      #"{"id":"chatcmpl-9","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":"fp_ollama","choices":[],"usage":{"prompt_tokens":30,"completion_tokens":2,"total_tokens":32}}"#,
    ]), outcome: "answered", text: "Guten Tag", usage: counted(30, 2))

  /// Ollama: whole calls, all with the index 0, and the reason `stop` in older releases.
  static let ollamaCalls = ServerShape(
    name: "Ollama, calls",
    body: events([
      #"{"choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"call_q1","index":0,"type":"function","function":{"name":"clock","arguments":"{}"}}]},"finish_reason":null}]}"#,
      #"{"choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"call_q2","index":0,"type":"function","function":{"name":"clock","arguments":"{\"zone\":\"CET\"}"}}]},"finish_reason":null}]}"#,
      #"{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop"}]}"#,
    ]), outcome: "calls", text: "",
    calls: [
      Answer.Call(id: "call_q1", name: "clock", arguments: "{}"),
      Answer.Call(id: "call_q2", name: "clock", arguments: #"{"zone":"CET"}"#),
    ])

  /// Mistral: whole calls in the last chunk, ids of nine characters, usage beside the reason.
  static let mistral = ServerShape(
    name: "Mistral, calls",
    body: events([
      #"{"id":"m1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
      #"{"id":"m1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Moment.","tool_calls":[{"id":"D681PevKs","function":{"name":"notify","arguments":"{\"title\": \"x\"}"},"index":0},{"id":"aZ09bY18c","function":{"name":"clock","arguments":"{}"},"index":1}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":77,"total_tokens":99,"completion_tokens":22}}"#,
    ]), outcome: "calls", text: "Moment.",
    calls: [
      Answer.Call(id: "D681PevKs", name: "notify", arguments: #"{"title": "x"}"#),
      Answer.Call(id: "aZ09bY18c", name: "clock", arguments: "{}"),
    ], usage: counted(77, 22))

  /// A server that answers a request for a stream in one piece.
  static let plain = ServerShape(
    name: "one piece",
    body:
      #"{"id":"p","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"<thinking>a</thinking>Grüße","tool_calls":[]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":4}}"#
      + "\n", outcome: "answered", text: "Grüße", usage: counted(1, 4))
}

@Suite("Streams of known servers")
struct CompletionShapesTests {
  @Test("are understood, cut at every byte, and byte by byte", arguments: ServerShape.all)
  func shapes(_ shape: ServerShape) {
    let bytes = Array(shape.body.utf8)
    let reader = CompletionReader()
    let whole = answer([bytes], reader: reader)
    #expect(whole.outcome == shape.outcome && whole.text == shape.text, "\(whole)")
    #expect(whole.calls == shape.calls && whole.usage == shape.usage && whole.isDeliveredWell, "\(whole)")
    #expect(answer(bytes.map { [$0] }, reader: reader) == whole)
    for cut in 1..<bytes.count {
      let inTwo = answer([Array(bytes[..<cut]), Array(bytes[cut...])], reader: reader)
      if inTwo != whole { Issue.record("cut at \(cut): \(inTwo)") }
    }
  }

  @Test("that end at any byte are cut, or whole as far as the server said so", arguments: ServerShape.all)
  func truncated(_ shape: ServerShape) {
    let bytes = Array(shape.body.utf8)
    let reader = CompletionReader()
    for end in 0..<bytes.count {
      let part = answer([Array(bytes[..<end])], reader: reader)
      if part.outcome != "cut", part.outcome != shape.outcome { Issue.record("ends at \(end): \(part)") }
      if part.outcome == shape.outcome, part.text != shape.text || part.calls != shape.calls {
        Issue.record("ends at \(end): \(part)")
      }
    }
  }
}

@Suite("Garbage from servers")
struct CompletionGarbageTests {
  @Test("damaged streams never trap, mean the same in pieces, and give only whole characters and objects")
  func damaged() {
    var random = ModelNumbers(state: 2026)
    let (reader, other) = (CompletionReader(), CompletionReader())
    let shapes = ServerShape.all.map { Array($0.body.utf8) }
    for round in 0..<1500 {
      var bytes = shapes[round % shapes.count]
      for _ in 0..<Int.random(in: 1...4, using: &random) { damage(&bytes, &random) }
      compare(bytes, reader, other, &random)
    }
  }

  @Test("words of the grammar in any order never trap")
  func words() {
    var random = ModelNumbers(state: 7)
    let (reader, other) = (CompletionReader(), CompletionReader())
    let words = [
      "data: ", "\n\n", "\n", "{", "}", "[", "]", ":", ",", "\"", #""choices":[{"delta":"#, #""tool_calls":[{"#,
      #""index":"#, "0", "-1",
      "1e999", #""id":"a","#, #""function":{"name":"f","arguments":"#, #""{}""#, "null", #""content":"x""#,
      #""finish_reason":"stop""#,
      "[DONE]", #""usage":{"prompt_tokens":"#, #""error":"#, said("x"), chunk("{}", reason: "tool_calls"), "\\u0000",
      "\\ud800",
    ]
    for _ in 0..<1500 {
      var text = Bool.random(using: &random) ? "data: {" : ""
      for _ in 0..<Int.random(in: 0...30, using: &random) { text += words.randomElement(using: &random)! }
      compare(Array(text.utf8), reader, other, &random)
    }
  }

  private func damage(_ bytes: inout [UInt8], _ random: inout ModelNumbers) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let end = min(place + Int.random(in: 1...60, using: &random), bytes.count)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.removeSubrange(place..<end)
    case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 3: bytes.removeSubrange(place...)
    default: bytes.insert(contentsOf: Array("\"{}[],:0-\\\n".utf8).shuffled(using: &random).prefix(3), at: place)
    }
  }

  private func compare(
    _ bytes: [UInt8], _ reader: CompletionReader, _ other: CompletionReader, _ random: inout ModelNumbers
  ) {
    var pieces: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      let end = min(start + Int.random(in: 1...90, using: &random), bytes.count)
      pieces.append(Array(bytes[start..<end]))
      start = end
    }
    let whole = answer([bytes], reader: reader)
    let inPieces = answer(pieces, reader: other)
    if whole != inPieces {
      Issue.record("whole: \(whole); in pieces: \(inPieces); \(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(whole.isDeliveredWell)
    for call in whole.calls {
      #expect(call.arguments.contains("{") && isJSON(call.arguments))
      #expect(!call.id.isEmpty && (call.refusal != nil || !call.name.isEmpty))
    }
  }
}
