import Codec
import Graphics
import Runtime

/// A document as a list of blocks, one below the other. Of a fixed size.
final class ReaderDocument {
  enum Kind: UInt8 {
    case text
    /// A line across (`hr`).
    case rule
    /// The text is its address; the words that stand for it follow a zero byte.
    case picture
    /// A cell of a table: those with one number are neighbors in the list.
    case cell
    /// Read as Markdown when it is drawn.
    case markdown
  }

  struct Block {
    var kind = Kind.text
    var start: Int32 = 0
    var count: Int32 = 0
    /// Height of the type in percent of the text's.
    var size: Int32 = 100
    var isBold = false
    var align = TextFlow.Alignment.start
    var indent: UInt8 = 0
    var quotes: UInt8 = 0
    /// Code: on a field of its own.
    var isCode = false
    var background: Color?
    /// What stands before an item: 0 nothing, -1 a bullet, else its number.
    var number: Int32 = 0
    /// Above it, in pixels of the reference.
    var gap: Int32 = 0
    /// Of a cell.
    var table: Int32 = 0
    var row: Int32 = 0
    var column: Int32 = 0

    // Once it is arranged, in pixels.
    var rect = Rect.empty
  }

  /// Bytes of text with marks in it: 1, a style and an ink say how what follows looks.
  static let mark: UInt8 = 1

  private let blockMemory: ReservedBuffer
  private let blocks: UnsafeMutableBufferPointer<Block>
  private(set) var count = 0
  private let textMemory: ReservedBuffer
  private(set) var textCount = 0
  private(set) var isCut = false
  /// Characters that can be seen.
  private(set) var visible = 0
  var title = InlineText<128>()
  var inks = InlineList<16, Color>()
  var background: Color?

  private var isOpen = false
  private var last: UInt8 = 0
  private var (style, ink): (TextStyle, UInt8) = (TextStyle(rawValue: 0), 0)

  init() throws(Errno) {
    blockMemory = try ReservedBuffer(capacity: Budget.readerBlocks * MemoryLayout<Block>.stride)
    blocks = UnsafeMutableRawBufferPointer(blockMemory.bytes).bindMemory(to: Block.self)
    textMemory = try ReservedBuffer(capacity: Budget.readerBytes)
  }

  /// A block, whose number is checked in every build.
  subscript(index: Int) -> Block {
    _read { yield blocks[checked(index)] }
    _modify { yield &blocks[checked(index)] }
  }

  /// The subscripts of unsafe buffers are not checked in firmware.
  private func checked(_ index: Int) -> Int {
    precondition(index >= 0 && index < blocks.count)
    return index
  }

  func text(_ block: Block) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(textMemory.bytes).extracting(Int(block.start)..<Int(block.start + block.count))
  }

  /// The address of a picture.
  func address(_ block: Block) -> UnsafeBufferPointer<UInt8> {
    let text = text(block)
    var end = 0
    while end < text.count, text[end] != 0 { end += 1 }
    return text.extracting(0..<end)
  }

  func removeAll() {
    (count, textCount, visible, isCut, isOpen) = (0, 0, 0, false, false)
    title.clear()
    inks.removeAll()
    background = nil
    blockMemory.release()
    textMemory.release()
  }

  // MARK: Building

  /// Adds a block; what is put from here on is its text. False when there is no room.
  @discardableResult
  func begin(_ block: Block) -> Bool {
    end()
    guard count < Budget.readerBlocks else {
      isCut = true
      return false
    }
    blocks.initializeElement(at: count, to: block)
    self[count].start = Int32(textCount)
    self[count].count = 0
    count += 1
    isOpen = true
    (style, ink) = (TextStyle(rawValue: 0), 0)
    return true
  }

  /// Ends the block; one of text without any is taken back.
  func end() {
    guard isOpen else { return }
    isOpen = false
    let block = self[count - 1]
    if block.kind == .text, block.count == 0, block.number == 0 { count -= 1 }
  }

  var hasBlock: Bool { isOpen }

  private func append(_ byte: UInt8) {
    guard isOpen, textCount < Budget.readerBytes else { return isCut = true }
    textMemory.bytes[textCount] = byte
    textCount += 1
    self[count - 1].count += 1
  }

  /// Says how what follows looks.
  func look(_ style: TextStyle, ink: UInt8) {
    guard isOpen, style != self.style || ink != self.ink else { return }
    (self.style, self.ink) = (style, ink)
    append(Self.mark)
    // Neither is a byte that text is cut at.
    append(style.rawValue | 0x80)
    append(ink | 0x80)
  }

  func put(_ byte: UInt8) {
    append(byte)
    // U+00A0 is a blank that is kept.
    if byte > 0x20 { visible += byte == 0xA0 && last == 0xC2 ? -1 : 1 }
    last = byte
  }

  /// The end of the characters of ASCII from a place on that are neither blanks nor an entity.
  static func endOfWord(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
    var end = range.lowerBound
    while end < range.upperBound, (0x21...0x7E).contains(bytes[end]), bytes[end] != UInt8(ascii: "&") { end += 1 }
    return end
  }

  /// Puts such characters, as `put` would one after the other.
  func put(word: UnsafeBufferPointer<UInt8>) {
    guard !word.isEmpty else { return }
    visible += word.count
    last = word[word.count - 1]
    let room = isOpen ? min(word.count, Budget.readerBytes - textCount) : 0
    if room < word.count { isCut = true }
    for index in 0..<room { textMemory.bytes[textCount + index] = word[index] }
    textCount += room
    if room > 0 { self[count - 1].count += Int32(room) }
  }

  /// The number of a color; 0 when there are too many.
  func ink(_ color: Color) -> UInt8 {
    for index in 0..<inks.count where inks[index] == color { return UInt8(index + 1) }
    return inks.append(color) ? UInt8(inks.count) : 0
  }
}
