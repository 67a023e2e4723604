import Board
import Camera
import Codec
import Foundation
import Pictures
import Runtime

/// From frame to finished JPEG, beside what libjpeg-turbo alone takes to encode the very picture that comes of it, at
/// the same quality and with the same transform. Both are processor time of one thread: neighbors do not count. The
/// camera is open already, as it is for all photos but the first, unless a row says otherwise.
enum CameraBench {
  /// One row of the bench.
  private struct Row {
    let name: String
    let format: PixelFormat
    let width, height: Int
    let rowBytes: Int
    /// Pixels across that are asked for, and what comes of it.
    let wanted: Int
    let target: (width: Int, height: Int)
    var sensor = Sensor.generic
    var bar: Bar?
  }

  private static let packed = BayerPacking.bits10Packed

  private static let rows = [
    Row(
      name: "raw 10-bit 1640x1232 to JPEG, all pixels", format: .bayer(.bggr, packed), width: 1640,
      height: 1232,
      rowBytes: 2056, wanted: 1640, target: (1640, 1232), sensor: .imx219, bar: .rawPhoto),
    Row(
      name: "raw 10-bit 1640x1232 to JPEG, 1600 across", format: .bayer(.bggr, packed), width: 1640,
      height: 1232,
      rowBytes: 2056, wanted: 1600, target: (1600, 1202), sensor: .imx219),
    Row(
      name: "raw 10-bit 1640x1232 to JPEG, 820 across", format: .bayer(.bggr, packed), width: 1640,
      height: 1232,
      rowBytes: 2056, wanted: 820, target: (820, 616), sensor: .imx219),
    Row(
      name: "YUYV 1920x1080 of video's range to JPEG", format: .yuyv, width: 1920, height: 1080,
      rowBytes: 3840,
      wanted: 1920, target: (1920, 1080), bar: .photo),
  ]

  static func measurements() throws -> [Measurement] {
    try rows.map(measurement) + [closed(), passThrough()] + memory()
  }

  private static func measurement(_ row: Row) throws -> Measurement {
    let codec = try KeepingCodec()
    let camera = FrameInMemory(row.format, row.width, row.height, row.rowBytes, row.sensor)
    let photographer = try Photographer(camera, codec, width: row.wanted)
    try photographer.snap()
    // The yardstick encodes the very picture that was made.
    let size = codec.size
    guard size == row.target else { throw BenchError("\(row.name): a picture of \(size)") }
    let ours = try Stopwatch.bestOfThread { try photographer.snap() }
    let encoding = try Stopwatch.bestOfThread { try codec.encodeAgain() }
    return Measurement(
      name: row.name, value: ours * 1e3, unit: "ms",
      yardstick: ("libjpeg-turbo alone (\(String(format: "%.1f", encoding * 1e3)) ms)", encoding * 1e3),
      bar: row.bar)
  }

  /// The last row again, each time with a camera that was closed: its pages are fresh.
  private static func closed() throws -> Measurement {
    let codec = try KeepingCodec()
    let photographer = try Photographer(yuyv(), codec, width: 1920)
    let ours = try Stopwatch.bestOfThread {
      try photographer.snap()
      photographer.close()
    }
    let encoding = try Stopwatch.bestOfThread { try codec.encodeAgain() }
    return Measurement(
      name: "the same of a camera that was closed", value: ours * 1e3, unit: "ms",
      yardstick: ("libjpeg-turbo alone", encoding * 1e3), bar: .photoOfClosedCamera)
  }

  private static func yuyv() -> FrameInMemory { FrameInMemory(.yuyv, 1920, 1080, 3840, .generic) }

  // MARK: A camera's own JPEG

  /// A frame that needs no work: it is checked and copied.
  private static func passThrough() throws -> Measurement {
    let codec = try KeepingCodec()
    try Photographer(yuyv(), codec, width: 1920).snap()
    let camera = FrameInMemory(try codec.encodeAgain(), 1920, 1080)
    let photographer = try Photographer(camera, codec, width: 1920)
    guard try photographer.snap() == camera.bytes.count else {
      throw BenchError("the camera's JPEG was not passed through")
    }
    let ours = try Stopwatch.bestOfThread { try photographer.snap() }
    let encoding = try Stopwatch.bestOfThread { try codec.encodeAgain() }
    return Measurement(
      name: "MJPEG 1920x1080, \(camera.bytes.count / 1024) KiB, passed through", value: ours * 1e3, unit: "ms",
      yardstick: ("libjpeg-turbo encoding it", encoding * 1e3), bar: .passedPhoto)
  }

  // MARK: Memory

  /// What a snap adds to the process at its height, and for good.
  private static func memory() throws -> [Measurement] {
    let photographer = try Photographer(yuyv(), KeepingCodec(), width: 1920)
    // The first one also fills the C library's own pools.
    for _ in 0..<2 {
      try photographer.snap()
      photographer.close()
    }
    let before = try ProcessMemory.beginPeak()
    try photographer.snap()
    photographer.close()
    let after = try ProcessMemory.read()
    return [
      Measurement(
        name: "memory of a snap of YUYV 1920x1080 at its height", value: Double(after.peak - before) / 1e6, unit: "MB",
        bar: .photoPeak),
      Measurement(
        name: "the same, when the camera was closed", value: Double(after.resident - before) / 1e6, unit: "MB",
        bar: .photoKept),
    ]
  }
}

