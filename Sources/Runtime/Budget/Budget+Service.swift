/// Limits of the systemd service: messages to the service manager, and memory.
extension Budget {
  /// One message to the service manager in bytes: a sentence of 256, and a few words. systemd takes 4096.
  public static let serviceMessageBytes = 512
  /// First and longest pause in milliseconds before a message that the service manager had no room for is sent again;
  /// it doubles in between.
  public static let serviceRetryMilliseconds: ClosedRange<Int64> = 1_000...60_000
  /// Milliseconds after which a job on a worker counts as hung. The longest job, a clip of a minute from a camera that
  /// settles slowly, ends long before, and so does a write to a slow card. A multiple of the watchdog's period.
  public static let workerTimeoutMilliseconds: Int64 = 300_000

  /// Milliseconds between two looks at a configuration file that was wrong when the agent started.
  public static let configurationRetryMilliseconds: Int64 = 60_000
  /// Milliseconds in which code stays in memory after a connection, a push of metrics, or the node's last frame to the
  /// board's own agent: what is asked at first is answered by then.
  public static let settleMilliseconds: Int64 = 10_000

  // MARK: Memory

  /// Bytes of all buffers of the agent when all are full at once, the worst case under attack: a photo from the largest
  /// frame of a maker's format (found, scaled, turned, coded), a whole clip, all control clients with the largest
  /// answers unread, and the largest messages of both connections.
  static let buffersBytes =
    photoStorageBytes + 2 * cameraFrameBytes + converterBytesPerPixel * converterPixels + 2 * converterSlackBytes
    + clipBytes + controlClients * (controlOutputBytes + controlLineBytes) + operatorMessageBytes
    + inboundMessageBytes + invokeParameterBytes + consentQuestions * consentParameterBytes + canvasBytes
    + photosBytes + filesBytes + mcpBytes
  /// The owner's MCP servers at their fullest: of each both lists of tools, a line, its calls twice, and what comes and
  /// goes at an address; and all results.
  static let mcpBytes =
    mcpServers * (2 * mcpListBytes + mcpLineBytes + mcpCalls * mcpRequestBytes + mcpWaitingBytes)
    + mcpServers * mcpLanes * (mcpRequestBytes + mcpPieceBytes + linkReadBytes)
    + mcpResults * (mcpResultBytes + mcpTextBytes)
  /// A file that is sent, and one that is written.
  static let filesBytes = fileBytes + fileStepBytes + fileTextBytes
  /// `photos.latest` at its fullest: the largest photo that is kept, made smaller, and the answer.
  static let photosBytes = photoBytesMaximum + photoStorageBytes + 2 * cameraFrameBytes + latestBytes
  /// The canvas at its fullest: the largest push as it comes, another one that a worker opens, and the parameters of a
  /// third that a worker draws; documents with all that one may hold, pictures kept, a dump of a page, an encoded
  /// snapshot, the picture of a recording (whose bytes use the clip's buffer), a screen of 1920x1080 four times
  /// (drawing surface, two pages of the display, a script's picture), two fetches, the layers of a drawing, and the
  /// addresses of a conversation's pictures.
  static let canvasBytes =
    2 * canvasMessageBytes + 3 * canvasParameterBytes + 20 * 1024 * 1024 + pictureBytes + dumpBytes + snapshotBytes
    + recordPictureBytes + 4 * 4 * shownPixels
    + 2 * (fetchBodyBytes + dataURLCharacters) + vectorLayers * 4 * shownPixels
    + chatPictures * chatPictureCharacters
  /// The program itself, most of which is in the page cache and can be dropped; OpenSSL for two connections, openh264
  /// (10 MB), stacks, and as much again to be safe. Bytes.
  static let programBytes = 32 * 1024 * 1024
  /// What the service may take in bytes: all of the above, the recognizer's process, the one that learns phrases, those
  /// that decode pictures and the one that runs scripts, in whole units of 16 MiB. It needs 7 MB when idle and 40 MB
  /// with a camera at work; anything that needs more than this is a defect.
  public static let serviceMemoryBytes =
    (buffersBytes + programBytes + speechProcessBytes + spellingProcessBytes + decoders * decoderBytes
      + scriptProcessBytes + (16 << 20) - 1) / (16 << 20) * (16 << 20)
  /// The same limit in percent of the board's memory, for boards that have less (`MemoryMax=` of systemd). The system
  /// and the consoles need the rest; without it the kernel's OOM killer would choose its victim freely.
  public static let serviceMemoryPercent: UInt64 = 75

  /// What the service may take on a board with this much memory, in bytes.
  public static func serviceMemoryBytes(ofBoard bytes: UInt64) -> UInt64 {
    min(UInt64(serviceMemoryBytes), bytes / 100 * serviceMemoryPercent)
  }
}
