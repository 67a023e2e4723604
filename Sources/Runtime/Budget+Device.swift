/// What is bounded about what the board tells of itself.
extension Budget {
  /// The part of a /proc or /sys file that is read, in bytes; a routing table has 130 to 150 a line.
  public static let readingBytes = 16 * 1024
  /// Objects looked at in a folder of /sys/class; boards have a handful of power supplies and thermal zones, and a
  /// cooling device for each core among the zones.
  public static let readingsPerClass = 64
  /// Title of a notification in bytes. A longer one is refused.
  public static let notificationTitleBytes = 1024
  /// Body of a notification in bytes. A longer one is refused.
  public static let notificationBodyBytes = 4 * 1024
}
