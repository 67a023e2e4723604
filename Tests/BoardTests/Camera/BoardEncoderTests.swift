import Camera
import Runtime
import Testing

@testable import Board

/// An encoder that fails when told to.
private final class FailingEncoder: H264Encoder {
  var failsToStart = false
  var failsAt = Int.max
  private(set) var starts = 0, isRunning = false, pictures = 0
  private let unit: [UInt8] = [0, 0, 0, 1, 0x65, 0x88, 0x80]

  func start(_ format: VideoFormat, most: Int) throws(ClipError) {
    starts += 1
    if failsToStart { throw .encoder }
    (isRunning, pictures) = (true, 0)
  }

  func encode(_ image: PlanarImage, at time: Int64, _ order: PictureOrder) throws(ClipError) -> EncodedPicture? {
    pictures += 1
    if pictures >= failsAt { throw .encoder }
    return EncodedPicture(bytes: unit.withUnsafeBufferPointer { $0 }, time: time)
  }

  func drain() throws(ClipError) -> EncodedPicture? { nil }
  func stop() { isRunning = false }
}

struct BoardEncoderTests {
  private let hardware = FailingEncoder(), software = FailingEncoder()
  private let format = VideoFormat(width: 16, height: 16, picturesPerKilosecond: 25_000, isFullRange: true)
  private let storage = FixedBuffer(capacity: 384)

  private func encode(_ encoder: BoardEncoder, _ count: Int) throws {
    let image = try #require(PlanarImage(in: storage.bytes, width: 16, height: 16, chroma: .quarter))
    for index in 0..<count {
      let order = PictureOrder(bitsPerSecond: 1000, isKeyframe: index == 0)
      #expect(try encoder.encode(image, at: Int64(index), order)?.time == Int64(index))
    }
  }

  @Test("the board's own encoder is asked first, and software when it does not start")
  func start() throws {
    let encoder = BoardEncoder(hardware: hardware, software: software)
    try encoder.start(format, most: 1000)
    try encode(encoder, 3)
    #expect(encoder.kind == .hardware && software.starts == 0)
    hardware.failsToStart = true
    try encoder.start(format, most: 1000)
    try encode(encoder, 3)
    #expect(encoder.kind == .software && software.pictures == 3)
    // It may have been busy: another clip asks again.
    hardware.failsToStart = false
    try encoder.start(format, most: 1000)
    #expect(encoder.kind == .hardware && !software.isRunning)
  }

  @Test("one that fails before its first picture is replaced for good; one that fails later ends the clip")
  func broken() throws {
    let encoder = BoardEncoder(hardware: hardware, software: software)
    hardware.failsAt = 3
    try encoder.start(format, most: 1000)
    try encode(encoder, 2)
    #expect(throws: ClipError.encoder) { try encode(encoder, 1) }
    #expect(encoder.kind == .hardware)
    hardware.failsAt = 1
    try encoder.start(format, most: 1000)
    try encode(encoder, 2)
    #expect(encoder.kind == .software && !hardware.isRunning)
    try encoder.start(format, most: 1000)
    #expect(encoder.kind == .software && hardware.starts == 2)
    software.failsToStart = true
    #expect(throws: ClipError.encoder) { try encoder.start(format, most: 1000) }
    #expect(encoder.kind == .none)
  }

  @Test("on a board without an encoder of its own, openh264 makes the clip")
  func real() throws {
    let absent = M2MEncoder(clock: SystemClock(), codedFormat: "none")
    let encoder = BoardEncoder(hardware: absent, software: OpenH264())
    try encoder.start(format, most: 100_000)
    try encode(encoder, 2)
    #expect(encoder.kind == .software)
  }
}
