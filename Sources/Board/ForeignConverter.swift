import Camera

/// A frame of a format that the Camera room does not know, as the driver gave it.
struct ForeignFrame {
  let code: FourCC
  /// Pixels.
  let width, height: Int
  /// Bytes from one row to the next; 0 when it is compressed.
  let rowBytes: Int
  let bytes: UnsafeBufferPointer<UInt8>
  /// Microseconds of `Clock.monotonic`.
  let time: Int64
}

/// What turns foreign frames into ones that the room knows.
struct ForeignConverter {
  /// True for the formats that it knows.
  let takes: @Sendable (FourCC) -> Bool
  /// The frame in a format of the room, its bytes valid until the next call; nil when it is damaged.
  let convert: (ForeignFrame) -> RawFrame?

  /// The format that its frames have.
  static let format = PixelFormat.yu12
}
