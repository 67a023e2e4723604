import Codec
import Runtime

/// Text that a script shows: a small card of two lines (`setStatus`), or a page of five (`renderHome`).
public struct ScriptCard {
  public enum Kind: Int64, Sendable { case status = 1, home }

  /// Nil: no text.
  public private(set) var kind: Kind?
  public private(set) var lines = InlineArray<5, InlineText<192>>(repeating: InlineText())
  /// True when the text was not shown yet.
  public var hasChanged = false

  /// No text.
  public init() {}

  /// Two lines, or none.
  public mutating func say(isShown: Bool, _ title: Span<UInt8>, _ subtitle: Span<UInt8>) {
    guard isShown || kind == .status else { return }
    clear()
    guard isShown else { return }
    kind = .status
    lines[0] = InlineText(cutting: title)
    lines[1] = InlineText(cutting: subtitle)
  }

  /// One line for each of the text.
  public mutating func sayHome(_ text: Span<UInt8>) {
    clear()
    kind = .home
    var start = 0
    for index in 0..<5 {
      var end = start
      while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
      lines[index] = InlineText(cutting: text.extracting(start..<end))
      start = min(end + 1, text.count)
    }
  }

  /// Copies another card; without a kind, clears it.
  public mutating func begin(_ kind: Kind?) {
    clear()
    self.kind = kind
  }

  /// A line of what was begun, 0 to 4.
  public mutating func set(_ line: Int, _ text: Span<UInt8>) { lines[line] = InlineText(cutting: text) }

  private mutating func clear() {
    kind = nil
    hasChanged = true
    for index in 0..<5 { lines[index].clear() }
  }
}
