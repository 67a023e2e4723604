import Codec

/// Why `where_was` has no answer.
public enum TrackError: WireError {
  /// A parameter of the wrong JSON type or value: its key, and what it must be.
  case invalid(key: StaticString, wanted: StaticString)
  /// The parameters are not a JSON object.
  case notAnObject
  /// There is no point, or none any more.
  case empty
  /// The track begins later: then, in milliseconds since the Unix epoch.
  case before(Int64)
  /// Its last point is older: of then, in milliseconds since the Unix epoch.
  case after(Int64)

  /// Writes the wanted value, or the instant.
  public func writeDetail(to writer: inout ByteWriter) {
    switch self {
    case .invalid(_, let wanted):
      writer.text(" must be ")
      writer.text(wanted)
    case .before(let time), .after(let time): writer.bytes(ISO8601(unixMilliseconds: time).text)
    case .notAnObject, .empty: break
    }
  }

  /// The code and its text.
  public var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .invalid(let key, _): ("INVALID_REQUEST", key)
    case .notAnObject: ("INVALID_REQUEST", "parameters must be an object")
    case .empty: ("LOCATION_UNAVAILABLE", "no position is known: there was no fix in the time that the track keeps")
    case .before: ("LOCATION_UNAVAILABLE", "no position is known before ")
    case .after: ("LOCATION_UNAVAILABLE", "no position is known after ")
    }
  }
}
