import Runtime

/// A line editor of limited length, with a cursor and a history. Allocates nothing after `init`.
public final class LineEditor {
  /// The effect of a key.
  public enum Outcome: Equatable, Sendable {
    /// No visible change; a change of the line or the cursor.
    case nothing, changed
    /// The key has no effect here.
    case refused
    /// The line is complete: look at `line` and `isDamaged`, then `accept` or `clear` it.
    case entered
    /// Completion was requested; see `complete`.
    case completion
    /// Keys that are not about the line.
    case interrupted, ended, redraw, escape, pageUp, pageDown
  }

  let bytes: UnsafeMutableBufferPointer<UInt8>
  /// Bytes of the line, and how many of them are before the cursor.
  public internal(set) var count = 0, cursor = 0
  /// Invalid bytes arrived, or more than there is room for, so the line is not what the person typed.
  public private(set) var isDamaged = false
  private var history = LineHistory()
  /// The age of the history line that is shown; -1: the current line.
  private var shown = -1
  /// The current line, saved while the history is shown.
  private let draft: UnsafeMutableBufferPointer<UInt8>
  private var draftCount = 0

  @export(interface)
  public init() {
    bytes = .allocate(capacity: Budget.consoleLineBytes)
    bytes.initialize(repeating: 0)
    draft = .allocate(capacity: Budget.consoleLineBytes)
    draft.initialize(repeating: 0)
  }

  deinit {
    bytes.deallocate()
    draft.deallocate()
  }

  /// The line, valid until the next change.
  public var line: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: UnsafeBufferPointer(bytes)[..<count]) }

  /// Clears the line.
  public func clear() {
    for index in 0..<count { bytes[index] = 0 }
    for index in 0..<draftCount { draft[index] = 0 }
    (count, cursor, draftCount, shown, isDamaged) = (0, 0, 0, -1, false)
  }

  /// Adds the line to the history, and starts a new one.
  public func accept() {
    history.add(line)
    clear()
  }

  public func take(_ key: Key) -> Outcome {
    switch key {
    case .text(let character): return insert(character)
    case .enter: return .entered
    case .tab: return .completion
    case .backspace: return remove(from: before(cursor), to: cursor)
    case .delete: return remove(from: cursor, to: after(cursor))
    case .killToEnd: return remove(from: cursor, to: count)
    case .killToStart: return remove(from: 0, to: cursor)
    case .killWord: return remove(from: wordStart, to: cursor)
    case .left: return move(before(cursor))
    case .right: return move(after(cursor))
    case .home: return move(0)
    case .end: return move(count)
    case .up: return show(shown + 1)
    case .down: return show(shown - 1)
    case .interrupt: return .interrupted
    case .endOfInput: return count == 0 ? .ended : remove(from: cursor, to: after(cursor))
    case .redraw: return .redraw
    case .escape: return .escape
    case .pageUp: return .pageUp
    case .pageDown: return .pageDown
    case .unknown: return .refused
    case .noise:
      isDamaged = true
      return .refused
    }
  }

  // MARK: Changing

  private func insert(_ character: Unicode.Scalar) -> Outcome {
    var room: UInt32 = 0
    return withUnsafeMutableBytes(of: &room) { raw in
      let encoded = raw.bindMemory(to: UInt8.self)
      let length = encode(character, into: encoded.baseAddress!)
      return insert(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(encoded)[..<length]))
    }
  }

  /// Inserts text at the cursor. If it does not fit the line is marked as damaged: half of a command must never be run.
  func insert(_ text: UnsafeBufferPointer<UInt8>) -> Outcome {
    guard count + text.count <= bytes.count else {
      isDamaged = true
      return .refused
    }
    var index = count - 1
    while index >= cursor {
      bytes[index + text.count] = bytes[index]
      index -= 1
    }
    for index in 0..<text.count { bytes[cursor + index] = text[index] }
    count += text.count
    cursor += text.count
    return .changed
  }

  func remove(from start: Int, to end: Int) -> Outcome {
    guard start < end else { return .refused }
    for index in end..<count { bytes[start + index - end] = bytes[index] }
    count -= end - start
    cursor = start
    // An empty line is not damaged any more.
    if count == 0 { isDamaged = false }
    return .changed
  }

  private func move(_ place: Int) -> Outcome {
    if place == cursor { return .nothing }
    cursor = place
    return .changed
  }

  // MARK: Places

  /// The start of the character before `place`, with its combining marks.
  private func before(_ place: Int) -> Int {
    var place = place
    while place > 0 {
      place -= 1
      if bytes[place] & 0xC0 != 0x80, !isJoining(place) { break }
    }
    return place
  }

  /// The end of the character at `place`, with its combining marks.
  private func after(_ place: Int) -> Int {
    var place = place
    while place < count {
      place += 1
      if place == count || (bytes[place] & 0xC0 != 0x80 && !isJoining(place)) { break }
    }
    return place
  }

  private func isJoining(_ place: Int) -> Bool {
    if bytes[place] < 0x80 { return false }
    let rest = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(bytes)[place..<count])
    var reader = CharacterReader(Span(_unsafeElements: rest))
    guard let character = reader.next() else { return false }
    return columns(of: character) == 0
  }

  /// The start of the word before the cursor, with the spaces after it.
  private var wordStart: Int {
    var place = cursor
    while place > 0, bytes[place - 1] == 0x20 { place -= 1 }
    while place > 0, bytes[place - 1] != 0x20 { place -= 1 }
    return place
  }

  // MARK: History

  private func show(_ age: Int) -> Outcome {
    guard age >= -1, age < history.count else { return .refused }
    if shown == -1 { draftCount = copy(line, to: draft) }
    shown = age
    let text = age == -1 ? UnsafeBufferPointer(rebasing: UnsafeBufferPointer(draft)[..<draftCount]) : history.line(age)
    count = copy(text, to: bytes)
    cursor = count
    return .changed
  }

  private func copy(_ text: UnsafeBufferPointer<UInt8>, to place: UnsafeMutableBufferPointer<UInt8>) -> Int {
    for index in 0..<text.count { place[index] = text[index] }
    return text.count
  }
}
