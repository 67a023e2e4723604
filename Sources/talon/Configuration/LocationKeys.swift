import Board
import Codec
import Location
import Runtime

extension ConfigurationKey {
  /// Keys of `[location]`.
  static let location: [ConfigurationKey] = [
    ConfigurationKey(section: "location", name: "driver") { configuration, value in
      choice(
        value, [("serial", .serial), ("gpsd", .gpsd), ("simulated", .simulated), ("none", .none)],
        &configuration.locationDriver)
    },
    ConfigurationKey(section: "location", name: "enabled", isFileOnly: true) { bool($1, &$0.location.isEnabled) },
    ConfigurationKey(section: "location", name: "port", isFileOnly: true) { path($1, &$0.port) },
    ConfigurationKey(section: "location", name: "baud") { configuration, value in
      choice(
        value,
        [
          ("auto", 0), ("1200", 1200), ("2400", 2400), ("4800", 4800), ("9600", 9600), ("19200", 19200),
          ("38400", 38400), ("57600", 57600), ("115200", 115_200), ("230400", 230_400),
          ("460800", 460_800), ("921600", 921_600),
        ], &configuration.location.receiver.speed)
    },
    ConfigurationKey(section: "location", name: "configure") { configuration, value in
      choice(
        value, [("never", .never), ("needed", .whenNeeded), ("always", .always)],
        &configuration.location.receiver.configuring)
    },
    ConfigurationKey(section: "location", name: "set_up") { configuration, value in
      choice(
        value,
        [
          ("auto", .automatic), ("ublox", .ublox), ("casic", .vendor(.casic)), ("pmtk", .vendor(.mediatek)),
          ("pair", .vendor(.airoha)), ("pqtm", .vendor(.quectel)),
        ], &configuration.location.receiver.setUp)
    },
    ConfigurationKey(section: "location", name: "rate") { number($1, 1...10, &$0.location.receiver.rate) },
    ConfigurationKey(section: "location", name: "constellations") { configuration, value in
      constellations(value, &configuration.location.receiver.systems)
    },
    ConfigurationKey(section: "location", name: "save") { bool($1, &$0.location.receiver.saves) },
    ConfigurationKey(section: "location", name: "gpsd", isFileOnly: true) { configuration, value in
      guard (try? GPSDAddress(value)) != nil else {
        return "must be localhost, a numeric address, either with or without :port, or the path of a socket"
      }
      return text(value, limit: 100, &configuration.gpsd)
    },
    ConfigurationKey(section: "location", name: "precision", isFileOnly: true) { configuration, value in
      var meters: UInt32 = 0
      if value != "exact", let complaint = number(value, 10...100_000, &meters) {
        return "must be exact, or \(complaint.dropFirst(8)) metres"
      }
      configuration.location.precision = LocationPrecision(cell: Double(meters))
      return nil
    },
    ConfigurationKey(section: "location", name: "significant_move") { configuration, value in
      var meters: UInt32 = 0
      let complaint = number(value, 0...1_000_000, &meters)
      configuration.location.significantMove = Double(meters)
      return complaint
    },
    ConfigurationKey(section: "location", name: "track", isFileOnly: true) { track($1, &$0.location.track) },
    ConfigurationKey(section: "location", name: "set_clock") { bool($1, &$0.location.setsClock) },
    ConfigurationKey(section: "location", name: "replay", isFileOnly: true) { path($1, &$0.replay) },
    ConfigurationKey(section: "location", name: "speed") { number($1, 1...1000, &$0.speed) },
  ]

  /// `off`, hours as `24h`, or days as `7d`.
  private static func track(_ value: String, _ target: inout Int64?) -> String? {
    if value == "off" {
      target = nil
      return nil
    }
    let bounds = Budget.trackHours
    var hours: Int64 = 0
    let unit: Int64? = value.hasSuffix("h") ? 1 : value.hasSuffix("d") ? 24 : nil
    guard let unit, number(String(value.dropLast()), bounds.lowerBound...bounds.upperBound / unit, &hours) == nil else {
      return "must be off, or hours or days from 1h to 30d, like: 24h"
    }
    target = hours * unit * 3_600_000
    return nil
  }

  private static func constellations(_ value: String, _ target: inout UBXSystems) -> String? {
    let known: [(String, Constellation)] = [
      ("gps", .gps), ("galileo", .galileo), ("glonass", .glonass), ("beidou", .beidou), ("qzss", .qzss),
      ("sbas", .sbas),
    ]
    var chosen = UBXSystems()
    var isEnough = false
    for word in value.split(whereSeparator: { $0 == "," || $0 == " " }) {
      var one = Constellation.gps
      if let complaint = choice(String(word), known, &one) { return complaint }
      chosen.insert(one)
      // QZSS and SBAS only supplement others.
      if one != .qzss, one != .sbas { isEnough = true }
    }
    guard isEnough else { return "must name gps, galileo, glonass or beidou" }
    target = chosen
    return nil
  }
}
