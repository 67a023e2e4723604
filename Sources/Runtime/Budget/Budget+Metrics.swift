extension Budget {

  // MARK: Metrics

  /// Series that a board sends at most: the catalogue's, and room for some more. 8 bytes each in each interval.
  public static let metricSeries = 96
  /// Labels of a board: those of its owner, and `board`, `instance`, `job`, `place` and `tags`.
  public static let metricOwnersLabels = 10
  public static let metricLabels = metricOwnersLabels + 5
  /// Bytes of a label's name and of its value: each of about 70 series carries all of them.
  public static let metricLabelNameBytes = 32
  public static let metricLabelValueBytes = 64
  /// Seconds between two samples: below, boards do little else; above, servers take a series for ended (Prometheus'
  /// lookback of five minutes).
  public static let metricInterval: ClosedRange<Int64> = 5...300
  /// Samples wait in segments of this many bytes, each a record on flash. An interval in which every value changes has
  /// about 900 bytes, a usual one 60 to 150: a day at one a minute fits.
  public static let metricSegmentBytes = 4 * 1024
  public static let metricSegments = 64
  /// Intervals in one request: about 1,400 samples, as Prometheus sends at most 2,000 itself.
  public static let metricBatch = 20
  /// A request in bytes: for each series labels of at most 15 * 100 bytes and 20 samples of 18 bytes, and what they
  /// have when labels are of usual length. Longer requests are sent with fewer intervals. Reserved, as are the 7/6 of
  /// it that it may have at most after compression.
  public static let metricRequestBytes = 192 * 1024
  /// Bytes of an answer that are read: an error's text, which nobody needs whole.
  public static let metricAnswerBytes = 4 * 1024
  /// Bytes of a token, of a user's name and of a password: within the 600 of `Authorization`, after base64.
  public static let metricTokenBytes = 512
  public static let metricUserBytes = 128
  public static let metricPasswordBytes = 256
  /// Timeouts in milliseconds for a whole request, and for silence of the server: less than an interval.
  public static let metricRequestMilliseconds: Int64 = 30_000
  public static let metricIdleMilliseconds: Int64 = 10_000
  /// Milliseconds before a server that does not answer is tried again, at first and at most, before the spread; and the
  /// longest pause that it may ask for.
  public static let metricRetry: ClosedRange<Int64> = 5_000...300_000
  public static let metricPatience: Int64 = 3_600_000
  /// Milliseconds between requests while a queue is being emptied.
  public static let metricBatchSpacing: Int64 = 500
  /// Milliseconds between writes to flash while samples wait for a server: a power cut costs the samples of so long.
  public static let metricStoreMilliseconds: Int64 = 600_000
  /// Samples are taken up to this part of an interval early when the agent is awake in any case.
  public static let metricSlack: Int64 = 6
  /// Milliseconds by which the clock may be behind the last sample; more than that, it was wrong before.
  public static let metricBackwards: Int64 = 3_600_000
  /// Milliseconds by which the board's clock may differ from a server's date before it counts as wrong: the date has
  /// seconds, and an answer takes some.
  public static let metricClockError: Int64 = 30_000
}
