/// What is bounded about the socket by which another program at the board uses the screen (canvas reference 2.8).
extension Budget {
  /// Bytes of one line of that program: what the plugin that writes it may send. Reserved, and given back after use. A line that is
  /// longer than the largest push (`canvasMessageBytes`) is answered with an error.
  public static let doorLineBytes = 32 * 1024 * 1024
  /// Bytes at the start of such a line in which its id is looked for: the plugin writes it first.
  public static let doorHeadBytes = 4096
  /// Bytes of one line to it: a picture of the screen in base64, and what stands around it; or a page that is told. Reserved, and
  /// given back after use.
  public static let doorOutputBytes = 2 * dumpBytes
  /// Milliseconds until that program gives up.
  public static let doorTimeout: Int64 = 30_000
  /// Milliseconds that it may take to tell what became of a press.
  public static let doorPressTimeout: Int64 = 30_000
}
