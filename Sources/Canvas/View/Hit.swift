/// What a person means when they touch a place of the page.
public struct Hit: Equatable, Sendable {
  public enum Kind: UInt8, Sendable {
    case button, checkBox, option, tab, slider, textField, dateTime
    /// A link in a text, of which `part` is the number.
    case link
    /// The field above the options of a choice.
    case filter
    /// What opens a modal, and is no button.
    case opener
    /// The cross of an open modal, and what is beside it.
    case closer
  }

  public var kind: Kind
  /// Which of the surfaces that are drawn, and which of its instances.
  var surface: Int
  var index: Int
  /// Which option or tab.
  var part: Int32 = 0
  /// Stays the same when the page is arranged anew.
  public var id: UInt64

  /// Text is entered into it.
  var isText: Bool { kind == .textField || kind == .filter }
}
