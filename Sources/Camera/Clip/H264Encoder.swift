/// The format of the pictures to encode.
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

/// An encoded picture, valid until the encoder's next call.
public struct EncodedPicture {
  /// An access unit in Annex B form; a key frame includes its parameter sets.
  public let bytes: UnsafeBufferPointer<UInt8>
  /// Microseconds: the time given with its picture.
  public let time: Int64

  /// A picture; see the properties.
  public init(bytes: UnsafeBufferPointer<UInt8>, time: Int64) {
    self.bytes = bytes
    self.time = time
  }
}

/// H.264 for one worker at a time: baseline, main or high profile, 8-bit 4:2:0, in display order.
public protocol H264Encoder: AnyObject {
  /// Prepares the encoder. Throws `.encoder` when it is not possible.
  /// - Parameter most: the highest bit rate of later orders.
  func start(_ format: VideoFormat, most: Int) throws(ClipError)

  /// Takes a picture of the format's size, `.quarter` chroma, and returns one: this one, an earlier one, or none.
  /// - Parameters:
  ///   - time: microseconds, higher than before.
  ///   - order: its bit rate, and whether it must be a key frame.
  func encode(_ image: PlanarImage, at time: Int64, _ order: PictureOrder) throws(ClipError) -> EncodedPicture?

  /// Returns a picture that is still in the encoder; nil when there is none.
  func drain() throws(ClipError) -> EncodedPicture?

  /// Releases everything. Does nothing when it was not started.
  func stop()
}
