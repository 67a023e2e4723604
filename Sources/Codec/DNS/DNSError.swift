/// Why a DNS message or name was refused, and where.
public struct DNSError: Error, Equatable, Sendable {
  /// What was wrong.
  public enum Kind: UInt8, Sendable {
    /// The message ends inside a header, name or record.
    case truncated
    /// A label of more than 63 bytes (RFC 1035 section 2.3.4).
    case labelTooLong
    /// A name of more than 255 bytes (RFC 1035 section 2.3.4).
    case nameTooLong
    /// Two dots in a row, or a dot at the start.
    case emptyLabel
    /// A backslash with neither a character nor three digits up to 255 after it (RFC 1035 section 5.1).
    case badEscape
    /// A label type that RFC 1035 section 4.1.4 reserves.
    case reservedLabel
    /// A compression pointer that does not lead back to before the labels that it ends: a loop, or forward.
    case badPointer
    /// Record data that does not have the form of its type.
    case badData
  }

  /// What was wrong.
  public let kind: Kind
  /// The byte where it was noticed, counted from the start of the message or text.
  public let offset: Int

  /// A reason and its place.
  public init(kind: Kind, offset: Int) {
    self.kind = kind
    self.offset = offset
  }

  /// What a person reads.
  public var text: StaticString {
    switch kind {
    case .truncated: "ends too early"
    case .labelTooLong: "has a label longer than 63 bytes"
    case .nameTooLong: "has a name longer than 255 bytes"
    case .emptyLabel: "has an empty label"
    case .badEscape: "has a backslash without a character after it"
    case .reservedLabel: "has a label of a reserved type"
    case .badPointer: "has a compression pointer that does not lead back"
    case .badData: "has a record whose data does not fit its type"
    }
  }
}
