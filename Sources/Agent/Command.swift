import Codec

/// Names one running invoke: a slot of the table and how often that slot was used before, so that an answer
/// that comes too late never reaches a stranger.
public struct InvokeToken: Equatable, Sendable {
  /// What handlers hand around.
  public let number: Int

  /// A token from its number.
  public init(_ number: Int) { self.number = number }
}

/// Does the work of some commands.
public protocol CommandHandler: AnyObject {
  /// Begins `command`, one of the handler's own. The handler answers `token` once through the router, now or
  /// later; `parameters` are gone when this returns. `deadline` is a monotonic instant in milliseconds.
  func begin(
    _ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64)

  /// Stops the work for `token`: time is up, or whoever asked is gone. The router takes no answer any more.
  func cancel(_ token: InvokeToken)
}

/// One row of the table of commands.
public struct Command {
  /// As declared to the gateway.
  public let name: StaticString
  /// The capability under which it is declared.
  public let capability: StaticString
  /// Who does it.
  let handler: any CommandHandler
  /// Which of the handler's commands it is.
  let number: Int
}
