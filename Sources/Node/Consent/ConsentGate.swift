import Codec
import Runtime

/// Decides whether a command may begin, and asks people. The router asks it before each command of a gateway, a pending
/// action or a tool; programs on the board are not asked about.
public protocol ConsentGate: AnyObject {
  /// True: the command begins now. False: the gate has answered `token` with an error, or keeps it until a person has
  /// answered; then it calls `Router.resume` or fails it. Texts are valid until this returns.
  func admits(_ request: ConsentRequest, _ parameters: borrowing JSONView) -> Bool
  /// True when people are asked about some requests for a command, so that an agent does well to say what for.
  func asks(about command: String) -> Bool
  /// The work of a request that waits is not wanted any more.
  func cancel(_ token: InvokeToken)
  /// A request that was admitted has ended, with an answer or without.
  func ended(_ token: InvokeToken)
}

/// A command that is to begin.
public struct ConsentRequest {
  public var token: InvokeToken
  /// Its name, "camera.snap".
  public var command: String
  /// The agent's session; empty when the gateway does not say.
  public var sessionKey: SessionKey
  /// When it must be answered, in milliseconds of the monotonic clock.
  public var deadline: Int64
  /// The call of the board's own agent that it is for; nil for all others. With `mustAsk` people are asked whatever
  /// the rule or a grant says, and it is refused where nobody can be asked.
  public var lent: LentCall?

  /// A request; see the properties.
  public init(
    token: InvokeToken, command: String, sessionKey: SessionKey, deadline: Int64, lent: LentCall? = nil
  ) {
    self.token = token
    self.command = command
    self.sessionKey = sessionKey
    self.deadline = deadline
    self.lent = lent
  }
}

extension ConsentRequest {
  /// What the journal calls it.
  public var name: String { lent?.name(for: command) ?? command }
}

extension Router {
  /// Begins the work of a running invoke, if it may.
  func launch(_ token: InvokeToken, _ slot: InvokeTable.Slot, _ parameters: borrowing JSONView) {
    if slot.caller != .program, let gate {
      let request = ConsentRequest(
        token: token, command: commands[slot.command].row.name, sessionKey: sessionKey, deadline: slot.deadline,
        lent: slot.lent)
      running.wait(token, true)
      guard gate.admits(request, copy parameters) else { return }
      running.wait(token, false)
    } else if let lent = slot.lent, lent.mustAsk, !lent.isSafe {
      return fail(token, code: "UNAVAILABLE") { writer in
        writer.text("PERMISSION_MISSING: tools: nobody at this board can be asked (retryable: false)")
      }
    }
    let command = commands[slot.command]
    command.handler.begin(command.number, token, copy parameters, deadline: slot.deadline)
  }

  /// A person has allowed what waited: its work begins. Does nothing when it was answered meanwhile.
  public func resume(_ token: InvokeToken, sessionKey: SessionKey, _ parameters: borrowing JSONView) {
    guard let slot = running[token], slot.waits else { return }
    running.wait(token, false)
    (self.sessionKey, isLocal) = (sessionKey, false)
    let command = commands[slot.command]
    command.handler.begin(command.number, token, copy parameters, deadline: slot.deadline)
  }

  /// Ends the work of an invoke, begun or not, with an error.
  public func end(_ token: InvokeToken, code: StaticString, _ write: (inout ByteWriter) -> Void) {
    guard let slot = running[token] else { return }
    stopWork(of: token, slot)
    fail(token, code: code, write)
  }

  /// Stops the work of a running invoke, or its waiting for a person.
  func stopWork(of token: InvokeToken, _ slot: InvokeTable.Slot) {
    if slot.waits { gate?.cancel(token) } else { commands[slot.command].handler.cancel(token) }
  }

  /// Frees the slot of a running invoke.
  func remove(_ token: InvokeToken) {
    running.remove(token)
    gate?.ended(token)
  }
}
