import Runtime

/// What a microphone is wanted for, in the order of what gives way to what (node-commands 6.4): who listens for a phrase pauses while
/// somebody teaches, speaks, dictates or talks, and all while a person presses to talk.
public enum MicrophoneUse: Int, CaseIterable, Sendable {
  /// A person looks at the levels. Hears whatever is open, and opens it when nobody else does.
  case meter
  /// A clip is made, which hears what others hear, too.
  case clip
  /// Listening for a phrase.
  case wake
  /// A person teaches the board a phrase, which is not to be heard meanwhile.
  case teaching
  /// The board speaks: nobody listens.
  case playback
  /// What is said becomes text, as in talk mode.
  case talk
  /// A person presses to talk.
  case pushToTalk

  /// Its name for programs.
  public var word: StaticString {
    switch self {
    case .meter: "meter"
    case .clip: "clip"
    case .wake: "wake"
    case .teaching: "teaching"
    case .playback: "playback"
    case .talk: "talk"
    case .pushToTalk: "pushToTalk"
    }
  }

  /// True when it listens.
  public var listens: Bool { self != .playback }
}

/// Who has the one microphone: of those who want it, the one that all others give way to.
public struct MicrophoneOwner: Equatable, Sendable {
  /// A bit for each use that wants it.
  private var wishes: UInt8 = 0

  /// Nobody wants it.
  public init() {}

  /// Somebody wants it for this, or no longer.
  public mutating func want(_ use: MicrophoneUse, _ isWanted: Bool) {
    if isWanted {
      wishes |= 1 << UInt8(use.rawValue)
    } else {
      wishes &= ~(1 << UInt8(use.rawValue))
    }
  }

  /// True when somebody wants it for this.
  public func wants(_ use: MicrophoneUse) -> Bool { wishes & 1 << UInt8(use.rawValue) != 0 }

  /// Who has it; nil: nobody wants it.
  public var use: MicrophoneUse? {
    wishes == 0 ? nil : MicrophoneUse(rawValue: 7 - wishes.leadingZeroBitCount)
  }

  /// True when the device has to be open.
  public var mustListen: Bool { use?.listens ?? false }
}
