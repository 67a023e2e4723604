extension Budget {

  // MARK: Remote diagnosis

  /// Lines and bytes of `debug.logs`: those of the phones' command, whose clients expect no more.
  public static let debugLogLines = 200
  public static let debugLogBytes = 16_000
  /// Bytes of a report: the log (256 lines of 256 bytes) and the rest of a support file compress to a quarter of this.
  /// In base64 it is a fifth of the largest message that gateways take.
  public static let inspectionBytes = 96 << 10
  /// Milliseconds in which a report is made: two addresses of a gateway that do not answer take 30 s.
  public static let inspectionMilliseconds: Int64 = 60_000
  /// Bytes of one file in the support file, and of all before they are compressed.
  public static let supportFileBytes = 160 << 10
  public static let supportBytes = 512 << 10
  /// Milliseconds for which a device must be away, or broken, before the gateway's agent is told: a cable that is
  /// plugged in anew takes a few seconds.
  public static let deviceNewsPatience: Int64 = 10_000
  /// Milliseconds after the start in which what is found is no news.
  public static let deviceNewsGrace: Int64 = 60_000
  /// Milliseconds between two looks at the devices, when something else wakes the agent.
  public static let deviceNewsLook: Int64 = 1_000
  /// News of one device in an hour; a loose cable has more.
  public static let deviceNewsPerHour = 6
}
