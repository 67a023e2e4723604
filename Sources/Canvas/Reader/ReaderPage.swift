import Codec
import Graphics
import Runtime

/// How a document is written.
public enum ReaderFormat: Sendable { case html, markdown, plain }

/// A document to read: headings, paragraphs, lists, tables, code, quotes, pictures, one below the other. It scrolls
/// with fingers, wheel and keys. No scripts, no layout but this one. A long document is arranged in slices from its
/// top, so that it does not hold the loop; what has its place is shown.
public final class ReaderPage: ScreenPage {
  let document: ReaderDocument
  /// What reads it; nil once that is done.
  private var html: HTMLReader?
  private var plain: PlainReader?
  let flow: TextFlow
  private let pictures: (any PictureShelf)?
  private(set) var size = Size(0, 0)
  private(set) var theme = Theme()
  /// A title that no heading of the document says.
  private var showsTitle = false
  private var titleHeight: Int32 = 0
  private var height: Int32 = 0
  /// Where the blocks are that come next; nil: all have their places.
  private var layout: ReaderLayout?
  /// Blocks that have places, perhaps of an arrangement before.
  private var placed = 0
  /// How far it is to be scrolled once so much is arranged; nil: as it is.
  private var wantedScroll: Int32?
  /// How many pictures there were when it was arranged.
  private var shownPictures = 0

  private var scrolling = PageScroll()
  private var gestures = PointerGestures(scale: 1)

  /// An empty page. Pictures of documents come from `pictures`, by their addresses as the document writes them. Throws
  /// when there is no address space left.
  @export(interface)
  public init(measurer: any TextMeasurer, pictures: (any PictureShelf)?) throws(Errno) {
    document = try ReaderDocument()
    flow = TextFlow(measurer: measurer)
    self.pictures = pictures
  }

  /// The document's title; empty when it has none.
  public var title: Span<UInt8> {
    @_lifetime(borrow self) borrowing get { _overrideLifetime(document.title.span, borrowing: self) }
  }

  /// Only the beginning is shown, of the document or of one of its texts: it is longer than what is kept
  /// (`Budget.readerBytes`, `Budget.readerBlocks`) or arranged (`Budget.flowBytes`, `Budget.flowWords`,
  /// `Budget.flowLines`) so far.
  public var isCut: Bool { document.isCut || hasCutText }
  private var hasCutText = false

  /// Takes a document in place of the last, at once. Throws, and shows nothing, when it does something by script, or
  /// has nothing to read.
  @export(interface)
  public func take(_ bytes: UnsafeBufferPointer<UInt8>, _ format: ReaderFormat) throws(ReaderError) {
    begin(bytes, format)
    _ = try readMore(atMost: .max)
  }

  /// Takes a document in place of the last, which `readMore` reads. The bytes must stay until it is read, or another is
  /// begun.
  @export(interface)
  public func begin(_ bytes: UnsafeBufferPointer<UInt8>, _ format: ReaderFormat) {
    document.removeAll()
    (scrolling, showsTitle) = (PageScroll(), false)
    (layout, placed, height, wantedScroll, hasCutText) = (nil, 0, 0, nil, false)
    html = format == .html ? HTMLReader(bytes, document) : nil
    plain = format == .html ? nil : PlainReader(bytes, document, isMarkdown: format == .markdown)
  }

  /// Does so much of the work of reading: a byte of the document counts as one, other work as
  /// `Budget.readStep`. False while there is more of it. Throws, and shows nothing, when the document does something by
  /// script, or has nothing to read.
  @export(interface)
  public func readMore(atMost work: Int = Budget.readBytes) throws(ReaderError) -> Bool {
    guard html?.readMore(atMost: work) ?? plain?.readMore(atMost: work) ?? true else { return false }
    let counts = html?.counts
    (html, plain) = (nil, nil)
    if let error = fault(counts) {
      document.removeAll()
      throw error
    }
    if let counts { showsTitle = counts.headings == 0 && !document.title.isEmpty }
    if size.width > 0 { arrange() }
    return true
  }

