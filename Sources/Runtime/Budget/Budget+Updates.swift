extension Budget {

  // MARK: Updates

  /// Milliseconds between two questions to an update server: unless it says otherwise, and the range of what it may
  /// say. hawkBit's usual value is five minutes.
  public static let updatePollUsual: Int64 = 300_000
  public static let updatePollRange: ClosedRange<Int64> = 30_000...604_800_000
  /// Seconds between two looks at a list of releases.
  public static let updateListSeconds: Int64 = 3_600
  /// Milliseconds after the start within which the first question is asked.
  public static let updateFirstPoll: Int64 = 20_000
  /// Longest pause after a failure where the server wants to be asked less often, in milliseconds, before the spread.
  public static let updateRetryMost: Int64 = 3_600_000
  /// Largest message of an update server or list of releases, in bytes: hawkBit's have a few kilobytes, a list about
  /// 300 for each release. Address space until it is used.
  public static let updateMessageBytes = 64 * 1024
  /// Nested containers of such a message.
  public static let updateDepth = 16
  /// Releases in a list: several boards and channels, some years of each.
  public static let updateReleases = 200
  /// Largest bundle in bytes: an image's system has about 300 MB.
  public static let updateBundleBytes: Int64 = 900_000_000
  /// Bytes of the system that an installation writes into a slot.
  public static let updateSystemBytes: Int64 = 300_000_000
  /// Bytes that updates may write to flash in a day, given back evenly over the day: three of the largest, or ten of
  /// usual bundles of 100 MB. A card of 8 GB that bears each of its cells being written 1,000 times bears it for five
  /// years, should a server offer another action at each poll. What a person at the board wants is not held back.
  public static let updateDayBytes: Int64 = 4_000_000_000
  /// Bytes that are written to flash at once while a bundle arrives, by one job of a worker.
  public static let updatePieceBytes = 64 * 1024
  /// Bytes that stay free on the partition of a bundle: for records, logs and photos.
  public static let updateSpareBytes: Int64 = 32 * 1024 * 1024
  /// Timeouts in milliseconds: for a whole message, for silence of a server, and for a whole download, which then goes
  /// on with a new connection.
  public static let updateMessageMilliseconds: Int64 = 60_000
  public static let updateIdleMilliseconds: Int64 = 30_000
  public static let updateDownloadMilliseconds: Int64 = 21_600_000
  /// Milliseconds before an interrupted download goes on: at first, and at most.
  public static let updateResume: ClosedRange<Int64> = 5_000...900_000
  /// Milliseconds between two attempts at the same action that failed for its own fault.
  public static let updateAttemptSpacing: Int64 = 3_600_000
  /// Milliseconds for which a person's update waits until a server has heard how the one before ended.
  public static let updateTellPatience: Int64 = 600_000
  /// Attempts at a bundle that does not become what was promised.
  public static let updateAttempts = 3
  /// Trials of one version whose gateway was away.
  public static let updateTrials = 3
  /// Milliseconds for which a restart that is forced waits for calls and conversations to end.
  public static let updateRestartPatience: Int64 = 600_000
  /// Milliseconds by which a trial is given up before root's side ends it, so that the reason is told.
  public static let updateTrialMargin: Int64 = 45_000
  /// Seconds of a trial from power-on where root's side does not say.
  public static let updateTrialSeconds: Int64 = 600
  /// Milliseconds from the start of a trial to its first self-test, and between self-tests; and how many may fail.
  public static let updateTestDelay: Int64 = 5_000
  public static let updateTestSpacing: Int64 = 20_000
  public static let updateTests = 3
  /// Milliseconds for which the old system, after a trial without a gateway, tries to reach it itself.
  public static let updateControl: Int64 = 600_000
  /// Milliseconds for which the gateway must have been there before a trial is repeated.
  public static let updateGatewayBack: Int64 = 300_000
  /// Milliseconds between looks at the answer of root's side, while one is awaited; and without any answer until the
  /// request counts as failed: an installation writes for minutes.
  public static let updateAnswerPoll: Int64 = 2_000
  public static let updateAnswerMilliseconds: Int64 = 60_000
  public static let updateInstallMilliseconds: Int64 = 3_600_000
  /// Milliseconds between two reports of the same step.
  public static let updateReportSpacing: Int64 = 10_000
  /// The record of an update on flash, in bytes: an address and the last lines of a trial's log are the largest, and an
  /// escaped byte takes six.
  public static let updateRecordBytes = 16 * 1024
  /// A request to root's side in bytes, as it reads at most, and a file of it.
  public static let updateRequestBytes = 4 * 1024
  public static let updateReportBytes = 4 * 1024
  /// The last lines of a trial's log that the server gets when it fails, in bytes.
  public static let updateLogBytes = 800
  /// A board's id at the server, a token, a region and a channel's name, in bytes.
  public static let updateNameBytes = 64
  public static let updateTokenBytes = 512
}
