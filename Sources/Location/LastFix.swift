import Codec
import Runtime

/// The last fix, kept over restarts, with the data from which its age is computed afterwards.
///
/// Two clocks are used: the monotonic one as long as the kernel has not been restarted, and the wall clock once it has
/// been set. A board without a battery clock continues from where it stopped, so a fix of last week would seem to be a
/// minute old.
public struct LastFix: Sendable {
  /// The name of one run of the kernel: a UUID (`/proc/sys/kernel/random/boot_id`, random(4)).
  public typealias Boot = InlineText<36>

  /// Its position, error and instant. Speed and heading are not kept.
  public var fix: Fix
  /// The kernel's run to which `fix.arrival` belongs.
  public var boot: Boot

  /// A fix of this run.
  public init(fix: Fix, boot: Boot) {
    self.fix = fix
    self.boot = boot
  }

  /// The fix with an arrival on the current monotonic clock; nil when its age is unknown.
  /// - Parameters:
  ///   - boot: this run of the kernel.
  ///   - wall: milliseconds since the Unix epoch, when something has set the clock.
  ///   - now: milliseconds of the monotonic clock.
  public func aged(boot: Boot, wall: Int64?, now: Int64) -> Fix? {
    if !boot.isEmpty, boot.equals(self.boot.span) { return fix.arrival <= now ? fix : nil }
    guard let wall, wall >= fix.instant else { return nil }
    var aged = fix
    aged.arrival = now - (wall - fix.instant)
    return aged
  }
}

/// The record as JSON, and back.
extension LastFix {
  /// Writes the record, and returns the length that it needs.
  func encode(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var writer = JSONWriter(into: buffer)
    writer.beginObject()
    writer.key("lat")
    writer.double(fix.latitude)
    writer.key("lon")
    writer.double(fix.longitude)
    writer.key("accuracy")
    writer.double(fix.accuracy)
    if let altitude = fix.altitude {
      writer.key("altitude")
      writer.double(altitude)
    }
    writer.key("isMeasured")
    writer.bool(fix.isMeasured)
    writer.key("instant")
    writer.int(fix.instant)
    writer.key("arrival")
    writer.int(fix.arrival)
    writer.key("boot")
    writer.string(boot.span)
    writer.endObject()
    return writer.count
  }

  /// Reads a record; nil when it is not valid.
  init?(_ text: Span<UInt8>) {
    guard (try? JSONValidator.check(text, depthLimit: 2)) != nil else { return nil }
    let root = JSONView(text)
    guard
      let latitude = Self.number("lat", root), abs(latitude) <= 90,
      let longitude = Self.number("lon", root), abs(longitude) <= 180,
      let accuracy = Self.number("accuracy", root), accuracy >= 0,
      let instant = root.member("instant")?.int64, instant >= FixDate.lastRollover,
      let arrival = root.member("arrival")?.int64, arrival.magnitude < 1 << 52,
      let isMeasured = root.member("isMeasured")?.bool
    else { return nil }
    fix = Fix(
      latitude: latitude, longitude: longitude, accuracy: accuracy, altitude: Self.number("altitude", root),
      instant: instant, arrival: arrival, isMeasured: isMeasured)
    boot = Boot()
    if let name = root.member("boot") { boot.fill { name.copyString(into: $0) } }
  }

  private static func number(_ key: StaticString, _ root: borrowing JSONView) -> Double? { root.member(key)?.double }
}
