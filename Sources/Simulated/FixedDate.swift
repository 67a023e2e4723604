import Location
import Runtime

/// A date that only a test sets.
public final class FixedDate: DateSetter {
  public var isKept = false
  public private(set) var isSet = false
  /// What was set last: milliseconds since the Unix epoch.
  public private(set) var wall: Int64?
  /// The reason for which setting it fails.
  public var failure: Errno?

  public init() {}

  public func set(_ wall: Int64) throws(Errno) {
    if let failure { throw failure }
    self.wall = wall
    isSet = true
  }
}
