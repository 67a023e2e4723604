extension NMEASentence {
  /// Reads a sentence whose checksum is good, or that may go without one.
  /// - Parameter body: the text between the `$` and the `*`: talker, type, fields.
  /// - Returns: the sentence, or why there is none.
  static func read(_ body: Span<UInt8>) -> (NMEASentence?, GNSSCounters.Outcome) {
    var fields = NMEAFields(body)
    guard let address = try? fields.field() else { return (nil, .malformed) }
    // $P and a manufacturer's letters: proprietary, but for PQ, Quectel's talker for BeiDou. Talker, listener, Q: a
    // query.
    let isQuectel = address.count == 5 && address.hasPrefix("PQ")
    if address.count > 0, address[0] == UInt8(ascii: "P"), !isQuectel { return (nil, .ignored) }
    guard address.count == 5 else { return (nil, .unknown) }
    if address[4] == UInt8(ascii: "Q") { return (nil, .ignored) }
    do throws(NMEAMalformed) {
      let sentence = try NMEASentence(address, &fields)
      return (sentence, sentence == nil ? .unknown : .good)
    } catch {
      return (nil, .malformed)
    }
  }

  /// True for a text that begins with talker, type and a comma: five capitals or digits.
  static func hasAddress(_ body: Span<UInt8>) -> Bool {
    guard body.count > 5, body[5] == UInt8(ascii: ",") else { return false }
    for index in 0..<5 where !body[index].isDigit {
      guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(body[index]) else { return false }
    }
    return true
  }

  /// Reads the fields after the address; nil when the kind is not read.
  private init?(_ address: Span<UInt8>, _ fields: inout NMEAFields) throws(NMEAMalformed) {
    let kind = address.extracting(2...)
    let talker = NMEATalker(address[0], address[1])
    if kind.matches("GSV") {
      self = .gsv(try NMEASatellitesInView(&fields, talker: address[0], address[1]))
    } else if kind.matches("GSA") {
      self = .gsa(try NMEAActiveSatellites(&fields, talker: talker, of: Constellation(talker: address[0], address[1])))
    } else if kind.matches("RMC") {
      self = .rmc(try NMEAMinimum(&fields, talker))
    } else if kind.matches("GGA") {
      self = .gga(try NMEAFix(&fields, talker))
    } else if kind.matches("VTG") {
      self = .vtg(try NMEAMotion(&fields, talker))
    } else if kind.matches("GLL") {
      self = .gll(try NMEAPlace(&fields, talker))
    } else if kind.matches("GNS") {
      self = .gns(try NMEACombinedFix(&fields, talker))
    } else if kind.matches("GST") {
      self = .gst(try NMEAErrors(&fields, talker))
    } else if kind.matches("ZDA") {
      self = .zda(try NMEATime(&fields))
    } else if kind.matches("GBS") {
      self = .gbs(try NMEAFault(&fields))
    } else {
      return nil
    }
  }
}

// Each initializer reads the fields in the order of the sentence; what comes after those it knows is
// ignored, for newer editions of the standard append fields.

extension NMEAFix {
  fileprivate init(_ fields: inout NMEAFields, _ talker: NMEATalker) throws(NMEAMalformed) {
    self.talker = talker
    timeOfDayMilliseconds = try fields.timeOfDay()
    place = try fields.place()
    quality = try fields.count()
    satellites = try fields.count()
    hdop = try fields.number()
    altitudeMeters = try fields.number(unit: UInt8(ascii: "M"))
  }
}

extension NMEAMinimum {
  fileprivate init(_ fields: inout NMEAFields, _ talker: NMEATalker) throws(NMEAMalformed) {
    self.talker = talker
    timeOfDayMilliseconds = try fields.timeOfDay()
    isValid = try fields.status()
    place = try fields.place()
    speedKnots = try fields.number()
    courseDegrees = try fields.number()
    date = try fields.date()
    // The magnetic variation and its side.
    for _ in 0..<2 where fields.hasMore { _ = try fields.field() }
    mode = try fields.mode()
    isUnsafe = try fields.isUnsafe()
  }
}