  /// Why what was read is not shown.
  private func fault(_ counts: HTMLCounts?) -> ReaderError? {
    if let counts, counts.scripts > 0 {
      return ReaderError(.scripts, "the document has a script element; its text alone would not be what it shows")
    }
    if let counts, document.visible == 0, counts.pictures == 0 { return Self.nothing(counts) }
    return document.visible > 0 || document.count > 0 ? nil : ReaderError(.empty, "the document has no text")
  }

  private static func nothing(_ counts: HTMLCounts) -> ReaderError {
    if counts.frames > 0 {
      return ReaderError(.empty, "the document has no text: it is made of canvas, video or other pages inside it")
    }
    if counts.drawings > 0 { return ReaderError(.empty, "the document has no text, but an svg element among others") }
    return ReaderError(.empty, "the document has no visible text; pages that scripts fill are not shown")
  }

  /// Where the only drawing of an HTML document is, when it has no text: for the reader of drawings. Nil when it has
  /// text, or scripts, or no drawing or several.
  public static func drawing(in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    var reader = MarkupReader(bytes, isHTML: true)
    var (found, depth, hidden): (Range<Int>?, Int, Int) = (nil, 0, 0)
    var start = 0
    while true {
      let before = reader.place
      guard let piece = reader.next() else { break }
      switch piece {
      case .open(let name, _, let isClosed):
        if reader.isWord(name, "script") { return nil }
        if reader.isWord(name, "svg") {
          if depth == 0 {
            if found != nil { return nil }
            start = before
          }
          depth += isClosed ? 0 : 1
        }
        if reader.isWord(name, "title") || reader.isWord(name, "head"), !isClosed { hidden += 1 }
      case .close(let name):
        if reader.isWord(name, "svg"), depth > 0 {
          depth -= 1
          if depth == 0 { found = start..<reader.place }
        }
        if reader.isWord(name, "title") || reader.isWord(name, "head"), hidden > 0 { hidden -= 1 }
      case .text(let range):
        guard depth == 0, hidden == 0 else { continue }
        for place in range where !TextReader.isBlank(bytes[place]) { return nil }
      case .raw: continue
      }
    }
    return found
  }

  // MARK: ScreenPage

  public func fit(_ size: Size, _ theme: Theme) {
    (self.size, self.theme) = (size, theme)
    gestures = PointerGestures(scale: Float(theme.scale) / 100)
    scrolling.stop()
    if wantedScroll == nil { wantedScroll = scrolling.offset }
    (placed, height, hasCutText) = (0, 0, false)
    arrange()
  }

  /// The column of text: as wide as can be read, in the middle.
  private var column: Rect {
    let margin = theme.px(18)
    let width = max(min(size.width - 2 * margin, theme.px(720)), 1)
    return Rect((size.width - width) / 2, theme.px(14), width, 0)
  }

  private func arrange() {
    shownPictures = countPictures()
    titleHeight = 0
    if showsTitle {
      flow.take(document.title.span, theme.font(.h1), isMarkdown: false)
      titleHeight = flow.arrange(width: column.width) + theme.px(10)
    }
    layout = ReaderLayout(document, flow, theme, column.offset(0, titleHeight))
    arrangeMore()
  }

  /// Arranges a slice. What was arranged before keeps its place until then.
  private func arrangeMore() {
    guard var layout else { return }
    layout.arrangeMore(atMost: Budget.arrangedBytes) { self.pictureSize($0) }
    if layout.hasCutText { hasCutText = true }
    self.layout = layout.isDone ? nil : layout
    (placed, height) =
      layout.isDone ? (document.count, layout.bottom) : (max(placed, layout.arranged), max(height, layout.bottom))
    scrolling.setLimit(height + theme.px(24) - size.height)
    scrollAsWanted()
  }

  private func scrollAsWanted() {
    guard let wanted = wantedScroll else { return }
    _ = scrolling.move(by: Int32(clamping: Int64(wanted) - Int64(scrolling.offset)))
    if layout == nil || scrolling.offset >= wanted { wantedScroll = nil }
  }

  private var scroll: Int32 { scrolling.offset }

  /// The picture of a block, which is asked for when it is seen.
  private func picture(_ block: ReaderDocument.Block) -> Picture? {
    let wanted = block.rect.height > 0 ? block.rect.size : Size(column.width, column.width)
    return pictures?.picture(document.address(block).span, wanted)
  }

