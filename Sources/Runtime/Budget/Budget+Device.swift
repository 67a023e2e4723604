/// Limits of what the board reports about itself.
extension Budget {
  /// The part of a /proc or /sys file that is read, in bytes; a routing table has 130 to 150 a line.
  public static let readingBytes = 16 * 1024
  /// Entries read of a folder of /sys/class; boards have a handful of power supplies and thermal zones, and a cooling
  /// device for each core.
  public static let readingsPerClass = 64
  /// Entries read of /dev; a Raspberry Pi has about 200, most of them consoles and RAM disks.
  public static let deviceFiles = 1024
  /// Batteries, thermal zones and network interfaces that are reported: a board has one or two of each. About 100 bytes
  /// each.
  public static let reportedPacks = 4, reportedZones = 8, reportedLinks = 8
  /// Datagrams of one netlink response: an interface has about ten addresses of 80 bytes, and a datagram up to
  /// `netlinkBytes`.
  public static let netlinkAnswers = 16
  /// Timeout in milliseconds for one of these datagrams. The kernel answers at once, except when it has to query a
  /// wireless chip.
  public static let netlinkWait: Int32 = 200
  /// The earliest plausible date, in milliseconds since 1970: 1 January 2026. A clock that shows less was never set.
  public static let earliestWall: Int64 = 1_767_225_600_000
  /// From here on a date is not believed: 40 years later, longer than any board serves, and before what a receiver of
  /// satellites says that is several rollovers of its week ahead, or a clock chip whose battery is empty.
  public static let latestWall: Int64 = earliestWall + 14_610 * 86_400_000
  /// Title of a notification in bytes. A longer one is refused.
  public static let notificationTitleBytes = 1024
  /// Body of a notification in bytes. A longer one is refused.
  public static let notificationBodyBytes = 4 * 1024
  /// Bytes of the notification that the console shows until somebody has seen it: two lines of a terminal.
  public static let noticeBytes = 160
}
