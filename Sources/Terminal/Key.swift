/// What a person at a terminal did.
public enum Key: Equatable, Sendable {
  /// A character that can be shown.
  case text(Unicode.Scalar)
  case enter, tab, backspace, delete, escape
  case up, down, left, right, home, end, pageUp, pageDown
  /// Ctrl-K, Ctrl-U, Ctrl-W.
  case killToEnd, killToStart, killWord
  /// Ctrl-L, Ctrl-C, Ctrl-D.
  case redraw, interrupt, endOfInput
  /// A key that means nothing here.
  case unknown
  /// Bytes that no key sends.
  case noise
}
