// Completion: what a language model after an HTTP API is asked, and what it answers: prompts, requests, streams of
// answers, calls of tools, faults, the choice among several models, counts of tokens, vectors of texts. The API is that
// which OpenAI's servers began, and which llama-server, vLLM, Ollama and others have. It must not know sockets, TLS,
// files, nor what a tool does.

import Codec
import Runtime

/// The messages of one conversation as a model gets them: a text for the system first, then turns. A turn is a message
/// of the user, and what followed: answers, calls of tools, their results.
///
/// All text stands in memory that is taken once. What does not fit is refused and changes nothing; `dropOldest` makes
/// room.
public final class Prompt {
  enum Kind: UInt8 { case system, user, assistant, call, result }

  /// A message or a call, with up to three texts one after the other: system, user and assistant have one; a call has
  /// its id, name and arguments; a result has the call's id and its text.
  struct Entry {
    var kind = Kind.system
    var start = 0
    var first = 0
    var second = 0
    var third = 0
    var picture = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

    var end: Int { start + first + second + third }
  }

  private let memory: FixedBuffer
  private let entries: UnsafeMutableBufferPointer<Entry>
  /// Messages, and calls in them.
  public private(set) var count = 0

  /// An empty prompt with room for so many bytes of text.
  @export(interface)
  public init(bytes: Int = Budget.promptBytes) {
    memory = FixedBuffer(capacity: max(bytes, 0))
    entries = .allocate(capacity: Budget.promptMessages)
    entries.initialize(repeating: Entry())
  }

  deinit { entries.deallocate() }

  /// Bytes of text in use, without pictures.
  public var textBytes: Int { count == 0 ? 0 : entries[count - 1].end }
  /// Pictures in messages.
  public var pictures: Int {
    var number = 0
    for index in 0..<count where !entries[index].picture.isEmpty { number += 1 }
    return number
  }
  public var isEmpty: Bool { count == 0 }

  /// Messages of users, each of which begins a turn.
  public var turns: Int {
    var number = 0
    for index in 0..<count where entries[index].kind == .user { number += 1 }
    return number
  }

  /// Forgets everything.
  public func removeAll() { count = 0 }

  // MARK: Adding

  /// Adds a text for the system. Only before all other messages.
  /// - Returns: false, and nothing changed, when it does not fit or other messages are there.
  public func addSystem(_ text: Span<UInt8>) -> Bool {
    guard count == 0 || entries[count - 1].kind == .system else { return false }
    let none = StaticString("").utf8Bytes
    return add(.system, text, none, none)
  }

  /// Begins a turn with a message of the user. The picture, a JPEG file of at most `Budget.promptPictureBytes`, is not
  /// copied: it stays where it is until its message is dropped or `dropPictures` was called.
  /// - Returns: false, and nothing changed, when it does not fit.
  public func addUser(
    _ text: Span<UInt8>, picture: UnsafeBufferPointer<UInt8> = UnsafeBufferPointer(start: nil, count: 0)
  ) -> Bool {
    guard picture.count <= Budget.promptPictureBytes else { return false }
    let none = StaticString("").utf8Bytes
    guard add(.user, text, none, none) else { return false }
    entries[count - 1].picture = picture
    return true
  }

  /// Adds an answer of the model without calls.
  /// - Returns: false, and nothing changed, when it does not fit.
  public func addAnswer(_ text: Span<UInt8>) -> Bool {
    let none = StaticString("").utf8Bytes
    return add(.assistant, text, none, none)
  }

  /// Adds an answer of the model with all its calls; for one that was refused its arguments are an empty object,
  /// because servers read them and refuse what is no JSON.
  /// - Returns: false, and nothing changed, when it does not fit.
  public func addAnswer(_ text: Span<UInt8>, calls: CallList) -> Bool {
    let before = count
    guard addAnswer(text) else { return false }
    for index in 0..<calls.count {
      let call = calls[index]
      guard addCall(id: call.id, name: call.name, arguments: call.arguments) else {
        count = before
        return false
      }
    }
    return true
  }

