/// The samples of a Bayer sensor, one color for each pixel, checked to be complete.
struct Mosaic {
  /// Smallest side in pixels, for the interpolation's neighborhood.
  static let leastSide = 4
  /// The value of full exposure after reading: 12 bits.
  static let white: UInt32 = 4095

  let base: UnsafePointer<UInt8>
  /// Bytes from one row to the next.
  let rowBytes: Int
  /// Pixels.
  let width, height: Int
  let order: BayerOrder
  let packing: BayerPacking
  /// The sensor.
  let sensor: Sensor

  /// The mosaic of a Bayer frame; nil when it has too few bytes for its size, or is too small.
  init?(_ frame: RawFrame) {
    guard case .bayer(let order, let packing) = frame.format else { return nil }
    let plane = frame.planes[0]
    guard frame.planeCount == 1, let base = plane.bytes.baseAddress, frame.width >= Self.leastSide,
      frame.height >= Self.leastSide, frame.width <= 1 << 16,
      plane.rowBytes >= packing.rowBytes(frame.width)
    else { return nil }
    let (count, overflow) = plane.rowBytes.multipliedReportingOverflow(by: frame.height)
    guard !overflow, count <= plane.bytes.count else { return nil }
    self.base = base
    rowBytes = plane.rowBytes
    (width, height) = (frame.width, frame.height)
    self.order = order
    self.packing = packing
    sensor = frame.sensor
  }

  /// The row of samples `y` as bytes.
  func row(_ y: Int) -> UnsafePointer<UInt8> { base + y * rowBytes }
}

/// Reads rows of a mosaic: black becomes 0, full exposure `Mosaic.white`, and white balance is applied.
struct MosaicReader {
  /// Additional samples of room for a row, because packed samples come in groups.
  static let padding = 4
  /// Bits after the decimal point of a scale. A sample of 12 bits at the largest factor, 8 x 16, stays below 2^31.
  private static let scaleBits: UInt32 = 12

  private let mosaic: Mosaic
  private let black: UInt32
  /// The factors of red, green and blue samples.
  private let red, green, blue: UInt32

  init(_ mosaic: Mosaic, _ balance: WhiteBalance) {
    self.mosaic = mosaic
    let bits = mosaic.packing.bits
    let black = mosaic.sensor.profile.black >> (16 - bits)
    let range = (1 << bits) - 1 - black
    self.black = UInt32(black)
    func scale(_ gain: Int) -> UInt32 {
      UInt32((gain * Int(Mosaic.white) << Int(Self.scaleBits)) / (range * WhiteBalance.one))
    }
    (red, green, blue) = (scale(balance.red), scale(balance.green), scale(balance.blue))
  }

  /// Reads row `y` into `target`, which has room for the width and `padding`.
  func read(_ y: Int, into target: UnsafeMutablePointer<UInt16>) {
    let from = mosaic.row(y)
    switch mosaic.packing {
    case .bits8: for x in 0..<mosaic.width { target[x] = UInt16(from[x]) }
    case .bits10, .bits12:
      for x in 0..<mosaic.width { target[x] = UInt16(from[2 &* x]) | UInt16(from[2 &* x &+ 1]) &<< 8 }
    case .bits10Packed: Self.unpack10(from, into: target, groups: (mosaic.width + 3) / 4)
    case .bits12Packed: Self.unpack12(from, into: target, groups: (mosaic.width + 1) / 2)
    }
    let isRedRow = y & 1 == mosaic.order.redRow
    let other = isRedRow ? red : blue
    let isColorFirst = (mosaic.order.redColumn == 0) == isRedRow
    scale(target, isColorFirst ? other : green, isColorFirst ? green : other)
  }

  private static func unpack10(
    _ from: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt16>, groups: Int
  ) {
    var (from, target) = (from, target)
    for _ in 0..<groups {
      let low = UInt16(from[4])
      target[0] = UInt16(from[0]) &<< 2 | low & 3
      target[1] = UInt16(from[1]) &<< 2 | low &>> 2 & 3
      target[2] = UInt16(from[2]) &<< 2 | low &>> 4 & 3
      target[3] = UInt16(from[3]) &<< 2 | low &>> 6
      from += 5
      target += 4
    }
  }

  private static func unpack12(
    _ from: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt16>, groups: Int
  ) {
    for group in 0..<groups {
      let low = UInt16(from[3 &* group &+ 2])
      target[2 &* group] = UInt16(from[3 &* group]) &<< 4 | low & 15
      target[2 &* group &+ 1] = UInt16(from[3 &* group &+ 1]) &<< 4 | low &>> 4
    }
  }

  /// Subtracts black and multiplies, in even and odd columns. Invalid bits above the sample count as white.
  private func scale(_ row: UnsafeMutablePointer<UInt16>, _ even: UInt32, _ odd: UInt32) {
    let most = UInt32(1) &<< UInt32(mosaic.packing.bits) &- 1
    let black = self.black
    for pair in 0..<(mosaic.width + 1) / 2 {
      row[2 &* pair] = Self.scaled(row[2 &* pair], black, most, even)
      row[2 &* pair &+ 1] = Self.scaled(row[2 &* pair &+ 1], black, most, odd)
    }
  }

  @inline(__always)
  private static func scaled(_ sample: UInt16, _ black: UInt32, _ most: UInt32, _ factor: UInt32) -> UInt16 {
    let light = max(min(UInt32(sample), most), black) &- black
    let value = (light &* factor &+ 1 &<< (scaleBits &- 1)) &>> scaleBits
    return UInt16(truncatingIfNeeded: min(value, Mosaic.white))
  }
}
