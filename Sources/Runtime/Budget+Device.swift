/// What is bounded about what the board tells of itself.
extension Budget {
  /// The part of a /proc or /sys file that is read, in bytes; a routing table has 130 to 150 a line.
  public static let readingBytes = 16 * 1024
  /// Objects looked at in a folder of /sys/class; boards have a handful of power supplies and thermal zones, and a
  /// cooling device for each core among the zones.
  public static let readingsPerClass = 64
  /// Entries of /dev looked at; a Raspberry Pi has about 200, most of them consoles and memory disks.
  public static let deviceFiles = 1024
  /// Batteries, thermal zones and network interfaces that are told, each: a board has one or two. About 100 bytes each.
  public static let reportedPacks = 4, reportedZones = 8, reportedLinks = 8
  /// Datagrams taken as the answer to one question about the network: an interface has about ten addresses of 80 bytes, and
  /// a datagram up to `netlinkBytes`.
  public static let netlinkAnswers = 16
  /// Milliseconds that one datagram of them is waited for. The kernel answers while it is asked, but for a wireless chip
  /// that has to be asked in turn.
  public static let netlinkWait: Int32 = 200
  /// A time before which this program cannot run, in milliseconds since 1970: 1 January 2026.
  public static let earliestWall: Int64 = 1_767_225_600_000
  /// Title of a notification in bytes. A longer one is refused.
  public static let notificationTitleBytes = 1024
  /// Body of a notification in bytes. A longer one is refused.
  public static let notificationBodyBytes = 4 * 1024
  /// Bytes of the notification that stands on the console until somebody has seen it: two lines of a terminal.
  public static let noticeBytes = 160
}
