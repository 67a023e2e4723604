/// A key press at a terminal.
public enum Key: Equatable, Sendable {
  /// A printable character.
  case text(Unicode.Scalar)
  case enter, tab, backspace, delete, escape
  case up, down, left, right, home, end, pageUp, pageDown
  /// Ctrl-K, Ctrl-U, Ctrl-W.
  case killToEnd, killToStart, killWord
  /// Ctrl-L, Ctrl-C, Ctrl-D.
  case redraw, interrupt, endOfInput
  /// A key without a function here.
  case unknown
  /// Bytes that are not a key.
  case noise
}
