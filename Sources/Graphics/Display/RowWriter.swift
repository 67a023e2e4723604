/// Writes a part of one row of a panel in its format.
protocol RowWriter {
  /// `pixels` is the first of the picture, and each next one `step` further on. `line` is where the panel's row begins.
  func write(
    _ pixels: UnsafePointer<UInt32>, _ step: Int, to line: UnsafeMutableRawPointer, row: Int, from column: Int,
    count: Int)
}

/// Ordered dither in squares of 4 x 4 (Bayer): which part of a step a pixel needs to have the brighter of two levels.
enum Dither {
  /// The thresholds of a row, in 255ths of a step, in four bytes from the lowest: (2 b + 1) / 32 of a step for the
  /// places b of the matrix.
  @inline(__always)
  static func thresholds(row: Int) -> UInt32 {
    switch row & 3 {
    case 0: packed(0, 8, 2, 10)
    case 1: packed(12, 4, 14, 6)
    case 2: packed(3, 11, 1, 9)
    default: packed(15, 7, 13, 5)
    }
  }

  @inline(__always)
  private static func packed(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
    threshold(a) | threshold(b) << 8 | threshold(c) << 16 | threshold(d) << 24
  }

  @inline(__always)
  private static func threshold(_ place: UInt32) -> UInt32 { (2 * place + 1) * 255 / 32 }

  @inline(__always)
  static func threshold(_ thresholds: UInt32, column: Int) -> UInt32 {
    (thresholds >> (UInt32(truncatingIfNeeded: column & 3) * 8)) & 0xFF
  }

  /// One of `most` + 1 levels for 0...255. What is a level already stays the same, and so do black and white.
  @inline(__always)
  static func level(_ value: UInt32, _ most: UInt32, _ threshold: UInt32) -> UInt32 {
    let scaled = value &* most &+ threshold
    // scaled / 255, for numbers below 65535.
    return (scaled &+ 1 &+ (scaled >> 8)) >> 8
  }
}

/// As they are.
struct PlainPixels: RowWriter {
  @inline(__always)
  func write(
    _ pixels: UnsafePointer<UInt32>, _ step: Int, to line: UnsafeMutableRawPointer, row: Int, from column: Int,
    count: Int
  ) {
    let out = line.assumingMemoryBound(to: UInt32.self) + column
    if step == 1 { return out.update(from: pixels, count: count) }
    var from = pixels
    for index in 0..<count {
      out[index] = from.pointee
      from += step
    }
  }
}

/// The three colors of a pixel, each dithered to the levels that its bits have.
struct DitheredColor {
  private let red: PanelFormat.Channel, green: PanelFormat.Channel, blue: PanelFormat.Channel
  private let redMost: UInt32, greenMost: UInt32, blueMost: UInt32

  init(_ red: PanelFormat.Channel, _ green: PanelFormat.Channel, _ blue: PanelFormat.Channel) {
    (self.red, self.green, self.blue) = (red, green, blue)
    redMost = 1 << red.length - 1
    greenMost = 1 << green.length - 1
    blueMost = 1 << blue.length - 1
  }

  @inline(__always)
  func pack(_ pixel: UInt32, _ threshold: UInt32) -> UInt32 {
    let red = Dither.level(pixel >> 16 & 0xFF, redMost, threshold) << self.red.offset
    let green = Dither.level(pixel >> 8 & 0xFF, greenMost, threshold) << self.green.offset
    return red | green | Dither.level(pixel & 0xFF, blueMost, threshold) << blue.offset
  }
}

/// A word a pixel: 16 bits, or 32 in another order or with fewer levels.
struct DitheredWords<Word: FixedWidthInteger>: RowWriter {
  private let color: DitheredColor

  init(_ red: PanelFormat.Channel, _ green: PanelFormat.Channel, _ blue: PanelFormat.Channel) {
    color = DitheredColor(red, green, blue)
  }

  @inline(__always)
  func write(
    _ pixels: UnsafePointer<UInt32>, _ step: Int, to line: UnsafeMutableRawPointer, row: Int, from column: Int,
    count: Int
  ) {
    let out = line.assumingMemoryBound(to: Word.self) + column
    let thresholds = Dither.thresholds(row: row)
    var from = pixels
    for index in 0..<count {
      out[index] = Word(
        truncatingIfNeeded: color.pack(from.pointee, Dither.threshold(thresholds, column: column &+ index)))
      from += step
    }
  }
}

/// 24 bits a pixel, the lowest byte first, as the processors of these boards have it.
struct PackedBytes: RowWriter {
  private let color: DitheredColor

  init(_ red: PanelFormat.Channel, _ green: PanelFormat.Channel, _ blue: PanelFormat.Channel) {
    color = DitheredColor(red, green, blue)
  }

  @inline(__always)
  func write(
    _ pixels: UnsafePointer<UInt32>, _ step: Int, to line: UnsafeMutableRawPointer, row: Int, from column: Int,
    count: Int
  ) {
    var out = line.assumingMemoryBound(to: UInt8.self) + 3 * column
    let thresholds = Dither.thresholds(row: row)
    var from = pixels
    for index in 0..<count {
      let packed = color.pack(from.pointee, Dither.threshold(thresholds, column: column &+ index))
      out[0] = UInt8(truncatingIfNeeded: packed)
      out[1] = UInt8(truncatingIfNeeded: packed >> 8)
      out[2] = UInt8(truncatingIfNeeded: packed >> 16)
      out += 3
      from += step
    }
  }
}

/// 1, 2, 4 or 8 bits of gray. Begins with a whole byte; bits of the last one that are no pixels are 0.
struct GrayLevels: RowWriter {
  private let bits: Int
  private let most: UInt32
  private let flip: UInt32
  private let isLowFirst: Bool

  init(_ bits: Int, isInverted: Bool, isLowFirst: Bool) {
    self.bits = bits
    most = 1 << UInt32(bits) - 1
    flip = isInverted ? most : 0
    self.isLowFirst = isLowFirst
  }

  @inline(__always)
  func write(
    _ pixels: UnsafePointer<UInt32>, _ step: Int, to line: UnsafeMutableRawPointer, row: Int, from column: Int,
    count: Int
  ) {
    let perByte = 8 / bits
    let thresholds = Dither.thresholds(row: row)
    var out = line.assumingMemoryBound(to: UInt8.self) + column / perByte
    var from = pixels
    var index = 0
    while index < count {
      var byte: UInt32 = 0
      for place in 0..<min(perByte, count - index) {
        let threshold = Dither.threshold(thresholds, column: column &+ index &+ place)
        let level = Dither.level(Self.luma(from.pointee), most, threshold) ^ flip
        byte |= level << UInt32((isLowFirst ? place : perByte - 1 - place) * bits)
        from += step
      }
      out.pointee = UInt8(truncatingIfNeeded: byte)
      out += 1
      index += perByte
    }
  }

  /// Brightness as television has it (BT.601), in 0...255.
  @inline(__always)
  static func luma(_ pixel: UInt32) -> UInt32 {
    ((pixel >> 16 & 0xFF) &* 77 &+ (pixel >> 8 & 0xFF) &* 150 &+ (pixel & 0xFF) &* 29 &+ 128) >> 8
  }
}
