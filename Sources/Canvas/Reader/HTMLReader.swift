import Codec
import Graphics
import Runtime

/// Why a document cannot be shown as text.
public struct ReaderError: Error {
  public enum Kind: Sendable { case scripts, empty, outOfMemory }

  public let kind: Kind
  /// A description of the cause.
  public let text: InlineText<128>

  init(_ kind: Kind, _ text: StaticString) {
    self.kind = kind
    self.text = InlineText(cutting: text)
  }
}

/// Reads HTML into blocks: headings, paragraphs, lists, tables, code, pictures, and the simplest styles. Of everything
/// else only the text. It stops wherever a turn of the loop is over, and goes on in the next one.
struct HTMLReader {
  /// How things look inside an element.
  struct Context {
    var tag = HTMLTag.other
    var style = TextStyle(rawValue: 0)
    var ink: UInt8 = 0
    var block = ReaderDocument.Block()
    var isOrdered = false
    var isList = false
    var isPre = false
    var isHidden = false
    var next: Int32 = 1
  }

  let document: ReaderDocument
  var reader: MarkupReader
  private var encoding = EncodingCheck()
  /// What is left of the text, or of the inside of a script, that is being read.
  private var rest = 0..<0
  private var isRaw = false
  /// Elements that are open, of which `Budget.readerDepth` are told apart.
  private var stack = InlineArray<64, Context>(repeating: Context())
  private var depth = 0
  /// A blank is between what was put and what comes.
  private var hasBlank = false
  private var lineIsEmpty = true
  private var gap: Int32 = 0
  private var tables: Int32 = 0
  private var (row, column): (Int32, Int32) = (0, 0)
  private var isTitle = false
  private(set) var counts = HTMLCounts()

