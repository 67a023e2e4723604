import Runtime
import Testing

@testable import Camera

/// A sink that fails when told to.
private final class TestSink: ClipSink {
  let memory = try! ClipMemory()
  var capacityTaken = 0
  var failure: Errno?
  var capacity: Int { memory.capacity - capacityTaken }

  func write(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) throws(Errno) {
    if let failure { throw failure }
    try memory.write(bytes, at: offset)
  }
}

/// A writer, its sink, and times that go on by themselves.
private final class Bench {
  let sink = TestSink()
  let writer: ClipWriter

  init(limit: Int = Budget.clipBytes, interval: Int64 = 33_333) throws {
    writer = try ClipWriter(sink: sink)
    writer.begin(limit: limit, interval: interval)
  }

  @discardableResult
  func add(_ bytes: [UInt8], at time: Int64) throws -> ClipWriter.Taken {
    try bytes.withUnsafeBufferPointer { try writer.add($0, at: time) }
  }

  func finish() throws -> (clip: Clip, file: MP4File) {
    let clip = try writer.finish()
    return (clip, try MP4File(Array(sink.memory.bytes(of: clip))))
  }
}

private let other = slice(key: false)

struct ClipWriterTests {
  @Test("a clip holds its pictures after their lengths, and tells where each is before they come")
  func whole() throws {
    let bench = try Bench()
    let key = slice(key: true, payload: Array(0...200))
    let improved: [UInt8] = [0x06, 5, 1, 0x80]
    #expect(
      try bench.add(stream([0x09, 0x10], SequenceBits().unit, pictureSet(), improved, key), at: 1_000_000)
        == .picture(isKeyframe: true))
    #expect(try bench.add(stream(other, slice(key: false, first: 40)), at: 1_033_333) == .picture(isKeyframe: false))
    #expect(
      try bench.add(stream(SequenceBits().unit, pictureSet(), key, [0x0C, 0xFF]), at: 1_066_667)
        == .picture(isKeyframe: true))
    let (clip, file) = try bench.finish()
    #expect(file.topLevel == ["ftyp", "moov", "mdat"])
    #expect(try file.sampleUnits() == [[improved, key], [other, slice(key: false, first: 40)], [key]])
    #expect(file.keyframes == [1, 3])
    #expect(file.durations == [3000, 3000, 3000])
    #expect((clip.width, clip.height, clip.pictures, clip.duration) == (1280, 720, 3, 100_000))
    #expect(file.parameterSets == [SequenceBits().unit, pictureSet()])
    #expect(clip.range.count == file.bytes.count && bench.writer.bytes == file.bytes.count)
  }

  @Test("the high profile's header says its colour, and several picture sets are kept")
  func high() throws {
    let bench = try Bench()
    let sequence = SequenceBits(profile: 100)
    try bench.add(
      stream(sequence.unit, pictureSet(0), pictureSet(3), slice(key: true, set: 3), code: [0, 0, 1]), at: 0)
    let (_, file) = try bench.finish()
    #expect(file.parameterSets == [sequence.unit, pictureSet(0), pictureSet(3)])
    #expect(file.configuration.suffix(4) == [0xFD, 0xF8, 0xF8, 0])
    #expect(file.bytes.count == bench.writer.bytes)
  }

  @Test("time is kept to the tick over a clip of any rhythm", arguments: 0..<10)
  func timing(seed: UInt64) throws {
    var random = Seeded(seed)
    let bench = try Bench(interval: 20_000)
    let start = Int64.random(in: -1_000_000...Int64(1) << 50, using: &random)
    var (time, times) = (start, [start])
    try bench.add(firstUnit(), at: time)
    for _ in 0..<300 {
      time += seed % 2 == 0 ? 33_333 : Int64.random(in: 20...90_000, using: &random)
      try bench.add(stream(other), at: time)
      times.append(time)
    }
    let (clip, file) = try bench.finish()
    var ticks: Int64 = 0
    for (index, duration) in file.durations.enumerated() {
      #expect(abs(ticks * 1_000_000 - (times[index] - start) * 90_000) <= 500_000)
      ticks += Int64(duration)
    }
    #expect(abs(clip.duration - (time - start + 20_000)) <= 12)
    #expect(file.movieDuration == UInt32(ticks))
    #expect(bench.writer.elapsed == time - start)
  }

  @Test("the length is reckoned to the byte after every picture")
  func reckoned() throws {
    var random = Seeded(5)
    let bench = try Bench(interval: 33_333)
    try bench.add(firstUnit(), at: 0)
    var time: Int64 = 0
    for _ in 0..<60 {
      time += [33_333, 33_333, 40_000, 16_667].randomElement(using: &random)!
      let isKey = Bool.random(using: &random)
      let room = bench.writer.room
      let unit = slice(key: isKey, payload: random.bytes(.random(in: 1...400, using: &random)))
      try bench.add(stream(unit), at: time)
      #expect(bench.writer.room <= room - 4 - unit.count)
      let (clip, file) = try bench.finish()
      #expect(bench.writer.bytes == clip.range.count)
      #expect(file.sizes.count == clip.pictures)
    }
  }

  @Test("no clip exceeds its limit, and a picture as large as the room is taken")
  func limit() throws {
    for extra in -1...1 {
      let bench = try Bench(limit: 3_000)
      try bench.add(firstUnit(), at: 0)
      try bench.add(stream(other), at: 33_333)
      let bare = slice(key: true, payload: []).count
      let fitting = bench.writer.room - 4 - bare
      let large = stream(slice(key: true, payload: [UInt8](repeating: 0xAA, count: fitting + extra)))
      // Another step than the one before and the last: the rows cost as much as they can.
      if extra > 0 {
        #expect(throws: ClipError.full) { try bench.add(large, at: 70_000) }
        #expect(try bench.finish().clip.pictures == 2)
      } else {
        try bench.add(large, at: 70_000)
        #expect(bench.writer.bytes == 3_000 + extra)
        #expect(bench.writer.room == 0)
        #expect(try bench.finish().file.bytes.count == 3_000 + extra)
      }
    }
  }

  @Test("a limit below the first picture, or a sink without room, gives no clip")
  func noRoom() throws {
    let small = try Bench(limit: 600)
    #expect(small.writer.room == 0)
    #expect(throws: ClipError.full) { try small.add(firstUnit(), at: 0) }
    #expect(throws: ClipError.noPictures) { try small.finish() }
    let bench = try Bench()
    bench.sink.capacityTaken = Budget.clipBytes - 700
    bench.writer.begin(limit: .max, interval: 33_333)
    try bench.add(firstUnit(), at: 0)
    let large = slice(key: false, payload: [UInt8](repeating: 1, count: 60))
    #expect(throws: ClipError.full) { try bench.add(stream(large), at: 1_000) }
    #expect(try bench.finish().clip.range.count <= 700)
  }

  @Test("a minute at sixty pictures a second fits, one picture more does not")
  func tooMany() throws {
    let bench = try Bench(interval: 16_667)
    try bench.add(firstUnit(), at: 0)
    for index in 1..<Budget.clipSamples {
      try bench.add(stream(slice(key: true)), at: Int64(index) * 16_667 + Int64(index % 2) * 40)
    }
    #expect(bench.writer.room == 0)
    #expect(throws: ClipError.tooManyPictures) { try bench.add(stream(other), at: 100_000_000) }
    let (clip, file) = try bench.finish()
    #expect(clip.pictures == Budget.clipSamples && file.sizes.count == Budget.clipSamples)
    #expect(file.mediaOffset <= Budget.clipHeaderBytes)
  }

  @Test("a stream may begin with parameters alone, and repeat them")
  func separateParameters() throws {
    let bench = try Bench()
    #expect(try bench.add(stream(SequenceBits().unit), at: 0) == .parameters)
    #expect(try bench.add(stream(pictureSet()), at: 0) == .parameters)
    try bench.add(stream(slice(key: true)), at: 0)
    #expect(try bench.add(stream(SequenceBits().unit, pictureSet()), at: 5) == .parameters)
    #expect(try bench.finish().clip.pictures == 1)
  }

  @Test("parameters may change before the first picture, not after")
  func changed() throws {
    let bench = try Bench()
    let larger = SequenceBits(blocksAcross: 120)
    try bench.add(stream(SequenceBits().unit, pictureSet(0), pictureSet(1)), at: 0)
    try bench.add(stream(larger.unit), at: 0)
    #expect(throws: ClipError.missingParameters) { try bench.add(stream(slice(key: true)), at: 0) }
    try bench.add(stream(pictureSet(extra: 7)), at: 0)
    try bench.add(stream(pictureSet(), slice(key: true)), at: 0)
    #expect(throws: ClipError.parametersChanged) { try bench.add(firstUnit(), at: 33_333) }
    #expect(throws: ClipError.parametersChanged) { try bench.add(stream(pictureSet(extra: 9), other), at: 33_333) }
    #expect(throws: ClipError.parametersChanged) { try bench.add(stream(pictureSet(2), other), at: 33_333) }
    let (clip, file) = try bench.finish()
    #expect(clip.width == 1920 && clip.pictures == 1)
    #expect(file.parameterSets == [larger.unit, pictureSet()])
  }

  @Test("parameters that are too many, too large or of no stream are refused")
  func refusedParameters() throws {
    let bench = try Bench()
    #expect(throws: ClipError.missingParameters) { try bench.add(stream(pictureSet()), at: 0) }
    try bench.add(stream(SequenceBits().unit), at: 0)
    for id in 0..<Budget.clipPictureSets { try bench.add(stream(pictureSet(UInt64(id))), at: 0) }
    #expect(throws: ClipError.brokenParameters) { try bench.add(stream(pictureSet(9)), at: 0) }
    for id in [256, UInt64(1) << 30] {
      #expect(throws: ClipError.brokenParameters) { try bench.add(stream(pictureSet(id)), at: 0) }
    }
    let long = [UInt8](repeating: 0xAA, count: Budget.clipParameterSetBytes)
    #expect(throws: ClipError.brokenParameters) { try bench.add(stream(pictureSet() + long), at: 0) }
    #expect(throws: ClipError.brokenParameters) { try bench.add(stream(SequenceBits(level: 30).unit + long), at: 0) }
  }

  @Test("damage and disorder are told apart, and leave the clip as it was")
  func refusals() throws {
    let bench = try Bench()
    #expect(throws: ClipError.missingParameters) { try bench.add(stream(slice(key: true)), at: 0) }
    #expect(throws: ClipError.missingKeyframe) {
      try bench.add(stream(SequenceBits().unit, pictureSet(), other), at: 0)
    }
    try bench.add(firstUnit(), at: 1_000)
    let before = try bench.finish().file.bytes
    let wrong: [([UInt8], Int64, ClipError)] = [
      ([], 2_000, .emptyUnit), (stream([0x09, 0x10]), 2_000, .emptyUnit),
      ([1, 2, 3], 2_000, .brokenUnit), (stream(slice(key: false, first: 3)), 2_000, .brokenUnit),
      (stream(slice(key: false, type: 10)), 2_000, .brokenUnit), (stream([0x41, 0x80]), 2_000, .brokenUnit),
      (stream(slice(key: true), slice(key: false, first: 9)), 2_000, .brokenUnit),
      (stream(slice(key: false, set: 1)), 2_000, .missingParameters),
      (stream(slice(key: false, type: 6)), 2_000, .reordered), (stream(slice(key: false, type: 1)), 2_000, .reordered),
      (stream(other, other), 2_000, .severalPictures), (stream([0x42, 0x9A]), 2_000, .unsupportedProfile),
      (stream(other), 1_000, .timestampNotIncreasing), (stream(other), 999, .timestampNotIncreasing),
      (stream(other), 1_001, .timestampNotIncreasing), (stream(other), .min, .timestampNotIncreasing),
      (stream(other), 1_000 + Budget.clipGapMicroseconds + 1, .timestampGap), (stream(other), .max, .timestampGap),
    ]
    for (bytes, time, reason) in wrong {
      #expect(throws: reason) { try bench.add(bytes, at: time) }
      #expect(try bench.finish().file.bytes == before)
    }
    try bench.add(stream(other), at: 1_000 + Budget.clipGapMicroseconds)
    #expect(try bench.finish().clip.pictures == 2)
  }

  @Test("two fields may make one picture of an interlaced stream")
  func fields() throws {
    let bench = try Bench()
    try bench.add(
      stream(SequenceBits(isFramesOnly: false).unit, pictureSet(), slice(key: true), slice(key: true)), at: 0)
    #expect(try bench.finish().clip.pictures == 1)
  }

  @Test("a sink that fails once loses that picture and nothing else")
  func failingSink() throws {
    let bench = try Bench()
    try bench.add(firstUnit(), at: 0)
    let before = try bench.finish().file.bytes
    bench.sink.failure = .noSpace
    #expect(throws: ClipError.sink(.noSpace)) { try bench.add(stream(other), at: 33_333) }
    #expect(throws: ClipError.sink(.noSpace)) { try bench.finish() }
    bench.sink.failure = nil
    #expect(try bench.finish().file.bytes == before)
    try bench.add(stream(other), at: 33_333)
    #expect(try bench.finish().clip.pictures == 2)
  }

  @Test("the next clip knows nothing of the one before")
  func again() throws {
    let bench = try Bench()
    try bench.add(firstUnit(), at: 5_000_000)
    try bench.add(stream(other), at: 5_100_000)
    bench.writer.begin(limit: Budget.clipBytes, interval: 40_000)
    #expect(throws: ClipError.noPictures) { try bench.finish() }
    #expect(throws: ClipError.missingParameters) { try bench.add(stream(slice(key: true)), at: 0) }
    try bench.add(firstUnit(), at: 0)
    let (clip, _) = try bench.finish()
    #expect((clip.pictures, clip.duration) == (1, 40_000))
  }
}
