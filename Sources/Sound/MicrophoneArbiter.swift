import Runtime

/// The uses of the microphone in ascending order of priority (node-commands 6.4): the wake phrase pauses while a phrase
/// is taught, the board speaks or a person dictates or talks, and everything pauses during push to talk.
public enum MicrophoneUse: Int, CaseIterable, Sendable {
  /// A person watches the levels. Shares an open microphone, and opens it when no other use does.
  case meter
  /// The sound of a clip, which shares an open microphone.
  case clip
  /// Wake phrase detection.
  case wake
  /// A person teaches the board a phrase, which must not be detected meanwhile.
  case teaching
  /// The board speaks; the microphone is not used.
  case playback
  /// Speech becomes text, as in talk mode.
  case talk
  /// Push to talk.
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

  /// True when it needs the microphone.
  public var listens: Bool { self != .playback }
}

/// Decides which use gets the one microphone: the requested one with the highest priority.
public struct MicrophoneArbiter: Equatable, Sendable {
  /// A bit for each requested use.
  private var wanted: UInt8 = 0

  /// No requests.
  public init() {}

  /// Sets or clears a request.
  public mutating func want(_ use: MicrophoneUse, _ isWanted: Bool) {
    if isWanted {
      wanted |= 1 << UInt8(use.rawValue)
    } else {
      wanted &= ~(1 << UInt8(use.rawValue))
    }
  }

  /// True when this use is requested.
  public func wants(_ use: MicrophoneUse) -> Bool { wanted & 1 << UInt8(use.rawValue) != 0 }

  /// The use that has it; nil: none.
  public var use: MicrophoneUse? {
    wanted == 0 ? nil : MicrophoneUse(rawValue: 7 - wanted.leadingZeroBitCount)
  }

  /// True when the device has to be open.
  public var mustListen: Bool { use?.listens ?? false }
}
