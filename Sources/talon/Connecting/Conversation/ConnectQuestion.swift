/// A question of `talon connect`, and how it is answered.
enum ConnectQuestion: Equatable {
  /// The join URL, code or link; then what the board is called, and what the agent may use; at last, whether all this
  /// is to happen.
  case target, name, tools, camera, microphone, start

  /// The words that answer it; empty where any text does.
  var choices: [String] {
    switch self {
    case .target, .name: []
    case .tools: ConnectDecisions.toolChoices
    case .camera, .microphone: ConnectDecisions.uses
    case .start: ["yes", "no"]
    }
  }

  /// What Enter alone stands for; nil where that is no answer.
  var usual: String? {
    switch self {
    case .target: nil
    case .name: ""
    case .tools: "safe"
    case .camera, .microphone: "allow"
    case .start: "yes"
    }
  }

  /// The word that an answer stands for: the usual one for Enter, and one for its first letters; nil: none.
  func word(_ answer: String) -> String? {
    if answer.isEmpty { return usual }
    if choices.isEmpty || choices.contains(answer) { return answer }
    let meant = choices.filter { $0.hasPrefix(answer) }
    return meant.count == 1 ? meant[0] : nil
  }

  /// What a command line has in the place of an answer.
  var option: String {
    switch self {
    case .target: "talon connect TARGET"
    case .name: "talon connect --name NAME"
    case .tools: "talon connect --tools none|safe|all"
    case .camera: "talon connect --camera allow|ask|never"
    case .microphone: "talon connect --microphone allow|ask|never"
    case .start: "talon connect TARGET, which asks nothing when --tools or --name stands there"
    }
  }

  /// The question itself.
  /// - Parameters:
  ///   - listed: how many gateways a number may choose.
  ///   - hasCamera: a code can be shown to the board.
  func text(listed: Int, hasCamera: Bool) -> String {
    switch self {
    case .target:
      "Paste the join URL, the setup code or the link of the gateway"
        + (listed > 0 ? "; or type the number of a gateway, to see how its code is made" : "")
        + (hasCamera ? "; or type scan, and show its QR code to the camera:" : ":")
    case .name: "What is this board called? (Enter: as its host)"
    case .tools:
      "Which tools does the gateway's agent get of this board: none, safe (steps, health, notices, screen), or all "
        + "(photo, location and listening as well)? (Enter: safe)"
    case .camera: "May the agent use the camera: allow, ask (a person at the board decides), or never? (Enter: allow)"
    case .microphone:
      "May the agent use the microphone: allow, ask (a person at the board decides), or never? (Enter: allow)"
    case .start: "Connect this board now: yes or no? (Enter: yes)"
    }
  }
}
