import CAllocationCounter
import Runtime
import Testing

@testable import Camera

/// An encoder that looks at its pictures and gives units without sense. It allocates nothing unless it `records`.
final class LookingEncoder: H264Encoder {
  var records = true
  var failure = false
  private(set) var format: VideoFormat?
  private(set) var pictures: [[[[UInt8]]]] = []
  private let key = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64)
  private let other = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64)
  private let counts: (Int, Int)

  init() {
    let units = (firstUnit(), stream(slice(key: false)))
    counts = (units.0.count, units.1.count)
    _ = key.update(fromContentsOf: units.0)
    _ = other.update(fromContentsOf: units.1)
  }

  deinit {
    key.deallocate()
    other.deallocate()
  }

  func start(_ format: VideoFormat, most: Int) throws(ClipError) {
    if failure { throw .encoder }
    self.format = format
  }

  func encode(_ image: PlanarImage, at time: Int64, _ order: PictureOrder) throws(ClipError) -> EncodedPicture? {
    precondition(image.chroma == .quarter && image.width == format?.width && image.height == format?.height)
    if records { pictures.append([samples(image.luma), samples(image.blue), samples(image.red)]) }
    let unit = UnsafeBufferPointer(rebasing: order.isKeyframe ? key[..<counts.0] : other[..<counts.1])
    return EncodedPicture(bytes: unit, time: time)
  }

  func drain() throws(ClipError) -> EncodedPicture? { nil }
  func stop() { format = nil }
}

private final class Bench {
  let encoder = LookingEncoder()
  let codec = ScriptedCodec()
  let memory = try! ClipMemory()
  let maker: ClipMaker

  init() throws { maker = try ClipMaker(codec: codec, encoder: encoder, sink: memory) }

  func begin(
    _ format: PixelFormat = .yuyv, _ orientation: Orientation = Orientation(), limit: Int = 1_000_000,
    rate: Int = 20_000
  ) {
    let facts = StreamFacts(
      camera: CameraEntry(id: "one", name: "Camera"), format: format, width: 64, height: 48, rate: rate)
    maker.begin(facts, ClipParameters(), orientation, limit: limit)
  }

  /// Offers a frame at an index of 50 milliseconds.
  @discardableResult
  func take(
    _ format: PixelFormat, _ bytes: [UInt8], _ width: Int, _ height: Int, rowBytes: Int? = nil, at index: Int64
  ) throws -> ClipRecorder.Progress {
    try bytes.withUnsafeBufferPointer {
      try maker.take(
        RawFrame(
          format: format, width: width, height: height, rowBytes: rowBytes ?? width, isFullRange: true, bytes: $0,
          time: 7_000_000 + index * 50_000))
    }
  }

  /// Passes a unit by at an index of 50 milliseconds.
  func pass(_ bytes: [UInt8], at index: Int64) throws {
    try bytes.withUnsafeBufferPointer {
      try maker.pass(
        RawFrame(
          format: .h264, width: 1280, height: 720, rowBytes: 0, isFullRange: true, bytes: $0,
          time: 7_000_000 + index * 50_000))
    }
  }

  /// A frame whose samples are all of one value.
  @discardableResult
  func gray(_ value: UInt8 = 90, _ width: Int = 64, _ height: Int = 48, at index: Int64) throws
    -> ClipRecorder.Progress
  {
    try take(.gray, [UInt8](repeating: value, count: width * height), width, height, at: index)
  }

  func finish() throws -> (clip: Clip, file: MP4File) {
    let clip = try maker.finish()
    return (clip, try MP4File(Array(memory.bytes(of: clip))))
  }
}

/// `body` ends in this error.
private func fails(
  _ expected: CameraError, _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Any
) throws {
  let error = #expect(throws: CameraError.self, sourceLocation: location) { _ = try body() }
  #expect(try #require(error).message == expected.message, sourceLocation: location)
}

struct ClipMakerTests {
  @Test(
    "a clip's pictures have even sides and at most 1280 and 720 pixels, and are never enlarged",
    arguments: [
      (640, 480, 640, 480), (1280, 720, 1280, 720), (1920, 1080, 1280, 720), (1080, 1920, 720, 1280),
      (1600, 1200, 960, 720), (3840, 1080, 1280, 360), (161, 91, 160, 90), (1281, 720, 1280, 718), (2, 3, 2, 2),
      (1, 1, 2, 2), (8192, 8192, 720, 720),
    ])
  func size(width: Int, height: Int, expectedWidth: Int, expectedHeight: Int) {
    let size = PhotoSize(clipOf: width, height)
    #expect((size.width, size.height) == (expectedWidth, expectedHeight))
  }

