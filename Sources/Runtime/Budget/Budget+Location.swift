/// Limits of the position receiver.
extension Budget {
  /// Bytes read from the serial port at once.
  public static let serialReadBytes = 512
  /// Milliseconds for which bytes gather after the first, so that a burst at 9600 baud does not wake the loop
  /// for each of them. The kernel holds 4 KiB; faster lines gather for less.
  public static let serialGatherMilliseconds: Int64 = 100
  /// Reads in one turn of the loop: together the kernel's whole buffer.
  public static let serialReadsPerWakeup = 8
  /// First and longest pause in milliseconds before a lost port is opened again; it doubles in between.
  public static let serialRetryMilliseconds: ClosedRange<Int64> = 5_000...60_000
  /// Window of a recording that the simulated receiver reads, in bytes: two of the longest epochs.
  public static let replayWindowBytes = 8 * 1024
  /// Satellites that are kept: four systems have about 60 above the horizon, and each further system adds a few.
  public static let satellites = 96
  /// Milliseconds after which a satellite that is not listed again is dropped. Receivers list at least every 5 s.
  public static let satelliteLifetimeMilliseconds: Int64 = 15_000
  /// Milliseconds for which a fix counts as the present one in metrics: receivers report every second, slow ones every
  /// ten.
  public static let fixCurrentMilliseconds: Int64 = 30_000
  /// The longest line of a gpsd that is read, in bytes: what it writes is at most 10240 (GPS_JSON_RESPONSE_MAX).
  public static let gpsdLineBytes = 16 * 1024
  /// Bytes read from a gpsd at once: about one epoch.
  public static let gpsdReadBytes = 4096
  /// Timeout in milliseconds for gpsd's greeting after connecting, and for its answer to a poll.
  public static let gpsdAnswerMilliseconds: Int64 = 10_000
  /// Milliseconds of silence after which a gpsd is polled. Without a receiver it is silent although it works.
  public static let gpsdSilenceMilliseconds: Int64 = 30_000
  /// The last fix as it stands on flash, in bytes: eight members, numbers of at most 24 digits.
  public static let fixRecordBytes = 512
  /// The longest command to a receiver, in bytes: 256 of settings, and the frame around them.
  public static let receiverCommandBytes = 512
}
