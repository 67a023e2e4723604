extension ISO8601 {
  /// The instant that a text names, in milliseconds since 1 January 1970, or nil when it is none.
  ///
  /// The profile of RFC 3339 (section 5.6), seconds optional as in ISO 8601: `2026-01-01T00:00:00.000Z`,
  /// `2026-01-01T01:00+01:00`. A zone is required. Digits below a millisecond are dropped; the leap second 60 is the
  /// second after it.
  @export(interface)
  public static func unixMilliseconds(in text: Span<UInt8>) -> Int64? {
    var reader = FieldReader(text: text)
    guard
      let year = reader.digits(4), reader.skip("-"),
      let month = reader.digits(2), reader.skip("-"), let day = reader.digits(2),
      let date = CivilDate(year: Int32(year), month: UInt8(month), day: UInt8(day)),
      reader.skip("T") || reader.skip("t") || reader.skip(" "),
      let hour = reader.digits(2), hour < 24, reader.skip(":"), let minute = reader.digits(2), minute < 60
    else { return nil }
    var time = (hour * 60 + minute) * 60_000
    if reader.skip(":") {
      guard let second = reader.digits(2), second <= 60 else { return nil }
      time += second * 1000
      if reader.skip(".") || reader.skip(",") {
        guard let fraction = reader.milliseconds() else { return nil }
        time += fraction
      }
    }
    guard let zone = reader.zone(), reader.isAtEnd else { return nil }
    return date.daysSinceEpoch * 86_400_000 + time - zone
  }
}

/// Reads fields of a text from left to right. A field that does not match is not consumed.
private struct FieldReader: ~Escapable {
  private let text: Span<UInt8>
  private var index = 0

  @_lifetime(copy text)
  init(text: Span<UInt8>) { self.text = text }

  var isAtEnd: Bool { index == text.count }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard index < text.count, UInt32(text[index]) == character.value else { return false }
    index += 1
    return true
  }

  mutating func digits(_ count: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// A fraction of a second: one digit or more.
  mutating func milliseconds() -> Int64? {
    guard var value = digit() else { return nil }
    var digits = 1
    while let next = digit() {
      if digits < 3 { value = value * 10 + next }
      digits += 1
    }
    while digits < 3 {
      value *= 10
      digits += 1
    }
    return value
  }

  /// Milliseconds that local time is ahead: `Z`, `+01:00`, `-0330` or `+01`.
  mutating func zone() -> Int64? {
    if skip("Z") || skip("z") { return 0 }
    let isAhead = skip("+")
    guard isAhead || skip("-"), let hours = digits(2), hours < 24 else { return nil }
    var minutes: Int64 = 0
    if !isAtEnd {
      _ = skip(":")
      guard let value = digits(2), value < 60 else { return nil }
      minutes = value
    }
    let offset = (hours * 60 + minutes) * 60_000
    return isAhead ? offset : -offset
  }

  private mutating func digit() -> Int64? {
    guard index < text.count, (48...57).contains(text[index]) else { return nil }
    defer { index += 1 }
    return Int64(text[index]) - 48
  }
}
