import Codec
import Runtime

/// Where what is said behind a wake phrase goes: the gateway's routing table (gateway reference 9.11, node-commands 6.1). A
/// phrase is compared by its letters.
public struct VoiceRoutes: ~Copyable {
  /// Where a command goes.
  public enum Target: Sendable {
    /// To the session that the gateway takes for its main one.
    case main
    /// To this session.
    case session(InlineText<256>)
  }

  private struct Route {
    var phrase: WordSum
    var target: Target
  }

  private var routes: [Route] = []
  private var fallback = Target.main

  /// No table: all goes to the main session.
  public init() { routes.reserveCapacity(Budget.voiceRoutes) }

  /// Routes.
  public var count: Int { routes.count }

  /// Takes `{config: {defaultTarget, routes: [{trigger, target}]}}`, as the gateway pushes it; false, and nothing changes, when
  /// it is no table. Routes whose target cannot be used are left out, and what they would have caught goes to the default.
  public mutating func read(_ payload: borrowing JSONView) -> Bool {
    guard let config = payload.member("config"), let list = config.member("routes"), list.kind == .array else { return false }
    routes.removeAll(keepingCapacity: true)
    fallback = .main
    if let target = config.member("defaultTarget"), let read = Self.target(target) { fallback = read }
    var elements = list.elements()
    while let element = elements.next(), routes.count < Budget.voiceRoutes {
      guard let trigger = element.member("trigger"), let place = element.member("target"), let target = Self.target(place),
        let sum = Self.sum(trigger)
      else { continue }
      routes.append(Route(phrase: sum, target: target))
    }
    return true
  }

  /// Where a command behind this phrase goes.
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
    let (mode, agent, key) = (value.member("mode") != nil, value.member("agentId") != nil, value.member("sessionKey") != nil)
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
