/// Limits of motion sensors and of what is computed from their samples.
extension Budget {
  /// Workers that drain the sensor, and jobs in their queue: only the drain.
  public static let sensingThreads = 1, sensingQueue = 2
  /// The longest list of activities as text, in bytes: 1000 of them, 224 each. Reserved, and given back when it was
  /// sent.
  public static let activityListBytes = 1000 * 224 + 64
  /// Samples of one drain: what the largest FIFO holds (LSM6DSO: 3 KiB, 512 words of 7 bytes, an accelerometer and a
  /// gyroscope word each sample, so 256; LSM6DS3: 8 KiB, 682), rounded up. 24 bytes each.
  public static let motionBatchSamples = 1024
  /// Milliseconds between drains, unless the chip's FIFO is too small for that: the CPU sleeps in between.
  public static let motionDrainMilliseconds: Int64 = 500
  /// Bytes of a FIFO that one drain reads: the largest FIFO (LSM6DS3). One buffer.
  public static let motionFIFOBytes = 8192
  /// Bytes of one transaction on an I2C bus: 12 ms at 400 kHz, for which other chips on the bus wait.
  public static let i2cBurstBytes = 512
  /// Samples in the kernel's IIO buffer: 2.5 s at 100 Hz.
  public static let iioBufferSamples = 256
  /// Bytes of one read of that buffer: all of it, at six numbers of four bytes a sample.
  public static let iioReadBytes = 6144
  /// Samples of a recording from which its rate is estimated.
  public static let replayRateSamples = 100
  /// Milliseconds without a sample after which a chip counts as lost, even if it answers on the bus.
  public static let motionSilenceMilliseconds: Int64 = 3_000
  /// First and longest pause in milliseconds before a chip that was lost is tried again; it doubles in between.
  public static let motionRetryMilliseconds: ClosedRange<Int64> = 2_000...60_000
  /// Steps that the pedometer can report at once: more than 4 a second over its window of 20 s.
  public static let motionStepsFound = 96
  /// Impacts in the queue between two drains: bumps come at most once a second.
  public static let motionImpacts = 8
  /// Days of the history: a span of seven days touches eight dates, and one is for the time before the clock was set.
  /// 53 KB with their activities.
  public static let motionDays = 9
  /// Activities that a day is made of; 8 bytes each. The shortest lasts half a minute, so a day could have 2,880;
  /// beyond this number neighboring ones are merged.
  public static let motionDayActivities = 192
  /// Milliseconds between saves of the history: a compromise between what a power cut loses and wear of the flash.
  public static let motionHistorySaveMilliseconds: Int64 = 300_000
}