extension NMEACombinedFix {
  fileprivate init(_ fields: inout NMEAFields, _ talker: NMEATalker) throws(NMEAMalformed) {
    self.talker = talker
    timeOfDayMilliseconds = try fields.timeOfDay()
    place = try fields.place()
    mode = NMEAMode(best: try fields.field())
    satellites = try fields.count()
    hdop = try fields.number()
    altitudeMeters = try fields.number()
    // The height of the geoid, the age of the corrections and where they are from.
    for _ in 0..<3 where fields.hasMore { _ = try fields.field() }
    isUnsafe = try fields.isUnsafe()
  }
}

extension NMEAPlace {
  fileprivate init(_ fields: inout NMEAFields, _ talker: NMEATalker) throws(NMEAMalformed) {
    self.talker = talker
    place = try fields.place()
    timeOfDayMilliseconds = try fields.timeOfDay()
    isValid = try fields.status()
    mode = try fields.mode()
  }
}

extension NMEAMotion {
  fileprivate init(_ fields: inout NMEAFields, _ talker: NMEATalker) throws(NMEAMalformed) {
    self.talker = talker
    courseDegrees = try fields.number(unit: UInt8(ascii: "T"))
    // The magnetic course.
    _ = try fields.number(unit: UInt8(ascii: "M"))
    speedKnots = try fields.number(unit: UInt8(ascii: "N"))
    speedKilometersPerHour = try fields.number(unit: UInt8(ascii: "K"))
    mode = try fields.mode()
  }
}

extension NMEATime {
  fileprivate init(_ fields: inout NMEAFields) throws(NMEAMalformed) {
    timeOfDayMilliseconds = try fields.timeOfDay()
    let (day, month, year) = (try fields.count(), try fields.count(), try fields.count())
    guard let day, let month, let year else {
      date = nil
      return
    }
    guard day <= 31, month <= 12, let date = CivilDate(year: Int32(year), month: UInt8(month), day: UInt8(day))
    else { throw NMEAMalformed() }
    self.date = date
  }
}

extension NMEAErrors {
  fileprivate init(_ fields: inout NMEAFields, _ talker: NMEATalker) throws(NMEAMalformed) {
    self.talker = talker
    timeOfDayMilliseconds = try fields.timeOfDay()
    // The error of the ranges, and the ellipse: its two half axes and its direction.
    for _ in 0..<4 { _ = try fields.number() }
    latitudeMeters = try fields.number()
    longitudeMeters = try fields.number()
    altitudeMeters = try fields.number()
  }
}

extension NMEAFault {
  fileprivate init(_ fields: inout NMEAFields) throws(NMEAMalformed) {
    timeOfDayMilliseconds = try fields.timeOfDay()
    latitudeMeters = try fields.number()
    longitudeMeters = try fields.number()
    altitudeMeters = try fields.number()
    satellite = try fields.count()
  }
}

extension NMEAFields {
  /// Status A, or V: a warning.
  fileprivate mutating func status() throws(NMEAMalformed) -> Bool {
    let status = try letter()
    guard status == UInt8(ascii: "A") || status == UInt8(ascii: "V") else { throw NMEAMalformed() }
    return status == UInt8(ascii: "A")
  }

  /// Whether the navigational status, which NMEA 4.1 appended, is U.
  fileprivate mutating func isUnsafe() throws(NMEAMalformed) -> Bool {
    guard hasMore else { return false }
    return try letter() == UInt8(ascii: "U")
  }
}

extension NMEAMode {
  /// The best of the modes of several systems, a letter each; nil without a letter that is known.
  fileprivate init?(best letters: Span<UInt8>) {
    var best: NMEAMode?
    for index in 0..<letters.count {
      // A small letter as a capital.
      guard let mode = NMEAMode(rawValue: letters[index] & 0xDF) else { continue }
      if mode.rank > best?.rank ?? -1 { best = mode }
    }
    guard let best else { return nil }
    self = best
  }

  private var rank: Int {
    switch self {
    case .none: 0
    case .simulated: 1
    case .manual: 2
    case .estimated: 3
    case .autonomous: 4
    case .differential: 5
    case .precise: 6
    case .floatRTK: 7
    case .fixedRTK: 8
    }
  }
}
