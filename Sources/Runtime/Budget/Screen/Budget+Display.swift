/// Limits of displays.
extension Budget {
  /// Cards that are probed: /dev/dri/card0 and so on. A Raspberry Pi 5 has three.
  public static let displayCards = 16
  /// Frame buffers that are probed: /dev/fb0 and so on. The kernel has at most 32; a board has one, and one on SPI.
  public static let frameBuffers = 8
  /// Longest side of a display in pixels, and of the configuration's virtual one. 8K; the buffer has 4 bytes for each.
  public static let displaySide: Int32 = 8192
  /// Shortest side in pixels: a small OLED has 128 x 32.
  public static let displaySideMinimum: Int32 = 16
  /// Pixels of a display: 4096 x 2304. The shadow of it has 36 MB.
  public static let displayPixels = 4096 * 2304
  /// Retries of a page flip that the driver refuses as busy, and the milliseconds between them: four frames at 50 Hz.
  public static let displayFlipTries = 4
  public static let displayFlipMilliseconds: Int32 = 20
  /// Range of seconds without input after which a screen is blanked: longer than a notification is shown, and at most a
  /// day.
  public static let blankSeconds: ClosedRange<Int64> = 15...86_400
}
