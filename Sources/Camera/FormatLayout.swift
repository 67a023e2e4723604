/// The layout of the three components of an uncompressed format.
struct FormatLayout {
  /// The first sample of a component.
  struct Place {
    /// Which plane.
    let plane: Int
    /// Bytes from the start of a row to the first sample, and from one sample to the next.
    let offset, step: Int

    init(_ plane: Int, _ offset: Int, _ step: Int) {
      (self.plane, self.offset, self.step) = (plane, offset, step)
    }
  }

  /// Y, Cb and Cr, or R, G and B.
  let first, second, third: Place
  /// Pixels that share a sample of the second and third components, across and down; 0 when there are none.
  let across, down: Int
  /// Planes that may have separate memory.
  let planes: Int

  private init(_ first: Place, _ second: Place, _ third: Place, across: Int, down: Int, planes: Int = 1) {
    (self.first, self.second, self.third) = (first, second, third)
    (self.across, self.down, self.planes) = (across, down, planes)
  }

  /// The layout of a format whose samples are bytes; nil for the others.
  init?(_ format: PixelFormat) {
    let luma = Place(0, 0, 1)
    switch format {
    case .mjpeg, .h264, .y10, .bayer: return nil
    case .gray: self.init(luma, luma, luma, across: 0, down: 0)
    case .yuyv: self.init(Place(0, 0, 2), Place(0, 1, 4), Place(0, 3, 4), across: 2, down: 1)
    case .uyvy: self.init(Place(0, 1, 2), Place(0, 0, 4), Place(0, 2, 4), across: 2, down: 1)
    case .rgb24: self.init(Place(0, 0, 3), Place(0, 1, 3), Place(0, 2, 3), across: 1, down: 1)
    case .bgr24: self.init(Place(0, 2, 3), Place(0, 1, 3), Place(0, 0, 3), across: 1, down: 1)
    case .nv12: self.init(luma, Place(1, 0, 2), Place(1, 1, 2), across: 2, down: 2, planes: 2)
    case .nv21: self.init(luma, Place(1, 1, 2), Place(1, 0, 2), across: 2, down: 2, planes: 2)
    case .yu12: self.init(luma, Place(1, 0, 1), Place(2, 0, 1), across: 2, down: 2, planes: 3)
    case .yv12: self.init(luma, Place(2, 0, 1), Place(1, 0, 1), across: 2, down: 2, planes: 3)
    }
  }

  /// Least bytes of a row of plane `index`.
  func rowBytes(_ index: Int, width: Int) -> Int {
    if index > 0 { return width / across * second.step }
    // 4:2:2 has whole pairs of pixels.
    return first.step == 2 ? (width + 1) / 2 * 4 : width * first.step
  }

  /// Rows of plane `index`.
  func rows(_ index: Int, height: Int) -> Int { index == 0 ? height : height / down }
}
