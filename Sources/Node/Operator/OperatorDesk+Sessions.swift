import Codec
import Runtime

/// The keys of conversations: `agent:NAME:REST`, where REST of an agent's main conversation is the same for all agents
/// (gateway reference 9.9).
extension OperatorDesk {
  /// The main conversation of an agent.
  public func mainSession(of agent: InlineText<64>) -> SessionKey {
    let parts = mainParts
    return key(agent) { line in
      if parts.rest.isEmpty { line.add("main") } else { line.add(parts.rest.span) }
    }
  }

  /// A conversation that does not exist yet, with an agent; empty: with the gateway's default one. A gateway begins it
  /// with its first message.
  public func newSession(of agent: InlineText<64>) -> SessionKey {
    let name = agent.isEmpty ? mainParts.agent : agent
    let id = UUIDText.make(random)
    return key(name) { line in
      line.add("board-")
      line.add(id.span.extracting(0..<8))
    }
  }

  private func key(_ agent: InlineText<64>, _ rest: (inout LogLine) -> Void) -> SessionKey {
    var text = SessionKey()
    text.fill { buffer in
      var line = LogLine(buffer)
      line.add("agent:")
      line.add(agent.span)
      line.add(":")
      rest(&line)
      return line.count
    }
    return text
  }

  /// The agent of a conversation; the default one where the key does not say.
  func agent(of key: SessionKey) -> InlineText<64> {
    var (parts, count) = (InlineText<64>(), 0)
    let bytes = key.span
    let prefix: StaticString = "agent:"
    guard bytes.count > 6 else { return mainParts.agent }
    for index in 0..<6 where bytes[index] != prefix.utf8Start[index] { return mainParts.agent }
    while 6 + count < bytes.count, bytes[6 + count] != UInt8(ascii: ":") { count += 1 }
    parts = InlineText(cutting: bytes.extracting(6..<6 + count))
    return parts
  }

  /// The agent and the rest of the default conversation's key; "main" and "main" where the gateway says only "main".
  private var mainParts: (agent: InlineText<64>, rest: InlineText<64>) {
    let key = mainSession
    let bytes = key.span
    let prefix: StaticString = "agent:"
    var isWhole = bytes.count > 6
    for index in 0..<min(6, bytes.count) where bytes[index] != prefix.utf8Start[index] { isWhole = false }
    guard isWhole else { return (InlineText(cutting: "main"), InlineText(cutting: bytes)) }
    var end = 6
    while end < bytes.count, bytes[end] != UInt8(ascii: ":") { end += 1 }
    let agent = InlineText<64>(cutting: bytes.extracting(6..<end))
    guard end < bytes.count else { return (agent, InlineText()) }
    return (agent, InlineText(cutting: bytes.extracting(end + 1..<bytes.count)))
  }
}
