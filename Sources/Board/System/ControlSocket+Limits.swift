import Runtime

extension ControlSocket {
  /// Number of clients, and sizes of lines in bytes.
  public struct Limits: Sendable {
    let clients: Int
    let lineBytes: Int
    let outputBytes: Int
    /// True: a client too many replaces the oldest one; false: it is refused.
    let isReplaced: Bool

    /// For people and programs at the board.
    public static let control = Limits(
      clients: Budget.controlClients, lineBytes: Budget.controlLineBytes, outputBytes: Budget.controlOutputBytes,
      isReplaced: false)
    /// For the program that uses the canvas.
    public static let canvas = Limits(
      clients: 2, lineBytes: Budget.canvasSocketLineBytes, outputBytes: Budget.canvasSocketOutputBytes, isReplaced: true
    )
  }
}
