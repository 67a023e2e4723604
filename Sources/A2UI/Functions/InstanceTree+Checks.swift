import Codec
import Runtime

/// Tests whether a regular expression matches anywhere in a text.
public protocol TextMatcher: AnyObject {
  /// Also true for an expression that cannot be read.
  func accepts(_ text: Span<UInt8>, _ expression: Span<UInt8>) -> Bool
}

// The `checks` of v0.9: conditions that what was entered has to meet, or a button to be pressed.

extension InstanceTree {
  /// True when a component has checks.
  public func hasChecks(_ index: Int) -> Bool { property(index, "checks") != nil }

  /// The message of the first check that fails, which may be empty; nil when none does.
  @_lifetime(immortal)
  public func failedCheck(_ index: Int) -> Span<UInt8>? {
    guard let message = failed(index) else { return nil }
    return span(message)
  }

  private func failed(_ index: Int) -> Bytes? {
    guard let json = property(index, "checks") else { return nil }
    let scope = scope(index)
    var elements = JSONView(Span(_unsafeElements: json)).elements()
    var left = Budget.a2uiChecks
    while left > 0, let check = elements.next() {
      left -= 1
      // In drafts of v0.9 the condition stands beside its message.
      let isMet =
        if let condition = check.member("condition") { isTrue(value(condition, scope)) } else {
          isTrue(value(check, scope))
        }
      if !isMet { return store.unescaped(check.member("message")) ?? StaticString("").asBytes }
    }
    return nil
  }
}
