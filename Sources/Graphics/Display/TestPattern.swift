import Runtime

/// A picture by which a person sees whether a display is right: a frame at the very edge, a corner of each color,
/// bars, ramps, an arrow that points up, and a name.
public enum TestPattern {
  private static let ground: UInt32 = 0x101418, white: UInt32 = 0xFFFFFF
  private static let bars: InlineArray<8, UInt32> = [
    0xFFFFFF, 0xFFFF00, 0x00FFFF, 0x00FF00, 0xFF00FF, 0xFF0000, 0x0000FF, 0x000000,
  ]

  /// Draws it over all of a picture. Of the name letters, digits, and a few signs are shown, as many as have room.
  public static func draw(_ picture: PixelBuffer, name: Span<UInt8>) {
    let (width, height) = (picture.size.width, picture.size.height)
    let unit = max(min(width, height) / 8, 1)
    fill(picture, Rect(0, 0, width, height), ground)
    for index in 0..<Int32(8) {
      let (left, right) = (width * index / 8, width * (index + 1) / 8)
      fill(picture, Rect(left, height / 4, right - left, height / 4), bars[Int(index)])
    }
    for (index, mask) in [UInt32(0xFFFFFF), 0xFF0000, 0x00FF00, 0x0000FF].enumerated() {
      let top = height / 2 + height * Int32(index) / 16
      ramp(picture, Rect(0, top, width, height / 2 + height * Int32(index + 1) / 16 - top), mask)
    }
    arrow(picture, Point(width / 2, height * 13 / 16), height / 8)
    fill(picture, Rect(0, 0, unit, unit), 0xFF0000)
    fill(picture, Rect(width - unit, 0, unit, unit), 0x00FF00)
    fill(picture, Rect(0, height - unit, unit, unit), 0x0000FF)
    fill(picture, Rect(width - unit, height - unit, unit, unit), 0xFFFF00)
    frame(picture)
    write(picture, name, Rect(unit + 2, 2, width - 2 * unit - 4, height / 4 - 4))
  }

  private static func fill(_ picture: PixelBuffer, _ rect: Rect, _ color: UInt32) {
    let area = rect.intersection(Rect(0, 0, picture.size.width, picture.size.height))
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      let line = Int(y) * Int(picture.size.width)
      for x in area.x..<area.maxX { picture.pixels[line + Int(x)] = color }
    }
  }

  /// From dark to full.
  private static func ramp(_ picture: PixelBuffer, _ rect: Rect, _ mask: UInt32) {
    for x in 0..<rect.width {
      let level = UInt32(x) * 255 / UInt32(max(rect.width - 1, 1))
      fill(picture, Rect(rect.x + x, rect.y, 1, rect.height), level * 0x010101 & mask)
    }
  }

  private static func frame(_ picture: PixelBuffer) {
    let (width, height) = (picture.size.width, picture.size.height)
    fill(picture, Rect(0, 0, width, 1), white)
    fill(picture, Rect(0, height - 1, width, 1), white)
    fill(picture, Rect(0, 0, 1, height), white)
    fill(picture, Rect(width - 1, 0, 1, height), white)
  }

  /// A head as high as it is wide to each side, and a shaft.
  private static func arrow(_ picture: PixelBuffer, _ top: Point, _ height: Int32) {
    let head = max(height / 2, 1)
    for row in 0..<head { fill(picture, Rect(top.x - row, top.y + row, 2 * row + 1, 1), white) }
    fill(picture, Rect(top.x - head / 4, top.y + head, head / 2 + 1, height - head), white)
  }

  // MARK: Letters of 3 x 5

  /// From the upper left one, row by row, the highest of 15 bits first: digits, letters, and -.:@.
  private static let digits: InlineArray<10, UInt16> = [
    0o75557, 0o26227, 0o71747, 0o71717, 0o55711, 0o74717, 0o74757, 0o71111, 0o75757, 0o75717,
  ]
  private static let letters: InlineArray<26, UInt16> = [
    0o25755, 0o65656, 0o34443, 0o65556, 0o74647, 0o74644, 0o34553, 0o55755, 0o72227, 0o11152, 0o55655, 0o44447, 0o57755,
    0o65555, 0o25552, 0o65644, 0o25563, 0o65655, 0o34216, 0o72222, 0o55557, 0o55552, 0o55775, 0o55255, 0o55222, 0o71247,
  ]

  private static func glyph(_ byte: UInt8) -> UInt16 {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digits[Int(byte) - 48]
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): letters[Int(byte) - 65]
    case UInt8(ascii: "a")...UInt8(ascii: "z"): letters[Int(byte) - 97]
    case UInt8(ascii: "-"): 0o00700
    case UInt8(ascii: "."): 0o00002
    case UInt8(ascii: ":"): 0o02020
    case UInt8(ascii: "/"): 0o11244
    case UInt8(ascii: "@"): 0o25543
    default: 0
    }
  }

  private static func write(_ picture: PixelBuffer, _ text: Span<UInt8>, _ room: Rect) {
    guard text.count > 0, room.width >= 4, room.height >= 5 else { return }
    let dot = max(min(room.height / 10, room.width / (4 * Int32(min(text.count, 4096)))), 1)
    let count = min(text.count, Int(room.width / (4 * dot)))
    var left = room.x + (room.width - 4 * dot * Int32(count)) / 2
    let top = room.y + (room.height - 5 * dot) / 2
    for index in 0..<count {
      let bits = glyph(text[index])
      for place in 0..<Int32(15) where bits >> UInt16(14 - place) & 1 == 1 {
        fill(picture, Rect(left + place % 3 * dot, top + place / 3 * dot, dot, dot), white)
      }
      left += 4 * dot
    }
  }
}
