import Codec
import Gateway

/// How far a board is that was told to connect, from the status of its agent.
enum ConnectProgress: Equatable {
  /// No agent answers; why.
  case absent(String)
  /// An attempt is under way.
  case connecting
  /// It failed, and another one follows; why.
  case waiting(String)
  /// Only a person can help; how.
  case stuck(String)
  /// A person has to approve the board; with this command, on the gateway's machine.
  case needsApproval(String)
  /// The gateway has accepted the board, and a person has to approve what it can do; with this command, there.
  case needsCommands(String)
  /// The gateway has accepted the board. What it holds back, in a sentence; empty: nothing.
  case online(String)

  /// From the object `result` of `talon status`.
  init(_ status: borrowing JSONView) {
    guard let state = status.member("state") else {
      self = .connecting
      return
    }
    let sentence = status.text("explanation")
    if state.equals(SessionState.online.word) {
      self = Self.served(status)
    } else if state.equals(SessionState.awaitingApproval.word) {
      let command = status.text("approve")
      self = .needsApproval(command.isEmpty ? "openclaw devices approve --latest" : command)
    } else if state.equals(SessionState.paused.word) || state.equals(SessionState.untrusted.word) {
      self = .stuck(sentence)
    } else if state.equals(SessionState.waiting.word) {
      self = .waiting(sentence)
    } else {
      self = .connecting
    }
  }

  /// Of a board that is online.
  private static func served(_ status: borrowing JSONView) -> ConnectProgress {
    var held = ""
    if let commands = status.member("commands") {
      let command = commands.text("approve")
      if !command.isEmpty { return .needsCommands(command) }
      if let state = commands.member("state"), !state.equals("served") { held = commands.text("explanation") }
    }
    if let tools = status.member("tools"), let state = tools.member("state"), state.equals("waiting") {
      return .needsCommands("openclaw nodes pending")
    }
    return .online(held)
  }
}