  /// Adds one call to the answer that was added last.
  /// - Returns: false, and nothing changed, when it does not fit or there is no such answer.
  public func addCall(
    id: UnsafeBufferPointer<UInt8>, name: UnsafeBufferPointer<UInt8>, arguments: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard count > 0, entries[count - 1].kind == .assistant || entries[count - 1].kind == .call else { return false }
    return add(
      .call, Span(_unsafeElements: id), Span(_unsafeElements: name), Span(_unsafeElements: arguments))
  }

  /// Adds what a tool gave for the call with this id of the last answer.
  /// - Returns: false, and nothing changed, when it does not fit, or the last answer has no such call without a result.
  public func addResult(id: UnsafeBufferPointer<UInt8>, _ text: Span<UInt8>) -> Bool {
    guard isOpen(id) else { return false }
    return add(.result, Span(_unsafeElements: id), text, StaticString("").utf8Bytes)
  }

  /// True when the last answer has this call, and no result for it is there.
  private func isOpen(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = count - 1
    while index >= 0, entries[index].kind == .result || entries[index].kind == .call {
      let entry = entries[index]
      if Span(_unsafeElements: bytes(entry.start, entry.first)).isSame(as: Span(_unsafeElements: id)) {
        return entry.kind == .call
      }
      index -= 1
    }
    return false
  }

  private func add(_ kind: Kind, _ first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>) -> Bool {
    let start = textBytes
    let room = memory.bytes.count - start
    guard count < entries.count, first.count <= room, second.count <= room - first.count,
      third.count <= room - first.count - second.count
    else { return false }
    var entry = Entry()
    (entry.kind, entry.start) = (kind, start)
    (entry.first, entry.second, entry.third) = (first.count, second.count, third.count)
    copy(first, to: start)
    copy(second, to: start + first.count)
    copy(third, to: start + first.count + second.count)
    entries[count] = entry
    count += 1
    return true
  }

  private func copy(_ text: Span<UInt8>, to start: Int) {
    for index in 0..<text.count { memory.bytes[start + index] = text[index] }
  }

  // MARK: Dropping

  /// Makes room: drops the oldest turn as a whole, or, where only one is left, the oldest answer in it that has
  /// calls, with their results. The system's text, the last message of the user and the last answer stay.
  /// - Returns: false, and nothing changed, when there is nothing to drop.
  public func dropOldest() -> Bool {
    var start = 0
    while start < count, entries[start].kind == .system { start += 1 }
    let turn = end(of: start) { $0 == .user }
    if turn < count {
      drop(start..<turn)
      return true
    }
    if start < count, entries[start].kind == .user { start += 1 }
    let round = end(of: start) { $0 == .assistant }
    guard round < count else { return false }
    drop(start..<round)
    return true
  }

  /// Where the next entry after `start` begins that `isNext` knows, or the end.
  private func end(of start: Int, _ isNext: (Kind) -> Bool) -> Int {
    var index = start + 1
    while index < count, !isNext(entries[index].kind) { index += 1 }
    return min(index, count)
  }

  private func drop(_ range: Range<Int>) {
    let from = entries[range.lowerBound].start
    let to = range.upperBound < count ? entries[range.upperBound].start : textBytes
    let used = textBytes
    for index in to..<used { memory.bytes[index - (to - from)] = memory.bytes[index] }
    for index in range.upperBound..<count {
      entries[index].start -= to - from
      entries[index - range.count] = entries[index]
    }
    count -= range.count
  }

  /// Forgets the pictures of all messages, whose texts stay.
  public func dropPictures() {
    for index in 0..<count { entries[index].picture = UnsafeBufferPointer(start: nil, count: 0) }
  }

  // MARK: Reading

  /// The entry at an index below `count`.
  func entry(_ index: Int) -> Entry { entries[index] }

  /// Bytes of the texts.
  func bytes(_ start: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(memory.bytes)[start..<(start + count)])
  }
}
