/// What is bounded about the socket by which another program at the board uses the screen (canvas reference 2.8).
extension Budget {
  /// Bytes of one line of that program: the parameters of the largest push, escaped. Reserved, and given back after use.
  public static let doorLineBytes = canvasMessageBytes
  /// Bytes of one line to it: a picture of the screen in base64, and what stands around it; or a page that is told. Reserved, and
  /// given back after use.
  public static let doorOutputBytes = 2 * dumpBytes
  /// Milliseconds until that program gives up.
  public static let doorTimeout: Int64 = 30_000
  /// Milliseconds that it may take to tell what became of a press.
  public static let doorPressTimeout: Int64 = 30_000
}
