extension Budget {

  // MARK: Links

  /// A link in bytes: a message of 20 000 characters, two thirds of them percent-encoded. What is read of it is
  /// reserved twice: the link, and the one that somebody is asked about.
  public static let linkBytes = 64 * 1024
  /// A message in UTF-16 units, as gateways count characters (node-commands 10): with the board's own key, and without.
  public static let linkMessageCharacters = 20_000
  public static let linkStrangerCharacters = 240
  /// Texts of a link in bytes: a session or a recipient; a way of thinking, a channel, a port or a switch. A key of the
  /// board has 43.
  public static let linkNameBytes = 256
  public static let linkWordBytes = 64
  /// Milliseconds between two questions about links (node-commands 10): a page full of them asks no faster.
  public static let linkQuestionSpacing: Int64 = 5_000
  /// Bytes of a link that people see before they answer: 500 characters at most (node-commands 10), fewer where those
  /// have several bytes. And of its message: all that a stranger's may have, three bytes for each UTF-16 unit.
  public static let linkPreviewBytes = 500
  public static let linkShownBytes = 3 * linkStrangerCharacters
  /// The board's own key for links: 32 random bytes, and their text of URL-safe base64 without padding.
  public static let linkKeyBytes = 32
  public static let linkKeyCharacters = 43
  /// Bytes of the record of that key, and of what a newer release may add.
  public static let linkKeyRecordBytes = 256
  /// A message to the agent as JSON, in bytes, reserved: what one message to the gateway takes beside it, with escapes.
  public static let linkRequestBytes = 48 * 1024
  /// Bytes of one piece in which a console hands a link over: all of it may be escaped in a line of `controlLineBytes`.
  public static let linkPieceBytes = 6 * 1024
  /// Milliseconds for which a link's message waits for a gateway that is away: whoever asked has not left yet.
  public static let linkAge: Int64 = 300_000

  // MARK: Codes in front of the camera

  /// The longer side in pixels of a picture in which codes are looked for. A code of 177 modules, the largest, has 4
  /// and more pixels for each in the middle of it; quirc takes a byte for each pixel.
  public static let scannedSide = 1280
  /// The longest text of a QR code in bytes (ISO/IEC 18004: 7089 digits), and quirc's own bound.
  public static let scannedTextBytes = 8896
  /// Seconds for which `talon connect --scan` looks: as long as it takes to show the board a telephone. And what may be
  /// chosen.
  public static let scanSeconds = 60
  public static let scanSecondsRange: ClosedRange<Int> = 1...600

  // MARK: Codes of a scanner

  /// The longest text of a code that a scanner types, in bytes: letters and digits of the largest QR code (ISO/IEC
  /// 18004 table 7: 4296). Taken with a scanner alone.
  public static let scannerTextBytes = 4_296
  /// Milliseconds after which a text that has not ended is given up: a scanner types hundreds of characters a second,
  /// and one that was unplugged ends nothing.
  public static let scannerPauseMilliseconds: Int64 = 1_000
  /// Milliseconds between two texts that are looked at. A scanner that is held in front of a code reads it again and
  /// again, and each leaves a line in the log.
  public static let scannerSpacing: Int64 = 1_000
}
