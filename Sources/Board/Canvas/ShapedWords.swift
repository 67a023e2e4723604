import Codec
import Runtime

/// The words that were shaped before, in no size: their glyphs, and how far each word reaches. When it is full it is
/// emptied, as what a screen shows comes back within a frame.
final class ShapedWords {
  /// A word's glyphs in the table, in the order in which they are seen.
  struct Word {
    fileprivate var firstGlyph: Int32 = 0
    private(set) var count: Int32 = 0
    /// In 1/65536 of the em square.
    private(set) var advance: Int32 = 0

    fileprivate init(firstGlyph: Int32) { self.firstGlyph = firstGlyph }

    fileprivate mutating func add(_ glyph: ShapedGlyph) {
      count += 1
      advance &+= glyph.advance
    }
  }

  private struct Entry {
    var hash: UInt64
    var firstCharacter: Int32
    var length: Int16
    var look: UInt8
    var word: Word
  }

  /// Twice the entries, so that a search ends soon; -1 is an empty place.
  private static let slots = 2 * Budget.shapedWords
  private let table: UnsafeMutablePointer<Int16>
  private let entries: UnsafeMutablePointer<Entry>
  private let glyphs: UnsafeMutablePointer<ShapedGlyph>
  private let characters: UnsafeMutablePointer<UInt32>
  private(set) var count = 0
  private var glyphCount = 0
  private var characterCount = 0

  init() {
    table = .allocate(capacity: Self.slots)
    table.initialize(repeating: -1, count: Self.slots)
    // Plain values, each written before it is read: pages that no word has reached cost nothing.
    entries = .allocate(capacity: Budget.shapedWords)
    glyphs = .allocate(capacity: Budget.shapedGlyphs)
    characters = .allocate(capacity: Budget.shapedGlyphs)
  }

  deinit {
    table.deallocate()
    entries.deallocate()
    glyphs.deallocate()
    characters.deallocate()
  }

  /// The glyph of a word at an index below its count; valid until the next word is made.
  func glyph(_ index: Int, of word: Word) -> ShapedGlyph { glyphs[Int(word.firstGlyph) + index] }

  static func hash(_ text: UnsafePointer<UInt32>, _ count: Int, look: UInt8) -> UInt64 {
    var hash = UInt64(look) << 32 | UInt64(count)
    var index = 0
    while index < count {
      hash = ByteHash.mix(hash, UInt64(text[index]))
      index += 1
    }
    return hash
  }

  /// A word that is kept. `look`: its style and direction.
  func find(_ text: UnsafePointer<UInt32>, _ length: Int, look: UInt8, hash: UInt64) -> Word? {
    var slot = Int(truncatingIfNeeded: hash >> 7) & (Self.slots - 1)
    while table[slot] >= 0 {
      let entry = entries[Int(table[slot])]
      // Hashes can be made to collide, and a text is shown as it was sent.
      if entry.hash == hash, entry.look == look, Int(entry.length) == length,
        isSame(characters + Int(entry.firstCharacter), text, length)
      {
        return entry.word
      }
      slot = (slot + 1) & (Self.slots - 1)
    }
    return nil
  }

  private func isSame(_ one: UnsafePointer<UInt32>, _ other: UnsafePointer<UInt32>, _ count: Int) -> Bool {
    var index = 0
    while index < count {
      if one[index] != other[index] { return false }
      index += 1
    }
    return true
  }

  /// Begins a word to which glyphs are added.
  func begin() -> Word {
    if count == Budget.shapedWords || glyphCount + Budget.wordGlyphs > Budget.shapedGlyphs
      || characterCount + Budget.wordCharacters > Budget.shapedGlyphs
    {
      removeAll()
    }
    return Word(firstGlyph: Int32(glyphCount))
  }

  /// Adds a glyph to the word that was begun; a word that is full stays as it is (`Budget.wordGlyphs`).
  func add(_ glyph: ShapedGlyph, to word: inout Word) {
    guard word.count < Budget.wordGlyphs else { return }
    glyphs[Int(word.firstGlyph + word.count)] = glyph
    word.add(glyph)
  }

  /// Keeps the word that was begun.
  func keep(_ word: Word, _ text: UnsafePointer<UInt32>, _ length: Int, look: UInt8, hash: UInt64) {
    (characters + characterCount).update(from: text, count: length)
    entries[count] = Entry(
      hash: hash, firstCharacter: Int32(characterCount), length: Int16(length), look: look, word: word)
    var slot = Int(truncatingIfNeeded: hash >> 7) & (Self.slots - 1)
    while table[slot] >= 0 { slot = (slot + 1) & (Self.slots - 1) }
    table[slot] = Int16(count)
    count += 1
    glyphCount += Int(word.count)
    characterCount += length
  }

  /// Forgets all words: there are other faces.
  func removeAll() {
    table.update(repeating: -1, count: Self.slots)
    (count, glyphCount, characterCount) = (0, 0, 0)
  }
}
