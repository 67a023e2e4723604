/// Brightness and color of a frame, from a few thousand of its pixels. The unit is 1/4095 of full scale: linear light
/// in a raw frame, gamma-encoded in others.
public struct FrameStatistics: Equatable, Sendable {
  /// Mean brightness; the middle of the picture has three times the weight.
  public var luma = 0
  /// Pixels that are overexposed in some color, in thousandths.
  public var clipped = 0
  /// Mean colors of the pixels that are not overexposed; all 0 when there is none.
  public var red = 0, green = 0, blue = 0

  /// Darkness.
  public init() {}
}

/// Sums up pixels on a grid of about 64 by 64.
struct FrameMeter {
  /// Points across and down: enough for exposure and white balance, and cheap at any size of frame.
  private static let grid = 64
  /// From here on a sample counts as overexposed.
  private static let clipped = 4000
  /// Weight of pixels in the middle half of both sides.
  private static let centerWeight = 3

  /// The sampled columns and rows.
  let sampledColumns, sampledRows: StrideTo<Int>
  private let columns, rows: Int
  private var luma = 0, weights = 0
  private var count = 0, clippedCount = 0
  private var red = 0, green = 0, blue = 0

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    let (across, down) = (max(columns / Self.grid, 1), max(rows / Self.grid, 1))
    sampledColumns = stride(from: min(across / 2, max(columns - 1, 0)), to: columns, by: across)
    sampledRows = stride(from: min(down / 2, max(rows - 1, 0)), to: rows, by: down)
  }

  /// Adds the pixel at a grid position.
  mutating func add(_ x: Int, _ y: Int, red: Int, green: Int, blue: Int, luma: Int, brightest: Int) {
    let isCenter = abs(4 * x + 2 - 2 * columns) <= columns && abs(4 * y + 2 - 2 * rows) <= rows
    let weight = isCenter ? Self.centerWeight : 1
    self.luma += luma * weight
    weights += weight
    count += 1
    if brightest >= Self.clipped {
      clippedCount += 1
    } else {
      self.red += red
      self.green += green
      self.blue += blue
    }
  }

  /// The statistics.
  var statistics: FrameStatistics {
    var result = FrameStatistics()
    guard count > 0 else { return result }
    result.luma = luma / weights
    result.clipped = clippedCount * 1000 / count
    let seen = count - clippedCount
    guard seen > 0 else { return result }
    (result.red, result.green, result.blue) = (red / seen, green / seen, blue / seen)
    return result
  }
}

extension FrameComponents {
  /// The statistics of a picture of Y, Cb and Cr, or of R, G and B.
  func statistics(isRGB: Bool, _ ranges: SampleRanges, isFullRange: Bool) -> FrameStatistics {
    var meter = FrameMeter(columns: first.width, rows: first.height)
    let luma = ranges.table(isFullRange ? .full : .videoLuma)
    let chroma = ranges.table(isFullRange ? .full : .videoChroma)
    for y in meter.sampledRows {
      for x in meter.sampledColumns {
        let one = Int(isRGB ? first.sample(x, y, of: first) : luma[Int(first.sample(x, y, of: first))])
        var (r, g, b) = (one, one, one)
        if isRGB {
          (g, b) = (Int(second.sample(x, y, of: first)), Int(third.sample(x, y, of: first)))
        } else if second.width > 0 {
          let cb = Int(chroma[Int(second.sample(x, y, of: first))]) - 128
          let cr = Int(chroma[Int(third.sample(x, y, of: first))]) - 128
          // JFIF 1.02, page 3, in 1/1024.
          (r, g, b) = (one + 1436 * cr / 1024, one - (352 * cb + 731 * cr) / 1024, one + 1815 * cb / 1024)
        }
        let seen = isRGB ? (306 * r + 601 * g + 117 * b) / 1024 : one
        meter.add(
          x, y, red: 16 * r, green: 16 * g, blue: 16 * b, luma: 16 * seen,
          brightest: 16 * (isRGB ? max(r, g, b) : one))
      }
    }
    return meter.statistics
  }
}

extension SampleGrid {
  /// The sample at the position (x, y) of `whole`, which may have a finer grid.
  fileprivate func sample(_ x: Int, _ y: Int, of whole: SampleGrid) -> UInt8 {
    base[(y * height / whole.height) * rowBytes + (x * width / whole.width) * step]
  }
}
