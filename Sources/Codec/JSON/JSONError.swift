/// Why a text is not JSON, and where.
public struct JSONError: Error, Equatable, Sendable {
  /// What was wrong.
  public enum Kind: UInt8, Sendable {
    /// A byte that the grammar does not allow here; a byte order mark and garbage after the text are such
    /// bytes.
    case unexpectedByte
    /// The text ended in the middle.
    case unexpectedEnd
    /// Containers nested deeper than the limit.
    case tooDeep
    /// A number that RFC 8259 section 6 does not allow, such as `01` or `1.`.
    case invalidNumber
    /// A control character inside a string that is not escaped (section 7).
    case controlCharacter
    /// A backslash followed by something that section 7 does not list.
    case invalidEscape
    /// `\u` escapes that make half of a surrogate pair.
    case loneSurrogate
    /// Bytes inside a string that are not UTF-8 (section 8.1).
    case invalidUTF8
  }

  /// What was wrong.
  public let kind: Kind
  /// The offset of the wrong byte.
  public let offset: UInt64
}
