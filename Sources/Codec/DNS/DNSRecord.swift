/// The type of a record or question (RFC 1035 section 3.2.2, RFC 2782, RFC 3596).
public struct DNSType: Equatable, Sendable {
  /// The number on the wire.
  public let number: UInt16

  /// A type from its number.
  public init(_ number: UInt16) { self.number = number }

  /// An IPv4 address.
  public static let a = DNSType(1)
  /// Another name: the instances of a service.
  public static let ptr = DNSType(12)
  /// Strings of `key=value`.
  public static let txt = DNSType(16)
  /// An IPv6 address.
  public static let aaaa = DNSType(28)
  /// Where a service listens.
  public static let srv = DNSType(33)
}

/// A question: records of one type for one name, of class IN.
public struct DNSQuestion: Equatable, Sendable {
  /// Whose records.
  public let name: DNSName
  /// Which of them.
  public let type: DNSType

  /// A question.
  public init(_ name: DNSName, _ type: DNSType) {
    self.name = name
    self.type = type
  }
}

/// One record of a message. Its data stays in the message, where `DNSReader` reads it.
public struct DNSRecord: Sendable {
  /// Whose record.
  public let name: DNSName
  /// What kind.
  public let type: DNSType
  /// The class, without the cache-flush bit of RFC 6762 section 10.2. 1 is IN.
  public let recordClass: UInt16
  /// Time to live in seconds; 0 in multicast withdraws the record (RFC 6762 section 10.1).
  public let ttl: UInt32
  /// Where its data stands in the message.
  public let data: Range<Int>

  /// True for the one class that the Internet uses.
  public var isInternet: Bool { recordClass == 1 }
}

/// Where a service listens (RFC 2782).
public struct DNSService: Equatable, Sendable {
  /// TCP or UDP port.
  public let port: UInt16
  /// The host.
  public let target: DNSName
}
