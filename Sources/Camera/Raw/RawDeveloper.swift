import Runtime

/// Develops raw frames: black level, white balance, demosaicing, color matrix and tone curve. Works in one pass, row by
/// row, with memory for a few rows.
final class RawDeveloper {
  /// Rows in the rings: of the mosaic, and of green and differences.
  private static let mosaicRows = 5, colorRows = 3

  private let scratch: ReservedBuffer
  private let curve = ToneCurve()
  /// Samples from one row to the next.
  private let stride = Budget.cameraSidePixels + 2 * Demosaic.margin
  /// The rings of rows.
  private let mosaicRing: UnsafeMutablePointer<UInt16>
  private let greenRing, differenceRing: UnsafeMutablePointer<Int16>
  /// Red, green and blue of one row, linear, and a row to work in.
  private let linear: UnsafeMutablePointer<Int16>
  /// Red, green and blue of two rows, gamma-encoded.
  private let shown: UnsafeMutablePointer<UInt8>

  /// Reserves address space for sides of up to `Budget.cameraSidePixels`.
  init() throws(Errno) {
    let words = Self.mosaicRows + 2 * Self.colorRows + 4
    scratch = try ReservedBuffer(capacity: stride * (2 * words + 6))
    let base = UnsafeMutableRawPointer(scratch.bytes.baseAddress!)
    mosaicRing = base.bindMemory(to: UInt16.self, capacity: stride * Self.mosaicRows)
    let numbers = (base + 2 * stride * Self.mosaicRows).bindMemory(
      to: Int16.self, capacity: stride * (2 * Self.colorRows + 4))
    greenRing = numbers
    differenceRing = numbers + stride * Self.colorRows
    linear = numbers + stride * 2 * Self.colorRows
    shown = scratch.bytes.baseAddress! + 2 * stride * words
  }

  /// Gives the memory back to the kernel until the next use.
  func release() { scratch.release() }

  /// Brightness and color of a mosaic, from sampled squares of four pixels.
  func measure(_ mosaic: Mosaic) -> FrameStatistics {
    let reader = MosaicReader(mosaic, .none)
    var meter = FrameMeter(columns: mosaic.width / 2, rows: mosaic.height / 2)
    let (first, second) = (mosaicRow(0), mosaicRow(1))
    let color = Self.colorColumn(mosaic, 0)
    let isRedFirst = mosaic.order.redRow == 0
    for y in meter.sampledRows {
      reader.read(2 * y, into: first)
      reader.read(2 * y + 1, into: second)
      for x in meter.sampledColumns {
        let (above, below) = (Int(first[2 * x + color]), Int(second[2 * x + 1 - color]))
        let greens = (Int(first[2 * x + 1 - color]), Int(second[2 * x + color]))
        let green = (greens.0 + greens.1) / 2
        meter.add(
          x, y, red: isRedFirst ? above : below, green: green, blue: isRedFirst ? below : above, luma: green,
          brightest: max(above, below, greens.0, greens.1))
      }
    }
    return meter.statistics
  }

  /// Fills a picture of the mosaic's size, or of half of it, with 4:2:0 chroma.
  func develop(_ mosaic: Mosaic, _ balance: WhiteBalance, into image: PlanarImage, isHalf: Bool) {
    let reader = MosaicReader(mosaic, balance)
    let matrix = ColorMatrix(mosaic.sensor.profile.matrix)
    if isHalf { return half(mosaic, reader, matrix, image) }
    for y in 0..<mosaic.height + 3 {
      if y < mosaic.height {
        let row = mosaicRow(y)
        reader.read(y, into: row)
        Demosaic.mirror(row, mosaic.width)
      }
      if y >= 2, y - 2 < mosaic.height { separate(mosaic, y - 2) }
      if y >= 3 { join(mosaic, y - 3, matrix, image) }
    }
  }

