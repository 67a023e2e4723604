import Runtime

@testable import Canvas
@testable import Graphics
@testable import Node

/// What people and agents bring into fields: an expression ends whatever text it checks, and says the same again; a
/// text that is edited keeps its caret between characters; a date that is taken is one that can be written. The input
/// is an expression or a date, and behind a line's end a text, whose bytes are orders to the editor as well.
func checkEntry(_ bytes: [UInt8]) {
  let end = bytes.firstIndex(of: 0x0A) ?? bytes.count
  let (first, second) = (Array(bytes[..<end]), Array(bytes[min(end + 1, bytes.count)...]))
  let isAccepted = pattern.accepts(second.span, first.span)
  expect(pattern.accepts(second.span, first.span) == isAccepted, "twice is not the same")
  checkLiteral(second)
  checkEdit(first, second)
  checkLines(second)
  var date = DateTimeValue(unixMilliseconds: 0)
  date.take(first.span)
  var again = DateTimeValue(unixMilliseconds: 1_000_000_000_000)
  again.take(date.value(hasDate: true, hasTime: true).span)
  expect(date == again, "a date is another one when it is read again")
  for byte in second {
    let part = DateTimeValue.Part.allCases[Int(byte) % 5]
    date.turn(part, by: Int(Int8(bitPattern: byte)) / 5)
  }
  again.take(date.value(hasDate: true, hasTime: true).span)
  expect(date == again, "a date that was turned is none")
}

nonisolated(unsafe) private let pattern: Pattern = {
  guard let pattern = try? Pattern() else { fatalError("no address space") }
  return pattern
}()

nonisolated(unsafe) private let edit: TextEdit = {
  guard let edit = try? TextEdit() else { fatalError("no address space") }
  return edit
}()

/// A text matches itself.
private func checkLiteral(_ text: [UInt8]) {
  guard let valid = String(validating: text.prefix(60), as: UTF8.self) else { return }
  var expression: [UInt8] = [UInt8(ascii: "^")]
  for scalar in valid.unicodeScalars {
    if scalar.isASCII, !("a"..."z").contains(scalar), !("A"..."Z").contains(scalar), !("0"..."9").contains(scalar) {
      expression.append(UInt8(ascii: "\\"))
    }
    expression += Array(String(scalar).utf8)
  }
  expression.append(UInt8(ascii: "$"))
  let bytes = Array(valid.utf8)
  expect(pattern.accepts(bytes.span, expression.span), "a text does not match itself")
}

private func checkEdit(_ text: [UInt8], _ orders: [UInt8]) {
  let isText = String(validating: text, as: UTF8.self) != nil
  edit.take(text.span, caret: orders.count)
  for order in orders {
    switch order % 4 {
    case 0: _ = edit.insert([0x61, 0xE9, 0x20AC, 0x1F600, 0x301][Int(order / 4) % 5])
    case 1: _ = edit.backspace()
    case 2: _ = edit.delete()
    default: edit.take(Array(copying: edit.span).span, caret: Int(order))
    }
    let now = Array(copying: edit.span)
    expect(now.count <= max(text.count, Budget.fieldBytes) && edit.caret <= now.count, "\(now.count) bytes")
    guard isText else { continue }
    expect(String(validating: now, as: UTF8.self) != nil, "no text any more")
    expect(edit.caret == now.count || now[edit.caret] & 0xC0 != 0x80, "the caret is in a character")
  }
}

/// Every byte stands in one line, or is the end of one.
private func checkLines(_ text: [UInt8]) {
  let lines = FieldLines(measurer: Squares(), font: Font(size: 10), width: 70, isBroken: true)
  var place = 0
  lines.forEach(text.span) { start, end in
    expect(start == place || start == place + 1 && text[place] == 0x0A, "\(place)..<\(start) is nowhere")
    place = end
    return true
  }
  expect(place == text.count, "\(place) of \(text.count) bytes")
  for caret in stride(from: 0, to: text.count, by: 7) {
    let point = lines.place(of: Characters.boundary(text.span, caret), text.span)
    expect(point.x >= 0 && point.y >= 0, "\(point)")
    expect(lines.caret(at: point, text.span) <= text.count, "beyond the end")
  }
}

/// Every byte that begins a character is ten pixels wide.
private final class Squares: TextMeasurer {
  func metrics(of font: Font) -> FontMetrics { FontMetrics(ascent: 8, descent: 2) }
  func advance(of text: Span<UInt8>, in font: Font) -> Int32 {
    var width: Int32 = 0
    for index in 0..<text.count where text[index] & 0xC0 != 0x80 { width += 640 }
    return width
  }
  func fit(_ text: Span<UInt8>, in font: Font, width: Int32) -> Int {
    var (room, index) = (width / 640, 0)
    while index < text.count {
      if text[index] & 0xC0 != 0x80 {
        guard room > 0 else { break }
        room -= 1
      }
      index += 1
    }
    return index
  }
}

extension Array where Element == UInt8 {
  fileprivate init(copying span: borrowing Span<UInt8>) {
    self = []
    for index in 0..<span.count { append(span[index]) }
  }
}
