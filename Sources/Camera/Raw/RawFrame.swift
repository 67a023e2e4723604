/// A plane of a frame with separate memory.
public struct FramePlane {
  /// The bytes from the device.
  public let bytes: UnsafeBufferPointer<UInt8>
  /// Bytes from one row to the next. 0 for MJPEG.
  public let rowBytes: Int

  /// A plane; see the properties.
  public init(bytes: UnsafeBufferPointer<UInt8>, rowBytes: Int) {
    self.bytes = bytes
    self.rowBytes = rowBytes
  }

  /// Bytes before a JPEG picture that are skipped.
  static let headMax = 1024

  /// The same without what some cameras put before a JPEG picture: its start is FF D8 FF.
  fileprivate var fromPicture: FramePlane {
    for start in 0..<min(Self.headMax + 1, max(bytes.count - 2, 0))
    where bytes[start] == 0xFF && bytes[start + 1] == JPEGMarker.startOfImage && bytes[start + 2] == 0xFF {
      return FramePlane(bytes: UnsafeBufferPointer(rebasing: bytes[start...]), rowBytes: rowBytes)
    }
    return self
  }

  /// A plane without memory.
  static var none: FramePlane { FramePlane(bytes: UnsafeBufferPointer(start: nil, count: 0), rowBytes: 0) }
}

/// A frame from the device, borrowed for the time of a call.
public struct RawFrame {
  /// The layout.
  public let format: PixelFormat
  /// Pixels across; for MJPEG the picture's header is used instead.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// True when Y, Cb and Cr use 0...255; false for video's 16...235 and 16...240 (ITU-R BT.601).
  public let isFullRange: Bool
  /// The sensor of a Bayer frame.
  public let sensor: Sensor
  /// Timestamp of the driver, at the start of exposure or the last byte: microseconds of `Clock.monotonic`.
  public let time: Int64
  /// The first `planeCount` planes are used.
  let planes: InlineArray<3, FramePlane>
  /// 1: the components are contiguous. Otherwise the number of planes of the format (V4L2's formats with an M: NV12M,
  /// YUV420M), in the order of the format.
  let planeCount: Int

  /// A contiguous frame.
  /// - Parameter rowBytes: bytes from one row to the next (of Y when planar; those of planar chroma take half of it). 0
  ///   for MJPEG.
  public init(
    format: PixelFormat, width: Int, height: Int, rowBytes: Int, isFullRange: Bool,
    bytes: UnsafeBufferPointer<UInt8>, sensor: Sensor = .generic, time: Int64 = 0
  ) {
    self.init(
      format: format, width: width, height: height, isFullRange: isFullRange,
      planes: [FramePlane(bytes: bytes, rowBytes: rowBytes), .none, .none], planeCount: 1, sensor: sensor, time: time)
  }

  /// A frame with separate planes.
  /// - Parameter planeCount: number of used `planes`, 1...3.
  public init(
    format: PixelFormat, width: Int, height: Int, isFullRange: Bool, planes: InlineArray<3, FramePlane>,
    planeCount: Int, sensor: Sensor = .generic, time: Int64 = 0
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.isFullRange = isFullRange
    var planes = planes
    if format == .mjpeg { planes[0] = planes[0].fromPicture }
    self.planes = planes
    self.planeCount = planeCount
    self.sensor = sensor
    self.time = time
  }

  /// The bytes of the first plane, or all bytes of a contiguous frame.
  public var bytes: UnsafeBufferPointer<UInt8> { planes[0].bytes }
}
