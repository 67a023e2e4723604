import Codec

/// Identifies one running invoke: a slot of the table, and how often that slot was used before, so that a late answer
/// never goes to another invoke.
public struct InvokeToken: Equatable, Sendable {
  /// The number by which handlers keep it.
  public let number: Int

  /// A token from its number.
  public init(_ number: Int) { self.number = number }
}

/// Does the work of some commands.
public protocol CommandHandler: AnyObject {
  /// Begins `command`, one of the handler's own. The handler must answer `token` once through the router, now or later.
  /// `parameters` are valid until this returns. `deadline` is a monotonic time in milliseconds.
  func begin(
    _ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64)

  /// Stops the work of `token`, because its deadline has passed or its caller is gone. The router ignores an answer
  /// after this.
  func cancel(_ token: InvokeToken)
}

/// A command as a handler declares it.
public struct CommandRow: Sendable {
  /// The name that is declared to the gateway.
  public let name: String
  /// How many invokes of it may run or wait at once; one more is answered with "node busy", or waits its turn.
  public let limit: Int
  /// True when doing it twice differs from doing it once: repeats by idempotency key are then answered from memory.
  public let hasSideEffects: Bool
  /// True for a short one that agents ask for several times at once: more than `limit` wait their turn within their own
  /// deadlines, as far as there is room (`Budget.waitingInvokes`).
  public let queues: Bool

  /// A row; see the properties.
  public init(_ name: String, limit: Int, hasSideEffects: Bool = false, queues: Bool = false) {
    self.name = name
    self.limit = limit
    self.hasSideEffects = hasSideEffects
    self.queues = queues
  }
}

/// One row of the table of commands.
struct Command {
  let row: CommandRow
  /// The capability under which it is declared; nil for one that is not: only a tool can begin it.
  var capability: StaticString?
  /// False as long as the board has not what the command needs.
  var isDeclared = true
  /// The owner wants it declared ([node] commands).
  var isChosen = true
  /// The gateway's release knows it, as far as that is known.
  var isKnown = true
  /// The handler that does it.
  let handler: any CommandHandler
  /// Its number among the handler's commands.
  let number: Int

  /// The capability under which the gateway is told of it; nil: the gateway is not.
  var declared: StaticString? { isDeclared && isChosen && isKnown ? capability : nil }
}
