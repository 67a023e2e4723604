/// Writes a query with one or more questions into a buffer of fixed size (RFC 1035 section 4.1, RFC 6762 section 5).
public struct DNSQuery: ~Copyable {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  /// Bytes written so far.
  public private(set) var count = 12
  /// Questions written so far.
  public private(set) var questions: UInt8 = 0

  /// A query without questions.
  /// - Parameters:
  ///   - buffer: room for at least the header, 12 bytes; must outlive the query.
  ///   - id: what the answer will repeat.
  ///   - recursionDesired: true when a name server is asked, false on the link.
  public init(into buffer: UnsafeMutableBufferPointer<UInt8>, id: UInt16, recursionDesired: Bool) {
    precondition(buffer.count >= 12)
    self.buffer = buffer
    for index in 0..<12 { buffer[index] = 0 }
    buffer[0] = UInt8(id >> 8)
    buffer[1] = UInt8(id & 0xFF)
    buffer[2] = recursionDesired ? 1 : 0
  }

  /// Adds a question; false, and nothing written, when there is no room for it.
  /// - Parameter wantsUnicast: asks for the answer at our own address (RFC 6762 section 5.4).
  public mutating func ask(_ question: DNSQuestion, wantsUnicast: Bool = false) -> Bool {
    let name = question.name
    let length = name.bytes.count
    guard questions < .max, buffer.count - count >= length + 4 else { return false }
    for index in 0..<length { buffer[count + index] = name.bytes[index] }
    count += length
    buffer[count] = UInt8(question.type.number >> 8)
    buffer[count + 1] = UInt8(question.type.number & 0xFF)
    buffer[count + 2] = wantsUnicast ? 0x80 : 0
    buffer[count + 3] = 1
    count += 4
    questions += 1
    buffer[5] = questions
    return true
  }
}