  /// Reads a document into another. The bytes must stay until all are read.
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ document: ReaderDocument) {
    precondition(stack.count == Budget.readerDepth)
    self.document = document
    reader = MarkupReader(bytes, isHTML: true)
  }

  /// Does so much of the work (`Budget.readBytes`). False while there is more.
  mutating func readMore(atMost work: Int) -> Bool {
    var left = work
    guard encoding.isKnown(reader.bytes, atMost: &left) else { return false }
    while left > 0 {
      if !rest.isEmpty {
        readRest(atMost: &left)
      } else if let piece = reader.next(atMost: &left) {
        left -= Budget.readStep
        read(piece, &left)
      } else if reader.isAtEnd {
        document.end()
        return true
      }
      // It is refused whatever follows.
      if counts.scripts > 0 { return true }
    }
    return false
  }

  private mutating func read(_ piece: MarkupReader.Piece, _ left: inout Int) {
    switch piece {
    case .open(let name, var attributes, let isClosed):
      if attributes.count > Budget.readerTagBytes { attributes = attributes.lowerBound..<attributes.lowerBound }
      left -= attributes.count
      open(HTMLTag(reader, name), attributes, isClosed)
    case .close(let name): close(HTMLTag(reader, name))
    case .text(let range): (rest, isRaw) = (range, false)
    case .raw(let range):
      guard stack[depth].tag == .script, !stack[depth].isList else { return }
      (rest, isRaw) = (range, true)
    }
  }

  private mutating func readRest(atMost left: inout Int) {
    let end = left < rest.count ? rest.lowerBound + left : rest.upperBound
    let place = isRaw ? raw(rest.lowerBound..<end) : text(rest, to: end)
    left -= place - rest.lowerBound
    rest = place..<rest.upperBound
  }

  /// Looks for what a script does; gives where the search goes on.
  private mutating func raw(_ range: Range<Int>) -> Int {
    for place in range where !TextReader.isBlank(reader.bytes[place]) {
      counts.scripts += 1
      break
    }
    return range.upperBound
  }

  // MARK: Tags

  private mutating func open(_ tag: HTMLTag, _ attributes: Range<Int>, _ isClosed: Bool) {
    switch tag {
    case .br: return lineBreak()
    case .hr:
      document.end()
      var block = stack[depth].block
      (block.kind, block.gap, block.number) = (.rule, 12, 0)
      if !stack[depth].isHidden { document.begin(block) }
      document.end()
      gap = 12
      return
    case .img: return picture(attributes)
    case .void: return
    default: break
    }
    closeOpen(tag)
    guard depth + 1 < Budget.readerDepth else { return }
    var context = stack[depth]
    context.tag = tag
    context.isList = false
    apply(tag, &context)
    apply(attributes, tag, &context)
    if tag.isBlock { document.end() }
    if tag == .body {
      document.background = context.block.background
      context.block.background = nil
    }
    switch tag {
    case .script where isData(attributes): context.isList = true
    case .title: isTitle = !isClosed && document.title.isEmpty && !stack[depth].isHidden
    case .table: if context.block.table == 0 { beginTable(&context) }
    case .tr: if context.block.table != 0 { (row, column) = (row + 1, 0) }
    case .td, .th: if context.block.table != 0 { beginCell(&context) }
    case .li: beginItem(&context)
    default: break
    }
    if tag.gap > 0 { gap = max(gap, tag.gap) }
    counts.count(tag)
    guard !isClosed || tag.isBlock else { return }
    depth += 1
    stack[depth] = context
    if isClosed { close(tag) }
  }

  private mutating func beginTable(_ context: inout Context) {
    tables += 1
    context.block.table = tables
    (row, column) = (0, 0)
  }

  private mutating func beginCell(_ context: inout Context) {
    context.block.kind = .cell
    context.block.row = max(row, 1)
    context.block.column = min(column, Int32(Budget.readerColumns) - 1)
    column += 1
    if !context.isHidden { document.begin(context.block) }
    lineIsEmpty = true
    hasBlank = false
  }

  private mutating func beginItem(_ context: inout Context) {
    let isOrdered = stack[depth].isOrdered
    context.block.number = isOrdered ? stack[depth].next : -1
    stack[depth].next += 1
  }

  /// Elements that end where another begins.
  private mutating func closeOpen(_ tag: HTMLTag) {
    var index = depth
    while index > 0 {
      let open = stack[index].tag
      let ends: Bool
      switch tag {
      case .li: ends = open == .li
      case .tr: ends = open == .tr
      case .td, .th: ends = open == .td || open == .th
      default: ends = tag.isBlock && open == .p
      }
      if ends { return pop(to: index) }
      if open == .list || open == .orderedList || open == .table || open == .td || open == .th { return }
      index -= 1
    }
  }

  private mutating func close(_ tag: HTMLTag) {
    var index = depth
    while index > 0, stack[index].tag != tag { index -= 1 }
    guard index > 0 else {
      if tag == .p { document.end() }
      return
    }
    pop(to: index)
  }

  private mutating func pop(to index: Int) {
    while depth >= index {
      let tag = stack[depth].tag
      if tag.isBlock {
        if stack[depth].block.kind != .cell || tag == .td || tag == .th { document.end() }
        gap = max(gap, tag.gap)
      }
      if tag == .title { isTitle = false }
      depth -= 1
    }
  }

  // MARK: Content

  /// Reads a text up to a place in it; gives where it goes on.
  @discardableResult
  private mutating func text(_ range: Range<Int>, to stop: Int) -> Int {
    let context = stack[depth]
    if isTitle {
      takeTitle(range.lowerBound..<min(range.upperBound, range.lowerBound + Budget.readBytes))
      return range.upperBound
    }
    guard !context.isHidden else { return range.upperBound }
    var place = range.lowerBound
    while place < stop {
      let byte = reader.bytes[place]
      if TextReader.isBlank(byte) {
        place += 1
        if context.isPre { blankOfCode(byte) } else if !lineIsEmpty { hasBlank = true }
        continue
      }
      ready(context)
      let end = ReaderDocument.endOfWord(reader.bytes, place..<stop)
      if end > place {
        document.put(word: reader.bytes.extracting(place..<end))
        place = end
        continue
      }
      if byte == UInt8(ascii: "&"), let character = Entities.read(reader.bytes, &place, end: range.upperBound) {
        Entities.write(character) { put($0) }
      } else {
        place += 1
        if encoding.isLatin { Entities.write(UInt32(byte)) { put($0) } } else { put(byte) }
      }
    }
    return place
  }

  private func put(_ byte: UInt8) { if byte != ReaderDocument.mark { document.put(byte) } }

  /// Makes sure that there is a block, of the right look.
  private mutating func ready(_ context: Context) {
    if !document.hasBlock {
      var block = context.block
      if block.kind != .cell { block.kind = .text }
      block.gap = gap
      document.begin(block)
      // Only the first block of an item has its bullet.
      forgetNumber()
      gap = 0
      (hasBlank, lineIsEmpty) = (false, true)
    }
    document.look(context.style, ink: context.ink)
    if hasBlank, !lineIsEmpty { document.put(0x20) }
    (hasBlank, lineIsEmpty) = (false, false)
  }

  private mutating func forgetNumber() {
    for index in 0...depth { stack[index].block.number = 0 }
  }

  private mutating func blankOfCode(_ byte: UInt8) {
    guard byte != 0x0D else { return }
    if byte == 0x0A {
      // The line end after the tag is none.
      if document.hasBlock, !lineIsEmpty || hasBlank { document.put(0x0A) }
      return
    }
    ready(stack[depth])
    for _ in 0..<(byte == 0x09 ? 4 : 1) {
      document.put(0xC2)
      document.put(0xA0)
    }
  }

  private mutating func lineBreak() {
    guard !stack[depth].isHidden, document.hasBlock else { return }
    document.put(0x0A)
    (hasBlank, lineIsEmpty) = (false, true)
  }

  private mutating func takeTitle(_ range: Range<Int>) {
    var place = range.lowerBound
    var isPending = false
    var text = InlineText<128>()
    _ = text.fill { room in
      var count = 0
      func put(_ byte: UInt8) {
        guard count < room.count else { return }
        room[count] = byte
        count += 1
      }
      while place < range.upperBound {
        if TextReader.isBlank(reader.bytes[place]) {
          isPending = count > 0
          place += 1
          continue
        }
        if isPending { put(0x20) }
        isPending = false
        if reader.bytes[place] == UInt8(ascii: "&"),
          let character = Entities.read(reader.bytes, &place, end: range.upperBound)
        {
          Entities.write(character, put)
        } else {
          put(reader.bytes[place])
          place += 1
        }
      }
      return count
    }
    document.title = InlineText(cutting: text.span)
  }

  private mutating func picture(_ attributes: Range<Int>) {
    guard !stack[depth].isHidden else { return }
    var list = MarkupAttributes(reader.bytes, attributes)
    var (source, words) = (0..<0, 0..<0)
    while let (name, value) = list.next() {
      if reader.isWord(name, "src") { source = value }
      if reader.isWord(name, "alt") { words = value }
    }
    guard !source.isEmpty, source.count <= Budget.readerURLBytes else { return }
    let isCell = stack[depth].block.kind == .cell
    guard !isCell else {
      // Cells hold text alone.
      text(words, to: words.upperBound)
      return
    }
    var block = stack[depth].block
    (block.kind, block.gap) = (.picture, max(gap, 8))
    guard document.begin(block) else { return }
    var place = source.lowerBound
    while place < source.upperBound {
      if reader.bytes[place] == UInt8(ascii: "&"),
        let character = Entities.read(reader.bytes, &place, end: source.upperBound)
      {
        Entities.write(character) { document.put($0) }
      } else {
        document.put(reader.bytes[place])
        place += 1
      }
    }
    document.put(0)
    for place in words { document.put(reader.bytes[place]) }
    document.end()
    forgetNumber()
    gap = 8
    counts.pictures += 1
  }
}

/// What a document has beside text.
struct HTMLCounts {
  var scripts = 0
  var drawings = 0
  var frames = 0
  var pictures = 0
  var headings = 0

  mutating func count(_ tag: HTMLTag) {
    if tag == .svg { drawings += 1 }
    if tag == .frame { frames += 1 }
    if tag == .h1 { headings += 1 }
  }
}
