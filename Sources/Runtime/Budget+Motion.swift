/// What is bounded about inertial sensors and what is made of their samples.
extension Budget {
  /// Workers that drain the sensor, and jobs that wait for them: the drain alone.
  public static let sensingThreads = 1, sensingQueue = 2
  /// The longest list of activities as text, in bytes: 1000 of them, 224 each. Reserved, and given back when it was sent.
  public static let activityListBytes = 1000 * 224 + 64
  /// Samples of one drain: what the largest FIFO holds (LSM6DSO: 3 KiB, 512 words of 7 bytes, an accelerometer and a gyroscope word
  /// each sample, so 256; LSM6DS3: 8 KiB, 682), rounded up. 24 bytes each.
  public static let motionBatchSamples = 1024
  /// Milliseconds between drains, unless the chip's FIFO is too small for that: the CPU sleeps in between.
  public static let motionDrainMilliseconds: Int64 = 500
  /// Bytes of a FIFO that one drain reads: the largest one's (LSM6DS3), once in Board.
  public static let motionFIFOBytes = 8192
  /// Bytes of one transaction on an I2C bus: 12 ms at 400 kHz, for which other chips on the bus wait.
  public static let i2cBurstBytes = 512
  /// Samples that a kernel's IIO buffer holds for us: 2.5 s at 100 Hz.
  public static let iioBufferSamples = 256
  /// Bytes that one read of such a buffer fetches: all, for six numbers of four bytes each.
  public static let iioReadBytes = 6144
  /// Samples of a recording that tell its rate.
  public static let replayRateSamples = 100
  /// Milliseconds without a sample after which a chip is lost, though it answers.
  public static let motionSilenceMilliseconds: Int64 = 3_000
  /// First and longest pause in milliseconds before a chip that was lost is tried again; it doubles in between.
  public static let motionRetryMilliseconds: ClosedRange<Int64> = 2_000...60_000
  /// Steps that the pedometer finds between two looks at them: more than 4 a second over its memory of 20 s.
  public static let motionStepsFound = 96
  /// Impacts that wait to be asked for: bumps come at most once a second, and are asked for with every drain.
  public static let motionImpacts = 8
  /// Days that are kept: seven to the minute touch eight, and one is for days before the clock was set. With their
  /// activities 53 KB.
  public static let motionDays = 9
  /// Activities that a day is made of; 8 bytes each. One that lasts half a minute at least may end 2,880 times a day, but
  /// who changes that often is told more coarsely.
  public static let motionDayActivities = 192
  /// Milliseconds between saves of the history: what a power cut loses, against the wear of the flash.
  public static let motionHistorySaveMilliseconds: Int64 = 300_000
}
