import Codec
import Runtime

/// Puts the text of a page together in memory of fixed size: white space collapses, line breaks and marks wait until
/// text follows, and what a person would not see is dropped (`CleanScalar`). Ends at a character's edge.
struct PageOutput: ~Copyable {
  /// What is put before the first text of a heading or an item.
  enum Mark {
    case none
    /// With its level.
    case heading(Int)
    /// With the number of lists around it.
    case item(Int)
  }

  private var room = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  /// Bytes of text.
  private(set) var count = 0
  /// There was more text than room.
  private(set) var isCut = false
  /// Line feeds that come before the next text.
  private var breaks = 0
  /// Line feeds at the end of the text.
  private var feeds = 0
  private var hasBlank = false
  /// In a cell of a table that has no text yet, where no line ends.
  private var isCellStart = false
  private var mark = Mark.none

  /// Starts an empty text in `room`, which must outlive its use.
  mutating func begin(into room: UnsafeMutableBufferPointer<UInt8>) {
    (self.room, count, isCut) = (room, 0, false)
    (breaks, feeds, hasBlank, isCellStart, mark) = (0, 0, false, false, .none)
  }

  /// The text so far.
  var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(room).extracting(0..<count) }

  // MARK: Characters

  /// Adds a character; white space collapses.
  mutating func put(_ scalar: UInt32) {
    switch CleanScalar(scalar) {
    case .plain:
      settle()
      write(scalar)
    case .blank, .line: if breaks == 0, feeds == 0, count > 0 { hasBlank = true }
    case .dropped: return
    }
  }

  /// Adds a character of text whose lines and blanks are kept.
  mutating func putKept(_ scalar: UInt32) {
    switch CleanScalar(scalar) {
    case .plain:
      settle()
      write(scalar)
    case .blank:
      settle()
      write(0x20)
    case .line:
      hasBlank = false
      if breaks > 0 { breaks = min(breaks + 1, 2) } else if count > 0, feeds < 2 { write(0x0A) }
    case .dropped: return
    }
  }

  /// Adds a literal of ASCII.
  mutating func put(_ text: StaticString) {
    settle()
    for index in 0..<text.utf8CodeUnitCount { write(UInt32(text.utf8Start[index])) }
  }

  /// Adds a byte of ASCII as it is.
  mutating func putByte(_ byte: UInt8) { write(UInt32(byte)) }

  // MARK: Lines

  /// The next text begins after so many line feeds, 1 or 2.
  mutating func breakLine(_ feeds: Int) {
    guard !isCellStart else { return }
    breaks = max(breaks, feeds)
    hasBlank = false
  }

  /// One more line feed, as `br` makes.
  mutating func addBreak() {
    guard !isCellStart else { return }
    breaks = min(breaks + 1, 2)
    hasBlank = false
  }

  /// The first cell of a row begins.
  mutating func beginFirstCell() { isCellStart = true }

  /// Another cell begins. `isOnLine`: its row has text already, which it stands beside.
  mutating func beginCell(isOnLine: Bool) {
    if isOnLine { breaks = 0 }
    hasBlank = count > 0 && isOnLine
    put("|")
    hasBlank = true
    isCellStart = true
  }

  /// A row has ended, in whatever state its last cell is.
  mutating func endRow() { isCellStart = false }

  /// What the next text is marked with.
  mutating func begin(_ mark: Mark) { self.mark = mark }

  /// A heading or item has ended, perhaps without text.
  mutating func endMark() { mark = .none }

  // MARK: Title

  /// Puts a title before everything else.
  mutating func insert(title: UnsafeBufferPointer<UInt8>) {
    guard !title.isEmpty, title.count + 2 < room.count, let base = room.baseAddress, let from = title.baseAddress else {
      return
    }
    let shift = title.count + 2
    var kept = min(count, room.count - shift)
    if kept < count {
      while kept > 0, room[kept] & 0xC0 == 0x80 { kept -= 1 }
      isCut = true
    }
    (base + shift).update(from: base, count: kept)
    base.update(from: from, count: title.count)
    (room[title.count], room[title.count + 1]) = (0x0A, 0x0A)
    if count == 0 { feeds = 2 }
    count = kept + shift
  }

  /// Nothing follows. Line feeds and blanks at the end are dropped.
  mutating func end() {
    while count > 0, room[count - 1] == 0x0A || room[count - 1] == 0x20 { count -= 1 }
  }

  // MARK: Bytes

  /// Writes what waits before a text.
  private mutating func settle() {
    if count > 0, breaks > 0 {
      for _ in 0..<max(breaks - feeds, 0) { write(0x0A) }
    } else if hasBlank {
      write(0x20)
    }
    (breaks, hasBlank, isCellStart) = (0, false, false)
    switch mark {
    case .none: return
    case .heading(let level): for _ in 0..<level { write(0x23) }
    case .item(let depth):
      for _ in 1..<max(depth, 1) { write(0x20); write(0x20) }
      write(0x2D)
    }
    write(0x20)
    mark = .none
  }

  private mutating func write(_ scalar: UInt32) {
    guard !isCut else { return }
    let length = scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4
    guard length <= room.count - count else { return isCut = true }
    feeds = scalar == 0x0A ? feeds + 1 : 0
    if length == 1 {
      room[count] = UInt8(truncatingIfNeeded: scalar)
    } else {
      var rest = scalar
      for place in stride(from: length - 1, to: 0, by: -1) {
        room[count + place] = UInt8(truncatingIfNeeded: 0x80 | rest & 0x3F)
        rest >>= 6
      }
      room[count] = UInt8(truncatingIfNeeded: 0xF00 >> UInt32(length) | rest)
    }
    count += length
  }
}
