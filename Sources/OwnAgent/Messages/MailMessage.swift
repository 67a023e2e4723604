import Codec
import Runtime

/// Why a message cannot be written.
public enum MailError: Error, Equatable, Sendable {
  /// The sender's or the recipient's address is none, or has characters that would be read as something else.
  case sender, recipient
  /// A name or subject has line ends or controls, which would add fields to the header.
  case name, subject
  /// Longer than the budget has.
  case subjectTooLong, textTooLong
  case notUTF8

  /// What a model or a person reads.
  public var text: StaticString {
    switch self {
    case .sender: "the sender's address is not valid: it must be like name@example.org"
    case .recipient: "the recipient's address is not valid: it must be like name@example.org"
    case .name: "the sender's name has line ends or control characters, or is longer than 80 bytes"
    case .subject: "the subject has line ends or control characters"
    case .subjectTooLong: "the subject is longer than 240 bytes"
    case .textTooLong: "the text is longer than 16 KiB"
    case .notUTF8: "the message is not UTF-8"
    }
  }
}

/// An address of e-mail (RFC 5321 section 4.1.2): name, @, domain. Quoted names and literals of addresses are refused.
public enum MailAddress {
  /// Characters that a name may have beside letters and digits (`atext`, RFC 5322 section 3.2.3, and the dot).
  private static let others: StaticString = "!#$%&'*+-/=?^_`{|}~."

  /// True for an address that can stand in a command and a header as it is; UTF-8 is allowed (RFC 6532).
  public static func isValid(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count <= Budget.mailAddressBytes, UTF8Validator.isValid(text.span) else { return false }
    var at = 0
    while at < text.count, text[at] != UInt8(ascii: "@") { at += 1 }
    guard at > 0, at <= Budget.mailLocalBytes, at + 1 < text.count else { return false }
    let (local, domain) = (text.extracting(0..<at), text.extracting((at + 1)..<text.count))
    guard hasNoOddDot(local), hasNoOddDot(domain), !HeaderText.hasControls(text) else { return false }
    for byte in local where !isLetter(byte) && !isOther(byte) { return false }
    for byte in domain where !isLetter(byte) && byte != UInt8(ascii: "-") && byte != UInt8(ascii: ".") { return false }
    return domain[0] != UInt8(ascii: "-")
  }

  /// True when it needs SMTPUTF8 (RFC 6531).
  public static func isInternational(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in text where byte >= 0x80 { return true }
    return false
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.asciiLowercased) || byte >= 0x80
  }

  private static func isOther(_ byte: UInt8) -> Bool {
    for index in 0..<others.utf8CodeUnitCount where others.utf8Start[index] == byte { return true }
    return false
  }

  /// No dot at an end, and none after another.
  private static func hasNoOddDot(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var last = UInt8(ascii: ".")
    for byte in text {
      if byte == UInt8(ascii: "."), last == byte { return false }
      last = byte
    }
    return last != UInt8(ascii: ".")
  }
}

/// A message (RFC 5322) with one recipient and a text without a look.
public struct MailMessage {
  /// Addresses, the sender's name (may be empty), subject and text, in UTF-8; valid while the message is composed.
  public var sender: UnsafeBufferPointer<UInt8>
  public var name = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  public var recipient: UnsafeBufferPointer<UInt8>
  public var subject: UnsafeBufferPointer<UInt8>
  public var text: UnsafeBufferPointer<UInt8>
  /// Milliseconds since the Unix epoch.
  public var date: Int64
  /// Random bytes, by which no other message has the same id.
  public var id: (UInt64, UInt64)

  /// A message; see the properties.
  public init(
    sender: UnsafeBufferPointer<UInt8>, recipient: UnsafeBufferPointer<UInt8>, subject: UnsafeBufferPointer<UInt8>,
    text: UnsafeBufferPointer<UInt8>, date: Int64, id: (UInt64, UInt64)
  ) {
    (self.sender, self.recipient, self.subject, self.text) = (sender, recipient, subject, text)
    (self.date, self.id) = (date, id)
  }