  private func pictureSize(_ block: ReaderDocument.Block) -> Size? { pictures?.size(document.address(block).span) }

  private func countPictures() -> Int {
    var count = 0
    for index in 0..<document.count where document[index].kind == .picture {
      if pictureSize(document[index]) != nil { count += 1 }
    }
    return count
  }

  @export(interface)
  public func draw(into list: DisplayList) {
    if countPictures() != shownPictures { arrange() }
    let paper = document.background
    list.add(.fill(Rect(0, 0, size.width, size.height), radius: 0, .solid(theme.page)))
    if let paper { list.add(.fill(Rect(0, 0, size.width, size.height), radius: 0, .solid(paper))) }
    let ground = paper?.over(theme.page) ?? theme.page
    let ink = paper == nil ? theme.text : Theme.text(on: ground)
    if showsTitle, scroll < titleHeight {
      flow.take(document.title.span, theme.font(.h1), isMarkdown: false)
      flow.arrange(width: column.width)
      flow.draw(into: list, at: Point(column.x, column.y - scroll), width: column.width, ink)
    }
    var drawing = ReaderDrawing(document, flow, theme, ink, ground, visible: Rect(0, 0, size.width, size.height))
    for index in 0..<placed {
      let block = document[index]
      let rect = block.rect.offset(0, -scroll)
      guard rect.maxY > 0, rect.y < size.height else { continue }
      drawing.draw(block, rect, into: list, picture: block.kind == .picture ? picture(block) : nil)
    }
    flow.inks.removeAll()
    scrolling.drawBar(into: list, Rect(0, 0, size.width, size.height), content: height + theme.px(24), theme)
  }

  // MARK: Scrolling

  public var scrolled: Int32 {
    get { scrolling.offset }
    set {
      wantedScroll = newValue
      scrollAsWanted()
    }
  }

  public func reacts(at place: Point) -> Bool { false }

  @export(interface)
  public func input(_ event: InputEvent, at instant: Int64) -> Bool {
    var isNew = false
    // Whoever scrolls now wants to be elsewhere; a pointer that only passes does not.
    switch event {
    case .pointer(.down, _, _), .wheel, .key: wantedScroll = nil
    default: break
    }
    switch event {
    case .pointer(let what, let id, let place):
      gestures.feed(what, id: id, place, at: instant) { if take($0, instant) { isNew = true } }
    case .wheel(_, _, let y): isNew = scrolling.move(by: -y)
    case .key(let key, let isDown, _, let modifiers): if isDown { isNew = press(key, modifiers) }
    case .hover, .character: break
    }
    return isNew
  }

  private func press(_ key: Key, _ modifiers: Modifiers) -> Bool {
    let page = size.height - theme.px(48)
    switch key {
    case .down, .next: return scrolling.move(by: theme.px(48))
    case .up, .previous: return scrolling.move(by: -theme.px(48))
    case .space, .activate: return scrolling.move(by: modifiers.contains(.shift) ? -page : page)
    case .pageDown: return scrolling.move(by: page)
    case .pageUp: return scrolling.move(by: -page)
    case .home: return scrolling.move(by: -scroll)
    case .end:
      if layout != nil { wantedScroll = .max }
      return scrolling.move(by: scrolling.limit - scroll)
    default: return false
    }
  }

  private func take(_ gesture: PointerGesture, _ time: Int64) -> Bool {
    switch gesture {
    case .down: scrolling.stop()
    case .drag(_, _, let y): return scrolling.move(by: -y)
    case .release(_, _, let velocity): scrolling.fling(-velocity, at: time, scale: theme.scale)
    default: break
    }
    return false
  }

  public var nextDeadline: Int64? {
    // At once: the next slice.
    if layout != nil { return 0 }
    guard let frame = scrolling.nextDeadline else { return gestures.nextDeadline }
    return gestures.nextDeadline.map { min($0, frame) } ?? frame
  }

  public func advance(to now: Int64) -> Bool {
    gestures.advance(to: now) { _ in }
    let hasMoved = scrolling.advance(to: now)
    guard layout != nil else { return hasMoved }
    let (before, end) = (scroll, height)
    arrangeMore()
    // The bar is drawn anew when all is there.
    return hasMoved || layout == nil || scroll != before || end < before + size.height
  }
}
