/// Limits of the record of where the board was (`[location] track`).
extension Budget {
  /// Hours for which a track may go back: less than an hour is no track, and after a month the points of a board that
  /// moves are so far apart that they tell little.
  public static let trackHours: ClosedRange<Int64> = 1...720
  /// Points in one page of the track, and pages. A page is a record of 3 KB, below one block of flash file systems, and
  /// is written when it changes. 2,048 points of 24 bytes are 48 KB of memory: the turns of a day's drive, or months of
  /// a board that stands.
  public static let trackPagePoints = 128
  public static let trackPages = 16
  /// Bytes of the record of a full page: its numbers and points of 24 bytes.
  public static let trackRecordBytes = 12 + trackPagePoints * 24
  /// Milliseconds between two writes, however much changes: as often as the last fix of a board that stands. Two pages
  /// of 3 KB are below 1 MB a day with the file system's overhead. A power cut loses what was not written.
  public static let trackWriteMilliseconds: Int64 = 900_000
  /// Meters that a board must be away from its last point to make another one: GPS of a standing board wanders by 10 to
  /// 20 m between houses, and a house is as wide.
  public static let trackMeters = 25.0
  /// Milliseconds without a fix that the track calls a gap. A receiver under a bridge or in a car park finds itself
  /// again within a few minutes.
  public static let trackGapMilliseconds: Int64 = 600_000
  /// Milliseconds for which a time that leaps must agree with the monotonic clock before the track believes it: the
  /// first times after a cold start are wrong for some seconds.
  public static let trackProofMilliseconds: Int64 = 60_000
  /// Milliseconds between two looks for points that have left the window, while nobody asks: a minute more or less does
  /// not matter to somebody who wants a day.
  public static let trackEndMilliseconds: Int64 = 60_000
  /// Milliseconds at one place that `where_was` calls a stay: longer than a traffic light or a level crossing takes.
  public static let trackStayMilliseconds: Int64 = 300_000
  /// Stays, legs and gaps in one answer of `where_was`, of at most 260 bytes each: a day of most boards, in 2,000
  /// tokens.
  public static let trackSegments = 24
  /// Invokes of `where_was` at once: it answers within its own call.
  public static let trackInvokes = 1
  /// Points in one answer of the local socket, of at most 200 bytes each.
  public static let trackLines = 128
}
