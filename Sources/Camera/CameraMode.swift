import Runtime

/// Pixels of a frame, across and down.
public struct FrameSize: Equatable, Sendable {
  public let width, height: Int

  /// A size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A mode of a camera's stream.
public struct CameraMode: Equatable, Sendable {
  public let code: FourCC
  /// Its known format; nil: foreign, which must be converted first.
  public let format: PixelFormat?
  /// Pixels of a frame.
  public let width, height: Int
  /// Frames in a thousand seconds; 0 when unknown.
  public let rate: Int

  /// A mode; see the properties.
  public init(code: FourCC, format: PixelFormat?, width: Int, height: Int, rate: Int = 0) {
    self.code = code
    self.format = format
    self.width = width
    self.height = height
    self.rate = rate
  }

  /// True when a frame fits the limits for mapping, decoding and scaling.
  var isUsable: Bool {
    let sides = Self.leastSide...Budget.cameraSidePixels
    guard sides.contains(width), sides.contains(height) else { return false }
    return width * height * (format?.bitsPerPixel ?? PixelFormat.usualBitsPerPixel) / 8 <= Budget.cameraFrameBytes
  }

  /// Smallest side in pixels for all formats.
  private static let leastSide = Mosaic.leastSide
}

/// A format and size, or a range of sizes, that a camera offers.
public struct CameraOffer: Sendable {
  /// Pixels along one side: one number, or from `least` to `most` in steps.
  public struct Side: Equatable, Sendable {
    public let least, most, step: Int

    /// A side. Impossible numbers, which drivers pass on from USB devices, are corrected.
    public init(least: Int, most: Int, step: Int = 1) {
      self.most = min(max(most, 0), 65_535)
      self.least = min(max(least, 0), self.most)
      self.step = min(max(step, 1), 65_535)
    }

    /// The smallest valid number of at least `wanted`, else the largest.
    func atLeast(_ wanted: Int) -> Int {
      let steps = (max(min(wanted, most) - least, 0) + step - 1) / step
      return min(least + steps * step, most)
    }

    func contains(_ number: Int) -> Bool {
      number >= least && number <= most && (number - least) % step == 0
    }
  }

  public let code: FourCC
  public let format: PixelFormat?
  public let width, height: Side
  /// Frames in a thousand seconds: `rateCount` of them; of a range the slowest and the fastest.
  public private(set) var rates = InlineArray<16, Int>(repeating: 0)
  public private(set) var rateCount = 0
  /// True when all rates between the two are offered.
  public var isRateRange = false

  /// An offer without rates; see the properties.
  public init(code: FourCC, format: PixelFormat?, width: Side, height: Side) {
    precondition(Budget.cameraRates == rates.count)
    self.code = code
    self.format = format
    self.width = width
    self.height = height
  }

  /// True for one size, false for a range.
  public var isOneSize: Bool { width.least == width.most && height.least == height.most }

  /// Adds a rate; a full list stays as it is.
  public mutating func add(rate: Int) {
    guard rateCount < rates.count else { return }
    rates[rateCount] = rate
    rateCount += 1
  }

  /// The slowest rate of at least `wanted`, else the fastest, also for 0 (any); 0 when none is known.
  func rate(for wanted: Int) -> Int {
    var (enough, fastest) = (Int.max, 0)
    for index in 0..<rateCount {
      fastest = max(fastest, rates[index])
      if wanted > 0, rates[index] >= wanted { enough = min(enough, rates[index]) }
    }
    if isRateRange, wanted > 0, rateCount == 2, (min(rates[0], rates[1])...fastest).contains(wanted) { return wanted }
    return enough == .max ? fastest : enough
  }
}

extension PixelFormat {
  /// Bits of most formats, assumed for unknown ones.
  static let usualBitsPerPixel = 16

  /// Bits of a pixel, or what drivers reserve for one of a compressed frame.
  var bitsPerPixel: Int {
    switch self {
    case .mjpeg, .h264, .yuyv, .uyvy, .y10: 16
    case .nv12, .nv21, .yu12, .yv12: 12
    case .rgb24, .bgr24: 24
    case .gray: 8
    case .bayer(_, let packing):
      switch packing {
      case .bits8: 8
      case .bits10, .bits12: 16
      case .bits10Packed: 10
      case .bits12Packed: 12
      }
    }
  }
}