/// Takes photos of one camera, which stays open in between.
private final class Photographer {
  private let stream: CameraStream
  private let job: CaptureJob
  private let parameters: SnapParameters

  init(_ camera: FrameInMemory, _ codec: any JPEGCodec, width: Int) throws {
    stream = CameraStream(source: camera.source, cameraSettings: CameraSettingsTable(), clock: SystemClock())
    job = try CaptureJob(stream: stream, codec: codec, clock: SystemClock())
    let text = Array(#"{"maxWidth":\#(width)}"#.utf8)
    parameters = try SnapParameters(JSONView(text.span), defaultDelay: 0)
  }

  /// The bytes of the photo.
  @discardableResult
  func snap() throws -> Int {
    job.prepare(parameters, deadline: .max, keepsOpen: true)
    job.run()
    defer { job.release() }
    guard case .photo(let photo) = job.outcome else { throw BenchError("no photo: \(job.outcome)") }
    return photo.bytes.count
  }

  func close() {
    let closing = StreamJob(stream: stream)
    closing.prepare(.close)
    closing.run()
  }
}

/// A codec that keeps the picture it was given, to encode it again by itself.
private final class KeepingCodec: JPEGCodec {
  private let codec: TurboJPEG
  private var storage: [UInt8] = []
  private var output: [UInt8] = []
  private var chroma = ChromaLayout.quarter
  private var quality = 90
  private(set) var size = (width: 0, height: 0)

  init() throws { codec = try TurboJPEG() }

  var hadAllData: Bool { codec.hadAllData }

  func decode(
    _ jpeg: UnsafeBufferPointer<UInt8>, atLeast width: Int, into storage: UnsafeMutableBufferPointer<UInt8>
  ) throws(JPEGError) -> PlanarImage {
    try codec.decode(jpeg, atLeast: width, into: storage)
  }

  func encode(
    _ image: PlanarImage, quality: Int, coding: JPEGCoding, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(JPEGError) -> Int {
    if storage.isEmpty { keep(image, quality) }
    return try codec.encode(image, quality: quality, coding: coding, into: buffer)
  }

  func transform(
    _ jpeg: UnsafeBufferPointer<UInt8>, _ orientation: Orientation, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(JPEGError) -> Int {
    try codec.transform(jpeg, orientation, into: buffer)
  }

  private func keep(_ image: PlanarImage, _ quality: Int) {
    (size, chroma) = ((image.width, image.height), image.chroma)
    self.quality = quality
    storage = [UInt8](repeating: 0, count: 2 * (image.width + 1) * (image.height + 1))
    output = [UInt8](repeating: 0, count: 3 * (image.width + 16) * (image.height + 16) + 2048)
    storage.withUnsafeMutableBufferPointer { storage in
      guard let copy = PlanarImage(in: storage, width: image.width, height: image.height, chroma: chroma)
      else { return }
      for (from, to) in [(image.luma, copy.luma), (image.blue, copy.blue), (image.red, copy.red)] {
        to.base.update(from: from.base, count: from.rowBytes * from.height)
      }
    }
  }

  /// The JPEG of the picture that was kept.
  @discardableResult
  func encodeAgain() throws -> ArraySlice<UInt8> {
    let count = try storage.withUnsafeMutableBufferPointer { storage in
      guard let image = PlanarImage(in: storage, width: size.width, height: size.height, chroma: chroma)
      else { throw BenchError("no room") }
      return try output.withUnsafeMutableBufferPointer { try codec.encode(image, quality: quality, into: $0) }
    }
    return output[..<count]
  }
}

/// One frame: a picture of soft shapes with a little noise, as sensors make.
private final class FrameInMemory {
  private let frame: (PixelFormat, Int, Int, Int, Sensor)
  let bytes: [UInt8]

  /// A frame that the camera compressed itself.
  init(_ jpeg: ArraySlice<UInt8>, _ width: Int, _ height: Int) {
    frame = (.mjpeg, width, height, 0, .generic)
    bytes = Array(jpeg)
  }

  init(_ format: PixelFormat, _ width: Int, _ height: Int, _ rowBytes: Int, _ sensor: Sensor) {
    frame = (format, width, height, rowBytes, sensor)
    var state: UInt64 = 1
    bytes = (0..<rowBytes * height).map { index in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let (x, y) = (Double(index % rowBytes), Double(index / rowBytes))
      let shape = 100 + 60 * sin(x / 90) * cos(y / 70) + 20 * sin((x + y) / 13)
      return UInt8(min(max(shape + Double(state >> 61), 0), 255))
    }
  }

  /// The camera.
  var source: FrameSource {
    let (format, width, height, rowBytes, sensor) = frame
    return FrameSource {
      self.bytes.withUnsafeBufferPointer { bytes in
        RawFrame(
          format: format, width: width, height: height, rowBytes: rowBytes, isFullRange: false, bytes: bytes,
          sensor: sensor)
      }
    }
  }
}
