import Codec
import Runtime

/// The report on receiver and line, for people and programs at the board.
extension LocationService {
  /// Writes one object. Ages are in milliseconds, counters count since the source was opened; `now` is the clock's, so
  /// that rates can be computed from two reports.
  public func writeReport(to writer: inout JSONWriter, now: Int64) {
    writer.beginObject()
    writer.key("now")
    writer.int(now)
    writeState(to: &writer)
    writeReceiver(to: &writer)
    writer.key("mode")
    writer.string(mode.word)
    if let fix = newest(now) {
      writer.key("fix")
      fix.write(to: &writer)
      writer.key("fixAge")
      writer.int(max(now - fix.arrival, 0))
      writer.key("accuracySource")
      writer.string(fix.accuracySource.word)
      if let hdop = fix.hdop {
        writer.key("hdop")
        writer.decimal(hdop, fractionDigits: 2)
      }
    }
    if let time {
      writer.key("time")
      writer.string(ISO8601(unixMilliseconds: time.instant + max(now - time.arrival, 0)).text)
    }
    writer.key("used")
    writer.int(Int64(satellitesInView.usedCount))
    writer.key("satellites")
    satellitesInView.write(to: &writer)
    writer.key("line")
    counters.write(to: &writer)
    writer.endObject()
  }

  private func writeState(to writer: inout JSONWriter) {
    writer.key("state")
    switch state {
    case _ where !isEnabled: writer.string("disabled")
    case .absent: writer.string("absent")
    case .open: writer.string("open")
    case .lost(let reason):
      let trouble = DeviceTrouble(reason, of: interface)
      writer.string("lost")
      writer.key("reason")
      writer.string(trouble.text)
      writer.key("step")
      writer.string(trouble.step)
    }
  }

  private func writeReceiver(to writer: inout JSONWriter) {
    writer.key("receiver")
    writer.beginObject()
    writer.key("phase")
    writer.string(receiver.phase.word)
    if receiver.speed > 0 {
      writer.key("baud")
      writer.uint(UInt64(receiver.speed))
    }
    if !receiver.model.isEmpty {
      writer.key("model")
      writer.string(receiver.model.span)
    }
    if receiver.refusals > 0 {
      writer.key("refusals")
      writer.int(Int64(receiver.refusals))
    }
    writer.endObject()
  }
}

extension SatellitesInView {
  /// An array of all satellites, in no order.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for index in 0..<count {
      let satellite = self[index]
      writer.beginObject()
      writer.key("system")
      writer.string(satellite.id.constellation.word)
      writer.key("number")
      writer.uint(UInt64(satellite.id.number))
      Self.write("elevation", satellite.elevation.map { Int64($0) }, to: &writer)
      Self.write("azimuth", satellite.azimuth.map { Int64($0) }, to: &writer)
      Self.write("strength", satellite.strength.map { Int64($0) }, to: &writer)
      writer.key("isUsed")
      writer.bool(satellite.isUsed ?? false)
      writer.endObject()
    }
    writer.endArray()
  }

  private static func write(_ key: StaticString, _ value: Int64?, to writer: inout JSONWriter) {
    guard let value else { return }
    writer.key(key)
    writer.int(value)
  }
}

extension GNSSCounters {
  /// The bytes, and the frames of each received protocol by outcome.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("bytes")
    writer.uint(bytes)
    nmea.write("nmea", to: &writer)
    ubx.write("ubx", to: &writer)
    rtcm.write("rtcm", to: &writer)
    gpsd.write("gpsd", to: &writer)
    writer.endObject()
  }
}

extension GNSSCounters.Frames {
  fileprivate func write(_ key: StaticString, to writer: inout JSONWriter) {
    if self == GNSSCounters.Frames() { return }
    writer.key(key)
    writer.beginObject()
    writer.key("good")
    writer.uint(good)
    writer.key("badChecksum")
    writer.uint(badChecksum)
    writer.key("damaged")
    writer.uint(overlong + broken)
    writer.key("malformed")
    writer.uint(malformed)
    writer.key("unread")
    writer.uint(unknown + ignored)
    if unchecked > 0 {
      writer.key("unchecked")
      writer.uint(unchecked)
    }
    writer.endObject()
  }
}

// The words of the report.

extension Fix.Mode {
  fileprivate var word: StaticString {
    switch self {
    case .none: "none"
    case .twoDimensions: "2D"
    case .threeDimensions: "3D"
    case .combined: "3D and dead reckoning"
    case .deadReckoning: "dead reckoning"
    case .manual: "told by hand"
    case .simulated: "simulated"
    }
  }
}

extension Fix.AccuracySource {
  fileprivate var word: StaticString {
    switch self {
    case .assumed: "assumed"
    case .geometry: "geometry"
    case .receiver: "receiver"
    }
  }
}

extension Receiver.Phase {
  fileprivate var word: StaticString {
    switch self {
    case .idle: "idle"
    case .searching: "searching"
    case .asking: "asking"
    case .configuring: "configuring"
    case .running: "running"
    }
  }
}

extension Constellation {
  fileprivate var word: StaticString {
    switch self {
    case .gps: "GPS"
    case .sbas: "SBAS"
    case .galileo: "Galileo"
    case .beidou: "BeiDou"
    case .imes: "IMES"
    case .qzss: "QZSS"
    case .glonass: "GLONASS"
    case .navic: "NavIC"
    }
  }
}