  private func check() throws(MailError) {
    guard MailAddress.isValid(sender) else { throw .sender }
    guard MailAddress.isValid(recipient) else { throw .recipient }
    guard name.count <= Budget.mailNameBytes, !HeaderText.hasControls(name) else { throw .name }
    guard subject.count <= Budget.mailSubjectBytes else { throw .subjectTooLong }
    guard !HeaderText.hasControls(subject) else { throw .subject }
    guard text.count <= Budget.mailTextBytes else { throw .textTooLong }
    guard UTF8Validator.isValid(name.span), UTF8Validator.isValid(subject.span), UTF8Validator.isValid(text.span) else {
      throw .notUTF8
    }
  }

  /// Writes the whole message, each line of which ends with CR LF, into `room`, which has `Budget.mailMessageBytes`.
  /// - Returns: its length
  public func compose(into room: UnsafeMutableBufferPointer<UInt8>) throws(MailError) -> Int {
    try check()
    var writer = ByteWriter(into: room)
    writer.text("Date: ")
    MailDate.write(date, to: &writer)
    writer.text("\r\nFrom: ")
    if !name.isEmpty {
      HeaderText.write(name, column: 6, isPhrase: true, to: &writer)
      writer.text("\r\n ")
    }
    Self.write(sender, to: &writer)
    writer.text("\r\nTo: ")
    Self.write(recipient, to: &writer)
    writer.text("\r\nMessage-ID: <")
    writeID(to: &writer)
    writer.text("\r\nSubject: ")
    HeaderText.write(subject, column: 9, isPhrase: false, to: &writer)
    writer.text("\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n")
    writer.text("Content-Transfer-Encoding: quoted-printable\r\nAuto-Submitted: auto-generated\r\n\r\n")
    QuotedPrintable.write(text, to: &writer)
    guard writer.isComplete else { throw .textTooLong }
    return writer.count
  }

  private static func write(_ address: UnsafeBufferPointer<UInt8>, to writer: inout ByteWriter) {
    writer.byte(UInt8(ascii: "<"))
    writer.bytes(address.span)
    writer.byte(UInt8(ascii: ">"))
  }

  private static func write(_ half: UInt64, to writer: inout ByteWriter) {
    for place in 0..<16 {
      let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * place) & 15)
      writer.byte(digit < 10 ? digit + 48 : digit + 87)
    }
  }

  /// 32 digits, and the sender's domain.
  private func writeID(to writer: inout ByteWriter) {
    Self.write(id.0, to: &writer)
    Self.write(id.1, to: &writer)
    var at = 0
    while at < sender.count, sender[at] != UInt8(ascii: "@") { at += 1 }
    writer.bytes(sender.extracting(at..<sender.count).span)
    writer.byte(UInt8(ascii: ">"))
  }
}

/// Dates of messages: `Sat, 28 Nov 2026 00:01:42 +0000` (RFC 5322 section 3.3).
enum MailDate {
  private static let days: StaticString = "ThuFriSatSunMonTueWed"
  private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

  /// Writes an instant in milliseconds since the Unix epoch, in UTC; years 1900 to 9999, which have four digits.
  static func write(_ instant: Int64, to writer: inout ByteWriter) {
    let seconds = min(max(instant / 1000, -2_208_988_800), 253_402_300_799)
    let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let rest = seconds - day * 86_400
    let date = CivilDate(daysSinceEpoch: day)
    write(days, Int((day % 7 + 7) % 7), to: &writer)
    writer.text(", ")
    writer.decimal(UInt64(date.day), width: 2)
    writer.text(" ")
    write(months, Int(date.month) - 1, to: &writer)
    writer.text(" ")
    writer.decimal(UInt64(max(date.year, 0)), width: 4)
    writer.text(" ")
    writer.decimal(UInt64(rest / 3600), width: 2)
    writer.text(":")
    writer.decimal(UInt64(rest / 60 % 60), width: 2)
    writer.text(":")
    writer.decimal(UInt64(rest % 60), width: 2)
    writer.text(" +0000")
  }

  private static func write(_ names: StaticString, _ index: Int, to writer: inout ByteWriter) {
    for place in 0..<3 { writer.byte(names.utf8Start[3 * index + place]) }
  }
}
