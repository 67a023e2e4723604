/// What is bounded about the service that the service manager watches.
extension Budget {
  /// One message to the service manager in bytes: a sentence of 256, and a few words. systemd takes 4096.
  public static let serviceMessageBytes = 512
  /// First and longest pause in milliseconds before the service manager is told again what it had no room for; it doubles
  /// in between.
  public static let serviceRetryMilliseconds: ClosedRange<Int64> = 1_000...60_000
  /// Milliseconds after which a job of a worker hangs for ever. The longest, a clip of a minute from a camera that
  /// settles slowly, has ended long before, and so has a write to a slow card. A multiple of the watchdog's period.
  public static let workerPatience: Int64 = 300_000

  // MARK: Memory

  /// What every buffer of the agent has together when all of it is in use at once, which takes an attacker on every side,
  /// in bytes: a photo from the largest frame of a maker's format (found, scaled, turned, coded), a whole clip, all
  /// programs at the board that leave the largest answers unread, and the largest messages of both connections.
  static let buffersBytes =
    photoStorageBytes + 2 * cameraFrameBytes + converterBytesPerPixel * converterPixels + 2 * converterSlackBytes
    + clipBytes + controlClients * (controlOutputBytes + controlLineBytes) + operatorMessageBytes
    + inboundMessageBytes + invokeParameterBytes + canvasBytes
  /// The canvas at its fullest: the largest push, documents with all that one may hold, pictures kept, a page that is told, an
  /// encoded picture of the screen, the picture of a recording (whose bytes stand where a clip's would), a screen of 1920x1080 as it is drawn, as two pages of the display and as a script's,
  /// two fetches, and the layers of a drawing.
  static let canvasBytes =
    canvasMessageBytes + canvasParameterBytes + 20 * 1024 * 1024 + pictureBytes + dumpBytes + snapshotBytes + recordPictureBytes + 4 * 4 * shownPixels
    + 2 * (fetchBodyBytes + dataURLCharacters) + vectorLayers * 4 * shownPixels
  /// The program itself, most of which is in the page cache and can be let go; OpenSSL for two connections, openh264
  /// (10 MB), stacks, and as much again to be safe. Bytes.
  static let programBytes = 32 * 1024 * 1024
  /// What the service may take in bytes: all of the above, the recogniser's process, the one that learns phrases, those that decode
  /// pictures and the one that runs scripts, in whole units of 16 MiB. It needs 7 MB when idle and 40 MB with a camera at work; what wants more than this is broken.
  public static let serviceMemoryBytes = (buffersBytes + programBytes + speechProcessBytes + spellingProcessBytes + decoders * decoderBytes + scriptProcessBytes + (16 << 20) - 1) / (16 << 20) * (16 << 20)
  /// Of the board's memory, which a small one has less of than that, in percent: what the service manager enforces (`MemoryMax=`).
  /// The system and the consoles need the rest; below it the kernel would end whatever it likes.
  public static let serviceMemoryPercent: UInt64 = 75

  /// What the service may take on a board with so much memory, in bytes.
  public static func serviceMemoryBytes(ofBoard bytes: UInt64) -> UInt64 {
    min(UInt64(serviceMemoryBytes), bytes / 100 * serviceMemoryPercent)
  }
}
