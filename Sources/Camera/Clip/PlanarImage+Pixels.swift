// Pictures of the screen for encoders.

extension VideoFormat {
  /// The format for a picture of this size: within `Budget.clipLongEdge` and `Budget.clipShortEdge`, even, of the same
  /// aspect, and never larger than it is; in the colors of JPEG.
  public init(ofScreen width: Int, _ height: Int, picturesPerKilosecond: Int) {
    let size = PhotoSize(clipOf: width, height)
    self.init(
      width: size.width, height: size.height, picturesPerKilosecond: picturesPerKilosecond, isFullRange: true)
  }
}

extension PlanarImage {
  /// Writes rows `y` and `y + 1` of a `.quarter` picture of even sides from pixels, 0xXXRRGGBB.
  public func take(_ upper: UnsafePointer<UInt32>, _ lower: UnsafePointer<UInt32>, at y: Int) {
    ColorConverter.convert(
      upper, lower, luma: luma.base + y * luma.rowBytes, luma.base + (y + 1) * luma.rowBytes,
      blue: blue.base + y / 2 * blue.rowBytes, red: red.base + y / 2 * red.rowBytes, width / 2)
  }
}
