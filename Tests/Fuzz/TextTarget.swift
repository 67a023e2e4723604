import Runtime

@testable import Board
@testable import Canvas
@testable import Graphics

/// Any bytes as text: they are measured, cut, shaped, drawn and divided into lines, with the built-in faces and those
/// that `board/prepare` has unpacked. The first two bytes are the font and the width, the others the text.
func checkText(_ bytes: [UInt8]) {
  guard bytes.count > 2 else { return }
  let font = Font(
    size: Int16(bytes[0] / 3) + 1, weight: bytes[0] & 1 == 0 ? .regular : .bold, isItalic: bytes[0] & 2 == 0,
    isMonospaced: bytes[0] % 7 == 0)
  let text = Array(bytes[2...])
  checkCharacters(text)
  let whole = shelf.advance(of: text.span, in: font)
  expect(shelf.advance(of: text.span, in: font) == whole, "twice is not the same")
  let width = Int32(bytes[1]) * 64
  let fit = shelf.fit(text.span, in: font, width: width)
  expect(fit <= text.count, "more fits than there is")
  if fit > 0 {
    let reach = shelf.advance(of: text.span.extracting(0..<fit), in: font)
    expect(reach <= width, "what fits is wider")
  }
  _ = shelf.direction(of: text.span)
  shelf.layOut(text.span, in: font, into: line)
  expect(line.count <= Budget.lineGlyphs, "too many glyphs")
  for index in 0..<line.count {
    expect(line[index].face == FontShelf.missing || Int(line[index].face) < shelf.faceCount, "a face that is not there")
    _ = shelf.draw(line[index], size: font.size, quarter: index & 3)
    _ = shelf.outline(line[index], into: outline)
  }
  checkFlow(text, font, width: max(Int32(bytes[1]), 1))
}

nonisolated(unsafe) private let shelf: FontShelf = {
  let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
  let packs = FontPacks(folders: [root + "/.deps/fonts/root/usr/share/fonts/truetype/noto"])
  guard let shelf = try? FontShelf(packs: packs) else { fatalError("no memory") }
  return shelf
}()
nonisolated(unsafe) private let line = GlyphLine()
nonisolated(unsafe) private let outline = GlyphOutline()
nonisolated(unsafe) private let flow = TextFlow(measurer: shelf)

/// Steps over characters move, and backwards they stop where they do forwards.
private func checkCharacters(_ text: [UInt8]) {
  guard String(validating: text, as: UTF8.self) != nil else { return }
  var (place, steps) = (0, [0])
  while place < text.count {
    let next = Characters.next(text.span, place)
    expect(next > place && next <= text.count, "a character of no length")
    place = next
    steps.append(place)
  }
  // Backwards, what is longer than any character of people may be divided.
  if zip(steps, steps.dropFirst()).contains(where: { $1 - $0 > 60 }) { return }
  while place > 0 {
    let before = Characters.previous(text.span, place)
    steps.removeLast()
    expect(before < place && before == steps.last, "backwards a character begins elsewhere")
    place = before
  }
}

/// Lines have all of the text but the blanks at their ends.
private func checkFlow(_ text: [UInt8], _ font: Font, width: Int32) {
  var shown: [UInt8] = []
  flow.forEachLine(of: text.span, in: font, width: width) { line, _ in shown += line.filter { !isBlank($0) } }
  if flow.cut == nil { expect(shown == text.filter { !isBlank($0) }, "a line lacks something") }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
