import Codec

/// Main memory (`/proc/meminfo`, proc(5)).
public struct MemoryReading: Equatable, Sendable {
  /// `MemTotal` in bytes.
  public var totalBytes: UInt64
  /// `MemAvailable` in bytes: what programs can allocate without swapping.
  public var availableBytes: UInt64

  /// A reading; what is available never exceeds the total.
  public init(totalBytes: UInt64, availableBytes: UInt64) {
    self.totalBytes = totalBytes
    self.availableBytes = min(availableBytes, totalBytes)
  }

  /// From the text of `/proc/meminfo`; nil when either line is missing or malformed, or the total is 0.
  public init?(meminfo text: Span<UInt8>) {
    guard let total = Self.kibibytes("MemTotal:", in: text), total > 0,
      let available = Self.kibibytes("MemAvailable:", in: text)
    else { return nil }
    self.init(totalBytes: total * 1024, availableBytes: available * 1024)
  }

  /// Below this many bytes available, memory is low: 5 % of the total, where pressure is critical.
  public var thresholdBytes: UInt64 { totalBytes / 20 }

  /// True at or below the threshold.
  public var isLow: Bool { availableBytes <= thresholdBytes }

  /// Memory pressure (node-commands 4.5), from the available fraction.
  public var pressure: StaticString {
    if isLow { return "critical" }
    let part = Double(availableBytes) / Double(totalBytes)
    return part <= 0.15 ? "high" : part <= 0.30 ? "moderate" : "normal"
  }

  /// The number of a line `Name:   123 kB`, below 2^53.
  private static func kibibytes(_ name: StaticString, in text: Span<UInt8>) -> UInt64? {
    var lines = TextFields(text, separatedBy: .lineFeed)
    while let line = lines.next() {
      guard line.hasPrefix(name) else { continue }
      var fields = TextFields(line, separatedBy: .blank)
      _ = fields.next()
      guard let number = fields.next()?.unsigned, let unit = fields.next(), unit.matches("kB"),
        number < 1 << 53
      else { return nil }
      return number
    }
    return nil
  }
}

/// Pressure stall information (kernel document psi): the part of the last ten seconds in which programs waited for
/// memory, in percent.
public struct StallReading: Equatable, Sendable {
  /// At least one program waited.
  public var some: Double
  /// All programs waited.
  public var full: Double

  /// A reading; see the properties.
  public init(some: Double, full: Double) {
    self.some = some
    self.full = full
  }

  /// From the text of `/proc/pressure/memory`; nil when a line is missing or malformed.
  public init?(pressure text: Span<UInt8>) {
    guard let some = Self.average("some", in: text), let full = Self.average("full", in: text) else { return nil }
    self.init(some: some, full: full)
  }

  /// `avg10` of a line `some avg10=1.23 avg60=... avg300=... total=...`.
  private static func average(_ name: StaticString, in text: Span<UInt8>) -> Double? {
    var lines = TextFields(text, separatedBy: .lineFeed)
    while let line = lines.next() {
      var fields = TextFields(line, separatedBy: .blank)
      guard let first = fields.next(), first.matches(name) else { continue }
      guard let number = fields.next()?.dropping("avg10="), let percent = SystemTexts.decimal(number), percent <= 100
      else { return nil }
      return percent
    }
    return nil
  }
}
