import Codec
import Runtime

/// A gradient between two colors over a rectangle, as CSS's `linear-gradient`: its line runs through the middle, and
/// is so long that two opposite corners have exactly its two colors.
struct Gradient {
  /// Colors of a table.
  static let steps = 256

  private let first, second: Color
  /// The place on the line is `start + x * across + y * down`, in 1/65536 of it, from the rectangle's corner.
  private let start, across, down: Int64
  private let rect: Rect

  init(_ first: Color, _ second: Color, angle: Int16, _ rect: Rect) {
    self.first = first
    self.second = second
    self.rect = rect
    // 0 points down here; CSS's own 0 points up.
    let (right, below) = Self.direction(angle)
    let length = max(abs(right) * Double(rect.width) + abs(below) * Double(rect.height), 1)
    across = Int64(clamping: right / length * 65536 * 256)
    down = Int64(clamping: below / length * 65536 * 256)
    let middle = Double(across) * (Double(rect.width) - 1) / 2 + Double(down) * (Double(rect.height) - 1) / 2
    start = 32768 * 256 - Int64(clamping: middle)
  }

  /// The unit vector of an angle. 135 is to the lower right, as in CSS; 0 to the bottom.
  private static func direction(_ angle: Int16) -> (Double, Double) {
    switch angle {
    case 0: return (0, 1)
    case 90: return (1, 0)
    default:
      let radians = Trigonometry.radians(degrees: Double(angle))
      return (Trigonometry.sine(radians), -Trigonometry.cosine(radians))
    }
  }

  /// Every pixel of a row has one color.
  var isVertical: Bool { across == 0 }

  /// The color of a row of a vertical one, premultiplied.
  func color(row y: Int32) -> UInt32 { color(at: start + down * Int64(y - rect.y)) }

  /// The colors of pixels of a row from `left` on, premultiplied.
  func colors(
    row y: Int32, from left: Int32, table: ScratchRow<UInt32>, into colors: UnsafeMutableBufferPointer<UInt32>
  ) {
    let table = table.run(0, Self.steps)
    var place = start + down * Int64(y - rect.y) + across * Int64(left - rect.x)
    for x in 0..<colors.count {
      colors[x] = table[Int(min(max(place >> 16, 0), 255))]
      place &+= across
    }
  }

  /// `steps` colors along the line, premultiplied.
  func fill(_ table: ScratchRow<UInt32>) {
    let table = table.run(0, Self.steps)
    for index in 0..<Self.steps { table[index] = color(at: Int64(index) * 65536 + 32768) }
  }

  private func color(at place: Int64) -> UInt32 {
    let share = UInt32(min(max(place >> 8, 0), 65536))
    let (from, to) = (first.argb, second.argb)
    var result: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      let value = ((from >> shift) & 255) &* (65536 &- share) &+ ((to >> shift) & 255) &* share
      result |= ((value &+ 32768) >> 16) << shift
    }
    return Blend.premultiplied(result)
  }
}
