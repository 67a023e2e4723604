extension Budget {

  // MARK: Recovery

  /// How often each step against a hanging board may be taken without a day (of running time) between: the interface
  /// again, its driver loaded again, the board restarted. Root's side counts its restarts itself, with the same limit.
  public static let recoverySteps: InlineArray<3, UInt8> = [12, 6, 3]
  /// Milliseconds of running time after which a step counts as not taken: a day.
  public static let recoveryDay: Int64 = 86_400_000
  /// Milliseconds for which a link is dead, or memory full, before anything is done about it: a router that restarts
  /// takes five minutes.
  public static let recoveryPatience: Int64 = 600_000
  /// Milliseconds from a step to the next one, when it has not helped: Wi-Fi connects within half a minute, and DHCP
  /// asks again within one.
  public static let recoveryStepPause: Int64 = 120_000
  /// Milliseconds before it begins again with the first step, when the last one has not helped or may not be taken.
  public static let recoveryRoundPause: Int64 = 3_600_000
  /// Milliseconds between looks at link and memory: while the gateway is not reached, and while it is.
  public static let recoveryLook: Int64 = 60_000, recoveryCalmLook: Int64 = 300_000
  /// Milliseconds of running time between two writes of the record while a step counts: 24 writes a day.
  public static let recoverySaving: Int64 = 3_600_000
  /// The record in bytes: a version, the number of the last request, three counts and times, the last step and reason.
  public static let recoveryRecordBytes = 36
  /// A request to root's side in bytes: four lines, an interface's name of 15 bytes, a reason of 40.
  public static let recoveryRequestBytes = 160
  /// The file that says why the board was restarted, in bytes: two lines.
  public static let restartFileBytes = 512
  /// The reason in it in bytes.
  public static let restartReasonBytes = 128
  /// Percent of the memory below which it counts as full: the kernel kills programs about there.
  public static let fullMemoryPercent: UInt64 = 2
}
