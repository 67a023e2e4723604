import Canvas
import Codec
import Runtime

/// Makes a page of a card: what an agent wants to show, as the arguments of its tool have it, becomes messages of A2UI
/// for one surface (canvas reference 1).
final class CardPage {
  private let text: ReservedBuffer
  private let picture: ReservedBuffer
  /// A line of a list, unescaped.
  private let line = FixedBuffer(capacity: 1024)
  private let modules = QRModules()
  private let codes: any QREncoder
  /// The children of the page, in their order.
  private var children = InlineList<64, InlineText<8>>()

  init(codes: any QREncoder) throws(Errno) {
    self.codes = codes
    text = try ReservedBuffer(capacity: Budget.cardBytes)
    picture = try ReservedBuffer(capacity: Self.pictureBytes)
  }

  /// Pixels of a module of a code, and the light margin that readers need, in modules (ISO/IEC 18004, section 5.3.8).
  private static let pixels = 4
  private static let margin = 4
  /// The largest code: its rows are as long as a row of 260 pixels.
  private static let pictureBytes = 16 * 1024

  /// The messages that show `card` as the surface `surface`, in place of what it showed before: a JSON array, valid
  /// until the next call. A press on a button is the action `action`.
  @_lifetime(immortal)
  func messages(
    for card: borrowing JSONView, surface: StaticString, action: StaticString
  ) throws(CanvasError) -> Span<UInt8> {
    var writer = JSONWriter(into: text.bytes)
    children.removeAll()
    writer.beginArray()
    Self.writeDeletion(of: surface, to: &writer)
    writer.beginObject()
    writer.key("surfaceUpdate")
    writer.beginObject()
    writer.key("surfaceId")
    writer.string(surface)
    writer.key("components")
    writer.beginArray()
    try writeComponents(card, action, to: &writer)
    writeRoot(to: &writer)
    writer.endArray()
    writer.endObject()
    writer.endObject()
    writer.beginObject()
    writer.key("beginRendering")
    writer.beginObject()
    writer.key("surfaceId")
    writer.string(surface)
    writer.key("root")
    writer.string("root")
    writer.endObject()
    writer.endObject()
    writer.endArray()
    guard !children.isEmpty else { throw .missing("there is nothing to show: give at least a title or a text") }
    guard writer.isComplete else { throw .missing("this is too much for one card: show less of it") }
    return _overrideLifetime(
      Span(_unsafeElements: UnsafeBufferPointer(text.bytes).extracting(..<writer.count)), copying: ())
  }

  /// The message that removes a surface.
  static func writeDeletion(of surface: StaticString, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("deleteSurface")
    writer.beginObject()
    writer.key("surfaceId")
    writer.string(surface)
    writer.endObject()
    writer.endObject()
  }

  private func writeComponents(
    _ card: borrowing JSONView, _ action: StaticString, to writer: inout JSONWriter
  ) throws(CanvasError) {
    if let title = try Self.string(card, "title", "title is a string") {
      begin("title", to: &writer)
      Self.writeText(title, hint: "h2", to: &writer)
    }
    if let text = try Self.string(card, "text", "text is a string") {
      begin("text", to: &writer)
      Self.writeText(text, hint: "body", to: &writer)
    }
    if let gauge = card.member("gauge") { try writeGauge(gauge, to: &writer) }
    if let rows = card.member("table") { try writeTable(rows, to: &writer) }
    if let lines = card.member("list") { try writeList(lines, to: &writer) }
    if let url = try Self.string(card, "picture", "picture is an address") {
      begin("picture", to: &writer)
      Self.beginComponent("Image", to: &writer)
      Self.writeLiteral("url", url.rawText, to: &writer)
      Self.endComponent(to: &writer)
    }
    if let content = try Self.string(card, "qr", "qr is a string") { try writeCode(content, to: &writer) }
    if let labels = card.member("buttons") { try writeButtons(labels, action, to: &writer) }
  }

  private func writeRoot(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("id")
    writer.string("root")
    writer.key("component")
    Self.beginComponent("Column", to: &writer)
    writer.key("children")
    writer.beginObject()
    writer.key("explicitList")
    writer.beginArray()
    for index in 0..<children.count { writer.string(children[index].span) }
    writer.endArray()
    writer.endObject()
    Self.endComponent(to: &writer)
  }

  // MARK: Parts of a card

