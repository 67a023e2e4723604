/// Which dates of the wall clock are believed: not one before Talon was made, which a board without a battery clock
/// shows until something sets it, and not one in a far future. Where the date decides anything, this decides first.
public enum BelievableDate {
  /// True when `wall`, in milliseconds since 1970, may be now.
  public static func contains(_ wall: Int64) -> Bool { (Budget.earliestWall..<Budget.latestWall).contains(wall) }

  /// True when a receiver of satellites may be right that it is now `instant`: less than 1024 weeks after Talon was
  /// made, for then a week number of 10 bits (IS-GPS-200) is ambiguous. One that is a rollover behind or ahead is not.
  public static func contains(received instant: Int64) -> Bool {
    (Budget.earliestWall..<Budget.earliestWall + 1024 * 7 * 86_400_000).contains(instant)
  }

  /// `wall` itself; nil where it cannot be now, because the board does not know the date.
  public static func of(_ wall: Int64) -> Int64? { contains(wall) ? wall : nil }
}
