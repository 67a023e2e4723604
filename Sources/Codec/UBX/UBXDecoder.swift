extension UBXMessage {
  /// Reads a frame whose checksum is good.
  /// - Parameter body: class, identity, length and payload.
  /// - Returns: the message, or why there is none.
  static func read(_ body: Span<UInt8>) -> (UBXMessage?, GNSSCounters.Outcome) {
    let payload = body.extracting(4...)
    let message: UBXMessage?
    switch (body[0], body[1]) {
    case (0x01, 0x07): message = UBXPosition(payload).map { .pvt($0) }
    case (0x01, 0x35): message = UBXSatellites(payload).map { .satellites($0) }
    case (0x01, 0x21): message = UBXTime(timeUTC: payload).map { .time($0) }
    case (0x01, 0x04): message = UBXDilution(payload).map { .dilution($0) }
    case (0x01, 0x03): message = UBXStatus(payload).map { .status($0) }
    case (0x05, 0x01): message = UBXMessageID(acknowledged: payload).map { .acknowledged($0) }
    case (0x05, 0x00): message = UBXMessageID(acknowledged: payload).map { .refused($0) }
    case (0x0A, 0x04): message = UBXVersion(payload).map { .version($0) }
    default: return (nil, .unknown)
    }
    return (message, message == nil ? .malformed : .good)
  }
}

extension UBXPosition {
  /// Generation 7 has 84 bytes, later ones 92.
  fileprivate init?(_ payload: Span<UInt8>) {
    guard payload.count >= 84 else { return nil }
    guard let kind = Kind(rawValue: payload[20]) else { return nil }
    guard let time = UBXTime(position: payload) else { return nil }
    let place = GNSSPlace(
      latitude: Double(payload.i32(at: 28)) / 1e7, longitude: Double(payload.i32(at: 24)) / 1e7)
    let hasPlace = payload.count < 92 || payload[78] & 1 == 0
    guard !hasPlace || ((-90...90).contains(place.latitude) && (-180...180).contains(place.longitude)) else {
      return nil
    }
    let course = Double(payload.i32(at: 64)) / 1e5
    guard (-360...360).contains(course) else { return nil }
    week = payload.u32(at: 0)
    self.time = time
    self.kind = kind
    isOK = payload[21] & 1 == 1
    self.place = hasPlace ? place : nil
    altitudeMeters = Double(payload.i32(at: 36)) / 1000
    horizontalMeters = Double(payload.u32(at: 40)) / 1000
    verticalMeters = Double(payload.u32(at: 44)) / 1000
    speed = Double(payload.i32(at: 60)) / 1000
    courseDegrees = course < 0 ? course + 360 : course == 360 ? 0 : course
    satellites = payload[23]
  }
}

extension UBXTime {
  /// The time in NAV-PVT: bits 0 to 2: date, time and leap seconds are known.
  fileprivate init?(position payload: Span<UInt8>) {
    let valid = payload[11]
    self.init(
      payload, at: 4, hasDate: valid & 1 != 0, hasTime: valid & 2 != 0, isFullyResolved: valid & 7 == 7,
      nanoseconds: payload.i32(at: 16))
  }

  /// NAV-TIMEUTC: bits 0 to 2: time of week, week and leap seconds are known.
  fileprivate init?(timeUTC payload: Span<UInt8>) {
    guard payload.count >= 20 else { return nil }
    let valid = payload[19]
    self.init(
      payload, at: 12, hasDate: valid & 3 == 3, hasTime: valid & 1 != 0, isFullyResolved: valid & 7 == 7,
      nanoseconds: payload.i32(at: 8))
  }

