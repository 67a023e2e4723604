import CFakeEncoder
import CLinux
import Camera
import Foundation
import Runtime
import Testing

@testable import Board

/// A clock that goes on by ten milliseconds each time it is looked at.
private final class HastyClock: Clock {
  private var now: Int64 = 0
  var monotonic: Int64 {
    now += 10
    return now
  }
  var wall: Int64 { 0 }
}

/// An encoder over a fake device, whose memory is a file.
private final class Bench {
  let script = UnsafeMutablePointer<fake_encoder>.allocate(capacity: 1)
  let encoder: M2MEncoder
  let image: PlanarImage
  let format: VideoFormat
  /// True while the descriptor that the encoder was given last is open; its number may be another test's by then.
  var isGivenOpen: Bool {
    var (seen, own) = (stat(), stat())
    return fstat(given.number, &seen) == 0 && fstat(file.number, &own) == 0 && seen.st_ino == own.st_ino
      && seen.st_dev == own.st_dev
  }

  private final class Given { var number: Int32 = -1 }
  private let given: Given
  private let file: Descriptor
  private let storage: FixedBuffer

  init(_ code: StaticString = "YU12", pieces: UInt32 = 1, width: Int = 64, height: Int = 48) throws {
    script.initialize(to: fake_encoder())
    script.pointee.raw_fourcc = M2MLayout.fourcc(code)
    script.pointee.pieces = pieces
    script.pointee.is_planar = pieces > 1 ? 1 : 0
    script.pointee.block = 16
    tl_interpose_device(fake_encoder_ioctl, script)
    let file = try Syscall.memoryFile()
    self.file = file
    try withUnsafeBytes(of: UInt8(0)) { try Syscall.writeAll(file, $0, at: 24 << 20) }
    let number = file.number
    let given = Given()
    self.given = given
    encoder = M2MEncoder(clock: HastyClock(), codedFormat: "H264", number: 7) {
      #expect($0 == 7)
      let copy = dup(number)
      given.number = copy
      return Descriptor(copy)
    }
    format = VideoFormat(width: width, height: height, picturesPerKilosecond: 25_000, isFullRange: true)
    storage = FixedBuffer(capacity: width * height * 3 / 2)
    image = try #require(PlanarImage(in: storage.bytes, width: width, height: height, chroma: .quarter))
    for index in 0..<storage.bytes.count { storage.bytes[index] = UInt8(truncatingIfNeeded: index &* 37) }
  }

  deinit {
    encoder.stop()
    tl_interpose_device(nil, nil)
    file.close()
    script.deallocate()
  }

  /// The pictures that come out of `count` that go in: time and number of each.
  func run(_ count: Int) throws -> [(time: Int64, number: UInt8)] {
    try encoder.start(format, most: 1_000_000)
    var pictures: [(Int64, UInt8)] = []
    func took(_ picture: EncodedPicture?) {
      guard let picture, picture.bytes[4] != 0x67 else { return }
      pictures.append((picture.time, picture.bytes[6]))
    }
    for index in 0..<count {
      let order = PictureOrder(bitsPerSecond: 1_000_000 - index, isKeyframe: index == 2)
      took(try encoder.encode(image, at: Int64(index) * 40_000 + 5_000_000_001, order))
    }
    while let picture = try encoder.drain() { took(picture) }
    #expect(try encoder.drain()?.time == nil)
    return pictures
  }

  func expectWhole(_ count: Int, _ location: SourceLocation = #_sourceLocation) throws {
    let pictures = try run(count)
    let times: [Int64] = (0..<Int64(count)).map { $0 * 40_000 + 5_000_000_001 }
    let numbers: [UInt8] = (1...count).map { UInt8($0) }
    #expect(pictures.map(\.time) == times, sourceLocation: location)
    #expect(pictures.map(\.number) == numbers, sourceLocation: location)
  }

  /// Forgets what the last clip left in the device, as a driver does when its file is closed.
  func reset() {
    script.pointee.made = 0
    script.pointee.given = 0
    script.pointee.is_ending = 0
    script.pointee.has_ended = 0
  }

  /// Bytes of the last raw picture's piece.
  func piece(_ index: Int, _ count: Int) -> [UInt8] {
    let offsets = script.pointee.last_offset
    let offset = [offsets.0, offsets.1, offsets.2][index]
    return [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      filled = pread(file.number, bytes.baseAddress, count, off_t(offset))
    }
  }
}

private func rows(_ plane: Plane) -> [[UInt8]] {
  (0..<plane.height).map { y in (0..<plane.width).map { plane.base[y * plane.rowBytes + $0] } }
}

struct M2MEncoderTests {
  @Test("every picture comes out once, in order and with its time, however late", arguments: [0, 1, 2] as [UInt32])
  func whole(delay: UInt32) throws {
    let bench = try Bench()
    bench.script.pointee.delay = delay
    try bench.expectWhole(20)
    bench.encoder.stop()
    #expect(bench.script.pointee.streams.0 == 0 && bench.script.pointee.buffers.0 == 0)
    bench.reset()
    try bench.expectWhole(3)
  }

  @Test("an encoder gets size, rate, bits and key frames")
  func told() throws {
    let bench = try Bench("NM12", pieces: 2, width: 70, height: 50)
    try bench.expectWhole(9)
    let told = bench.script.pointee
    #expect((told.width, told.height, told.crop_width, told.crop_height) == (80, 64, 70, 50))
    #expect((told.rate, told.bitrate, told.key_frames, told.stops) == (25_000, 999_992, 1, 1))
  }

