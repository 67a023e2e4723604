/// What is bounded about displays.
extension Budget {
  /// Cards that are looked at: /dev/dri/card0 and so on. A Raspberry Pi 5 has three.
  public static let displayCards = 16
  /// Frame buffers that are looked at: /dev/fb0 and so on. The kernel has at most 32; a board has one, and one on SPI.
  public static let frameBuffers = 8
  /// Longest side of a display in pixels, and of the configuration's virtual one. 8K; the buffer has 4 bytes for each.
  public static let displaySide: Int32 = 8192
  /// Shortest side in pixels: a small OLED has 128 x 32.
  public static let displaySideLeast: Int32 = 16
  /// Pixels of a display: 4096 x 2304. The shadow of it has 36 MB.
  public static let displayPixels = 4096 * 2304
  /// How often a page flip that the driver is too busy for is tried again, and the milliseconds between: four pictures of
  /// a panel with 50 a second.
  public static let displayFlipTries = 4
  public static let displayFlipMilliseconds: Int32 = 20
  /// Seconds after which a screen that nobody uses may go dark: longer than a notification is shown, and at most a day.
  public static let blankSeconds: ClosedRange<Int64> = 15...86_400
}
