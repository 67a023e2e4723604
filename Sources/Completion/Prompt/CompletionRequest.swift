import Codec

/// The body of `POST /v1/chat/completions` ("Create chat completion", OpenAI's API reference).
public struct CompletionRequest: Sendable {
  /// Whether the model calls tools.
  public enum ToolChoice: Equatable, Sendable {
    /// The server's default, which is `automatic` where there are tools.
    case unsaid
    case automatic
    /// It answers in words.
    case never
    /// It calls some tool.
    case required
    /// It calls the tool with this index in the list.
    case tool(Int)
  }

  /// The model's name.
  public var model: String
  public var toolChoice = ToolChoice.unsaid
  /// Tokens that the answer may have; nil: the server's default.
  public var maximumTokens: Int64?
  /// The name of that limit is `max_completion_tokens`, as newer models of OpenAI's want it.
  public var usesCompletionTokens = false
  /// How much the answer is left to chance, 0 to 2; nil: the server's default.
  public var temperature: Double?
  /// Whether an answer may have several calls; nil: the server's default, and for servers that do not know the member.
  public var allowsParallelCalls: Bool?
  /// The answer comes in pieces; then the last of them counts the tokens, unless the server does not know that.
  public var streams = true
  public var asksForUsage = true

  /// A request to a model with everything else as usual.
  public init(model: String) { self.model = model }

  /// Bytes of the body.
  public func length(_ prompt: Prompt, _ tools: ModelTools) -> Int {
    var writer = JSONWriter()
    write(prompt, tools, into: &writer)
    return writer.count
  }

  /// Writes the body.
  /// - Returns: its bytes, or nil when `room` has fewer than `length`.
  public func write(_ prompt: Prompt, _ tools: ModelTools, into room: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    var writer = JSONWriter(into: room)
    write(prompt, tools, into: &writer)
    return writer.isComplete ? writer.count : nil
  }

  private func write(_ prompt: Prompt, _ tools: ModelTools, into writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("model")
    writer.string(model)
    writer.key("stream")
    writer.bool(streams)
    if streams, asksForUsage {
      writer.key("stream_options")
      writer.beginObject()
      writer.key("include_usage")
      writer.bool(true)
      writer.endObject()
    }
    writeLimits(into: &writer)
    writer.key("messages")
    prompt.write(into: &writer)
    if !tools.list.isEmpty { write(tools, into: &writer) }
    writer.endObject()
  }

  private func writeLimits(into writer: inout JSONWriter) {
    if let maximumTokens {
      if usesCompletionTokens { writer.key("max_completion_tokens") } else { writer.key("max_tokens") }
      writer.int(max(maximumTokens, 1))
    }
    if let temperature {
      writer.key("temperature")
      writer.double(temperature.bounded(0, 2))
    }
  }

  private func write(_ tools: ModelTools, into writer: inout JSONWriter) {
    writer.key("tools")
    writer.beginArray()
    for index in 0..<tools.list.count { write(tools.list[index], into: &writer) }
    writer.endArray()
    writeChoice(tools, into: &writer)
    guard let allowsParallelCalls else { return }
    writer.key("parallel_tool_calls")
    writer.bool(allowsParallelCalls)
  }

  private func write(_ tool: ModelTool, into writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("type")
    writer.string("function")
    writer.key("function")
    writer.beginObject()
    writer.key("name")
    writer.string(tool.name)
    writer.key("description")
    writer.string(tool.description)
    writer.key("parameters")
    var parameters = tool.parameters
    parameters.withUTF8 { writer.raw(Span(_unsafeElements: $0)) }
    writer.endObject()
    writer.endObject()
  }

  private func writeChoice(_ tools: ModelTools, into writer: inout JSONWriter) {
    switch toolChoice {
    case .unsaid: return
    case .automatic: write(choice: "auto", into: &writer)
    case .never: write(choice: "none", into: &writer)
    case .required: write(choice: "required", into: &writer)
    case .tool(let index):
      guard tools.list.indices.contains(index) else { return }
      writer.key("tool_choice")
      writer.beginObject()
      writer.key("type")
      writer.string("function")
      writer.key("function")
      writer.beginObject()
      writer.key("name")
      writer.string(tools.list[index].name)
      writer.endObject()
      writer.endObject()
    }
  }

  private func write(choice: StaticString, into writer: inout JSONWriter) {
    writer.key("tool_choice")
    writer.string(choice)
  }
}