  @Test(
    "a picture lies in the buffer as the format says, rows padded",
    arguments: [("YU12", 1), ("YM12", 3), ("NV12", 1), ("NM12", 2)] as [(String, UInt32)])
  func layouts(code: String, pieces: UInt32) throws {
    let codes: [String: StaticString] = ["YU12": "YU12", "YM12": "YM12", "NV12": "NV12", "NM12": "NM12"]
    let bench = try Bench(try #require(codes[code]), pieces: pieces, width: 40, height: 22)
    try bench.expectWhole(1)
    // 48 x 32 is what the encoder takes; its rows have 80 bytes.
    let (row, height) = (80, 32)
    func plane(_ piece: Int, _ offset: Int, _ rowBytes: Int, _ width: Int, _ height: Int, step: Int = 1) -> [[UInt8]] {
      let bytes = bench.piece(piece, offset + rowBytes * height)
      return (0..<height).map { y in (0..<width).map { bytes[offset + y * rowBytes + $0 * step] } }
    }
    #expect(plane(0, 0, row, 40, 22) == rows(bench.image.luma))
    let isPaired = code.hasPrefix("N")
    let own = isPaired ? row : row / 2
    let start = pieces == 1 ? row * height : 0
    let (bluePiece, redPiece) = pieces == 1 ? (0, 0) : (1, isPaired ? 1 : 2)
    let redStart = isPaired ? start + 1 : pieces == 1 ? start + own * height / 2 : 0
    #expect(plane(bluePiece, start, own, 20, 11, step: isPaired ? 2 : 1) == rows(bench.image.blue))
    #expect(plane(redPiece, redStart, own, 20, 11, step: isPaired ? 2 : 1) == rows(bench.image.red))
  }

  @Test("a last buffer without a picture, and parameter sets of their own, are no pictures")
  func extras() throws {
    let bench = try Bench("YM12", pieces: 3)
    bench.script.pointee.has_empty_end = 1
    bench.script.pointee.has_own_header = 1
    bench.script.pointee.delay = 1
    try bench.expectWhole(7)
  }

  @Test("an encoder without controls, or without a stop command, still works")
  func poor() throws {
    let bench = try Bench()
    bench.script.pointee.refuses_controls = 1
    bench.script.pointee.refuses_stop = 1
    try bench.expectWhole(5)
  }

  @Test("one that takes whole blocks alone is no encoder for other sizes")
  func blocks() throws {
    let bench = try Bench(width: 70, height: 50)
    bench.script.pointee.refuses_crop = 1
    #expect(throws: ClipError.encoder) { try bench.run(1) }
    let fitting = try Bench(width: 64, height: 48)
    fitting.script.pointee.refuses_crop = 1
    try fitting.expectWhole(2)
  }

  @Test("a damaged picture is an error; what does not come is not waited for for ever")
  func failures() throws {
    let bench = try Bench()
    bench.script.pointee.damaged = 3
    #expect(throws: ClipError.encoder) { try bench.run(5) }
    let silent = try Bench()
    silent.script.pointee.silent = 3
    #expect(throws: ClipError.encoder) { try silent.run(9) }
    // At the end, a clip without its last pictures is better than none.
    let late = try Bench()
    late.script.pointee.silent = 3
    #expect(try late.run(3).count == 2)
  }

  /// Fails one call, the one to which it counts down.
  private final class Refusal {
    var left = 0
    let reason: Int32

    init(_ reason: Int32) { self.reason = reason }
  }

  @Test(
    "a call that fails, whichever, ends the clip or does not matter; the next clip is whole", arguments: [5, 11, 19])
  func refusals(reason: Int32) throws {
    let bench = try Bench("NM12", pieces: 2)
    let refusal = Refusal(reason)
    var (place, errors) = (0, 0)
    repeat {
      place += 1
      refusal.left = place
      tl_interpose_thread(
        { context, call, _ in
          guard call == Int32(TL_CALL_ioctl.rawValue) || call == Int32(TL_CALL_mmap.rawValue) else { return 0 }
          let refusal = Unmanaged<Refusal>.fromOpaque(context!).takeUnretainedValue()
          refusal.left -= 1
          return refusal.left == 0 ? refusal.reason : 0
        }, Unmanaged.passUnretained(refusal).toOpaque())
      if (try? bench.run(4)) == nil { errors += 1 }
      bench.encoder.stop()
      tl_interpose_thread(nil, nil)
      #expect(!bench.isGivenOpen, "open after call \(place)")
      bench.reset()
      try bench.expectWhole(2)
      bench.encoder.stop()
      bench.reset()
    } while refusal.left <= 0
    #expect(place > 50 && errors > 20)
  }

  @Test("pictures of another size, and before the start, are refused; where there is no encoder, there is none")
  func refused() throws {
    let bench = try Bench()
    let order = PictureOrder(bitsPerSecond: 1000, isKeyframe: true)
    #expect(throws: ClipError.encoder) { try bench.encoder.encode(bench.image, at: 0, order) }
    let small = VideoFormat(width: 32, height: 48, picturesPerKilosecond: 25_000, isFullRange: true)
    try bench.encoder.start(small, most: 1000)
    #expect(throws: ClipError.encoder) { try bench.encoder.encode(bench.image, at: 0, order) }
    let other = M2MEncoder(clock: HastyClock(), codedFormat: "VP80", number: 7) { _ in try? Syscall.memoryFile() }
    #expect(throws: ClipError.encoder) { try other.start(bench.format, most: 1000) }
    let absent = M2MEncoder(clock: HastyClock(), codedFormat: "H264", number: 7) { _ in nil }
    #expect(throws: ClipError.encoder) { try absent.start(bench.format, most: 1000) }
  }
}
