import Codec

/// What a `location.get` asks for (node-commands 4.4).
public struct LocationRequest: Equatable, Sendable {
  /// Time allowed for a fresh fix when the caller does not say, in milliseconds.
  public static let timeoutDefault: Int64 = 10_000
  /// What a caller's time is clamped to, in milliseconds.
  public static let timeoutBounds: ClosedRange<Int64> = 1_000...60_000

  /// Milliseconds to wait for a fix.
  public var timeout = timeoutDefault
  /// How old a stored fix may be in milliseconds; nil: only a fix that arrives after the request will do.
  public var maxAge: Int64?

  /// A request without parameters.
  public init() {}

  /// Reads the parameters. A key that is absent or null takes its default; unknown keys are ignored.
  ///
  /// `desiredAccuracy` is checked and changes nothing: a satellite receiver has one accuracy, and
  /// `accuracyMeters` tells it.
  public init(_ parameters: JSONView) throws(LocationError) {
    if parameters.isNull { return }
    guard parameters.kind == .object else { throw .notAnObject }
    if let value = parameters.member("timeoutMs"), !value.isNull { timeout = try Self.timeout(value) }
    if let value = parameters.member("maxAgeMs"), !value.isNull { maxAge = try Self.maxAge(value) }
    if let value = parameters.member("desiredAccuracy"), !value.isNull { try Self.checkAccuracy(value) }
  }

  private static func timeout(_ value: JSONView) throws(LocationError) -> Int64 {
    guard let asked = value.int64 else { throw .invalid(key: "timeoutMs", wanted: "an integer") }
    return min(max(asked, timeoutBounds.lowerBound), timeoutBounds.upperBound)
  }

  private static func maxAge(_ value: JSONView) throws(LocationError) -> Int64 {
    guard let asked = value.int64, asked >= 0 else {
      throw .invalid(key: "maxAgeMs", wanted: "an integer of 0 or more")
    }
    return asked
  }

  private static func checkAccuracy(_ value: JSONView) throws(LocationError) {
    if value.equals("coarse") || value.equals("balanced") || value.equals("precise") { return }
    throw .invalid(key: "desiredAccuracy", wanted: "coarse, balanced or precise")
  }
}
