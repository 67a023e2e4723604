import Graphics
import Runtime
import TestSupport
import Testing

@testable import Board
@testable import Canvas

/// Bytes that nobody has written as text. What `board/fuzz text` looks for, a little of it in each run of the tests.
@Suite("Any bytes as text")
struct AnyTextTests {
  /// Bytes, characters of many scripts, and what changes how others are shown.
  private static func text(_ random: inout Seeded) -> [UInt8] {
    let count = Int.random(in: 1...200, using: &random)
    var bytes: [UInt8] = []
    let blocks: [UInt32] = [
      0x20, 0x61, 0xC0, 0x300, 0x391, 0x410, 0x561, 0x590, 0x5D0, 0x610, 0x627, 0x671, 0x905, 0x93E, 0x985, 0xB95,
      0xE01,
      0xE31, 0x10D0, 0x1100, 0x1780, 0x17B4, 0x1F1E6, 0x1F600, 0x1F3FB, 0x200B, 0x2028, 0x2066, 0x4E00, 0xAC00, 0xFB50,
      0xFE00, 0xFFF0, 0xE0000, 0x10FFF0,
    ]
    while bytes.count < count {
      if Int.random(in: 0..<8, using: &random) == 0 {
        bytes.append(UInt8.random(in: 0...255, using: &random))
      } else if let scalar = Unicode.Scalar(
        blocks.randomElement(using: &random)! + UInt32.random(in: 0..<48, using: &random))
      {
        bytes += Array(String(Character(scalar)).utf8)
      }
    }
    return bytes
  }

  @Test("is measured, cut, drawn and divided into lines", arguments: 0..<8)
  func any(seed: UInt64) throws {
    var random = Seeded(seed)
    let fonts = Repository.path(".deps/fonts/root/usr/share/fonts/truetype/noto")
    let shelf = try FontShelf(packs: FontPacks(folders: [fonts]))
    let flow = TextFlow(measurer: shelf)
    let (line, outline) = (GlyphLine(), GlyphOutline())
    for _ in 0..<60 {
      let text = Self.text(&random)
      let font = Font(
        size: Int16.random(in: 0...60, using: &random), weight: Bool.random(using: &random) ? .bold : .regular,
        isItalic: Bool.random(using: &random), isMonospaced: Bool.random(using: &random))
      let width = Int32.random(in: 0...20_000, using: &random)
      let fit = shelf.fit(text.span, in: font, width: width)
      #expect(fit <= text.count)
      let part = Array(text[..<fit])
      let reach = shelf.advance(of: part.span, in: font)
      #expect(reach <= width || fit == 0)
      shelf.layOut(text.span, in: font, into: line)
      #expect(line.count <= Budget.lineGlyphs)
      for index in 0..<line.count {
        #expect(line[index].face == FontShelf.missing || Int(line[index].face) < shelf.faceCount)
        _ = shelf.draw(line[index], size: max(font.size, 1), quarter: index & 3)
        _ = shelf.outline(line[index], into: outline)
      }
      var shown: [UInt8] = []
      flow.forEachLine(of: text.span, in: font, width: max(width / 64, 1)) { part, _ in
        shown += part.filter { !Self.isBlank($0) }
      }
      #expect(shown == text.filter { !Self.isBlank($0) })
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
