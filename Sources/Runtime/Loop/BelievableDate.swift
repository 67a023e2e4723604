/// Which dates of the wall clock are believed: not one before Talon was made, which a board without a battery clock
/// shows until something sets it, and not one in a far future. Where the date decides anything, this decides first.
public enum BelievableDate {
  /// True when `wall`, in milliseconds since 1970, may be now.
  public static func contains(_ wall: Int64) -> Bool { (Budget.earliestWall..<Budget.latestWall).contains(wall) }

  /// `wall` itself; nil where it cannot be now, because the board does not know the date.
  public static func of(_ wall: Int64) -> Int64? { contains(wall) ? wall : nil }
}
