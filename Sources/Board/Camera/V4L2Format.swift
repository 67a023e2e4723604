import Camera

/// A pixel format of the kernel and the Camera module's value for it.
struct V4L2Format {
  let code: FourCC
  let format: PixelFormat

  private init(_ code: StaticString, _ format: PixelFormat) {
    self.code = FourCC(code)
    self.format = format
  }

  private init(_ code: StaticString, _ order: BayerOrder, _ packing: BayerPacking) {
    self.init(code, .bayer(order, packing))
  }

  /// All of them (`<linux/videodev2.h>`). Those with an M have a separate memory plane for each component.
  static let all: InlineArray<37, V4L2Format> = [
    V4L2Format("MJPG", .mjpeg), V4L2Format("JPEG", .mjpeg), V4L2Format("H264", .h264),
    V4L2Format("YUYV", .yuyv), V4L2Format("UYVY", .uyvy),
    V4L2Format("NV12", .nv12), V4L2Format("NV21", .nv21), V4L2Format("YU12", .yu12), V4L2Format("YV12", .yv12),
    V4L2Format("NM12", .nv12), V4L2Format("NM21", .nv21), V4L2Format("YM12", .yu12), V4L2Format("YM21", .yv12),
    V4L2Format("RGB3", .rgb24), V4L2Format("BGR3", .bgr24), V4L2Format("GREY", .gray), V4L2Format("Y10 ", .y10),
    V4L2Format("RGGB", .rggb, .bits8), V4L2Format("GRBG", .grbg, .bits8),
    V4L2Format("GBRG", .gbrg, .bits8), V4L2Format("BA81", .bggr, .bits8),
    V4L2Format("RG10", .rggb, .bits10), V4L2Format("BA10", .grbg, .bits10),
    V4L2Format("GB10", .gbrg, .bits10), V4L2Format("BG10", .bggr, .bits10),
    V4L2Format("RG12", .rggb, .bits12), V4L2Format("BA12", .grbg, .bits12),
    V4L2Format("GB12", .gbrg, .bits12), V4L2Format("BG12", .bggr, .bits12),
    V4L2Format("pRAA", .rggb, .bits10Packed), V4L2Format("pgAA", .grbg, .bits10Packed),
    V4L2Format("pGAA", .gbrg, .bits10Packed), V4L2Format("pBAA", .bggr, .bits10Packed),
    V4L2Format("pRCC", .rggb, .bits12Packed), V4L2Format("pgCC", .grbg, .bits12Packed),
    V4L2Format("pGCC", .gbrg, .bits12Packed), V4L2Format("pBCC", .bggr, .bits12Packed),
  ]

  /// The Camera module's value of a format; nil when there is none.
  static func format(of code: FourCC) -> PixelFormat? {
    for index in 0..<all.count where all[index].code == code { return all[index].format }
    return nil
  }
}
