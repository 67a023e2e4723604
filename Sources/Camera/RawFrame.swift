/// A part of a frame that has memory of its own.
public struct FramePlane {
  /// The bytes that the device filled.
  public let bytes: UnsafeBufferPointer<UInt8>
  /// Bytes from one row to the next. 0 for MJPEG.
  public let rowBytes: Int

  /// A plane; see the properties.
  public init(bytes: UnsafeBufferPointer<UInt8>, rowBytes: Int) {
    self.bytes = bytes
    self.rowBytes = rowBytes
  }

  /// A plane without memory.
  static var none: FramePlane { FramePlane(bytes: UnsafeBufferPointer(start: nil, count: 0), rowBytes: 0) }
}

/// A frame as the device gave it, borrowed for the time of one visit.
public struct RawFrame {
  /// The layout.
  public let format: PixelFormat
  /// Pixels across; for MJPEG the picture's own header counts instead.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// True when Y, Cb and Cr use 0...255; false for video's 16...235 and 16...240 (ITU-R BT.601).
  public let isFullRange: Bool
  /// What made a Bayer frame.
  public let sensor: Sensor
  /// When its exposure began or its last byte came, as the driver counts: microseconds of `Clock.monotonic`.
  public let time: Int64
  /// The memory: `planeCount` of them count.
  let planes: InlineArray<3, FramePlane>
  /// 1: the components follow each other in one piece of memory. Else there are as many as the format has planes
  /// (V4L2's formats with an M: NV12M, YUV420M), in the order of the format.
  let planeCount: Int

  /// A frame in one piece of memory.
  /// - Parameter rowBytes: bytes from one row to the next (of Y when planar; those of planar chroma take half of
  ///   it). 0 for MJPEG.
  public init(
    format: PixelFormat, width: Int, height: Int, rowBytes: Int, isFullRange: Bool,
    bytes: UnsafeBufferPointer<UInt8>, sensor: Sensor = .generic, time: Int64 = 0
  ) {
    self.init(
      format: format, width: width, height: height, isFullRange: isFullRange,
      planes: [FramePlane(bytes: bytes, rowBytes: rowBytes), .none, .none], planeCount: 1, sensor: sensor, time: time)
  }

  /// A frame whose planes have memory of their own.
  /// - Parameter planeCount: how many of `planes` count, 1...3.
  public init(
    format: PixelFormat, width: Int, height: Int, isFullRange: Bool, planes: InlineArray<3, FramePlane>,
    planeCount: Int, sensor: Sensor = .generic, time: Int64 = 0
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.isFullRange = isFullRange
    self.planes = planes
    self.planeCount = planeCount
    self.sensor = sensor
    self.time = time
  }

  /// The bytes of the first plane: all of them, when the frame is in one piece.
  public var bytes: UnsafeBufferPointer<UInt8> { planes[0].bytes }
}
