import Codec
import Runtime

/// Answers by idempotency key, so that a repeated invoke gets the same answer without being done again: 64 entries for
/// 10 minutes (gateway reference 9.2, rule 4). It survives connections, but not the process.
///
/// A result larger than `Budget.answerBytes` is not kept: its key is forgotten, and a repeat is done again.
struct AnswerMemory: ~Copyable {
  /// Milliseconds for which an answer is kept.
  static let lifetime: Int64 = 600_000

  /// The index of an entry. It does not move while the work whose answer it will hold runs.
  struct Place: Equatable {
    let index: Int
  }

  /// A key belongs to one command. Keys of pending actions and of invokes are separate.
  struct Key: Equatable {
    var text = InlineText<128>()
    var command = 0
    var isAction = false
  }

  /// The state of the first invoke with the key.
  enum Answer: Equatable {
    case running
    /// A result of `count` bytes of JSON.
    case result(count: Int)
    /// An error whose message has `count` bytes.
    case error(code: Wire, count: Int)
    /// A pending action that is done: it has no answer.
    case done
  }

  /// An error code that is compared by address: codes are literals.
  struct Wire: Equatable {
    let code: StaticString
    static func == (left: Wire, right: Wire) -> Bool { left.code.utf8Start == right.code.utf8Start }
  }

  private struct Entry {
    var isUsed = false
    var key = Key()
    var answer = Answer.running
    /// When it was answered.
    var since: Int64 = 0
  }

  private let entries: UnsafeMutableBufferPointer<Entry>
  private let texts: ReservedBuffer

  init() throws(Errno) {
    precondition(Budget.answersRemembered > Budget.runningInvokes)
    texts = try ReservedBuffer(capacity: Budget.answersRemembered * Budget.answerBytes)
    entries = .allocate(capacity: Budget.answersRemembered)
    entries.initialize(repeating: Entry())
  }

  deinit { entries.deallocate() }

  /// The entry of a key whose work runs or whose answer is kept.
  func find(_ key: Key, at now: Int64) -> (place: Place, answer: Answer)? {
    for index in 0..<entries.count where entries[index].isUsed && entries[index].key == key {
      let entry = entries[index]
      if entry.answer != .running, now - entry.since >= Self.lifetime { continue }
      return (Place(index: index), entry.answer)
    }
    return nil
  }

  /// Makes an entry for a key that was not found, in place of the oldest one.
  mutating func begin(_ key: Key) -> Place {
    var chosen = 0
    var oldest = Int64.max
    for index in 0..<entries.count {
      guard entries[index].isUsed else {
        chosen = index
        break
      }
      // A running entry is never replaced: there are more entries than invokes that can run.
      guard entries[index].answer != .running, entries[index].since < oldest else { continue }
      oldest = entries[index].since
      chosen = index
    }
    entries[chosen] = Entry(isUsed: true, key: key)
    return Place(index: chosen)
  }

  /// Keeps a result that `build` writes; forgets the key when it is too large.
  mutating func keep(_ place: Place, at now: Int64, _ build: (inout JSONWriter) -> Void) {
    var writer = JSONWriter(into: text(place.index))
    build(&writer)
    guard writer.isComplete else { return forget(place) }
    close(place, .result(count: writer.count), now)
  }

  /// Keeps an error; its message is cut if necessary.
  mutating func keep(_ place: Place, at now: Int64, code: StaticString, message: Span<UInt8>) {
    var writer = ByteWriter(into: text(place.index))
    writer.bytes(message)
    close(place, .error(code: Wire(code: code), count: min(writer.count, Budget.answerBytes)), now)
  }

  /// Marks a pending action as done.
  mutating func keep(_ place: Place, at now: Int64) { close(place, .done, now) }

  /// Forgets a key because nothing was done: the next invoke with it is done.
  mutating func forget(_ place: Place) { entries[place.index].isUsed = false }

  /// The first bytes of an entry's text.
  func text(_ place: Place, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text(place.index))[..<count])
  }

  private func text(_ index: Int) -> UnsafeMutableBufferPointer<UInt8> {
    let start = index * Budget.answerBytes
    return UnsafeMutableBufferPointer(rebasing: texts.bytes[start..<(start + Budget.answerBytes)])
  }

  private mutating func close(_ place: Place, _ answer: Answer, _ now: Int64) {
    entries[place.index].answer = answer
    entries[place.index].since = now
  }
}