  /// `{label?, value, min?, max?, unit?}`: a line, and a bar.
  private func writeGauge(_ gauge: borrowing JSONView, to writer: inout JSONWriter) throws(CanvasError) {
    guard let value = gauge.member("value")?.double else { throw .missing("gauge needs value, a number") }
    let (least, most) = (gauge.member("min")?.double ?? 0, gauge.member("max")?.double ?? 100)
    guard most > least, (most - least).isFinite else { throw .missing("max of a gauge is above its min") }
    begin("gauge", to: &writer)
    Self.beginComponent("Text", to: &writer)
    writer.key("text")
    writer.beginObject()
    writer.key("literalString")
    writer.beginString()
    if let label = gauge.member("label"), label.kind == .string {
      writer.stringPiece(line(label))
      writer.stringPiece((": " as StaticString).utf8Bytes)
    }
    if let number = gauge.member("value") { writer.stringPiece(number.rawText) }
    if let unit = gauge.member("unit"), unit.kind == .string {
      writer.stringPiece((" " as StaticString).utf8Bytes)
      writer.stringPiece(line(unit))
    }
    writer.endString()
    writer.endObject()
    Self.endComponent(to: &writer)
    let bar = TwoColorPNG(width: 240, height: 8, off: 0x9C_A3AF, on: 0x3B_82F6)
    let share = min(max((value - least) / (most - least), 0), 1)
    try writePicture("bar", bar, hint: "largeFeature", to: &writer) { x, _ in Double(x) + 0.5 < share * 240 }
  }

  private func writeCode(_ content: borrowing JSONView, to writer: inout JSONWriter) throws(CanvasError) {
    codes.encode(line(content), into: modules)
    let side = Int(modules.side)
    guard side > 0, content.stringLength ?? .max <= line.bytes.count else {
      throw .missing("qr is too long for a code: at most 213 bytes")
    }
    let (pixels, margin, modules) = (Self.pixels, Self.margin, modules)
    let code = TwoColorPNG(
      width: (side + 2 * margin) * pixels, height: (side + 2 * margin) * pixels, off: 0xFF_FFFF, on: 0)
    try writePicture("qr", code, hint: "mediumFeature", to: &writer) { x, y in
      let (column, row) = (x / pixels - margin, y / pixels - margin)
      guard column >= 0, row >= 0, column < side, row < side else { return false }
      return modules.isDark(Int32(column), Int32(row))
    }
  }

