import Runtime

extension ControlSocket {
  /// How many clients it has, and how long lines are. Bytes.
  public struct Limits: Sendable {
    let clients: Int
    let lineBytes: Int
    let outputBytes: Int
    /// One more client takes the place of the first; else it is turned away.
    let isReplaced: Bool

    /// For people and programs at the board.
    public static let control = Limits(
      clients: Budget.controlClients, lineBytes: Budget.controlLineBytes, outputBytes: Budget.controlOutputBytes,
      isReplaced: false)
    /// For the program that uses the screen.
    public static let canvas = Limits(
      clients: 2, lineBytes: Budget.doorLineBytes, outputBytes: Budget.doorOutputBytes, isReplaced: true)
  }
}
