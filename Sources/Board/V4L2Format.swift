import CLinux
import Camera
import Runtime

/// A pixel format of the kernel that the Camera room can use.
struct V4L2Format {
  /// The kernel's four-character code.
  let fourcc: UInt32
  /// What the room calls it.
  let format: PixelFormat
  /// Bits that a pixel takes, or that drivers reserve for one of a compressed frame.
  let bitsPerPixel: Int

  private init(_ code: StaticString, _ format: PixelFormat, _ bitsPerPixel: Int) {
    var fourcc: UInt32 = 0
    for index in 0..<4 { fourcc |= UInt32(code.bytes[index]) << UInt32(8 * index) }
    self.fourcc = fourcc
    self.format = format
    self.bitsPerPixel = bitsPerPixel
  }

  /// All of them (`<linux/videodev2.h>`), the lightest on the bus first.
  static let all: InlineArray<6, V4L2Format> = [
    V4L2Format("MJPG", .mjpeg, 16),
    V4L2Format("JPEG", .mjpeg, 16),
    V4L2Format("NV12", .nv12, 12),
    V4L2Format("YU12", .yu12, 12),
    V4L2Format("YUYV", .yuyv, 16),
    V4L2Format("RGB3", .rgb24, 24),
  ]

  /// The place in `all` of a kernel's code.
  static func index(of fourcc: UInt32) -> Int? {
    for index in 0..<all.count where all[index].fourcc == fourcc { return index }
    return nil
  }
}

/// A format and size that a camera offers.
struct V4L2Mode {
  /// Above this width plain pixels are slow over USB 2, and a camera's own JPEG is the better source.
  private static let widestPlain = 640

  /// Place in `V4L2Format.all`.
  let index: Int
  /// Pixels.
  let width, height: Int

  /// True when a frame fits into what is mapped and decoded.
  var isUsable: Bool {
    let pixels = Int64(width) * Int64(height)
    let bytes = pixels * Int64(V4L2Format.all[index].bitsPerPixel) / 8
    return width >= 2 && height >= 2 && bytes <= Int64(Budget.cameraFrameBytes)
  }

  /// True when this is the better source for a picture of `wanted` pixels across: the smallest that is wide
  /// enough, else the widest; then the tallest, which shows the whole sensor; then the format.
  func isBetter(than other: V4L2Mode, wanted: Int) -> Bool {
    let (isWide, otherIsWide) = (width >= wanted, other.width >= wanted)
    if isWide != otherIsWide { return isWide }
    if width != other.width { return isWide == (width < other.width) }
    if height != other.height { return height > other.height }
    return rank < other.rank
  }

  /// The order of formats at one size, best first.
  private var rank: Int {
    let isPlainBetter = V4L2Format.all[index].format == .mjpeg && width <= Self.widestPlain
    return isPlainBetter ? index + V4L2Format.all.count : index
  }

  /// The best mode that an open camera offers; nil when it offers none that is usable.
  static func best(of camera: Descriptor, wanted: Int) -> V4L2Mode? {
    var best: V4L2Mode?
    for number in 0..<UInt32(Budget.cameraModes) {
      var fourcc: UInt32 = 0
      guard tl_video_format(camera.number, number, &fourcc) >= 0 else { break }
      guard let index = V4L2Format.index(of: fourcc) else { continue }
      guard let mode = bestSize(of: camera, format: index, wanted) else { continue }
      if best.map({ mode.isBetter(than: $0, wanted: wanted) }) ?? true { best = mode }
    }
    return best
  }

  private static func bestSize(of camera: Descriptor, format index: Int, _ wanted: Int) -> V4L2Mode? {
    var best: V4L2Mode?
    for number in 0..<UInt32(Budget.cameraModes) {
      var sizes = tl_video_sizes()
      let fourcc = V4L2Format.all[index].fourcc
      guard tl_video_frame_sizes(camera.number, fourcc, number, &sizes) >= 0 else {
        // A driver that tells no sizes is asked for a common one; what it grants is checked later.
        return number == 0 ? V4L2Mode(index: index, width: 640, height: 480) : best
      }
      let mode = V4L2Mode(index: index, sizes, wanted)
      if mode.isUsable, best.map({ mode.isBetter(than: $0, wanted: wanted) }) ?? true { best = mode }
    }
    return best
  }

  private init(index: Int, width: Int, height: Int) {
    (self.index, self.width, self.height) = (index, width, height)
  }

  /// One size, or from a range the smallest that is wide enough in the shape of the largest.
  init(index: Int, _ sizes: tl_video_sizes, _ wanted: Int) {
    let across = Self.stepped(Int64(wanted), sizes.least_width, sizes.most_width, sizes.step_width)
    let shaped = across * Self.side(sizes.most_height) / max(Self.side(sizes.most_width), 1)
    let down = Self.stepped(shaped, sizes.least_height, sizes.most_height, sizes.step_height)
    self.init(index: index, width: Int(across), height: Int(down))
  }

  private static func stepped(_ value: Int64, _ least: UInt32, _ most: UInt32, _ step: UInt32) -> Int64 {
    let (least, most, step) = (side(least), side(most), max(side(step), 1))
    return min(least + max(value - least + step - 1, 0) / step * step, most)
  }

  /// Drivers report what a USB device claims; a side that no picture has must not upset the arithmetic.
  private static func side(_ claimed: UInt32) -> Int64 { Int64(min(claimed, 65_535)) }
}