  private func writePicture(
    _ id: StaticString, _ png: TwoColorPNG, hint: StaticString, to writer: inout JSONWriter,
    _ isOn: (Int, Int) -> Bool
  ) throws(CanvasError) {
    guard let count = png.write(into: picture.bytes, isOn) else { throw .missing("this is too much for one card") }
    begin(id, to: &writer)
    Self.beginComponent("Image", to: &writer)
    writer.key("url")
    writer.beginObject()
    writer.key("literalString")
    writer.beginString()
    writer.stringPiece(("data:image/png;base64," as StaticString).utf8Bytes)
    writer.base64Piece(
      Span(_unsafeElements: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(picture.bytes)[..<count])))
    writer.endString()
    writer.endObject()
    writer.key("usageHint")
    writer.string(hint)
    Self.endComponent(to: &writer)
  }

  /// An array of rows, each an array of cells; the first is the header.
  private func writeTable(_ table: borrowing JSONView, to writer: inout JSONWriter) throws(CanvasError) {
    guard table.kind == .array else { throw .missing("table is an array of rows, each an array of strings") }
    var row = 0
    var rows = table.elements()
    while let cells = rows.next() {
      guard row < Budget.cardRows else { throw .missing("a table has 12 rows at most") }
      guard cells.kind == .array else { throw .missing("table is an array of rows, each an array of strings") }
      var column = 0
      var elements = cells.elements()
      while let cell = elements.next() {
        guard column < Budget.cardColumns else { throw .missing("a row has 6 cells at most") }
        writer.beginObject()
        writer.key("id")
        writer.string(Self.id("c", row * Budget.cardColumns + column).span)
        writer.key("weight")
        writer.int(1)
        writer.key("component")
        Self.writeText(cell, hint: row == 0 ? "h5" : "body", to: &writer)
        column += 1
      }
      beginChild(Self.id("r", row), to: &writer)
      writeRow(of: column, "c", from: row * Budget.cardColumns, to: &writer)
      row += 1
    }
  }

  private func writeList(_ list: borrowing JSONView, to writer: inout JSONWriter) throws(CanvasError) {
    guard list.kind == .array else { throw .missing("list is an array of strings") }
    var index = 0
    var elements = list.elements()
    while let element = elements.next() {
      guard index < Budget.cardLines else { throw .missing("a list has 20 lines at most") }
      guard element.kind == .string else { throw .missing("list is an array of strings") }
      beginChild(Self.id("l", index), to: &writer)
      Self.beginComponent("Text", to: &writer)
      writer.key("text")
      writer.beginObject()
      writer.key("literalString")
      writer.beginString()
      writer.stringPiece(("\u{2022} " as StaticString).utf8Bytes)
      writer.stringPiece(line(element))
      writer.endString()
      writer.endObject()
      Self.endComponent(to: &writer)
      index += 1
    }
  }

  /// A column of buttons; each action has its label as `answer`.
  private func writeButtons(
    _ labels: borrowing JSONView, _ action: StaticString, to writer: inout JSONWriter
  ) throws(CanvasError) {
    guard labels.kind == .array else { throw .missing("buttons are an array of strings") }
    var index = 0
    var elements = labels.elements()
    while let label = elements.next() {
      guard index < Budget.questionChoices else { throw .missing("there are 6 buttons at most") }
      guard label.kind == .string else { throw .missing("buttons are an array of strings") }
      writer.beginObject()
      writer.key("id")
      writer.string(Self.id("t", index).span)
      writer.key("component")
      Self.writeText(label, hint: "body", to: &writer)
      beginChild(Self.id("b", index), to: &writer)
      Self.beginComponent("Button", to: &writer)
      writer.key("child")
      writer.string(Self.id("t", index).span)
      writer.key("action")
      writer.beginObject()
      writer.key("name")
      writer.string(action)
      writer.key("context")
      writer.beginArray()
      writer.beginObject()
      writer.key("key")
      writer.string("answer")
      writer.key("value")
      writer.beginObject()
      writer.key("literalString")
      writer.raw(label.rawText)
      writer.endObject()
      writer.endObject()
      writer.endArray()
      writer.endObject()
      Self.endComponent(to: &writer)
      index += 1
    }
  }

  // MARK: Components

  /// The number of the component with such an id; nil for another one.
  static func number(_ id: Span<UInt8>, of letter: UInt8) -> Int? {
    guard id.count >= 2, id.count <= 4, id[0] == letter else { return nil }
    var number = 0
    for index in 1..<id.count {
      guard id[index] >= UInt8(ascii: "0"), id[index] <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int(id[index] - UInt8(ascii: "0"))
    }
    return number
  }

  private static func id(_ letter: StaticString, _ number: Int) -> InlineText<8> {
    var id = InlineText<8>()
    id.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text(letter)
      writer.decimal(Int64(number))
      return writer.count
    }
    return id
  }

  /// Begins a component that is a child of the page.
  private func begin(_ id: StaticString, to writer: inout JSONWriter) {
    beginChild(InlineText(cutting: id.utf8Bytes), to: &writer)
  }

  private func beginChild(_ id: InlineText<8>, to writer: inout JSONWriter) {
    children.append(id)
    writer.beginObject()
    writer.key("id")
    writer.string(id.span)
    writer.key("component")
  }

  private static func beginComponent(_ type: StaticString, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key(type)
    writer.beginObject()
  }

  /// Ends a component, and the object that names it.
  private static func endComponent(to writer: inout JSONWriter) {
    writer.endObject()
    writer.endObject()
    writer.endObject()
  }

  private func writeRow(of count: Int, _ letter: StaticString, from first: Int, to writer: inout JSONWriter) {
    Self.beginComponent("Row", to: &writer)
    writer.key("children")
    writer.beginObject()
    writer.key("explicitList")
    writer.beginArray()
    for index in first..<first + count { writer.string(Self.id(letter, index).span) }
    writer.endArray()
    writer.endObject()
    Self.endComponent(to: &writer)
  }

  /// A text of a string, a number or a truth value.
  private static func writeText(_ value: borrowing JSONView, hint: StaticString, to writer: inout JSONWriter) {
    beginComponent("Text", to: &writer)
    if value.kind == .string {
      writeLiteral("text", value.rawText, to: &writer)
    } else {
      writer.key("text")
      writer.beginObject()
      writer.key("literalString")
      writer.string(value.rawText)
      writer.endObject()
    }
    writer.key("usageHint")
    writer.string(hint)
    endComponent(to: &writer)
  }

  /// A property that is a literal string, which is JSON text.
  private static func writeLiteral(_ key: StaticString, _ text: Span<UInt8>, to writer: inout JSONWriter) {
    writer.key(key)
    writer.beginObject()
    writer.key("literalString")
    writer.raw(text)
    writer.endObject()
  }

  /// A member that is a string; nil without it.
  @_lifetime(copy card)
  private static func string(
    _ card: borrowing JSONView, _ name: StaticString, _ complaint: StaticString
  ) throws(CanvasError) -> JSONView? {
    guard let value = card.member(name), !value.isNull else { return nil }
    guard value.kind == .string else { throw .missing(complaint) }
    return value
  }

  /// A string, unescaped, and cut where there is no more room; valid until the next call.
  @_lifetime(borrow self)
  private func line(_ value: borrowing JSONView) -> Span<UInt8> {
    let count = value.copyString(into: line.bytes) ?? 0
    return _overrideLifetime(
      Span(_unsafeElements: UnsafeBufferPointer(line.bytes).extracting(..<count)), borrowing: self)
  }
}
