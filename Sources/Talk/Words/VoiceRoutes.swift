import Codec
import Runtime

/// The gateway's routing table for commands after a wake phrase (gateway reference 9.11, node-commands 6.1). Phrases
/// are compared by their letters.
public struct VoiceRoutes: ~Copyable {
  /// The target of a command.
  public enum Target: Sendable {
    /// The gateway's main session.
    case main
    /// The session with this key.
    case session(InlineText<256>)
  }

  private struct Route {
    var phrase: WordSum
    var target: Target
  }

  private var routes: [Route] = []
  private var fallback = Target.main

  /// No table: all commands go to the main session.
  public init() { routes.reserveCapacity(Budget.voiceRoutes) }

  /// Number of routes.
  public var count: Int { routes.count }

  /// Takes `{config: {defaultTarget, routes: [{trigger, target}]}}`, as the gateway sends it; false, and nothing
  /// changes, when it is not valid. Routes with an invalid target are skipped, so their phrases use the default.
  public mutating func read(_ payload: borrowing JSONView) -> Bool {
    guard let config = payload.member("config"), let list = config.member("routes"), list.kind == .array else {
      return false
    }
    routes.removeAll(keepingCapacity: true)
    fallback = .main
    if let target = config.member("defaultTarget"), let read = Self.target(target) { fallback = read }
    var elements = list.elements()
    while let element = elements.next(), routes.count < Budget.voiceRoutes {
      guard let trigger = element.member("trigger"), let place = element.member("target"),
        let target = Self.target(place),
        let sum = Self.sum(trigger)
      else { continue }
      routes.append(Route(phrase: sum, target: target))
    }
    return true
  }

  /// The target of a command after this phrase.
  public func target(of phrase: Span<UInt8>) -> Target {
    let sum = WordSum(phrase)
    for route in routes where route.phrase == sum { return route.target }
    return fallback
  }

  private static func sum(_ trigger: borrowing JSONView) -> WordSum? {
    // 64 units of UTF-16 have at most 192 bytes.
    var text = InlineText<192>()
    guard text.fill({ trigger.copyString(into: $0) }) else { return nil }
    let sum = WordSum(text.span)
    return sum.count > 0 ? sum : nil
  }

  /// Exactly one of `mode`, `agentId` and `sessionKey`.
  private static func target(_ value: borrowing JSONView) -> Target? {
    let (mode, agent, key) = (
      value.member("mode") != nil, value.member("agentId") != nil, value.member("sessionKey") != nil
    )
    guard (mode ? 1 : 0) + (agent ? 1 : 0) + (key ? 1 : 0) == 1 else { return nil }
    if mode { return value.member("mode")!.equals("current") ? .main : nil }
    var text = InlineText<256>()
    if key {
      let member = value.member("sessionKey")!
      return text.fill({ member.copyString(into: $0) }) && !text.isEmpty ? .session(text) : nil
    }
    let member = value.member("agentId")!
    let isWritten = text.fill { buffer in
      var name = InlineText<128>()
      guard name.fill({ member.copyString(into: $0) }), !name.isEmpty else { return nil }
      var writer = ByteWriter(into: buffer)
      writer.text("agent:")
      writer.bytes(name.span)
      writer.text(":main")
      return writer.isComplete ? writer.count : nil
    }
    return isWritten ? .session(text) : nil
  }
}
