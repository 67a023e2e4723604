import Location
import Runtime

/// A simulated clock whose date only a test sets.
public final class FixedDate: DateSetter {
  public var isKept = false
  public private(set) var isSet = false
  /// The last date that was set: milliseconds since the Unix epoch.
  public private(set) var wall: Int64?
  /// Why setting it fails; nil: it works.
  public var failure: Errno?

  @export(interface)
  public init() {}

  public func set(_ wall: Int64) throws(Errno) {
    if let failure { throw failure }
    self.wall = wall
    isSet = true
  }
}
