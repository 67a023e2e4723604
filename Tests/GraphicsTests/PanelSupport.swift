import Graphics
import Runtime

@testable import GraphicsSupport

/// Numbers that are the same in each run.
struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func next(_ range: ClosedRange<Int32>) -> Int32 {
    range.lowerBound + Int32(next() >> 33) % (range.upperBound - range.lowerBound + 1)
  }
}

/// What a panel must show, one pixel after the other and without any haste.
enum ReferencePanel {
  /// Each way of turning a picture, by where its corners go.
  static func place(_ point: Point, _ picture: Size, _ rotation: Rotation) -> Point {
    switch rotation {
    case .none: point
    case .quarter: Point(picture.height - 1 - point.y, point.x)
    case .half: Point(picture.width - 1 - point.x, picture.height - 1 - point.y)
    case .threeQuarters: Point(point.y, picture.width - 1 - point.x)
    }
  }

  private static let bayer = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]

  static func level(_ value: Int, bits: Int, _ place: Point) -> Int {
    let threshold = (2 * bayer[Int(place.y % 4)][Int(place.x % 4)] + 1) * 255 / 32
    return (value * ((1 << bits) - 1) + threshold) / 255
  }

  static func code(_ pixel: UInt32, _ format: PanelFormat, _ place: Point) -> Int {
    let (red, green, blue) = (Int(pixel >> 16 & 255), Int(pixel >> 8 & 255), Int(pixel & 255))
    switch format.kind {
    case .color(let r, let g, let b):
      return level(red, bits: Int(r.length), place) << Int(r.offset)
        | level(green, bits: Int(g.length), place) << Int(g.offset)
        | level(blue, bits: Int(b.length), place) << Int(b.offset)
    case .gray(let isInverted, _):
      let luma = (red * 77 + green * 150 + blue * 29 + 128) / 256
      let code = level(luma, bits: format.bitsPerPixel, place)
      return isInverted ? (1 << format.bitsPerPixel) - 1 - code : code
    }
  }

  /// Reads one pixel of a panel's memory.
  static func pixel(_ memory: UnsafeRawBufferPointer, _ layout: PanelLayout, _ place: Point) -> Int {
    let bits = layout.format.bitsPerPixel
    let line = Int(place.y) * layout.stride
    if bits >= 8 {
      let first = line + Int(place.x) * bits / 8
      return (0..<bits / 8).reduce(0) { $0 | Int(memory[first + $1]) << (8 * $1) }
    }
    guard case .gray(_, let isLowFirst) = layout.format.kind else { return -1 }
    let (byte, inByte) = (Int(place.x) * bits / 8, Int(place.x) % (8 / bits))
    let shift = isLowFirst ? inByte * bits : 8 - bits - inByte * bits
    return Int(memory[line + byte]) >> shift & ((1 << bits) - 1)
  }
}

extension PixelBuffer {
  /// A picture of noise.
  static func noise(_ size: Size, _ dice: inout Dice) throws -> PixelBuffer {
    let buffer = try PixelBuffer(size)
    for index in buffer.pixels.indices {
      buffer.pixels[index] = UInt32(truncatingIfNeeded: dice.next() >> 20) & 0xFF_FFFF
    }
    return buffer
  }

  func pixel(_ point: Point) -> UInt32 { pixels[Int(point.y) * Int(size.width) + Int(point.x)] }
}

extension PanelFormat {
  static let gray8 = PanelFormat(bitsPerPixel: 8, kind: .gray(isInverted: false, isLowFirst: true))!
  static let gray4 = PanelFormat(bitsPerPixel: 4, kind: .gray(isInverted: false, isLowFirst: false))!
  static let gray2 = PanelFormat(bitsPerPixel: 2, kind: .gray(isInverted: true, isLowFirst: true))!
  static let mono = PanelFormat(bitsPerPixel: 1, kind: .gray(isInverted: false, isLowFirst: true))!
  static let monoInverted = PanelFormat(bitsPerPixel: 1, kind: .gray(isInverted: true, isLowFirst: false))!
  static let bgr565 = PanelFormat(
    bitsPerPixel: 16, kind: .color(red: Channel(0, 5), green: Channel(5, 6), blue: Channel(11, 5)))!
  static let rgb555 = PanelFormat(
    bitsPerPixel: 16, kind: .color(red: Channel(10, 5), green: Channel(5, 5), blue: Channel(0, 5)))!
  static let deep = PanelFormat(
    bitsPerPixel: 32, kind: .color(red: Channel(20, 6), green: Channel(10, 7), blue: Channel(2, 8)))!

  static let samples: [PanelFormat] = [
    .xrgb8888, .xbgr8888, .rgb888, .rgb565, .bgr565, .rgb555, .deep, .gray8, .gray4, .gray2, .mono, .monoInverted,
  ]
}
