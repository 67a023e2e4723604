/// The pixel format of scanout memory.
public struct PanelFormat: Equatable, Sendable {
  /// The bits of one color in a pixel: the lowest bit, and their number (1...8).
  public struct Channel: Equatable, Sendable {
    public var offset: UInt32
    public var length: UInt32

    /// A channel; see the properties.
    public init(_ offset: UInt32, _ length: UInt32) {
      self.offset = offset
      self.length = length
    }
  }

  /// What the bits of a pixel mean.
  public enum Kind: Equatable, Sendable {
    case color(red: Channel, green: Channel, blue: Channel)
    /// Levels from dark to bright; several pixels to a byte when they have fewer than 8 bits. `isInverted`: 0 is the
    /// brightest. `isLowFirst`: the leftmost pixel of a byte has its lowest bits.
    case gray(isInverted: Bool, isLowFirst: Bool)
  }

  /// 16, 24 or 32 for colors; 1, 2, 4 or 8 for gray.
  public let bitsPerPixel: Int
  public let kind: Kind

  /// nil for a format that is not supported: the bits overlap, or do not fit.
  public init?(bitsPerPixel: Int, kind: Kind) {
    switch kind {
    case .gray: guard [1, 2, 4, 8].contains(bitsPerPixel) else { return nil }
    case .color(let red, let green, let blue):
      guard [16, 24, 32].contains(bitsPerPixel) else { return nil }
      guard let red = Self.mask(red, bitsPerPixel), let green = Self.mask(green, bitsPerPixel),
        let blue = Self.mask(blue, bitsPerPixel), red & green == 0, red & blue == 0, green & blue == 0
      else { return nil }
    }
    self.bitsPerPixel = bitsPerPixel
    self.kind = kind
  }

  private init(_ bits: Int, _ red: Channel, _ green: Channel, _ blue: Channel) {
    bitsPerPixel = bits
    kind = .color(red: red, green: green, blue: blue)
  }

  private static func mask(_ channel: Channel, _ bits: Int) -> UInt32? {
    guard (1...8).contains(channel.length), channel.offset < 32, channel.offset + channel.length <= UInt32(bits) else {
      return nil
    }
    return ((1 << channel.length) - 1) << channel.offset
  }

  /// The format that needs no conversion.
  public static let xrgb8888 = PanelFormat(32, Channel(16, 8), Channel(8, 8), Channel(0, 8))
  public static let xbgr8888 = PanelFormat(32, Channel(0, 8), Channel(8, 8), Channel(16, 8))
  public static let rgb888 = PanelFormat(24, Channel(16, 8), Channel(8, 8), Channel(0, 8))
  public static let rgb565 = PanelFormat(16, Channel(11, 5), Channel(5, 6), Channel(0, 5))

  /// Bytes that a row of so many pixels needs at least.
  public func rowBytes(_ width: Int32) -> Int { (Int(width) * bitsPerPixel + 7) / 8 }

  /// True for a format without colors.
  public var isGray: Bool {
    if case .gray = kind { return true }
    return false
  }
}

/// Scanout memory: its size before rotation, and its stride.
public struct PanelLayout: Equatable, Sendable {
  public let format: PanelFormat
  public let size: Size
  /// From one row to the next, in bytes: often more than the pixels need.
  public let stride: Int

  /// nil when the rows do not fit into the stride, or the size is none.
  public init?(format: PanelFormat, size: Size, stride: Int) {
    guard size.width > 0, size.height > 0, stride >= format.rowBytes(size.width) else { return nil }
    self.format = format
    self.size = size
    self.stride = stride
  }

  /// Bytes up to the last pixel.
  public var byteCount: Int { (Int(size.height) - 1) * stride + format.rowBytes(size.width) }
}
