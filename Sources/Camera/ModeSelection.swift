/// Selects the mode of a stream: the smallest that meets the request.
///
/// Photos: width comes first (the smallest that is wide enough, else the widest), then height (the tallest, which shows
/// the whole sensor), then rate, then the cheapest format. Clips: the same, but of the heights the smallest, because
/// scaling a clip down costs time; and a mode that is wide and fast enough is preferred to one that is only wide
/// enough. H.264 from the camera, where it is wide and fast enough, has priority at any size, because it needs neither
/// decoder nor encoder.
///
/// The cheapest format, by rank:
///
/// | format                 | photo | wide photo | clip | why                                            |
/// |------------------------|-------|------------|------|------------------------------------------------|
/// | H.264                  | never | never      | 0    | goes into the file as it is                    |
/// | MJPEG, JPEG            | 4     | 0          | 4    | see below                                      |
/// | NV12, NV21, YU12, YV12 | 1     | 1          | 1    | 12 bits a pixel, chroma as the encoders want it |
/// | YUYV, UYVY             | 2     | 2          | 2    | 16 bits                                        |
/// | RGB24, BGR24           | 3     | 3          | 3    | 24 bits, and colors to convert                |
/// | Bayer 10P, 12P, 10, 12 | 5...8 | 5...8      | 5...8 | colors to make up; few bits on the bus first |
/// | Bayer 8                | 9     | 9          | 9    | too few bits for the shadows                   |
/// | GRAY, Y10              | 10, 11 | 10, 11    | 10, 11 | no colors                                   |
/// | foreign                | 12    | 12         | 12   | through a converter                            |
///
/// A camera's own JPEG is sent unchanged or scaled in the DCT domain, while raw pixels are slow over USB 2. For small
/// pictures JPEG only loses detail and may be damaged. In a clip each frame must be decoded.
public struct ModeSelection: Sendable {
  /// Above this width raw pixels are slow over USB 2, and a camera's own JPEG is the better source.
  private static let widestPlain = 640

  private let order: StreamOrder
  /// True when the upright picture's width is the height of a frame.
  private let isTransposed: Bool
  /// H.264 cannot be mirrored.
  private let takesH264: Bool
  /// True for foreign formats and sizes that can be converted.
  private let takesForeign: @Sendable (FourCC, FrameSize) -> Bool
  /// Only this format.
  public var code: FourCC?
  /// Only this size.
  public var size: FrameSize?

  /// A selection for an order.
  /// - Parameters:
  ///   - orientation: makes the camera's frames upright.
  ///   - takesForeign: true for foreign formats that can be converted at a size.
  public init(
    _ order: StreamOrder, _ orientation: Orientation,
    takesForeign: @escaping @Sendable (FourCC, FrameSize) -> Bool = { _, _ in false }
  ) {
    self.order = order
    // A clip's width is its long edge in any orientation.
    isTransposed = orientation.isTransposed && order.purpose == .photo
    takesH264 = order.purpose == .clip && orientation.isTurn
    self.takesForeign = takesForeign
  }

  // MARK: An offer's mode

  /// The size for an offer: from a range the smallest that is enough, with the aspect ratio of the largest.
  public func size(of offer: CameraOffer) -> FrameSize {
    if let size { return size }
    let (along, across) = isTransposed ? (offer.height, offer.width) : (offer.width, offer.height)
    let length = along.atLeast(order.width)
    let other = across.atLeast(length * across.most / max(along.most, 1))
    return isTransposed ? FrameSize(width: other, height: length) : FrameSize(width: length, height: other)
  }

  /// The best mode of an offer; nil when none is usable.
  public func mode(of offer: CameraOffer) -> CameraMode? {
    let pixels = size(of: offer)
    let mode = CameraMode(
      code: offer.code, format: offer.format, width: pixels.width, height: pixels.height,
      rate: offer.rate(for: order.rate))
    if let code, code != offer.code { return nil }
    if size != nil, !offer.width.contains(pixels.width) || !offer.height.contains(pixels.height) { return nil }
    if mode.format == .h264, !takesH264 { return nil }
    if mode.format == nil, !takesForeign(mode.code, pixels) { return nil }
    return mode.isUsable ? mode : nil
  }

  // MARK: The best one

  /// True when `mode` is better than `other`, and not only equal.
  public func prefers(_ mode: CameraMode, to other: CameraMode) -> Bool {
    let (size, otherSize) = (side(mode), side(other))
    let (isWide, otherIsWide) = (size >= order.width, otherSize >= order.width)
    let (isFast, otherIsFast) = (meetsRate(mode), meetsRate(other))
    if order.purpose == .clip {
      let isReady = mode.format == .h264 && isWide && isFast
      if isReady != (other.format == .h264 && otherIsWide && otherIsFast) { return isReady }
      if (isWide && isFast) != (otherIsWide && otherIsFast) { return isWide && isFast }
    }
    if isWide != otherIsWide { return isWide }
    if size != otherSize { return isWide == (size < otherSize) }
    let (rest, otherRest) = (area(mode), area(other))
    if rest != otherRest { return order.purpose == .clip && isWide ? rest < otherRest : rest > otherRest }
    if isFast != otherIsFast { return isFast }
    if !isFast, mode.rate != other.rate { return mode.rate > other.rate }
    return rank(mode) < rank(other)
  }

  private func side(_ mode: CameraMode) -> Int { isTransposed ? mode.height : mode.width }

  private func area(_ mode: CameraMode) -> Int { mode.width * mode.height }

  /// An unknown rate is assumed to be fast enough.
  private func meetsRate(_ mode: CameraMode) -> Bool { mode.rate == 0 || mode.rate >= order.rate }

  /// The order of formats at one size; the table above.
  private func rank(_ mode: CameraMode) -> Int {
    switch mode.format {
    case .h264: 0
    case .mjpeg: order.purpose == .photo && mode.width > Self.widestPlain ? 0 : 4
    case .nv12, .nv21, .yu12, .yv12: 1
    case .yuyv, .uyvy: 2
    case .rgb24, .bgr24: 3
    case .bayer(_, let packing):
      switch packing {
      case .bits10Packed: 5
      case .bits12Packed: 6
      case .bits10: 7
      case .bits12: 8
      case .bits8: 9
      }
    case .gray: 10
    case .y10: 11
    case nil: 12
    }
  }
}
