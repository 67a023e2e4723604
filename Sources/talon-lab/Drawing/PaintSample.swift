import Canvas
import Graphics
import Runtime

/// A page with everything that the painter draws, for a person to look at.
struct PaintSample {
  let list = DisplayList()
  private let measurer: any TextMeasurer
  private let size: Size

  init(size: Size, measurer: any TextMeasurer) {
    self.size = size
    self.measurer = measurer
    let page = Rect(0, 0, size.width, size.height)
    list.add(.fill(page, radius: 0, .gradient(Color(0x0B1020), Color(0x05070D), angle: 0)))
    let isSmall = size.width < 800
    if isSmall {
      cards(Rect(10, 8, size.width - 20, 92), columns: 2)
      types(Point(14, 102), sizes: [11, 13])
      icons(Rect(12, 226, size.width - 24, 90), side: 18, gap: 7)
    } else {
      cards(Rect(24, 20, size.width - 48, 150), columns: 4)
      types(Point(32, 190), sizes: [11, 13, 14, 16, 20, 28, 40])
      marks(Rect(size.width - 400, 470, 376, 160))
      icons(Rect(28, 640, size.width - 56, 150), side: 28, gap: 16)
    }
  }

  func text(_ string: String, _ font: Font, _ x: Int32, _ y: Int32, _ color: Color = Color(0xE5E7EB)) {
    var utf8 = string.utf8.map { $0 }
    utf8.withUnsafeMutableBufferPointer { bytes in
      let span = UnsafeBufferPointer(bytes).span
      let advance = (measurer.advance(of: span, in: font) + 63) / 64
      list.add(.text(list.add(span), font, start: Point(x, y), advance: advance, color))
    }
  }

  private func cards(_ area: Rect, columns: Int32) {
    let width = (area.width - (columns - 1) * 14) / columns
    for column in 0..<columns {
      let card = Rect(area.x + column * (width + 14), area.y, width, area.height)
      list.add(.shadow(card, radius: 14, blur: 30, down: 10, Color.black.opacity(140)))
      list.add(.fill(card, radius: 14, .gradient(Color.white.opacity(20), Color.white.opacity(9), angle: 0)))
      list.add(.border(card, radius: 14, width: 1, Color.white.opacity(26)))
      list.add(.icon(column == 0 ? .locationOn : .camera, Rect(card.x + 14, card.y + 12, 22, 22), Color(0x93C5FD)))
      text("Field unit \(column + 1)", Font(size: 16, weight: .bold), card.x + 44, card.y + 29)
      text("21.4 °C → 23 °C · ★★★★☆", Font(size: 13), card.x + 14, card.y + 54, Color(0xCBD5E1))
      let button = Rect(card.x + 14, card.maxY - 42 + (area.height < 100 ? 14 : 0), 96, 32)
      if area.height >= 100 || column == 0 {
        list.add(.fill(button, radius: 12, .gradient(Color(0x22C55E), Color(0x06B6D4), angle: 135)))
        text("Confirm", Font(size: 13, weight: .bold), button.x + 20, button.y + 21, Color(0x071016))
      }
    }
  }

  private func types(_ place: Point, sizes: [Int16]) {
    var y = place.y
    for size in sizes {
      y += Int32(size) + Int32(size) / 3
      text("\(size) px: The quick brown fox, 0123456789 — Größe, čeština", Font(size: size), place.x, y)
    }
    let size = sizes[1]
    let lines = [
      ("Semibold Überschrift 42 %", Font(size: size, weight: .bold)),
      ("Italic, slanted by calculation", Font(size: size, isItalic: true)),
      ("let code = \"mono\" // 0O1l", Font(size: size, isMonospaced: true)),
      ("Ελληνικά και Кириллица", Font(size: size)),
      ("★★★☆☆ ✓ ✅ ✔ ✖ ❌ → ← ↑ ↓ • ° € £ ₿ ½ ■ ● ◆ ☀ ☁ ☂ ♥ ⚠ ✉", Font(size: size)),
      ("שלום עולם (123) – مرحبا بالعالم 456", Font(size: size)),
      ("Mixed: hello שלום, (ok) السلام عليكم!", Font(size: size, weight: .bold)),
      ("Missing: 你好 😀 🚀 → dots", Font(size: size)),
    ]
    for (index, line) in lines.enumerated() where self.size.width >= 800 || index >= 4 && index < 7 {
      y += Int32(size) + 9
      text(line.0, line.1, place.x, y)
    }
  }

  private func marks(_ area: Rect) {
    list.add(.fill(area, radius: 16, .solid(Color(0x111827))))
    list.add(.border(area, radius: 16, width: 2, Color(0x3B82F6)))
    for (index, sweep) in [Int16(90), 200, 300, 360].enumerated() {
      let rect = Rect(area.x + 16 + Int32(index) * 60, area.y + 16, 48, 48)
      list.add(.arc(rect, start: 0, sweep: 360, width: 5, Color.white.opacity(24)))
      list.add(.arc(rect, start: 0, sweep: sweep, width: 5, Color(0x22C55E)))
    }
    list.add(.line(Point(area.x + 270, area.y + 20), Point(area.x + 350, area.y + 60), width: 3, Color(0xF472B6)))
    let rule = area.y + 80
    list.add(.line(Point(area.x + 16, rule), Point(area.maxX - 16, rule), width: 1, Color.white.opacity(64)))
    list.add(.clip(Rect(area.x + 16, area.y + 92, 120, 52), radius: 26))
    let colors = Fill.gradient(Color(0xF59E0B), Color(0xEF4444), angle: 90)
    list.add(.fill(Rect(area.x, rule, 300, 100), radius: 0, colors))
    text("clipped text, cut off here", Font(size: 16, weight: .bold), area.x + 30, area.y + 123, .black)
    list.add(.endClip)
    for index in Int32(0)..<4 {
      let dot = Rect(area.x + 150 + index * 54, area.y + 94, 46, 46)
      list.add(.fill(dot, radius: 23, .solid(Color(0x334155))))
      list.add(.border(dot, radius: Int16(index * 8), width: Int16(index + 1), Color(0xA5B4FC)))
    }
  }

  private func icons(_ area: Rect, side: Int32, gap: Int32) {
    var (x, y) = (area.x, area.y)
    for icon in Icon.allCases {
      if x + side > area.maxX {
        x = area.x
        y += side + gap
      }
      list.add(.icon(icon, Rect(x, y, side, side), Color(0xE5E7EB)))
      x += side + gap
    }
  }
}
