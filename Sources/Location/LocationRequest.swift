import Codec

/// The parameters of `location.get` (node-commands 4.4).
public struct LocationRequest: Equatable, Sendable {
  /// Default timeout in milliseconds.
  public static let timeoutDefault: Int64 = 10_000
  /// Range to which a caller's timeout is clamped, in milliseconds.
  public static let timeoutBounds: ClosedRange<Int64> = 1_000...60_000

  /// Milliseconds to wait for a fix.
  public var timeout = timeoutDefault
  /// Largest age of a stored fix in milliseconds; nil: only a fix that arrives after the request is accepted.
  public var maxAge: Int64?
  /// Largest accepted error in meters: 1000 for `coarse` and 100 for `balanced` (node-commands 4.4), 20 for `precise`,
  /// which a receiver under open sky meets (GPS Standard Positioning Service, 2020: 8 m for 95 % of fixes) but not one
  /// that has just started, or is between houses. Infinite by default.
  public var accuracy = Double.infinity

  /// A request without parameters.
  public init() {}

  /// Reads the parameters. A key that is absent or null takes its default; unknown keys are ignored.
  public init(_ parameters: JSONView) throws(LocationError) {
    if parameters.isNull { return }
    guard parameters.kind == .object else { throw .notAnObject }
    if let value = parameters.member("timeoutMs"), !value.isNull { timeout = try Self.timeout(value) }
    if let value = parameters.member("maxAgeMs"), !value.isNull { maxAge = try Self.maxAge(value) }
    if let value = parameters.member("desiredAccuracy"), !value.isNull { accuracy = try Self.accuracy(value) }
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

  private static func accuracy(_ value: JSONView) throws(LocationError) -> Double {
    if value.equals("coarse") { return 1000 }
    if value.equals("balanced") { return 100 }
    if value.equals("precise") { return 20 }
    throw .invalid(key: "desiredAccuracy", wanted: "coarse, balanced or precise")
  }
}
