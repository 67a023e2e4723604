import Codec

/// The parameters of `where_was`: an instant, a window, or nothing for all that is known.
public struct TrackRequest: Equatable, Sendable {
  /// The first and the last instant that are asked about, in milliseconds since the Unix epoch.
  public var from = Int64.min
  public var until = Int64.max

  /// All that is known.
  public init() {}

  /// Reads the parameters. A key that is absent or null takes its default; unknown keys are ignored.
  public init(_ parameters: JSONView) throws(TrackError) {
    if parameters.isNull { return }
    guard parameters.kind == .object else { throw .notAnObject }
    let (from, until) = (try Self.moment(parameters, "from"), try Self.moment(parameters, "to"))
    if let at = try Self.moment(parameters, "at") {
      guard from == nil, until == nil else { throw .invalid(key: "at", wanted: "without from and to") }
      (self.from, self.until) = (at, at)
      return
    }
    if let from { self.from = from }
    if let until { self.until = until }
    guard self.from <= self.until else { throw .invalid(key: "to", wanted: "no earlier than from") }
  }

  private static func moment(_ parameters: JSONView, _ key: StaticString) throws(TrackError) -> Int64? {
    guard let value = parameters.member(key), !value.isNull else { return nil }
    guard let moment = value.unixMilliseconds else {
      throw .invalid(key: key, wanted: "an ISO 8601 date and time with its zone")
    }
    return moment
  }
}
