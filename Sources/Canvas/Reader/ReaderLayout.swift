import Codec
import Graphics
import Runtime

/// Gives the blocks of a document their places, some at a time.
struct ReaderLayout {
  private let document: ReaderDocument
  private let flow: TextFlow
  private let theme: Theme
  private let column: Rect
  /// Blocks that have their places.
  private(set) var arranged = 0
  /// Where the last of them ends.
  private(set) var bottom: Int32
  /// The flow had no room for all of a text.
  private(set) var hasCutText = false

  /// Blocks in a column, from its top.
  init(_ document: ReaderDocument, _ flow: TextFlow, _ theme: Theme, _ column: Rect) {
    (self.document, self.flow, self.theme, self.column) = (document, flow, theme, column)
    bottom = column.y
  }

  var isDone: Bool { arranged >= document.count }

  /// Arranges the flow's text; gives its height.
  private mutating func arrangeFlow(width: Int32) -> Int32 {
    let height = flow.arrange(width: width)
    if flow.cut != nil { hasCutText = true }
    return height
  }

  /// Arranges the next blocks, until they have so many bytes; a block and a table are not divided. `size`: of the
  /// picture of a block, when it is there.
  mutating func arrangeMore(atMost bytes: Int, _ size: (ReaderDocument.Block) -> Size?) {
    var left = bytes
    while !isDone, left > 0 {
      let first = arranged
      arrangeNext(size)
      for index in first..<arranged { left -= Int(document[index].count) + Budget.arrangedStep }
    }
  }

  private mutating func arrangeNext(_ size: (ReaderDocument.Block) -> Size?) {
    var index = arranged
    let block = document[index]
    let y = bottom + theme.px(index == 0 ? 0 : block.gap)
    let left = theme.px(Int32(block.indent) * 24 + Int32(block.quotes) * 16)
    let area = Rect(column.x + left, y, max(column.width - left, theme.px(40)), 0)
    if block.kind == .cell {
      bottom = arrange(tableFrom: &index, area)
    } else {
      document[index].rect = Rect(area.x, y, area.width, height(of: block, area.width, size))
      if block.kind == .picture, let size = size(block) { narrow(index, theme.px(size.width)) }
      bottom = y + document[index].rect.height
      index += 1
    }
    arranged = index
  }

  private mutating func height(of block: ReaderDocument.Block, _ width: Int32, _ size: (ReaderDocument.Block) -> Size?)
    -> Int32
  {
    switch block.kind {
    case .rule: return theme.px(1)
    case .picture:
      if let size = size(block), size.width > 0 {
        let across = min(theme.px(size.width), width)
        return max(Int32(Int64(size.height) * Int64(across) / Int64(size.width)), 1)
      }
      ReaderText.load(block, document, flow, theme)
      return arrangeFlow(width: width)
    default:
      let padding = ReaderText.padding(block, theme)
      ReaderText.load(block, document, flow, theme)
      return arrangeFlow(width: max(width - 2 * padding, 1)) + 2 * padding
    }
  }

  /// A picture that is narrower than the column stands where its text would.
  private func narrow(_ index: Int, _ width: Int32) {
    let (rect, room) = (document[index].rect, document[index].rect.width - width)
    guard room > 0 else { return }
    let shift = document[index].align == .center ? room / 2 : document[index].align == .end ? room : 0
    document[index].rect = Rect(rect.x + shift, rect.y, width, rect.height)
  }

  // MARK: Tables

  /// Arranges the cells of a table, from `index`, which goes after them; gives where it ends.
  private mutating func arrange(tableFrom index: inout Int, _ area: Rect) -> Int32 {
    let first = index
    let table = document[first].table
    while index < document.count, document[index].kind == .cell, document[index].table == table { index += 1 }
    let padding = theme.px(6)
    var least = InlineArray<12, Int32>(repeating: 0)
    var most = InlineArray<12, Int32>(repeating: 0)
    for cell in first..<index {
      ReaderText.load(document[cell], document, flow, theme)
      let widths = flow.widths()
      let column = Int(document[cell].column)
      least[column] = max(least[column], min(widths.min, area.width / 2) + 2 * padding)
      most[column] = max(most[column], widths.max + 2 * padding + 1)
    }
    let widths = Self.share(area.width, least, most)
    var y = area.y
    var cell = first
    while cell < index {
      let row = document[cell].row
      let start = cell
      var height: Int32 = 0
      while cell < index, document[cell].row == row {
        let width = widths[Int(document[cell].column)]
        ReaderText.load(document[cell], document, flow, theme)
        height = max(height, arrangeFlow(width: max(width - 2 * padding, 1)) + 2 * padding)
        cell += 1
      }
      for place in start..<cell {
        var x = area.x
        for column in 0..<Int(document[place].column) { x += widths[column] }
        document[place].rect = Rect(x, y, widths[Int(document[place].column)], height)
      }
      y += height
    }
    return y
  }

  /// Widths of columns: what they want, or what they need and a share of the rest.
  private static func share(
    _ room: Int32, _ least: InlineArray<12, Int32>, _ most: InlineArray<12, Int32>
  ) -> InlineArray<12, Int32> {
    var (needed, wanted): (Int64, Int64) = (0, 0)
    for column in 0..<12 {
      needed += Int64(least[column])
      wanted += Int64(most[column])
    }
    if wanted <= Int64(room) { return most }
    var result = least
    for column in 0..<12 {
      if needed >= Int64(room) {
        result[column] = Int32(Int64(least[column]) * Int64(room) / max(needed, 1))
      } else {
        let more = Int64(most[column] - least[column]) * (Int64(room) - needed) / max(wanted - needed, 1)
        result[column] += Int32(more)
      }
    }
    return result
  }
}

