/// Reads a DNS message (RFC 1035 section 4) from its start to its end.
public struct DNSReader: ~Escapable {
  private let message: Span<UInt8>
  private var index = 12
  private var questionsLeft: Int
  private var recordsLeft: Int

  /// The id that an answer shares with its query.
  public let id: UInt16
  private let flags: UInt16

  /// True for an answer, false for a query.
  public var isResponse: Bool { flags & 0x8000 != 0 }
  /// 0: an ordinary query.
  public var opcode: UInt16 { flags >> 11 & 15 }
  /// 0: no error. 3: there is no such name.
  public var responseCode: UInt16 { flags & 15 }

  /// Reads the header.
  @_lifetime(copy message)
  public init(_ message: Span<UInt8>) throws(DNSError) {
    guard message.count >= 12 else { throw DNSError(kind: .truncated, offset: message.count) }
    self.message = message
    id = message.uint16(at: 0)
    flags = message.uint16(at: 2)
    questionsLeft = Int(message.uint16(at: 4))
    // Service discovery treats answer, authority and additional records alike.
    recordsLeft =
      Int(message.uint16(at: 6)) + Int(message.uint16(at: 8)) + Int(message.uint16(at: 10))
  }

  /// True when no more questions and records are to be read than these. Each may take as long as a name of 255 bytes.
  public func has(atMost questions: Int, records: Int) -> Bool {
    questionsLeft <= questions && recordsLeft <= records
  }

  /// The next question, or nil after the last.
  public mutating func nextQuestion() throws(DNSError) -> DNSQuestion? {
    guard questionsLeft > 0 else { return nil }
    questionsLeft -= 1
    let name = try DNSName(message, at: &index)
    try need(4)
    let type = DNSType(message.uint16(at: index))
    index += 4
    return DNSQuestion(name, type)
  }

  /// The next record of any section, or nil after the last. Questions that were not read are skipped.
  public mutating func nextRecord() throws(DNSError) -> DNSRecord? {
    while try nextQuestion() != nil {}
    guard recordsLeft > 0 else { return nil }
    recordsLeft -= 1
    let name = try DNSName(message, at: &index)
    try need(10)
    let head = index
    let length = Int(message.uint16(at: head + 8))
    index += 10
    try need(length)
    index += length
    return DNSRecord(
      name: name, type: DNSType(message.uint16(at: head)), recordClass: message.uint16(at: head + 2) & 0x7FFF,
      ttl: UInt32(message.uint16(at: head + 4)) << 16 | UInt32(message.uint16(at: head + 6)),
      data: head + 10..<index)
  }

  private func need(_ count: Int) throws(DNSError) {
    guard message.count - index >= count else { throw DNSError(kind: .truncated, offset: index) }
  }

  // MARK: Data of records

  /// The name that a PTR record holds.
  public func target(of record: DNSRecord) throws(DNSError) -> DNSName {
    try name(from: record.data.lowerBound, of: record)
  }

  /// What an SRV record holds. Priority and weight are not read, because each instance has one record.
  public func service(of record: DNSRecord) throws(DNSError) -> DNSService {
    let start = record.data.lowerBound
    guard record.data.count > 6 else { throw DNSError(kind: .badData, offset: start) }
    return DNSService(
      port: message.uint16(at: start + 4), target: try name(from: start + 6, of: record))
  }

  /// The 4 bytes of an A record, or the 16 of an AAAA record.
  @_lifetime(copy self)
  public func address(of record: DNSRecord) throws(DNSError) -> Span<UInt8> {
    guard record.data.count == (record.type == .a ? 4 : 16) else {
      throw DNSError(kind: .badData, offset: record.data.lowerBound)
    }
    return message.extracting(record.data)
  }

  /// The strings of a TXT record.
  @_lifetime(copy self)
  public func text(of record: DNSRecord) throws(DNSError) -> DNSText {
    try DNSText(message.extracting(record.data), offset: record.data.lowerBound)
  }

  private func name(from start: Int, of record: DNSRecord) throws(DNSError) -> DNSName {
    var index = start
    let name = try DNSName(message, at: &index)
    guard index == record.data.upperBound else { throw DNSError(kind: .badData, offset: index) }
    return name
  }
}

/// The `key=value` strings of a TXT record (RFC 6763 section 6).
public struct DNSText: ~Escapable {
  private let strings: Span<UInt8>

  /// - Parameter offset: where `data` stands in its message, for the error.
  @_lifetime(copy data)
  init(_ data: Span<UInt8>, offset: Int) throws(DNSError) {
    strings = data
    var index = 0
    while index < data.count { index += 1 + Int(data[index]) }
    guard index == data.count else { throw DNSError(kind: .badData, offset: offset) }
  }

  /// The value of a key, whose case does not matter; nil when it is missing. The first of several counts, and a key
  /// without "=" has an empty value (RFC 6763 sections 6.4 and 6.5).
  @_lifetime(copy self)
  public func value(of key: StaticString) -> Span<UInt8>? {
    var index = 0
    while index < strings.count {
      let end = index + 1 + Int(strings[index])
      let string = strings.extracting(index + 1..<end)
      let length = key.utf8CodeUnitCount
      if string.beginsIgnoringCase(key) {
        if string.count == length { return string.extracting(length..<length) }
        if string[length] == UInt8(ascii: "=") { return string.extracting((length + 1)...) }
      }
      index = end
    }
    return nil
  }
}

extension Span where Element == UInt8 {
  /// Two bytes in network order.
  @inline(__always)
  func uint16(at index: Int) -> UInt16 { UInt16(self[index]) << 8 | UInt16(self[index + 1]) }

  /// True when the text begins with `prefix`; the case of ASCII letters does not matter.
  fileprivate func beginsIgnoringCase(_ prefix: StaticString) -> Bool {
    guard count >= prefix.utf8CodeUnitCount else { return false }
    for index in 0..<prefix.utf8CodeUnitCount
    where self[index].asciiLowercased != prefix.utf8Start[index].asciiLowercased { return false }
    return true
  }
}
