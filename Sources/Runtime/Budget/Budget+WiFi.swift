extension Budget {

  // MARK: Wi-Fi by a code in front of the camera

  /// Milliseconds of the board's running time from which on a code is looked for: a cable, or a network that the card
  /// names, has answered by then. And when that ends, for this start: ten minutes later.
  public static let wifiOpens: Int64 = 60_000, wifiCloses: Int64 = 660_000
  /// Milliseconds from the agent's start to the first look: until the kernel has told which networks there are.
  public static let wifiSettle: Int64 = 5_000
  /// Milliseconds of one look. Between two of them the camera is closed, and the agent sees whether a network is there.
  public static let wifiLook: Int64 = 20_000
  /// Milliseconds between two looks, and after a camera's trouble or a network that was not joined.
  public static let wifiPause: Int64 = 1_000, wifiTroublePause: Int64 = 15_000
  /// Milliseconds beside its look in which the process that looks begins and ends.
  public static let wifiLookMargin: Int64 = 5_000
  /// Milliseconds between two looks at root's answer, and without one until the request counts as failed: root's side
  /// waits 60 s for an address, and configures the network twice.
  public static let wifiAnswerPoll: Int64 = 2_000, wifiAnswerMilliseconds: Int64 = 120_000
  /// Requests of one start: whoever shows wrong codes has no more tries.
  public static let wifiRequests = 5
  /// The longest text of a code in bytes: name and passphrase with a backslash before each byte have 200, and fields of
  /// others, such as a public key, stand beside them.
  public static let wifiCodeBytes = 512
  /// A request in bytes: five lines, with 32 bytes of name and 63 of passphrase in hexadecimal digits.
  public static let wifiRequestBytes = 320
  /// The file that root's side writes, in bytes.
  public static let wifiAnswerBytes = 512
  /// What the process that looks says of its trouble, in bytes.
  public static let wifiTroubleBytes = 160
}
