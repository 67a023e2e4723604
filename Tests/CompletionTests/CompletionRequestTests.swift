import Runtime
import Testing

@testable import Codec
@testable import Completion

@Suite("Requests")
struct CompletionRequestTests {
  private func user(_ prompt: Prompt, _ text: String) -> Bool {
    withText(text) { prompt.addUser(Span(_unsafeElements: $0)) }
  }

  @Test("tools, and the choice among them")
  func tools() throws {
    let prompt = Prompt()
    #expect(user(prompt, "x"))
    var tools = ModelTools()
    try tools.add(name: "camera_snap", description: "Takes a \"photo\"", parameters: #"{"type":"object"}"#)
    try tools.add(name: "clock", description: "", parameters: "{}")
    var request = CompletionRequest(model: "a/b")
    request.streams = false
    request.maximumTokens = 300
    request.temperature = 0.25
    request.allowsParallelCalls = false
    request.toolChoice = .tool(1)
    let head =
      #"{"model":"a/b","stream":false,"max_tokens":300,"temperature":0.25,"messages":[{"role":"user","content":"x"}],"#
    let list =
      #""tools":[{"type":"function","function":{"name":"camera_snap","description":"Takes a \"photo\"","parameters":{"type":"object"}}},"#
      + #"{"type":"function","function":{"name":"clock","description":"","parameters":{}}}],"#
    #expect(
      body(prompt, request, tools) == head + list
        + #""tool_choice":{"type":"function","function":{"name":"clock"}},"parallel_tool_calls":false}"#)
    for (choice, word) in [(CompletionRequest.ToolChoice.automatic, "auto"), (.never, "none"), (.required, "required")]
    {
      request.toolChoice = choice
      #expect(body(prompt, request, tools).contains(#""tool_choice":"\#(word)""#))
    }
    for choice in [CompletionRequest.ToolChoice.unsaid, .tool(2), .tool(-1)] {
      request.toolChoice = choice
      #expect(!body(prompt, request, tools).contains("tool_choice"))
    }
    request.usesCompletionTokens = true
    request.temperature = .nan
    #expect(body(prompt, request).contains(#""max_completion_tokens":300,"temperature":0,"#))
    #expect(!body(prompt, request).contains("parallel_tool_calls"))
  }

  @Test("usage is asked for with a stream, unless the server does not know that")
  func usage() {
    let prompt = Prompt()
    var request = CompletionRequest(model: "m")
    #expect(body(prompt, request).contains(#""stream_options":{"include_usage":true}"#))
    request.asksForUsage = false
    #expect(!body(prompt, request).contains("stream_options"))
  }

  @Test("tools with wrong names or parameters are refused, and no more than fit are taken")
  func wrongTools() throws {
    var tools = ModelTools()
    for name in ["", "a b", "camera.snap", "ü", String(repeating: "x", count: 65)] {
      #expect(throws: ModelToolError.name) { try tools.add(name: name, description: "", parameters: "{}") }
    }
    #expect(throws: ModelToolError.notAnObject) { try tools.add(name: "a", description: "", parameters: "[]") }
    #expect(throws: ModelToolError.parameters(JSONError(kind: .unexpectedEnd, offset: 1))) {
      try tools.add(name: "a", description: "", parameters: "{")
    }
    for index in 0..<Budget.modelTools { try tools.add(name: "t\(index)", description: "", parameters: "{}") }
    #expect(throws: ModelToolError.twice) { try tools.add(name: "t3", description: "", parameters: "{}") }
    #expect(throws: ModelToolError.tooMany) { try tools.add(name: "more", description: "", parameters: "{}") }
    #expect(withText("t3") { tools.index(of: $0) } == 3 && withText("t") { tools.index(of: $0) } == nil)
  }
}