  private func half(_ mosaic: Mosaic, _ reader: MosaicReader, _ matrix: ColorMatrix, _ image: PlanarImage) {
    let color = Self.colorColumn(mosaic, 0)
    let (own, other) = ownAndOther(mosaic, 0)
    for y in 0..<image.height {
      reader.read(2 * y, into: mosaicRow(0))
      reader.read(2 * y + 1, into: mosaicRow(1))
      Demosaic.bin(
        mosaicRow(0), mosaicRow(1), color: color, count: image.width, firstColor: own, green: linear + stride,
        secondColor: other)
      show(y, matrix, image)
    }
  }

  /// Green and differences of row `y`.
  private func separate(_ mosaic: Mosaic, _ y: Int) {
    func row(_ distance: Int) -> UnsafePointer<UInt16> {
      UnsafePointer(mosaicRow(Self.mirrored(y + distance, mosaic.height)))
    }
    Demosaic.separate(
      .init(up2: row(-2), up: row(-1), here: row(0), down: row(1), down2: row(2)),
      color: Self.colorColumn(mosaic, y), width: mosaic.width, green: ring(greenRing, y),
      difference: ring(differenceRing, y))
  }

  /// The three colors of row `y`.
  private func join(_ mosaic: Mosaic, _ y: Int, _ matrix: ColorMatrix, _ image: PlanarImage) {
    let green = ring(greenRing, y)
    let (own, other) = ownAndOther(mosaic, y)
    Demosaic.join(
      green: green, own: ring(differenceRing, y),
      above: ring(differenceRing, Self.mirrored(y - 1, mosaic.height)),
      below: ring(differenceRing, Self.mirrored(y + 1, mosaic.height)), width: mosaic.width, ownColor: own,
      otherColor: other)
    (linear + stride).update(from: green, count: mosaic.width)
    show(y, matrix, image)
  }

  /// Y of row `y`, and after every second row, or the last, Cb and Cr.
  private func show(_ y: Int, _ matrix: ColorMatrix, _ image: PlanarImage) {
    let rows = shownRows(y & 1)
    matrix.apply(
      .init(red: linear, green: linear + stride, blue: linear + 2 * stride), image.width, curve.values,
      mixed: linear + 3 * stride, into: rows)
    // The last odd column has no neighbor, and is used twice.
    let width = image.width
    (rows.red[width], rows.green[width], rows.blue[width]) = (
      rows.red[width - 1], rows.green[width - 1], rows.blue[width - 1]
    )
    ColorConverter.luma(rows, into: image.luma.base + y * image.luma.rowBytes, image.luma.rowBytes)
    guard y & 1 == 1 || y == image.height - 1 else { return }
    ColorConverter.chroma(
      shownRows(0), rows, blue: image.blue.base + y / 2 * image.blue.rowBytes,
      red: image.red.base + y / 2 * image.red.rowBytes, image.blue.width)
  }

  // MARK: Rows and columns

  /// The column of red or blue, 0 or 1, in row `y`.
  private static func colorColumn(_ mosaic: Mosaic, _ y: Int) -> Int {
    y & 1 == mosaic.order.redRow ? mosaic.order.redColumn : 1 - mosaic.order.redColumn
  }

  /// The targets of the color that row `y` has, and of the one that it does not have.
  private func ownAndOther(_ mosaic: Mosaic, _ y: Int) -> (
    UnsafeMutablePointer<Int16>, UnsafeMutablePointer<Int16>
  ) {
    let (red, blue) = (linear, linear + 2 * stride)
    return y & 1 == mosaic.order.redRow ? (red, blue) : (blue, red)
  }

  /// Mirrors rows beyond the first and last, which keeps the color pattern.
  private static func mirrored(_ y: Int, _ height: Int) -> Int {
    y < 0 ? -y : y < height ? y : 2 * (height - 1) - y
  }

  private func mosaicRow(_ y: Int) -> UnsafeMutablePointer<UInt16> {
    mosaicRing + y % Self.mosaicRows * stride + Demosaic.margin
  }

  private func ring(_ rows: UnsafeMutablePointer<Int16>, _ y: Int) -> UnsafeMutablePointer<Int16> {
    rows + y % Self.colorRows * stride + Demosaic.margin
  }

  private func shownRows(_ index: Int) -> ColorConverter.Rows {
    let base = shown + 3 * index * stride
    return .init(red: base, green: base + stride, blue: base + 2 * stride)
  }
}
