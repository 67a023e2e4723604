// Memory: what the board's own agent remembers, as conversation, daily notes and facts. Pure: a store on flash is a
// `MemoryStore`, and work that blocks is a job of `MemoryDesk`.

import Codec
import Runtime

/// What an entry is. The numbers are those of the file.
public enum MemoryKind: UInt8, Sendable {
  /// What somebody said.
  case conversation = 1
  /// What was noted on a day.
  case note = 2
  /// What is true until it is forgotten, of a subject.
  case fact = 3
}

/// Who said it. The numbers are those of the file.
public enum MemorySpeaker: UInt8, Sendable {
  /// An entry that is no conversation.
  case nobody = 0
  case person = 1
  case agent = 2
  case tool = 3

  /// The word in Markdown.
  var word: StaticString {
    switch self {
    case .nobody: ""
    case .person: "person"
    case .agent: "agent"
    case .tool: "tool"
    }
  }

  /// The speaker of a word in Markdown.
  init?(word: Span<UInt8>) {
    for speaker in [MemorySpeaker.person, .agent, .tool] where word.matches(speaker.word) {
      self = speaker
      return
    }
    return nil
  }
}

/// An entry, without its subject and its text.
public struct MemoryEntry: Equatable, Sendable {
  /// Milliseconds of a day, and the instants that a text of 24 characters can have: those of the years 0 to 9999.
  static let dayMilliseconds: Int64 = 86_400_000
  static let times: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999
  static let days: ClosedRange<Int64> = -719_528...2_932_896

  /// The number in the store; 0 before it has one.
  public var id: Int64 = 0
  public let kind: MemoryKind
  public let speaker: MemorySpeaker
  /// Milliseconds since 1 January 1970.
  public let time: Int64
  /// The day of a note, in days since 1 January 1970, where the board is; 0 for other entries.
  public let day: Int64

  /// An entry from a file: numbers that none can have become those nearest.
  public init(id: Int64, kind: MemoryKind, speaker: MemorySpeaker, time: Int64, day: Int64) {
    self.id = id
    self.kind = kind
    self.speaker = kind != .conversation ? .nobody : speaker == .nobody ? .person : speaker
    self.time = min(max(time, Self.times.lowerBound), Self.times.upperBound)
    self.day = kind == .note ? min(max(day, Self.days.lowerBound), Self.days.upperBound) : 0
  }

  /// What somebody said at a time, in milliseconds since 1 January 1970.
  public static func conversation(_ speaker: MemorySpeaker, at time: Int64) -> MemoryEntry {
    MemoryEntry(id: 0, kind: .conversation, speaker: speaker, time: time, day: 0)
  }

  /// A note of a day, in days since 1 January 1970 where the board is.
  public static func note(day: Int64, at time: Int64) -> MemoryEntry {
    MemoryEntry(id: 0, kind: .note, speaker: .nobody, time: time, day: day)
  }

  /// A fact that was learned at a time.
  public static func fact(at time: Int64) -> MemoryEntry {
    MemoryEntry(id: 0, kind: .fact, speaker: .nobody, time: time, day: 0)
  }

  /// The day of an instant in UTC.
  static func day(of time: Int64) -> Int64 {
    time >= 0 ? time / dayMilliseconds : (max(time, times.lowerBound) - dayMilliseconds + 1) / dayMilliseconds
  }
}

/// An entry with its texts, UTF-8, which are valid during the call that passes it.
public struct MemoryRow {
  public var entry: MemoryEntry
  /// What a fact is about, of at most `Budget.memorySubjectBytes`; empty for other entries.
  public let subject: UnsafeBufferPointer<UInt8>
  /// At most `Budget.memoryEntryBytes`.
  public let text: UnsafeBufferPointer<UInt8>

  /// An entry with its texts.
  public init(_ entry: MemoryEntry, subject: UnsafeBufferPointer<UInt8>, text: UnsafeBufferPointer<UInt8>) {
    self.entry = entry
    self.subject = subject
    self.text = text
  }
}
