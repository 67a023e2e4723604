import Graphics
import Runtime

/// What stands for a character that no face has: a box with its code point, four hexadecimal digits in two rows or six;
/// an empty one where the type is too small for digits.
///
/// It is drawn on a grid of twelve units for the em square: digits of 3x5 units, a unit apart, in a frame.
final class MissingGlyph {
  private let pixels: UnsafeMutablePointer<UInt8>
  /// Smaller type has boxes without digits.
  static let digitPixels: Int32 = 12
  private static let rows: Int32 = 15
  /// Units of the box below the baseline.
  private static let below: Int32 = 3

  /// Memory for the largest box, of which only used pages count.
  init() { pixels = .allocate(capacity: Self.capacity) }

  deinit { pixels.deallocate() }

  private static var capacity: Int {
    let size = Int32(Budget.fontPixels)
    return Int(place(columns(0x10FFFF), size) + 1) * Int(place(rows, size) + 1)
  }

  /// Units of the box from left to right: two digits of each row, or three.
  private static func columns(_ code: UInt32) -> Int32 { code > 0xFFFF ? 15 : 11 }

  /// How far it reaches, in 1/65536 of the em square: the box and a unit.
  static func advance(of code: UInt32) -> Int32 { (columns(code) + 1) * 65536 / 12 }

  /// The pixel at which a unit begins.
  private static func place(_ unit: Int32, _ size: Int32) -> Int32 { (unit * size + 6) / 12 }

  /// The box at a size in pixels; valid until the next one.
  func draw(_ code: UInt32, size: Int32) -> GlyphPicture {
    let (columns, rows) = (Self.columns(code), Self.rows)
    let (width, height) = (Self.place(columns, size), Self.place(rows, size))
    pixels.update(repeating: 0, count: Int(width * height))
    let line = max(size / 12, 1)
    fill(0, 0, width, line, width)
    fill(0, height - line, width, height, width)
    fill(0, 0, line, height, width)
    fill(width - line, 0, width, height, width)
    if size >= Self.digitPixels { drawDigits(code, size, width) }
    return GlyphPicture(
      coverage: Coverage(rows: pixels, stride: Int(width), size: Size(width, height)), left: 0,
      top: height - Self.place(Self.below, size))
  }

  private func drawDigits(_ code: UInt32, _ size: Int32, _ width: Int32) {
    let perRow: Int32 = code > 0xFFFF ? 3 : 2
    for index in 0..<2 * perRow {
      let digit = Int(code >> UInt32(4 * (2 * perRow - 1 - index))) & 0xF
      let (left, top) = (2 + index % perRow * 4, 2 + index / perRow * 6)
      for bit in 0..<Int32(15) where Self.digits[digit] >> UInt16(14 - bit) & 1 == 1 {
        let (x, y) = (left + bit % 3, top + bit / 3)
        fill(
          Self.place(x, size), Self.place(y, size), Self.place(x + 1, size), Self.place(y + 1, size), width)
      }
    }
  }

  private func fill(_ left: Int32, _ top: Int32, _ right: Int32, _ bottom: Int32, _ width: Int32) {
    var y = top
    while y < bottom {
      (pixels + Int(y * width + left)).update(repeating: 255, count: Int(max(right - left, 0)))
      y += 1
    }
  }

  /// The box as an outline, in shares of the em square: a frame, whose inner edge runs the other way.
  static func outline(_ code: UInt32, into outline: GlyphOutline) -> Bool {
    let (width, top, bottom) = (Float(columns(code)) / 12, -Float(rows - below) / 12, Float(below) / 12)
    let line: Float = 1 / 12
    let isKept =
      outline.add(.move(0, top)) && outline.add(.line(width, top)) && outline.add(.line(width, bottom))
      && outline.add(.line(0, bottom)) && outline.add(.move(line, top + line))
      && outline.add(.line(line, bottom - line)) && outline.add(.line(width - line, bottom - line))
      && outline.add(.line(width - line, top + line))
    return isKept
  }

  /// Rows of three bits, from the top.
  private static let digits: InlineArray<16, UInt16> = [
    0b111_101_101_101_111, 0b010_110_010_010_111, 0b111_001_111_100_111, 0b111_001_111_001_111,
    0b101_101_111_001_001, 0b111_100_111_001_111, 0b111_100_111_101_111, 0b111_001_010_010_010,
    0b111_101_111_101_111, 0b111_101_111_001_111, 0b111_101_111_101_101, 0b110_101_110_101_110,
    0b111_100_100_100_111, 0b110_101_101_101_110, 0b111_100_111_100_111, 0b111_100_111_100_100,
  ]
}
