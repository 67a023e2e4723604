import Codec
import Runtime

/// Pending actions: invokes whose caller has gone (gateway reference 9.6).
extension Router {
  /// The result of beginning an action.
  enum ActionStart {
    /// It runs; `ActionDelegate.actionEnded` follows, or was already called.
    case begun
    /// There is nothing to do: it was done before, or can never be done.
    case settled
    /// It already runs, or there is no room for it now.
    case later
  }

  /// Begins an action `{id, command, paramsJSON}` like an invoke without an answer. One that was begun before is not
  /// begun again while it is remembered.
  func begin(action: borrowing JSONView, id: InlineText<128>, number: Int) -> ActionStart {
    guard let command = command(of: action) else {
      log.write(.warning, "commands", "a pending action names an unknown command: dropped")
      return .settled
    }
    let key = AnswerMemory.Key(text: id, command: command, isAction: true)
    if let found = memory.find(key, at: clock.monotonic) { return found.answer == .running ? .later : .settled }
    // It came after the work that is not done yet.
    if isOccupied { return .later }
    var slot = InvokeTable.Slot()
    slot.id = id
    slot.command = command
    slot.deadline = clock.monotonic + Self.defaultTimeout
    slot.action = number
    switch run(slot, InvokeFields(action), remembering: key) {
    case .begun: return .begun
    case .busy: return .later
    case .badParameters:
      log.write(.warning, "commands", "a pending action has parameters that are not valid JSON: dropped")
      return .settled
    case .longSession:
      log.write(.warning, "commands", "a pending action names a session by a key that is too long: dropped")
      return .settled
    }
  }
}
