import Codec
import Runtime

/// Converts linear sensor values to gamma-encoded ones.
struct ToneCurve {
  private let table = FixedBuffer(capacity: Int(Mosaic.white) + 1)

  /// Lift of the shadows: the curve x (1 + lift) / (1 + lift x), with a soft shoulder towards white.
  private static let lift = 0.5

  /// The byte for each of 0...4095. Computed at first use, because most boards have no raw sensor.
  var values: UnsafePointer<UInt8> {
    if table.bytes[Int(Mosaic.white)] == 0 { fill() }
    return UnsafePointer(table.bytes.baseAddress!)
  }

  /// x^(1/2.4), the exponent of sRGB, by Newton's method from the previous value: there is no pow in this build.
  private func fill() {
    var root = 0.0
    for value in 0...Int(Mosaic.white) {
      let light = Double(value) / Double(Mosaic.white)
      let raised = light * (1 + Self.lift) / (1 + Self.lift * light)
      if raised > 0.003_130_8 {
        root = Self.twelfthRoot(raised, near: root)
        let power = root * root * root * root * root
        table.bytes[value] = UInt8(clamping: min((255 * (1.055 * power - 0.055)).rounded(), 255))
      } else {
        table.bytes[value] = UInt8(clamping: (255 * 12.92 * raised).rounded())
      }
    }
  }

  private static func twelfthRoot(_ value: Double, near guess: Double) -> Double {
    let square = value.squareRoot().squareRoot()
    var root = guess > 0 ? guess : 1
    // The cube root of the fourth root; each step doubles the correct digits.
    for _ in 0..<(guess > 0 ? 3 : 12) { root -= (root - square / (root * root)) / 3 }
    return root
  }
}

/// A color matrix in fixed point, whose rows add up to exactly 1, so that gray stays gray.
struct ColorMatrix {
  /// Bits after the decimal point.
  private static let bits: Int32 = 10

  private let factors: InlineArray<9, Int16>

  init(_ matrix: InlineArray<9, Double>) {
    let one = Int16(1) << Self.bits
    var factors = InlineArray<9, Int16>(repeating: 0)
    for row in 0..<3 {
      var rest = one
      for column in 0..<3 where column != row {
        factors[3 * row + column] = Int16(clamping: (matrix[3 * row + column] * Double(one)).rounded())
        rest -= factors[3 * row + column]
      }
      factors[3 * row + row] = rest
    }
    self.factors = factors
  }

  /// One row each of red, green and blue, linear.
  struct Rows {
    let red, green, blue: UnsafePointer<Int16>
  }

  /// Applies the matrix and a curve of 4096 values to `count` pixels.
  /// - Parameter mixed: room for a row.
  func apply(
    _ rows: Rows, _ count: Int, _ curve: UnsafePointer<UInt8>, mixed: UnsafeMutablePointer<Int16>,
    into target: ColorConverter.Rows
  ) {
    mix(0, rows, count, into: mixed)
    Self.look(mixed, count, curve, target.red)
    mix(3, rows, count, into: mixed)
    Self.look(mixed, count, curve, target.green)
    mix(6, rows, count, into: mixed)
    Self.look(mixed, count, curve, target.blue)
  }

  /// Separate from the table lookup, so that it is vectorized.
  private func mix(_ row: Int, _ rows: Rows, _ count: Int, into target: UnsafeMutablePointer<Int16>) {
    let (r, g, b) = (Int32(factors[row]), Int32(factors[row + 1]), Int32(factors[row + 2]))
    let (red, green, blue) = (rows.red, rows.green, rows.blue)
    let half = Int32(1) &<< (Self.bits &- 1)
    for x in 0..<count {
      let sum = r &* Int32(red[x]) &+ g &* Int32(green[x]) &+ b &* Int32(blue[x]) &+ half
      target[x] = Int16(truncatingIfNeeded: min(max(sum &>> Self.bits, 0), Int32(Mosaic.white)))
    }
  }

  private static func look(
    _ from: UnsafePointer<Int16>, _ count: Int, _ curve: UnsafePointer<UInt8>,
    _ target: UnsafeMutablePointer<UInt8>
  ) {
    for x in 0..<count { target[x] = curve[Int(from[x])] }
  }
}
