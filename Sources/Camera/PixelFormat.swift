/// The pixel format of a frame (V4L2's names).
public enum PixelFormat: Equatable, Sendable {
  /// A JPEG picture, perhaps without its Huffman tables.
  case mjpeg
  /// An access unit of H.264 in Annex B form.
  case h264
  /// Y0 Cb Y1 Cr: 4:2:2, packed.
  case yuyv
  /// Cb Y0 Cr Y1: 4:2:2, packed.
  case uyvy
  /// A plane of Y, then a plane of Cb Cr pairs: 4:2:0.
  case nv12
  /// A plane of Y, then a plane of Cr Cb pairs: 4:2:0.
  case nv21
  /// Planes of Y, Cb and Cr: 4:2:0.
  case yu12
  /// Planes of Y, Cr and Cb: 4:2:0.
  case yv12
  /// R G B.
  case rgb24
  /// B G R.
  case bgr24
  /// Y alone.
  case gray
  /// Y alone, 10 bits in the low end of two bytes, little-endian.
  case y10
  /// A sensor's raw samples, one color for each pixel.
  case bayer(BayerOrder, BayerPacking)

  /// True for a sensor's raw samples, which are proportional to light.
  var isRaw: Bool { if case .bayer = self { true } else { false } }

  /// A sensor's raw samples with their colors in another order; any other format is as it was.
  public func ordered(_ order: BayerOrder) -> PixelFormat {
    if case .bayer(_, let packing) = self { .bayer(order, packing) } else { self }
  }
}

/// The colors of a sensor's first four pixels: two of the first row, two of the second.
public enum BayerOrder: Equatable, Sendable, CaseIterable {
  case rggb, grbg, gbrg, bggr

  /// Column, 0 or 1, of red in its rows; blue is in the other one.
  var redColumn: Int { self == .rggb || self == .gbrg ? 0 : 1 }
  /// Row, 0 or 1, of red.
  var redRow: Int { self == .rggb || self == .grbg ? 0 : 1 }
}

/// The packing of a sensor's samples (V4L2: SRGGB8, SRGGB10, SRGGB12, SRGGB10P, SRGGB12P).
public enum BayerPacking: Equatable, Sendable, CaseIterable {
  /// A byte each.
  case bits8
  /// The low end of two bytes, little-endian.
  case bits10, bits12
  /// Four in five bytes: their high 8 bits, then the low 2 of each, the first lowest (MIPI CSI-2 RAW10).
  case bits10Packed
  /// Two in three bytes: their high 8 bits, then the low 4 of each, the first lowest (MIPI CSI-2 RAW12).
  case bits12Packed

  /// Bits of a sample.
  var bits: Int {
    switch self {
    case .bits8: 8
    case .bits10, .bits10Packed: 10
    case .bits12, .bits12Packed: 12
    }
  }

  /// Bytes of a row of `width` samples, in whole groups without padding.
  func rowBytes(_ width: Int) -> Int {
    switch self {
    case .bits8: width
    case .bits10, .bits12: 2 * width
    case .bits10Packed: (width + 3) / 4 * 5
    case .bits12Packed: (width + 1) / 2 * 3
    }
  }
}
