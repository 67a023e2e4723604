/// Finds sentences in the bytes of a serial line (NMEA 0183) and reads those that tell position or motion,
/// from any talker. Whatever else is on the line, noise, cut sentences, other protocols, is counted and
/// skipped: the next `$` starts anew.
public struct NMEAReader {
  /// What became of the lines so far.
  public struct Counters: Equatable, Sendable {
    /// Sentences read.
    public var good: UInt64 = 0
    /// Lines whose checksum is wrong or missing.
    public var badChecksum: UInt64 = 0
    /// Lines longer than any sentence.
    public var overlong: UInt64 = 0
    /// Lines with a bad byte in them, or ended by the next `$`.
    public var broken: UInt64 = 0
    /// Sentences with a good checksum and a field that makes no sense.
    public var malformed: UInt64 = 0
    /// Sentences with a good checksum and of a kind that is not read.
    public var unknown: UInt64 = 0
  }

  /// The longest line, without `$` and line end. The standard allows 79; receivers with more decimals than it
  /// foresaw need more.
  public static let lineMax = 120

  /// What became of the lines so far.
  public private(set) var counters = Counters()
  private var line = InlineArray<120, UInt8>(repeating: 0)
  private var length = 0
  private var isInLine = false

  /// A reader at any place of a stream.
  public init() {}

  /// Finds the next sentence in `input` from `index` on, and moves `index` behind it. Call again with the
  /// same input until it says nil, then with new input from 0.
  public mutating func next(_ input: Span<UInt8>, at index: inout Int) -> NMEASentence? {
    while index < input.count {
      let byte = input[index]
      index += 1
      if byte == UInt8(ascii: "$") {
        if isInLine { counters.broken &+= 1 }
        (isInLine, length) = (true, 0)
      } else if isInLine, let sentence = read(byte) {
        return sentence
      }
    }
    return nil
  }

  private mutating func read(_ byte: UInt8) -> NMEASentence? {
    if byte == 0x0D || byte == 0x0A {
      isInLine = false
      return endLine()
    }
    guard byte >= 0x20, byte < 0x7F else {
      isInLine = false
      counters.broken &+= 1
      return nil
    }
    guard length < Self.lineMax else {
      isInLine = false
      counters.overlong &+= 1
      return nil
    }
    line[length] = byte
    length += 1
    return nil
  }

  private mutating func endLine() -> NMEASentence? {
    let text = line.span.extracting(..<length)
    guard let body = text.nmeaBody else {
      counters.badChecksum &+= 1
      return nil
    }
    do throws(NMEAMalformed) {
      let sentence = try NMEASentence(body)
      if sentence == nil { counters.unknown &+= 1 } else { counters.good &+= 1 }
      return sentence
    } catch {
      counters.malformed &+= 1
      return nil
    }
  }
}

extension NMEASentence {
  /// Reads a sentence, or nil when it is of a kind that is not read.
  /// - Parameter body: what stands between the `$` and the `*`: talker, kind, fields.
  init?(_ body: Span<UInt8>) throws(NMEAMalformed) {
    var fields = NMEAFields(body)
    let address = try fields.field()
    guard address.count == 5 else { return nil }
    let kind = address.extracting(2...)
    if kind.matches("GGA") {
      self = .gga(try NMEAFix(&fields))
    } else if kind.matches("RMC") {
      self = .rmc(try NMEAMinimum(&fields))
    } else if kind.matches("VTG") {
      self = .vtg(try NMEAMotion(&fields))
    } else {
      return nil
    }
  }
}

// Each initializer reads the fields in the order of the sentence; what comes behind those it knows is
// ignored, for newer editions of the standard append fields.

extension NMEAFix {
  fileprivate init(_ fields: inout NMEAFields) throws(NMEAMalformed) {
    timeOfDayMilliseconds = try fields.timeOfDay()
    latitude = try fields.latitude()
    longitude = try fields.longitude()
    quality = try fields.count()
    satellites = try fields.count()
    hdop = try fields.number()
    altitudeMeters = try fields.number(unit: UInt8(ascii: "M"))
  }
}

extension NMEAMinimum {
  fileprivate init(_ fields: inout NMEAFields) throws(NMEAMalformed) {
    timeOfDayMilliseconds = try fields.timeOfDay()
    let status = try fields.letter()
    guard status == UInt8(ascii: "A") || status == UInt8(ascii: "V") else { throw NMEAMalformed() }
    isValid = status == UInt8(ascii: "A")
    latitude = try fields.latitude()
    longitude = try fields.longitude()
    speedKnots = try fields.number()
    courseDegrees = try fields.number()
    date = try fields.date()
  }
}

extension NMEAMotion {
  fileprivate init(_ fields: inout NMEAFields) throws(NMEAMalformed) {
    courseDegrees = try fields.number(unit: UInt8(ascii: "T"))
    // The magnetic course.
    _ = try fields.number(unit: UInt8(ascii: "M"))
    speedKnots = try fields.number(unit: UInt8(ascii: "N"))
    speedKilometersPerHour = try fields.number(unit: UInt8(ascii: "K"))
  }
}

extension Span where Element == UInt8 {
  /// What the checksum `*hh` at the end covers, when it is right: all bytes before the `*`, combined by
  /// exclusive or.
  fileprivate var nmeaBody: Span<UInt8>? {
    @_lifetime(copy self)
    get {
      guard count >= 3, self[count - 3] == UInt8(ascii: "*") else { return nil }
      guard let high = self[count - 2].hexValue, let low = self[count - 1].hexValue else { return nil }
      let body = extracting(..<(count - 3))
      var sum: UInt8 = 0
      for index in 0..<body.count { sum ^= body[index] }
      return sum == high << 4 | low ? body : nil
    }
  }
}
