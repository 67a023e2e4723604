/// What is encoded.
public struct VideoFormat: Equatable, Sendable {
  /// Pixels across and down, both even.
  public var width, height: Int
  /// Pictures in a thousand seconds: 30,000, or 29,970.
  public var picturesPerKilosecond: Int
  /// True when Y, Cb and Cr use 0...255; false for video's 16...235 and 16...240.
  public var isFullRange: Bool

  /// A format; see the properties.
  public init(width: Int, height: Int, picturesPerKilosecond: Int, isFullRange: Bool) {
    self.width = width
    self.height = height
    self.picturesPerKilosecond = picturesPerKilosecond
    self.isFullRange = isFullRange
  }

  /// Microseconds from one picture to the next.
  public var interval: Int64 { 1_000_000_000 / Int64(max(1, picturesPerKilosecond)) }
}

/// A picture as it came out of an encoder, valid until the encoder's next call.
public struct EncodedPicture {
  /// An access unit in Annex B form; a key frame has its parameter sets with it.
  public let bytes: UnsafeBufferPointer<UInt8>
  /// Microseconds: the time that went in with it.
  public let time: Int64

  /// A picture; see the properties.
  public init(bytes: UnsafeBufferPointer<UInt8>, time: Int64) {
    self.bytes = bytes
    self.time = time
  }
}

/// H.264 for one worker at a time: baseline, main or high profile, 8-bit 4:2:0, in the order in which it is shown.
public protocol H264Encoder: AnyObject {
  /// Makes it ready. Throws `.encoder` for what it cannot do.
  /// - Parameter most: bits per second that no order to come exceeds.
  func start(_ format: VideoFormat, most: Int) throws(ClipError)

  /// Takes a picture of the format's size, `.quarter` chroma, and gives one back: this one, one before it, or none.
  /// - Parameters:
  ///   - time: microseconds, above those of the picture before.
  ///   - order: what it shall cost; a key frame when that says so.
  func encode(_ image: PlanarImage, at time: Int64, _ order: PictureOrder) throws(ClipError) -> EncodedPicture?

  /// Gives back a picture that is still inside; nil when there is none.
  func drain() throws(ClipError) -> EncodedPicture?

  /// Gives everything back. Harmless when nothing was started.
  func stop()
}
