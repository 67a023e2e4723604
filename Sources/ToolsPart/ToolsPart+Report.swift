import Codec
import Node
import Runtime

/// What a person at the board is told of the tools, and may try.
extension ToolsPart {
  /// Milliseconds for a test: as long as a call of the gateway (newer-gateways 1.2).
  private static let testTimeout: Int64 = 120_000

  /// The operation `tools-test`, `{tool, arguments?}`: calls a tool as the agent would, except that of a picture only
  /// type and size come back.
  func test(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    guard let name = request.member("tool"), name.kind == .string else {
      return control.refuse(call, "the member \"tool\" is missing")
    }
    guard let tool = publishedTool(name) else {
      return control.fail(
        call,
        DeskFailure("NO_TOOL", "this board publishes no such tool: talon tools lists them, [tools] publish adds some"))
    }
    calls.control = control
    let deadline = clock.monotonic + Self.testTimeout
    guard let arguments = request.member("arguments"), arguments.kind == .object else {
      return calls.begin(tool, .program(call), JSONView(("{}" as StaticString).utf8Bytes), deadline: deadline)
    }
    calls.begin(tool, .program(call), arguments, deadline: deadline)
  }

  /// The operation `tools`: all tools, whether the agent sees them, and why not.
  func writeReport(to writer: inout JSONWriter) {
    writer.beginObject()
    writeState(to: &writer)
    writer.key("tools")
    writer.beginArray()
    for (index, tool) in tools.enumerated() {
      writer.beginObject()
      writer.key("tool")
      writer.string(tool.name)
      writer.key("name")
      writer.string(name(of: tool).span)
      writer.key("state")
      writer.string(state(index))
      writer.endObject()
    }
    writer.endArray()
    if let writeServers {
      writer.key("servers")
      writeServers(&writer)
    }
    writer.endObject()
  }

  /// One word for what becomes of a tool: `accepted`, `dropped` by the gateway, `waiting` for its answer or an
  /// approval, switched `off`, `crowded` out by other tools, or `missing` hardware.
  private func state(_ index: Int) -> StaticString {
    let tool = tools[index]
    guard published.contains(index) else {
      guard isSwitchedOn(tool) else { return "off" }
      return tool.isWhole && exists(tool) && isCallable ? "crowded" : "missing"
    }
    guard case .accepted = publication.state else { return publication.state.word }
    return publication.isAccepted(published.firstIndex(of: index) ?? 0) ? "accepted" : "dropped"
  }

  /// The members that say how the publication and the calls went.
  func writeState(to writer: inout JSONWriter) {
    writer.key("state")
    writer.string(publication.state.word)
    if case .accepted(let count) = publication.state {
      writer.key("accepted")
      writer.int(Int64(count))
    }
    if case .refused = publication.state {
      writer.key("refusal")
      writer.string(publication.refusal.span)
    }
    writer.key("calls")
    writer.uint(calls.count)
    writer.key("failures")
    writer.uint(calls.failures)
    if let last = calls.last {
      writer.key("last")
      writer.string(last)
    }
    if calls.failures > 0 {
      writer.key("lastFailure")
      writer.string(calls.lastFailure.span)
    }
  }
}
