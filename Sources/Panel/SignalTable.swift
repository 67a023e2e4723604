/// The description of one signal for people.
public struct SignalEntry: Sendable {
  /// Its name in `talon status` and `talon light`.
  public let word: StaticString
  /// What it means, in a few words.
  public let meaning: StaticString
  /// What to do about it.
  public let remedy: StaticString
  /// The color of a light that has several, and its name.
  public let color: LightColor
  public let colorName: StaticString
  public let rhythm: Rhythm
  /// The rhythm in words.
  public let rhythmText: StaticString
  /// A short event, which is shown for at least `Budget.lightDwell`.
  public let isBrief: Bool

  init(
    _ word: StaticString, _ rhythm: Rhythm, _ rhythmText: StaticString, _ color: (LightColor, StaticString),
    _ meaning: StaticString, _ remedy: StaticString, isBrief: Bool = false
  ) {
    self.word = word
    self.rhythm = rhythm
    self.rhythmText = rhythmText
    (self.color, colorName) = color
    self.meaning = meaning
    self.remedy = remedy
    self.isBrief = isBrief
  }
}

/// The light's signals: the one table, which docs/owners/light-and-button.md prints. No two signals have the same
/// rhythm, so that a light of one color is enough, and people who cannot see colors can read it.
///
/// Trouble has only short flashes; notifications of the agent have one long flash and more short ones the more urgent
/// they are.
public enum SignalTable {
  private static let red = (LightColor(red: true), "red" as StaticString)
  private static let green = (LightColor(green: true), "green" as StaticString)
  private static let blue = (LightColor(blue: true), "blue" as StaticString)
  private static let yellow = (LightColor(red: true, green: true), "yellow" as StaticString)
  private static let magenta = (LightColor(red: true, blue: true), "magenta" as StaticString)
  private static let cyan = (LightColor(green: true, blue: true), "cyan" as StaticString)
  private static let white = (LightColor(red: true, green: true, blue: true), "white" as StaticString)
  private static let none = (LightColor.dark, "dark" as StaticString)

  /// The row of a signal.
  public static func entry(_ signal: Signal) -> SignalEntry {
    switch signal {
    case .live:
      SignalEntry(
        "live", .even(500), "on and off, once a second", red, "The camera or the microphone is on.",
        "Nothing hides this. Hold the button for 3 s to switch them off.", isBrief: true)
    case .listening:
      SignalEntry(
        "listening", .dips(2), "lit, 2 short gaps", cyan, "The board listens to somebody: the microphone is on.",
        "Talk. Hold the button for 3 s to end it.")
    case .understanding:
      SignalEntry(
        "understanding", .dips(3), "lit, 3 short gaps", white,
        "What was said is being understood, or the agent thinks.", "Wait. The microphone may be on.")
    case .speaking:
      SignalEntry(
        "speaking", .dips(4), "lit, 4 short gaps", green, "The board speaks.",
        "Listen, or interrupt it. The microphone may be on.")
    case .pressed:
      SignalEntry(
        "pressed", .dark, "dark while you press", none, "The button is pressed.",
        "Release: acknowledged. 3 s: panic, or its end. 10 s: factory reset is offered.")
    case .resetOffered:
      SignalEntry(
        "reset-offered", .even(50), "flicker", white, "Factory reset is offered for 30 s.",
        "One short press forgets all that the board keeps. Wait, or hold for 3 s, to keep them.")
    case .panic:
      SignalEntry(
        "panic", .longs(3), "3 long, pause", magenta, "Held still: no camera, no microphone, no gateway.",
        "Hold the button for 3 s, or `talon panic release`.")
    case .consent:
      SignalEntry(
        "consent", .longs(2), "2 long, pause", cyan, "The agent asks whether it may use a device.",
        "A short press: yes, once. Hold for 1 s: no. The screen and `talon grants` show what it wants.")
    case .trustAlarm:
      SignalEntry(
        "trust-alarm", .blinks(6), "6 short, pause", red, "The gateway shows another certificate than the trusted one.",
        "Did you renew it? Compare, then `talon trust --replace`.")
    case .urgent:
      SignalEntry(
        "urgent", .longAndBlinks(5), "1 long, 5 short, pause", blue, "The agent needs a person now.",
        "Read the console or `talon log`; a short press acknowledges.")
    case .interrupt:
      SignalEntry(
        "interrupt", .longAndBlinks(4), "1 long, 4 short, pause", blue, "The agent asks a person to stop and look.",
        "As above.")
    case .active:
      SignalEntry(
        "active", .longAndBlinks(3), "1 long, 3 short, pause", blue, "The agent asks for a person.", "As above.")
    case .booting:
      SignalEntry(
        "booting", .even(125), "quick blinking", white, "The board is starting.",
        "Wait. Longer than two minutes: look at the console.")
    case .noNetwork:
      SignalEntry(
        "no-network", .blinks(1), "1 short, pause", yellow, "The board has no network.",
        "Cable, Wi-Fi name and passphrase, DHCP.")
    case .gatewayUnreachable:
      SignalEntry(
        "gateway-unreachable", .blinks(2), "2 short, pause", yellow, "The gateway does not answer, or refuses.",
        "`talon status` says why: address, firewall, credentials.")
    case .awaitingApproval:
      SignalEntry(
        "awaiting-approval", .blinks(3), "3 short, pause", yellow,
        "The gateway waits for somebody to approve this board.",
        "Type the command that `talon status` shows, on the gateway.")
    case .hardwareFault:
      SignalEntry(
        "hardware-fault", .blinks(4), "4 short, pause", yellow,
        "A device is absent or broken, or the configuration or the card is.",
        "`talon doctor` names it and says what to do.")
    case .commandsBlocked:
      SignalEntry(
        "commands-blocked", .blinks(5), "5 short, pause", yellow,
        "Connected, but the gateway allows none of the commands.",
        "Follow the numbered lines of `talon status`.")
    case .notify:
      SignalEntry(
        "notify", .longAndBlinks(2), "1 long, 2 short, pause", blue, "The agent has a message.",
        "Read the console or `talon log`; a short press acknowledges.")
    case .passive:
      SignalEntry(
        "passive", .longAndBlinks(1), "1 long, 1 short, pause", blue, "The agent left a note.",
        "As above, when there is time.")
    case .working:
      SignalEntry(
        "working", .wink, "lit, dark for a moment each second", green, "A command runs.", "Nothing.", isBrief: true)
    case .connected:
      SignalEntry("connected", .steady, "lit", green, "All is well.", "Nothing.")
    }
  }

  /// The signal of a word.
  public static func signal(word: Span<UInt8>) -> Signal? {
    for signal in Signal.allCases where equal(entry(signal).word, word) { return signal }
    return nil
  }

  private static func equal(_ literal: StaticString, _ word: Span<UInt8>) -> Bool {
    guard literal.utf8CodeUnitCount == word.count else { return false }
    for index in 0..<word.count where literal.utf8Start[index] != word[index] { return false }
    return true
  }
}

extension Signal {
  /// Its name in `talon status`.
  public var word: StaticString { SignalTable.entry(self).word }
  /// What the light does. Makes an array: for start-up.
  public var pattern: LightPattern {
    let entry = SignalTable.entry(self)
    return entry.rhythm.pattern(entry.color)
  }
}
