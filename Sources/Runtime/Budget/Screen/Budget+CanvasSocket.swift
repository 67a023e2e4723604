/// Limits of the socket by which another program at the board uses the screen (canvas reference 2.8).
extension Budget {
  /// Bytes of one line from that program: the most that its plugin sends. Reserved, and given back after use. A line
  /// that is longer than the largest push (`canvasMessageBytes`) is answered with an error.
  public static let canvasSocketLineBytes = 32 * 1024 * 1024
  /// Bytes at the start of such a line that are searched for its id: the plugin writes it first.
  public static let canvasSocketHeadBytes = 4096
  /// Bytes of one line to it: a snapshot in base64 with its members, or a dump of a page. Reserved, and given back
  /// after use.
  public static let canvasSocketOutputBytes = 2 * dumpBytes
  /// Milliseconds until that program gives up waiting for an answer.
  public static let canvasSocketTimeoutMilliseconds: Int64 = 30_000
  /// Timeout in milliseconds for its answer to a press.
  public static let canvasSocketPressTimeoutMilliseconds: Int64 = 30_000
}