  @Test("frames become a clip of the asked length, whatever clock they come on")
  func whole() throws {
    let bench = try Bench()
    bench.begin()
    var index: Int64 = 0
    while try bench.take(.yuyv, [UInt8](repeating: 77, count: 64 * 48 * 2), 64, 48, rowBytes: 128, at: index) == .more {
      index += 1
    }
    let (clip, file) = try bench.finish()
    #expect((clip.duration, clip.pictures) == (3_000_000, 60))
    #expect(file.durations.allSatisfy { $0 == 4500 } && bench.maker.leftOut == 0)
  }

  @Test("a gray camera's clip has chroma that says so")
  func gray() throws {
    let bench = try Bench()
    bench.begin(.gray)
    try bench.gray(90, at: 0)
    let planes = try #require(bench.encoder.pictures.first)
    #expect(planes[0] == [[UInt8]](repeating: [UInt8](repeating: 90, count: 64), count: 48))
    #expect(planes[1] == [[UInt8]](repeating: [UInt8](repeating: 128, count: 32), count: 24))
    #expect(planes[2] == planes[1])
  }

  @Test("pictures are turned before they are encoded, gray ones too")
  func turned() throws {
    let bench = try Bench()
    bench.begin(.gray, Orientation(quarters: 1))
    let bytes = (0..<48).flatMap { y in (0..<64).map { x in UInt8(x + y) } }
    try bench.take(.gray, bytes, 64, 48, at: 0)
    let planes = try #require(bench.encoder.pictures.first)
    // Clockwise: the first row becomes the last column.
    let expected: [[UInt8]] = (0..<64).map { y in (0..<48).map { x in bytes[(47 - x) * 64 + y] } }
    #expect(planes[0] == expected)
    #expect(planes[1].count == 32 && planes[1][0] == [UInt8](repeating: 128, count: 24))
    #expect((bench.encoder.format?.width, bench.encoder.format?.height) == (48, 64))
  }

  @Test("odd sides lose a row and a column; the encoder gets even ones")
  func odd() throws {
    let bench = try Bench()
    bench.begin(.gray)
    try bench.gray(50, 65, 49, at: 0)
    #expect((bench.encoder.format?.width, bench.encoder.format?.height) == (64, 48))
    #expect(bench.encoder.pictures[0][0].allSatisfy { $0.allSatisfy { $0 == 50 } })
  }

  @Test("damaged frames of every kind are left out and counted; the clip begins with the first good one")
  func damage() throws {
    let bench = try Bench()
    bench.begin(.mjpeg)
    let good = tinyJPEG(width: 64, height: 48)
    #expect(try bench.take(.mjpeg, Array(good.dropLast(2)), 64, 48, at: 0) == .more)
    #expect(bench.encoder.format == nil)
    bench.codec.decoded = (64, 48, .gray)
    try bench.take(.mjpeg, good, 64, 48, at: 1)
    try bench.take(.mjpeg, [1, 2, 3], 64, 48, at: 2)
    try bench.take(.mjpeg, tinyJPEG(width: 32, height: 24), 64, 48, at: 3)
    bench.codec.decoded = nil
    try bench.take(.mjpeg, good, 64, 48, at: 4)
    bench.codec.decoded = (64, 48, .quarter)
    try bench.take(.mjpeg, good, 64, 48, at: 5)
    #expect(bench.maker.leftOut == 4)
    #expect([.cutData, .noStart, .wrongSize].map { bench.maker.faults[$0] } == [1, 1, 1])
    let (clip, file) = try bench.finish()
    #expect(clip.pictures == 2 && file.durations[0] == 4 * 4500)
  }

  @Test("a frame that became smaller than the clip is left out")
  func smaller() throws {
    let bench = try Bench()
    bench.begin(.gray)
    try bench.gray(at: 0)
    try bench.gray(90, 32, 24, at: 1)
    try bench.gray(90, 128, 96, at: 2)
    #expect(bench.maker.leftOut == 1 && bench.encoder.pictures.count == 2)
  }

