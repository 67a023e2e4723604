/// A gateway that was found, in words that may stand in a sentence of the board.
struct FoundGateway: Equatable {
  /// Between quotation marks: the network says it.
  let name: String
  let address: String
}

/// What comes to the conversation of `talon connect`.
enum ConnectEvent {
  /// The search is over.
  case found([FoundGateway], hasNetwork: Bool)
  /// The answer to the last question; or why there is none.
  case line(String)
  case lineTooLong
  case inputEnded
  /// A code was read, or scanned, and connects the board to this gateway; or it connects nothing.
  case targetRead(gateway: String)
  case targetRefused(Failure)
  /// The decisions are written, and the code is on flash; or that failed.
  case connected
  case failed(Failure)
  /// What the agent says of itself.
  case progress(ConnectProgress)
  /// It was waited long enough.
  case timeOver
  /// Ctrl-C.
  case interrupted
}

/// What the conversation of `talon connect` wants. All but `show` and `end` bring an event.
enum ConnectAction: Equatable {
  /// A line for the person.
  case show(String)
  /// A question; its answer is a line.
  case ask(String)
  /// Look for gateways; for a code in front of the camera.
  case search, scan
  /// Read what a person has typed or pasted: a code, or the name of a file with one.
  case read(String)
  /// Write the decisions, and connect by what was read last.
  case connect
  /// Ask the agent how far it is, some time from now.
  case look
  /// The end: the exit code, and what is wrong, where something is.
  case end(ExitCode, String?)
}
