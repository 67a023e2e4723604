import Codec
import Runtime

/// Why the board was last restarted.
public struct RestartReading: Equatable, Sendable {
  /// The kinds of reasons.
  public enum Cause: Equatable, Sendable {
    /// Power came back, or the kernel crashed: nobody had announced it.
    case power
    /// The hardware watchdog: the system was stuck.
    case watchdog
    /// Somebody, or an update, asked for it in order.
    case order
    /// A board that hung was restarted by itself.
    case recovery

    /// The word in the file and in reports.
    public var word: StaticString {
      switch self {
      case .power: "power"
      case .watchdog: "watchdog"
      case .order: "order"
      case .recovery: "recovery"
      }
    }
  }

  /// What it was.
  public var cause: Cause
  /// The reason of a recovery; empty for the others.
  public var reason = InlineText<128>()

  /// A restart; see the properties.
  public init(_ cause: Cause, reason: InlineText<128> = InlineText()) {
    self.cause = cause
    self.reason = reason
  }

  /// From the text of `/run/talon-system/restart`, lines `key = value`; nil without a cause that is known. What is no
  /// printable ASCII in a reason becomes a question mark.
  public init?(_ text: Span<UInt8>) {
    var found: Cause?
    var lines = TextFields(text, separatedBy: .lineFeed)
    while let line = lines.next() {
      if let word = line.dropping("cause = ")?.trimmed {
        found = Self.cause(word)
      } else if let words = line.dropping("reason = ")?.trimmed {
        reason.fill { bytes in
          let count = min(words.count, bytes.count)
          for index in 0..<count { bytes[index] = (0x20..<0x7F).contains(words[index]) ? words[index] : 0x3F }
          return count
        }
      }
    }
    guard let found else { return nil }
    cause = found
  }

  private static func cause(_ word: Span<UInt8>) -> Cause? {
    if word.matches("power") { return .power }
    if word.matches("watchdog") { return .watchdog }
    if word.matches("order") { return .order }
    return word.matches("recovery") ? .recovery : nil
  }

  /// The member "restart" of the status and of `device.health`.
  public func write(to writer: inout JSONWriter) {
    writer.key("restart")
    writer.beginObject()
    writer.key("cause")
    writer.string(cause.word)
    writer.text("reason", reason.span)
    writer.endObject()
  }
}
