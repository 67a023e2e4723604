import Codec

/// The parameters of `motion.activity` and `motion.pedometer` (node-commands 4.8).
public struct MotionWindow: Equatable, Sendable {
  /// Default number of activities, and the range to which it is clamped.
  static let limitDefault: Int64 = 200
  static let limits: ClosedRange<Int64> = 1...1000

  /// Start and end, in milliseconds since the Unix epoch.
  public var start: Int64
  public var end: Int64
  /// Largest number of activities.
  public var limit: Int

  /// Reads the parameters. A key that is absent or null takes its default: from midnight to now. A board does not know
  /// its owner's time zone, so it is midnight UTC. Unknown keys are ignored.
  /// - Parameter now: milliseconds since the Unix epoch
  public init(_ parameters: JSONView, now: Int64) throws(MotionError) {
    (start, end, limit) = (now - now % 86_400_000, now, Int(Self.limitDefault))
    if parameters.isNull { return }
    guard parameters.kind == .object else { throw .notAnObject }
    let asked = try Self.moment(parameters, "startISO")
    if let last = try Self.moment(parameters, "endISO") {
      end = last
      // The midnight before the end, where only the end is given.
      start = last - CivilDate.millisecondsOfDay(last)
    }
    if let asked { start = asked }
    guard start <= end else { throw .invalid(key: "endISO", wanted: "no earlier than startISO") }
    if let value = parameters.member("limit"), !value.isNull {
      guard let asked = value.int64 else { throw .invalid(key: "limit", wanted: "an integer") }
      limit = Int(min(max(asked, Self.limits.lowerBound), Self.limits.upperBound))
    }
  }

  private static func moment(_ parameters: JSONView, _ key: StaticString) throws(MotionError) -> Int64? {
    guard let value = parameters.member(key), !value.isNull else { return nil }
    guard let moment = value.unixMilliseconds else {
      throw .invalid(key: key, wanted: "an ISO 8601 date and time with its zone")
    }
    return moment
  }
}

extension CivilDate {
  /// Milliseconds since midnight UTC of an instant, also before 1970.
  fileprivate static func millisecondsOfDay(_ moment: Int64) -> Int64 {
    let rest = moment % 86_400_000
    return rest < 0 ? rest + 86_400_000 : rest
  }
}
