import Codec
import Runtime

/// What was answered to whom, by idempotency key, so that a repeat is answered and not done again: 64 entries for
/// 10 minutes (gateway reference 9.2, rule 4). It outlives connections, not the process.
///
/// A result larger than `Budget.answerBytes` is not kept: its key is forgotten, and a repeat is done again.
struct AnswerMemory: ~Copyable {
  /// Milliseconds for which an answer is remembered.
  static let lifetime: Int64 = 600_000

  /// An entry. It stays where it is for as long as the work runs whose answer it waits for.
  struct Place: Equatable {
    let index: Int
  }

  /// A key counts for one command, and one that names a pending action is no invoke's key.
  struct Key: Equatable {
    var text = InlineText<128>()
    var command = 0
    var isAction = false
  }

  /// What became of the first of its kind.
  enum Answer: Equatable {
    case running
    /// `count` bytes of JSON.
    case result(count: Int)
    /// `count` bytes of message.
    case error(code: Wire, count: Int)
    /// There was nobody to answer.
    case done
  }

  /// A code that compares by address: codes are literals.
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

  /// The entry of a key whose answer runs or is remembered.
  func find(_ key: Key, at now: Int64) -> (place: Place, answer: Answer)? {
    for index in 0..<entries.count where entries[index].isUsed && entries[index].key == key {
      let entry = entries[index]
      if entry.answer != .running, now - entry.since >= Self.lifetime { continue }
      return (Place(index: index), entry.answer)
    }
    return nil
  }

  /// Makes room for the answer of a key that was not found, in place of the oldest one.
  mutating func begin(_ key: Key) -> Place {
    var chosen = 0
    var oldest = Int64.max
    for index in 0..<entries.count {
      guard entries[index].isUsed else {
        chosen = index
        break
      }
      // What runs has its place: there are more places than can run.
      guard entries[index].answer != .running, entries[index].since < oldest else { continue }
      oldest = entries[index].since
      chosen = index
    }
    entries[chosen] = Entry(isUsed: true, key: key)
    return Place(index: chosen)
  }

  /// Remembers a result that `build` writes; forgets the key when it is too large.
  mutating func keep(_ place: Place, at now: Int64, _ build: (inout JSONWriter) -> Void) {
    var writer = JSONWriter(into: text(place.index))
    build(&writer)
    guard writer.isComplete else { return forget(place) }
    close(place, .result(count: writer.count), now)
  }

  /// Remembers an error; its message is cut if it must be.
  mutating func keep(_ place: Place, at now: Int64, code: StaticString, message: Span<UInt8>) {
    var writer = ByteWriter(into: text(place.index))
    writer.bytes(message)
    close(place, .error(code: Wire(code: code), count: min(writer.count, Budget.answerBytes)), now)
  }

  /// Remembers that it was done.
  mutating func keep(_ place: Place, at now: Int64) { close(place, .done, now) }

  /// Nothing was done: the next of its key begins anew.
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
