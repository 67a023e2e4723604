import Camera
import Runtime

/// A format that libv4lconvert turns into YU12 and Talon does not read itself. Left out are OV511 and OV518, which are
/// decoded by external programs; HSV and JPGL, for which it writes beyond the YU12 picture (JPGL when a frame is
/// damaged); RGB565, whose last rows get wrong colors; and CPIA1, for which it writes to standard error for each
/// damaged frame.
struct VendorFormat {
  enum Layout {
    /// Row after row.
    case rows
    /// Planes or blocks, of a length that follows from the size.
    case blocks
    /// Rows of 720 bytes whatever the width (HM12).
    case wideBlocks
    /// Variable length.
    case compressed
  }

  let fourcc: UInt32
  let layout: Layout
  /// Bits of a pixel; 0 when compressed.
  let bits: Int
  /// The picture uses 0 to 255: gray, and the YUV of early webcams. RGB and Bayer sources are converted to 16 to 235 by
  /// the library.
  let isFullRange: Bool

  private init(_ code: StaticString, _ layout: Layout, bits: Int = 0, isFullRange: Bool = false) {
    var fourcc: UInt32 = 0
    for index in 0..<4 { fourcc |= UInt32(code.utf8Start[index]) << UInt32(8 * index) }
    self.fourcc = fourcc
    self.layout = layout
    self.bits = bits
    self.isFullRange = isFullRange
  }

  /// By their names in `<linux/videodev2.h>`.
  static let all: InlineArray<35, VendorFormat> = [
    // RGB in 32 bits.
    VendorFormat("BGR4", .rows, bits: 32),
    VendorFormat("RGB4", .rows, bits: 32), VendorFormat("XR24", .rows, bits: 32),
    VendorFormat("BX24", .rows, bits: 32), VendorFormat("AR24", .rows, bits: 32),
    VendorFormat("BA24", .rows, bits: 32),
    // YVYU, NV16, NV61.
    VendorFormat("YVYU", .rows, bits: 16), VendorFormat("NV16", .blocks, bits: 16),
    VendorFormat("NV61", .blocks, bits: 16),
    // SPCA501, SPCA505, SPCA508, CIT_YYVYUY, KONICA420, SN9C20X_I420, M420, HM12.
    VendorFormat("S501", .blocks, bits: 12, isFullRange: true),
    VendorFormat("S505", .blocks, bits: 12, isFullRange: true),
    VendorFormat("S508", .blocks, bits: 12, isFullRange: true),
    VendorFormat("CITV", .blocks, bits: 12, isFullRange: true),
    VendorFormat("KONI", .blocks, bits: 12, isFullRange: true),
    VendorFormat("S920", .blocks, bits: 12, isFullRange: true),
    VendorFormat("M420", .blocks, bits: 12), VendorFormat("HM12", .wideBlocks, bits: 12),
    // STV0680, and Bayer of 16 bits.
    VendorFormat("S680", .rows, bits: 8), VendorFormat("BYR2", .rows, bits: 16),
    VendorFormat("GB16", .rows, bits: 16), VendorFormat("GR16", .rows, bits: 16),
    VendorFormat("RG16", .rows, bits: 16),
    // Gray of 4, 6, 10 and 16 bits.
    VendorFormat("Y04 ", .rows, bits: 8, isFullRange: true),
    VendorFormat("Y06 ", .rows, bits: 8, isFullRange: true),
    VendorFormat("Y10B", .blocks, bits: 10, isFullRange: true),
    VendorFormat("Y16 ", .rows, bits: 16, isFullRange: true),
    // PJPG, SPCA561, SN9C10X, SN9C2028, PAC207, MR97310A, JL2005BCD, SQ905C, SE401.
    VendorFormat("PJPG", .compressed, isFullRange: true), VendorFormat("S561", .compressed),
    VendorFormat("S910", .compressed), VendorFormat("SONX", .compressed), VendorFormat("P207", .compressed),
    VendorFormat("M310", .compressed), VendorFormat("JL20", .compressed), VendorFormat("905C", .compressed),
    VendorFormat("S401", .compressed),
  ]

  static func of(_ fourcc: UInt32) -> VendorFormat? {
    for index in 0..<all.count where all[index].fourcc == fourcc { return all[index] }
    return nil
  }

  /// The code of Bayer samples of 16 bits with their colors in another order; any other code is as it was.
  static func code(_ code: FourCC, ordered order: BayerOrder) -> FourCC {
    for other in BayerOrder.allCases where wideBayer(other) == code { return wideBayer(order) }
    return code
  }

  private static func wideBayer(_ order: BayerOrder) -> FourCC {
    switch order {
    case .rggb: FourCC("RG16")
    case .grbg: FourCC("GR16")
    case .gbrg: FourCC("GB16")
    case .bggr: FourCC("BYR2")
    }
  }

  /// True for sizes that the library's loops do not overrun: some write whole blocks.
  func fits(width: Int, height: Int) -> Bool {
    let unit: (across: Int, down: Int)
    switch layout {
    case .rows: unit = (2, 2)
    case .blocks, .compressed: unit = (16, 8)
    case .wideBlocks: unit = (16, 32)
    }
    guard width > 0, height > 0, width % unit.across == 0, height % unit.down == 0 else { return false }
    if layout == .wideBlocks, width > Self.wideBytes { return false }
    return width <= Budget.cameraSidePixels && height <= Budget.cameraSidePixels
      && width * height <= Budget.converterPixels
  }

  /// Bytes of a frame without gaps; nil when compressed.
  func bytes(width: Int, height: Int) -> Int? {
    switch layout {
    case .rows, .blocks: width * height * bits / 8
    case .wideBlocks: Self.wideBytes * height * bits / 8
    case .compressed: nil
    }
  }

  /// Bytes from one row to the next, as the library expects them.
  func rowBytes(width: Int) -> Int { layout == .rows ? width * bits / 8 : width }

  /// Bytes of a row of wide blocks, which is as long where the picture is narrower.
  private static let wideBytes = 720
}