/// Brings the text of a block into a flow.
enum ReaderText {
  static func padding(_ block: ReaderDocument.Block, _ theme: Theme) -> Int32 {
    if block.kind == .cell { return theme.px(6) }
    return block.isCode || block.background != nil ? theme.px(8) : 0
  }

  static func font(_ block: ReaderDocument.Block, _ theme: Theme) -> Font {
    let size = min(max(theme.px(15) * block.size / 100, 6), Int32(Budget.fontPixels))
    return Font(size: Int16(block.isCode ? size * 9 / 10 : size), weight: block.isBold ? .bold : .regular)
  }

  static func load(_ block: ReaderDocument.Block, _ document: ReaderDocument, _ flow: TextFlow, _ theme: Theme) {
    let text = document.text(block)
    let font = font(block, theme)
    if block.kind == .markdown { return flow.take(text.span, font, isMarkdown: true) }
    flow.start(font)
    var style = TextStyle(rawValue: 0)
    var place = 0
    if block.kind == .picture {
      // The words that stand for it.
      while place < text.count, text[place] != 0 { place += 1 }
      place += 1
      style = .italic
    }
    while place < text.count, flow.cut == nil {
      switch text[place] {
      case ReaderDocument.mark where place + 2 < text.count:
        style = TextStyle(rawValue: text[place + 1] & 0x7F)
        flow.ink = text[place + 2] & 0x7F
        place += 2
      case 0x0A: flow.begin(.line)
      case 0x20: flow.blank()
      default: flow.add(text[place], style)
      }
      place += 1
    }
    flow.finish()
  }
}

/// Draws the blocks of a document.
struct ReaderDrawing {
  private let document: ReaderDocument
  private let flow: TextFlow
  private let theme: Theme
  private let ink: Color
  /// What the document stands on.
  private let ground: Color
  /// What of the screen can be seen.
  private let visible: Rect
  /// What the flow's inks can be read on.
  private var inksGround: Color?

  init(
    _ document: ReaderDocument, _ flow: TextFlow, _ theme: Theme, _ ink: Color, _ ground: Color, visible: Rect
  ) {
    (self.document, self.flow, self.theme, self.ink) = (document, flow, theme, ink)
    (self.ground, self.visible) = (ground, visible)
  }

  mutating func draw(_ block: ReaderDocument.Block, _ rect: Rect, into list: DisplayList, picture: Picture?) {
    for quote in 0..<Int32(block.quotes) {
      let x = rect.x - theme.px(16) * (quote + 1) + theme.px(4)
      list.add(.fill(Rect(x, rect.y, theme.px(3), rect.height), radius: 0, .solid(ink.opacity(90))))
    }
    switch block.kind {
    case .rule: list.add(.fill(rect, radius: 0, .solid(ink.opacity(70))))
    case .picture:
      guard let picture else { return text(block, rect, into: list, ink.opacity(170)) }
      let source = Rect(0, 0, picture.size.width, picture.size.height)
      list.add(.picture(picture.handle, source: source, rect, radius: 0, opacity: 255))
    default:
      field(block, rect, into: list)
      if block.number != 0 { number(block, rect, into: list) }
      let color = block.background.map { Theme.text(on: $0.over(ground)) } ?? ink
      text(block, rect, into: list, color)
    }
  }

  private func field(_ block: ReaderDocument.Block, _ rect: Rect, into list: DisplayList) {
    if let color = block.background {
      list.add(.fill(rect, radius: 0, .solid(color)))
    } else if block.isCode {
      list.add(.fill(rect, radius: Int16(theme.px(6)), .solid(ink.opacity(22))))
    }
    if block.kind == .cell {
      list.add(.border(rect, radius: 0, width: theme.hairline, ink.opacity(60)))
    }
  }

  private mutating func text(_ block: ReaderDocument.Block, _ rect: Rect, into list: DisplayList, _ color: Color) {
    setInks(on: block.background?.over(ground) ?? ground)
    let inside = rect.inset(by: ReaderText.padding(block, theme))
    ReaderText.load(block, document, flow, theme)
    flow.arrange(width: max(inside.width, 1))
    flow.draw(
      into: list, at: Point(inside.x, inside.y), width: inside.width, color, alignment: block.align,
      visible: visible)
  }

  /// The document's own colors, in tones that can be read there.
  private mutating func setInks(on ground: Color) {
    guard ground != inksGround, !document.inks.isEmpty else { return }
    inksGround = ground
    flow.inks.removeAll()
    var grounds = Grounds()
    grounds.add(ground)
    for index in 0..<document.inks.count {
      let shown = document.inks[index].over(ground)
      _ = flow.inks.append(shown.legible(on: grounds, contrast: Palette.textContrast))
    }
  }

  /// The bullet or number of an item, in the space to the left of it.
  private func number(_ block: ReaderDocument.Block, _ rect: Rect, into list: DisplayList) {
    let padding = ReaderText.padding(block, theme)
    var mark = InlineText<16>(cutting: "\u{2022}")
    if block.number > 0 {
      _ = mark.fill { room in
        var writer = ByteWriter(into: room)
        writer.decimal(Int64(block.number))
        writer.byte(UInt8(ascii: "."))
        return writer.count
      }
    }
    flow.take(mark.span, ReaderText.font(block, theme), isMarkdown: false)
    let width = theme.px(24)
    flow.arrange(width: width)
    let place = Point(rect.x - width - theme.px(6), rect.y + padding)
    flow.draw(into: list, at: place, width: width, ink.opacity(200), alignment: .end)
  }
}
