import Foundation

@testable import Camera

/// A picture in the light of a scene, 0...1, and what a sensor makes of it.
struct LinearPicture {
  let width, height: Int
  /// Red, green and blue of a place.
  let color: (Int, Int) -> (Double, Double, Double)

  /// Waves of every color, fine ones too, and a field with colored edges.
  static func scene(_ width: Int, _ height: Int) -> LinearPicture {
    LinearPicture(width: width, height: height) { x, y in
      let (u, v) = (Double(x), Double(y))
      let base = 0.35 + 0.12 * sin(u / 5) * cos(v / 4) + 0.06 * sin((u + v) / 1.6)
      let isInside = x > width / 4 && x < width / 2 && y > height / 4 && y < height / 2
      return (
        base + 0.08 * sin(v / 11) + (isInside ? 0.3 : 0), base + (isInside ? 0.1 : 0),
        base + 0.08 * cos(u / 13) - (isInside ? 0.05 : 0)
      )
    }
  }

  /// One color.
  static func flat(_ width: Int, _ height: Int, _ color: (Double, Double, Double)) -> LinearPicture {
    LinearPicture(width: width, height: height) { _, _ in color }
  }

  /// The samples of a sensor: `black`...`white`.
  func samples(_ order: BayerOrder, bits: Int, black: Double = 0) -> [[Int]] {
    let white = Double(1 << bits - 1)
    return (0..<height).map { y in
      (0..<width).map { x in
        let (red, green, blue) = color(x, y)
        let isRedRow = y % 2 == order.redRow
        let isRedColumn = x % 2 == order.redColumn
        let light = isRedRow == isRedColumn ? (isRedRow ? red : blue) : green
        return Int((min(max(light, 0), 1) * (white - black) + black).rounded())
      }
    }
  }

  /// A frame of these samples.
  func frame(
    _ order: BayerOrder, _ packing: BayerPacking, sensor: Sensor = .generic, black: Double = 0,
    padding: Int = 3
  ) -> ScriptedCamera.Frame {
    let rows = samples(order, bits: packing.bits, black: black).map { Self.pack($0, packing) }
    return .init(
      format: .bayer(order, packing), width: width, height: height, rowBytes: rows[0].count + padding,
      bytes: Array(rows.map { $0 + [UInt8](repeating: 0xEE, count: padding) }.joined()), sensor: sensor)
  }

  /// A row of samples as V4L2 documents it.
  static func pack(_ row: [Int], _ packing: BayerPacking) -> [UInt8] {
    switch packing {
    case .bits8: return row.map { UInt8($0) }
    case .bits10, .bits12: return row.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    case .bits10Packed:
      return stride(from: 0, to: row.count, by: 4).flatMap { start -> [UInt8] in
        let four: [Int] = (start..<start + 4).map { $0 < row.count ? row[$0] : 0 }
        let high: [UInt8] = four.map { UInt8($0 >> 2) }
        var low = 0
        for place in 0..<4 { low |= (four[place] & 3) << (2 * place) }
        return high + [UInt8(low)]
      }
    case .bits12Packed:
      return stride(from: 0, to: row.count, by: 2).flatMap { start -> [UInt8] in
        let two = (start..<start + 2).map { $0 < row.count ? row[$0] : 0 }
        return [UInt8(two[0] >> 4), UInt8(two[1] >> 4), UInt8(two[0] & 15 | (two[1] & 15) << 4)]
      }
    }
  }

  /// Y, Cb and Cr, chroma of four pixels each, as a screen should show the picture; in plain floating point.
  func shown() -> [[[Double]]] {
    let pixels = (0..<height).map { y in
      (0..<width).map { x -> [Double] in
        let (red, green, blue) = color(x, y)
        return [red, green, blue].map(Self.tone)
      }
    }
    func mean(_ x: Int, _ y: Int, _ part: Int) -> Double {
      [(0, 0), (1, 0), (0, 1), (1, 1)].reduce(0) {
        $0 + pixels[min(y + $1.1, height - 1)][min(x + $1.0, width - 1)][part] / 4
      }
    }
    let luma = pixels.map { $0.map { 0.299 * $0[0] + 0.587 * $0[1] + 0.114 * $0[2] } }
    func chroma(_ factors: [Double]) -> [[Double]] {
      stride(from: 0, to: height, by: 2).map { y in
        stride(from: 0, to: width, by: 2).map { x in
          128 + (0..<3).reduce(0) { $0 + factors[$1] * mean(x, y, $1) }
        }
      }
    }
    return [luma, chroma([-0.168736, -0.331264, 0.5]), chroma([0.5, -0.418688, -0.081312])]
  }

  /// The tone curve: 0...1 to 0...255.
  static func tone(_ light: Double) -> Double {
    let raised = 1.5 * light / (1 + 0.5 * light)
    return 255 * (raised <= 0.0031308 ? 12.92 * raised : 1.055 * pow(raised, 1 / 2.4) - 0.055)
  }
}

/// Peak signal to noise of a plane, in decibels; 99 when there is no difference.
func psnr(_ seen: [[UInt8]], _ wanted: [[Double]]) -> Double {
  guard seen.count == wanted.count, seen.first?.count == wanted.first?.count else { return 0 }
  let errors = zip(seen.joined(), wanted.joined()).map { (Double($0) - $1) * (Double($0) - $1) }
  let mean = errors.reduce(0, +) / Double(errors.count)
  return mean < 1e-5 ? 99 : 10 * log10(255 * 255 / mean)
}
