import Board
import Canvas
import Foundation
import Graphics
import Runtime

/// A whole screen painted anew, beside cairo drawing the same: 24 gradient cards with round corners and 144 lines of
/// text at 1280x800. Both have drawn it before, so glyphs are in their caches.
enum PaintBench {
  private static let size = Size(1280, 800)

  /// Cards, and six lines of text in each.
  static func content(columns: Int, rows: Int) -> (cards: [Rect], texts: [(String, Point)]) {
    let cards = (0..<columns * rows).map {
      Rect(16 + Int32($0 % columns) * 210, 16 + Int32($0 / columns) * 194, 198, 180)
    }
    var texts: [(String, Point)] = []
    for card in cards {
      for row in 0..<6 {
        texts.append(("Line \(texts.count) of text, 42 °C", Point(card.x + 12, card.y + 26 + Int32(row) * 26)))
      }
    }
    return (cards, texts)
  }

  static func measurements() throws -> [Measurement] {
    let (old, new) = (try page(), try page())
    let painter = SoftwarePainter(glyphs: try FontShelf())
    let pixels = try PixelBuffer(size)
    let all = Damage(Rect(0, 0, size.width, size.height))
    painter.paint(old, all, into: pixels)
    let ours = Stopwatch.bestOfThread(of: 50) { painter.paint(old, all, into: pixels) }
    var theirs: (name: String, value: Double)?
    if let cairo = Cairo() {
      let (cards, texts) = content(columns: 6, rows: 4)
      let draw = cairo.page(size, cards: cards, texts: texts)
      draw()
      theirs = ("cairo", Stopwatch.bestOfThread(of: 50, draw) * 1e3)
    }
    let finder = DamageFinder()
    new.add(.fill(Rect(100, 100, 2, 16), radius: 0, .solid(.white)))
    let caret = finder.damage(from: old, to: new, size)
    let find = Stopwatch.bestOfThread(of: 50) { _ = finder.damage(from: old, to: new, size) }
    let blink = Stopwatch.bestOfThread(of: 50) { painter.paint(new, caret, into: pixels) }
    return [
      Measurement(
        name: "paint 24 cards and 144 texts at 1280x800", value: ours * 1e3, unit: "ms", yardstick: theirs,
        bar: .paintedPage),
      Measurement(name: "find what a caret's blink changed", value: find * 1e6, unit: "us"),
      Measurement(name: "paint a caret's blink", value: blink * 1e6, unit: "us"),
      try snapshot(pixels),
    ]
  }

  private static func page() throws -> DisplayList {
    let (list, shelf) = (DisplayList(), try FontShelf())
    let font = Font(size: 14)
    let (cards, texts) = content(columns: 6, rows: 4)
    list.add(.fill(Rect(0, 0, size.width, size.height), radius: 0, .solid(Color(0x101418))))
    for card in cards { list.add(.fill(card, radius: 14, .gradient(Color(0x202A38), Color(0x141A24), angle: 0))) }
    for (text, place) in texts {
      let bytes = Array(text.utf8)
      let advance = (shelf.advance(of: bytes.span, in: font) + 63) / 64
      list.add(.text(list.add(bytes.span), font, start: place, advance: advance, Color(0xE5E7EB)))
    }
    return list
  }

  private static func snapshot(_ pixels: PixelBuffer) throws -> Measurement {
    let target = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 8 << 20)
    defer { target.deallocate() }
    let seconds = try Stopwatch.bestOfThread(of: 5) {
      _ = try SnapshotEncoder.encode(pixels, .png, atMost: 900, into: target)
    }
    return Measurement(name: "snapshot as PNG, 900 across", value: seconds * 1e3, unit: "ms")
  }
}
