import Runtime

/// A line that a person types: bounded, with a cursor, with the lines before it. Nothing allocates after `init`.
public final class LineEditor {
  /// What a key did.
  public enum Outcome: Equatable, Sendable {
    /// Nothing that can be seen; the line is another, or its cursor stands elsewhere.
    case nothing, changed
    /// The key makes no sense here.
    case refused
    /// The line is complete: look at `line` and `isDamaged`, then `accept` or `clear` it.
    case entered
    /// The person wants completion; see `complete`.
    case completion
    /// Keys that are not about the line.
    case interrupted, ended, redraw, escape, pageUp, pageDown
  }

  let bytes: UnsafeMutableBufferPointer<UInt8>
  /// Bytes of the line, and how many of them stand before the cursor.
  public internal(set) var count = 0, cursor = 0
  /// Bytes that no key sends came, or more than there is room for: nobody typed this line as it stands.
  public private(set) var isDamaged = false
  private var history = LineHistory()
  /// Which line of the history is shown, by its age; -1: the one that is typed.
  private var shown = -1
  /// What was typed before the history was looked at.
  private let draft: UnsafeMutableBufferPointer<UInt8>
  private var draftCount = 0

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

  /// The line. Gone with the next change.
  public var line: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: UnsafeBufferPointer(bytes)[..<count]) }

  /// Forgets the line and what it held.
  public func clear() {
    for index in 0..<count { bytes[index] = 0 }
    for index in 0..<draftCount { draft[index] = 0 }
    (count, cursor, draftCount, shown, isDamaged) = (0, 0, 0, -1, false)
  }

  /// Begins a new line, and keeps this one in the history.
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

  /// Puts text in at the cursor. What does not fit damages the line: half of it must never be run.
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
    // What was damaged is gone with the whole line.
    if count == 0 { isDamaged = false }
    return .changed
  }

  private func move(_ place: Int) -> Outcome {
    if place == cursor { return .nothing }
    cursor = place
    return .changed
  }

  // MARK: Places

  /// Where the character before `place` begins, marks that join it included.
  private func before(_ place: Int) -> Int {
    var place = place
    while place > 0 {
      place -= 1
      if bytes[place] & 0xC0 != 0x80, !isJoining(place) { break }
    }
    return place
  }

  /// Where the character at `place` ends, marks that join it included.
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

  /// Where the word before the cursor begins, blanks behind it included.
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