  @Test("frames that come twice or too early are left out; a clock that stands is an error")
  func time() throws {
    let bench = try Bench()
    bench.begin(.gray)
    for index in [5, 6, 6, 4, 7] as [Int64] { try bench.gray(at: index) }
    #expect(bench.maker.leftOut == 2)
    for _ in 0..<Budget.clipFramesOutOfOrder { #expect(try bench.gray(at: 7) == .more) }
    try fails(.stalled) { try bench.gray(at: 7) }
    bench.maker.abandon()
    bench.begin(.gray)
    try bench.gray(at: 0)
    try fails(.stalled) { try bench.gray(at: 101) }
  }

  @Test("a camera's own video goes in as it is, with a turn for the player, and a unit that comes too early stays")
  func camera() throws {
    let bench = try Bench()
    bench.begin(.h264, Orientation(quarters: 1))
    let other = stream(slice(key: false))
    for (index, unit) in [other, firstUnit(), other, other, other].enumerated() {
      try bench.take(.h264, unit, 1280, 720, at: index == 3 ? 2 : Int64(index))
    }
    #expect(bench.encoder.format == nil && bench.maker.leftOut == 1)
    let (clip, file) = try bench.finish()
    #expect((clip.pictures, clip.width, clip.height) == (4, 720, 1280))
    #expect(file.durations == [4500, 90, 8910, 4500])
    #expect(file.matrix == [0, 0x1_0000, 0, 0xFFFF_0000, 0, 0, 720 << 16, 0, 0x4000_0000])
  }

  @Test("a camera that says its parameters once may say them before the clip begins")
  func passed() throws {
    let bench = try Bench()
    bench.begin(.h264)
    for (index, unit) in [firstUnit(), [1, 2, 3], stream(slice(key: false))].enumerated() {
      try bench.pass(unit, at: Int64(index))
    }
    try bench.take(.h264, stream(slice(key: false)), 1280, 720, at: 3)
    for index in 4..<7 as Range<Int64> { try bench.take(.h264, stream(slice(key: true)), 1280, 720, at: index) }
    #expect(bench.maker.leftOut == 1)
    let (clip, file) = try bench.finish()
    #expect((clip.pictures, clip.width) == (3, 1280))
    #expect(file.parameterSets == [SequenceBits().unit, pictureSet()])
    bench.begin(.h264)
    try bench.pass(firstUnit(), at: 0)
    try fails(.brokenFrame) { try bench.maker.finish() }
  }

  @Test("a stream whose frames change their kind is an error", arguments: [true, false])
  func changed(beginsCoded: Bool) throws {
    let bench = try Bench()
    bench.begin()
    func take(coded: Bool, at index: Int64) throws {
      _ = try coded ? bench.take(.h264, firstUnit(), 64, 48, at: index) : bench.gray(at: index)
    }
    try take(coded: beginsCoded, at: 0)
    try fails(.unsupportedFormat) { try take(coded: !beginsCoded, at: 1) }
  }

  @Test("each failure is reported in the camera's own words")
  func errors() throws {
    let bench = try Bench()
    bench.begin(.h264)
    try fails(.brokenFrame) { try bench.maker.finish() }
    bench.begin(.h264)
    try fails(.unsupportedFormat) {
      try bench.take(.h264, firstUnit(SequenceBits(profile: 244)), 64, 48, at: 0)
    }
    bench.begin(.h264, limit: 600)
    let huge = firstUnit(payload: [UInt8](repeating: 7, count: 600))
    let error = #expect(throws: CameraError.self) { try bench.take(.h264, huge, 64, 48, at: 0) }
    guard case .clipTooLarge(let bytes, 600) = try #require(error) else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(bytes > 1200)
    bench.encoder.failure = true
    bench.begin(.gray)
    try fails(.noEncoder) { try bench.gray(at: 0) }
  }

  @Test("a clip after another holds nothing of it, even when it was abandoned")
  func again() throws {
    let bench = try Bench()
    for round in 0..<3 {
      bench.begin(.gray)
      for index in 0...Int64(round) { try bench.gray(at: index) }
      if round == 1 { bench.maker.abandon() } else { #expect(try bench.finish().clip.pictures == round + 1) }
      bench.maker.release()
    }
    bench.begin(.gray)
    try fails(.brokenFrame) { try bench.maker.finish() }
  }

  @Test("frames allocate nothing once a clip runs")
  func allocations() throws {
    let bench = try Bench()
    bench.encoder.records = false
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1920 * 1080 * 2)
    bytes.initialize(repeating: 100)
    defer { bytes.deallocate() }
    bench.begin(.yuyv, Orientation(quarters: 3))
    var allocations: UInt64 = 0
    for index in 0..<8 as Range<Int64> {
      let frame = RawFrame(
        format: .yuyv, width: 1920, height: 1080, rowBytes: 3840, isFullRange: false,
        bytes: UnsafeBufferPointer(bytes), time: index * 50_000)
      tl_count_allocations()
      _ = try bench.maker.take(frame)
      let counted = tl_counted_allocations()
      if index > 0 { allocations += counted }
    }
    #expect(allocations == 0)
    #expect(try bench.finish().clip.pictures == 8)
  }
}