  /// Year, month, day, hour, minute and second from `start` on.
  private init?(
    _ payload: Span<UInt8>, at start: Int, hasDate: Bool, hasTime: Bool, isFullyResolved: Bool, nanoseconds: Int32
  ) {
    week = payload.u32(at: 0)
    self.isFullyResolved = isFullyResolved
    let date = CivilDate(
      year: Int32(payload.u16(at: start)), month: payload[start + 2], day: payload[start + 3])
    guard !hasDate || date != nil else { return nil }
    guard hasTime else {
      self.date = hasDate ? date : nil
      timeOfDayMilliseconds = nil
      return
    }
    let (hours, minutes, seconds) = (Int64(payload[start + 4]), Int64(payload[start + 5]), Int64(payload[start + 6]))
    guard hours < 24, minutes < 60, seconds < 60 || (hours == 23 && minutes == 59 && seconds == 60),
      nanoseconds.magnitude <= 1_000_000_000
    else { return nil }
    // The fraction is a difference: rounded, it may lead to the day before, or to the day after.
    let fraction = (Int64(nanoseconds) + 1_000_500_000) / 1_000_000 - 1000
    let time = ((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction
    let day: Int64 = 86_400_000
    let step: Int64 = time < 0 ? -1 : time >= day && seconds < 60 ? 1 : 0
    timeOfDayMilliseconds = UInt32(time - step * day)
    self.date = hasDate ? date.map { CivilDate(daysSinceEpoch: $0.daysSinceEpoch + step) } : nil
  }
}

extension UBXSatellites {
  fileprivate init?(_ payload: Span<UInt8>) {
    guard payload.count >= 8, payload.count == 8 + Int(payload[5]) * Self.entryLength else { return nil }
    week = payload.u32(at: 0)
    count = Int(payload[5])
  }

  /// The satellite of an entry. One of a system that is not known counts as GPS without a number.
  static func satellite(_ entry: Span<UInt8>) -> GNSSSatellite {
    let constellation = Constellation(rawValue: entry[0])
    return GNSSSatellite(
      SatelliteID(constellation ?? .gps, constellation == nil ? 0 : entry[1]),
      elevation: Int32(Int8(bitPattern: entry[3])), azimuth: Int32(Int16(bitPattern: entry.u16(at: 4))),
      strength: entry[2], isUsed: entry[8] & 8 != 0)
  }
}

extension UBXDilution {
  fileprivate init?(_ payload: Span<UInt8>) {
    guard payload.count >= 18 else { return nil }
    week = payload.u32(at: 0)
    pdop = Double(payload.u16(at: 6)) / 100
    vdop = Double(payload.u16(at: 10)) / 100
    hdop = Double(payload.u16(at: 12)) / 100
  }
}

extension UBXStatus {
  fileprivate init?(_ payload: Span<UInt8>) {
    guard payload.count >= 16, let kind = UBXPosition.Kind(rawValue: payload[4]) else { return nil }
    week = payload.u32(at: 0)
    self.kind = kind
    isOK = payload[5] & 1 == 1
  }
}

extension UBXMessageID {
  fileprivate init?(acknowledged payload: Span<UInt8>) {
    guard payload.count >= 2 else { return nil }
    self.init(payload[0], payload[1])
  }
}

extension UBXVersion {
  /// Two fields, and any number of further ones, 30 bytes each.
  fileprivate init?(_ payload: Span<UInt8>) {
    guard payload.count >= 40 else { return nil }
    software = UBXText(payload.extracting(0..<30))
    hardware = UBXText(payload.extracting(30..<40))
    var start = 40
    while start + 30 <= payload.count {
      let field = payload.extracting(start..<(start + 30))
      if field.extracting(..<4).matches("MOD=") { module = UBXText(field.extracting(4...)) }
      // `PROTVER 18.00` at first, `PROTVER=27.11` later.
      if field.extracting(..<7).matches("PROTVER") { protocolVersion = Self.hundredths(field.extracting(8...)) }
      start += 30
    }
  }

  /// A number with two decimals, times 100.
  private static func hundredths(_ text: Span<UInt8>) -> UInt16? {
    var value: UInt16 = 0
    var decimals = -1
    for index in 0..<text.count {
      if text[index] == UInt8(ascii: "."), decimals < 0 {
        decimals = 0
      } else if text[index].isDigit, value < 1000, decimals < 2 {
        value = value * 10 + UInt16(text[index] & 15)
        if decimals >= 0 { decimals += 1 }
      } else {
        break
      }
    }
    return decimals == 2 ? value : nil
  }
}
