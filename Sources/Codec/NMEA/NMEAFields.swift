/// A field is missing or invalid.
struct NMEAMalformed: Error {}

/// Reads the fields of a sentence in order, each with its type. An empty field is nil.
struct NMEAFields: ~Escapable {
  private let text: Span<UInt8>
  private var index = 0

  /// - Parameter text: the text between the `$` and the `*`.
  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    self.text = text
  }

  /// True when there is another field.
  var hasMore: Bool { index <= text.count }

  /// How many fields are left.
  var left: Int {
    guard hasMore else { return 0 }
    var count = 1
    for place in index..<text.count where text[place] == UInt8(ascii: ",") { count += 1 }
    return count
  }

  /// The next field, without the blanks with which some receivers fill it up.
  @_lifetime(copy self)
  mutating func field() throws(NMEAMalformed) -> Span<UInt8> {
    guard index <= text.count else { throw NMEAMalformed() }
    var start = index
    while index < text.count, text[index] != UInt8(ascii: ",") { index += 1 }
    var end = index
    while start < end, text[start] == UInt8(ascii: " ") { start += 1 }
    while start < end, text[end - 1] == UInt8(ascii: " ") { end -= 1 }
    index += 1
    return text.extracting(start..<end)
  }

  /// A number with or without sign and fraction.
  mutating func number() throws(NMEAMalformed) -> Double? {
    let field = try field()
    guard !field.isEmpty else { return nil }
    let hasSign = field[0] == UInt8(ascii: "-") || field[0] == UInt8(ascii: "+")
    let magnitude = field.extracting((hasSign ? 1 : 0)...)
    try Self.checkDigits(magnitude)
    guard let value = DecimalText(magnitude).double(in: magnitude) else { return nil }
    return field[0] == UInt8(ascii: "-") ? -value : value
  }

  /// A number followed by a field that names its unit. There is only one unit, so some receivers leave it out.
  mutating func number(unit: UInt8) throws(NMEAMalformed) -> Double? {
    let number = try number()
    let found = try letter()
    guard found == nil || found == unit else { throw NMEAMalformed() }
    return number
  }

  /// A whole number of at most four digits.
  mutating func count() throws(NMEAMalformed) -> UInt32? {
    let field = try field()
    guard !field.isEmpty else { return nil }
    guard field.count <= 4 else { throw NMEAMalformed() }
    return try Self.digits(field, 0..<field.count)
  }

  /// A whole number of at most four digits, with or without sign.
  mutating func integer() throws(NMEAMalformed) -> Int32? {
    let field = try field()
    guard !field.isEmpty else { return nil }
    let start = field[0] == UInt8(ascii: "-") || field[0] == UInt8(ascii: "+") ? 1 : 0
    guard field.count > start, field.count <= start + 4 else { throw NMEAMalformed() }
    let magnitude = Int32(try Self.digits(field, start..<field.count))
    return field[0] == UInt8(ascii: "-") ? -magnitude : magnitude
  }

  /// One hexadecimal digit.
  mutating func hexDigit() throws(NMEAMalformed) -> UInt8? {
    guard let letter = try letter() else { return nil }
    guard let value = letter.hexValue else { throw NMEAMalformed() }
    return value
  }

  /// A mode indicator, which NMEA 2.3 appended to several kinds; nil where it is absent, empty, or one that a later
  /// edition may have added.
  mutating func mode() throws(NMEAMalformed) -> NMEAMode? {
    guard hasMore else { return nil }
    return try letter().flatMap { NMEAMode(rawValue: $0) }
  }

  /// One letter; a small one as a capital.
  mutating func letter() throws(NMEAMalformed) -> UInt8? {
    let field = try field()
    guard field.count <= 1 else { throw NMEAMalformed() }
    guard !field.isEmpty else { return nil }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(field[0]) ? field[0] - 0x20 : field[0]
  }

  /// `hhmmss` with or without fraction, as milliseconds since midnight; leading zeros may be missing. Second 60 is a
  /// leap second, which UTC has only as the last of a day.
  mutating func timeOfDay() throws(NMEAMalformed) -> UInt32? {
    let field = try field()
    guard !field.isEmpty else { return nil }
    let wholeDigits = Self.wholeDigits(field)
    guard wholeDigits > 0, wholeDigits <= 6 else { throw NMEAMalformed() }
    let digits = try Self.digits(field, 0..<wholeDigits)
    let (hours, minutes, seconds) = (digits / 10_000, digits / 100 % 100, digits % 100)
    guard hours < 24, minutes < 60, seconds < 60 || (hours == 23 && minutes == 59 && seconds == 60) else {
      throw NMEAMalformed()
    }
    return (hours * 3600 + minutes * 60 + seconds) * 1000 + (try Self.milliseconds(field.extracting(wholeDigits...)))
  }

  /// `ddmmyy`, whose first zero may be missing; nil for zeros alone, which some receivers send before they know it. A
  /// year of 80 or more is one of the last century, when GPS began.
  mutating func date() throws(NMEAMalformed) -> CivilDate? {
    let field = try field()
    guard !field.isEmpty else { return nil }
    guard field.count == 5 || field.count == 6 else { throw NMEAMalformed() }
    let digits = try Self.digits(field, 0..<field.count)
    guard digits > 0 else { return nil }
    let (day, month, year) = (UInt8(digits / 10_000), UInt8(digits / 100 % 100), Int32(digits % 100))
    guard let date = CivilDate(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day) else {
      throw NMEAMalformed()
    }
    return date
  }

  /// `ddmm.mmmm,N` or `S`, then `dddmm.mmmm,E` or `W`. Half a position is malformed. Some receivers send the letters
  /// alone while they have no position.
  mutating func place() throws(NMEAMalformed) -> GNSSPlace? {
    let latitude = try coordinate(
      degreeDigits: 2, limit: 90, positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S"))
    let longitude = try coordinate(
      degreeDigits: 3, limit: 180, positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"))
    guard let latitude, let longitude else {
      guard latitude == nil, longitude == nil else { throw NMEAMalformed() }
      return nil
    }
    return GNSSPlace(latitude: latitude, longitude: longitude)
  }

  private mutating func coordinate(
    degreeDigits: Int, limit: Double, positive: UInt8, negative: UInt8
  ) throws(NMEAMalformed) -> Double? {
    let field = try field()
    let hemisphere = try letter()
    guard hemisphere == positive || hemisphere == negative || hemisphere == nil && field.isEmpty else {
      throw NMEAMalformed()
    }
    if field.isEmpty { return nil }
    let degrees = try Self.degrees(field, degreeDigits)
    guard degrees <= limit else { throw NMEAMalformed() }
    return hemisphere == positive ? degrees : -degrees
  }

  /// Both degrees and minutes are whole numbers of 1/(60 * 10^digits) degree, exact in a double, so that the
  /// one division at the end is the only rounding. The two digits before the point are minutes; some receivers leave
  /// out leading zeros. Simulators send all digits of a double, of which more than ten decimals change nothing.
  private static func degrees(_ field: Span<UInt8>, _ degreeDigits: Int) throws(NMEAMalformed) -> Double {
    let wholeDigits = Self.wholeDigits(field)
    guard wholeDigits > 0, wholeDigits <= degreeDigits + 2 else { throw NMEAMalformed() }
    try checkDigits(field)
    let minuteStart = max(wholeDigits - 2, 0)
    let degrees = try digits(field, 0..<minuteStart)
    guard try digits(field, minuteStart..<wholeDigits) < 60 else { throw NMEAMalformed() }
    let minutes = DecimalText(field.extracting(minuteStart..<min(field.count, wholeDigits + 11)))
    var unitsPerMinute = 1.0
    for _ in 0..<max(-minutes.exponent, 0) { unitsPerMinute *= 10 }
    return (Double(degrees) * 60 * unitsPerMinute + Double(minutes.mantissa)) / (60 * unitsPerMinute)
  }

  /// How many characters stand before the decimal point.
  private static func wholeDigits(_ text: Span<UInt8>) -> Int {
    var count = 0
    while count < text.count, text[count] != UInt8(ascii: ".") { count += 1 }
    return count
  }

  /// The first three digits after the decimal point, or none without a point.
  private static func milliseconds(_ fraction: Span<UInt8>) throws(NMEAMalformed) -> UInt32 {
    guard !fraction.isEmpty else { return 0 }
    guard fraction[0] == UInt8(ascii: ".") else { throw NMEAMalformed() }
    _ = try digits(fraction, 1..<fraction.count)
    var value: UInt32 = 0
    for place in 1...3 { value = value * 10 + (place < fraction.count ? UInt32(fraction[place] & 15) : 0) }
    return value
  }

  /// Digits and at most one point; at least one digit.
  private static func checkDigits(_ text: Span<UInt8>) throws(NMEAMalformed) {
    var digits = 0
    var points = 0
    for index in 0..<text.count {
      if text[index].isDigit { digits += 1 } else if text[index] == UInt8(ascii: ".") { points += 1 }
    }
    guard digits > 0, points <= 1, digits + points == text.count else { throw NMEAMalformed() }
  }

  /// The value of digits and nothing else. More than nine of them wrap around.
  private static func digits(_ text: Span<UInt8>, _ range: Range<Int>) throws(NMEAMalformed) -> UInt32 {
    var value: UInt32 = 0
    for index in range {
      guard text[index].isDigit else { throw NMEAMalformed() }
      value = value &* 10 &+ UInt32(text[index] & 15)
    }
    return value
  }
}
