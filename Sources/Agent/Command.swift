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

/// What is known of a command before anybody invokes it.
public struct CommandRow: Sendable {
  /// As declared to the gateway.
  public let name: StaticString
  /// Invokes of it that may run or wait at once; one more is answered "node busy".
  public let limit: Int
  /// Doing it twice differs from doing it once: repeats by idempotency key are answered from memory.
  public let hasSideEffects: Bool

  /// A row; see the properties.
  public init(_ name: StaticString, limit: Int, hasSideEffects: Bool = false) {
    self.name = name
    self.limit = limit
    self.hasSideEffects = hasSideEffects
  }
}

/// One row of the table of commands.
struct Command {
  let row: CommandRow
  /// The capability under which it is declared.
  let capability: StaticString
  /// Who does it.
  let handler: any CommandHandler
  /// Which of the handler's commands it is.
  let number: Int
}
