import Runtime
import Testing

@testable import Camera

/// Says what it was told to have heard, a piece at a time.
private final class ScriptedMicrophone: ClipMicrophone {
  var pieces: [(samples: [Int16], time: Int64)] = []

  func read(into samples: UnsafeMutableBufferPointer<Int16>) -> HeardSound? {
    guard !pieces.isEmpty else { return nil }
    let piece = pieces.removeFirst()
    for (index, sample) in piece.samples.enumerated() { samples[index] = sample }
    return HeardSound(count: piece.samples.count, time: piece.time)
  }

  /// A tenth of a second of one value.
  func hear(_ value: Int16, at time: Int64, samples: Int = 1_600) {
    pieces.append(([Int16](repeating: value, count: samples), time))
  }
}

/// A packet says the value of its first sample and of its last.
private final class PlainEncoder: SoundEncoder {
  var failsAt = Int.max
  var encoded = 0
  var isOpen = false

  func start() throws(ClipError) -> Int {
    guard failsAt > 0 else { throw .encoder }
    isOpen = true
    encoded = 0
    return 312
  }

  func encode(_ samples: UnsafeBufferPointer<Int16>, into packet: UnsafeMutableBufferPointer<UInt8>) throws(ClipError) {
    encoded += 1
    guard encoded < failsAt else { throw .encoder }
    for index in packet.indices { packet[index] = 0 }
    packet[0] = UInt8(samples[0])
    packet[1] = UInt8(samples[samples.count - 1])
  }

  func stop() { isOpen = false }
}

private final class Bench {
  let microphone = ScriptedMicrophone()
  let encoder = PlainEncoder()
  let track: SoundTrack

  init(duration: Int64 = 1_000_000) throws {
    track = try SoundTrack(microphone: microphone, encoder: encoder)
    track.begin(duration: duration)
  }

  /// The first and last values of each packet.
  var packets: [[UInt8]] {
    (0..<track.count).map { [track.bytes[$0 * Budget.clipPacketBytes], track.bytes[$0 * Budget.clipPacketBytes + 1]] }
  }
}

struct SoundTrackTests {
  @Test("what was heard before the first picture is not in the clip, to the sample")
  func beginning() throws {
    let bench = try Bench()
    bench.microphone.hear(1, at: 5_000_000)
    bench.microphone.hear(2, at: 5_100_000)
    bench.track.start(at: 5_090_000)
    #expect(bench.track.finish(duration: 110_000))
    // 10 ms of the first piece, and 100 ms of the second; what is missing of the last packet is silence.
    #expect(bench.packets == [[1, 2], [2, 2], [2, 2], [2, 2], [2, 2], [2, 0]])
  }

  @Test("before the microphone is open there is silence, and nothing is taken before the first picture")
  func late() throws {
    let bench = try Bench()
    bench.track.listen()
    bench.microphone.hear(7, at: 60_000)
    bench.track.listen()
    #expect(bench.microphone.pieces.count == 1)
    bench.track.start(at: 0)
    #expect(bench.track.finish(duration: 160_000))
    #expect(bench.packets == [[0, 0], [0, 0], [0, 0]] + [[UInt8]](repeating: [7, 7], count: 5) + [[0, 0]])
  }

  @Test("small jitter moves nothing; a gap becomes silence, and what comes twice is heard once")
  func gaps() throws {
    let bench = try Bench()
    bench.track.start(at: 0)
    bench.microphone.hear(1, at: 0)
    bench.microphone.hear(2, at: 109_000)
    bench.microphone.hear(3, at: 260_000)
    bench.microphone.hear(4, at: 260_000)
    bench.microphone.hear(5, at: 345_000)
    #expect(bench.track.finish(duration: 500_000))
    let firsts = bench.packets.map { $0[0] }
    #expect(firsts == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 0, 0, 0, 3, 3, 3, 3, 3, 5, 5, 5, 5, 5, 0, 0, 0])
  }

  @Test("a clip has no more packets than its time, and never more than it was to have")
  func end() throws {
    let bench = try Bench(duration: 200_000)
    bench.track.start(at: 0)
    for piece in 0..<20 { bench.microphone.hear(9, at: Int64(piece) * 100_000) }
    bench.track.listen()
    #expect(bench.track.count == 35)
    // 200 ms and what the decoder leaves out, 6.5 ms.
    #expect(bench.track.finish(duration: 200_000))
    #expect(bench.track.count == 11)
    #expect(!bench.encoder.isOpen)
  }

  @Test("the longest clip's sound fits its memory, whatever times are reported")
  func longest() throws {
    let bench = try Bench(duration: Budget.clipMilliseconds.upperBound * 1000)
    bench.track.start(at: 0)
    bench.microphone.hear(1, at: Int64.max / 4)
    bench.microphone.hear(2, at: Int64.min / 4)
    #expect(bench.track.finish(duration: 60_000_000))
    #expect(bench.track.count == 3_001)
    #expect(bench.track.bytes.count == 3_001 * Budget.clipPacketBytes)
  }

  @Test(
    "without a microphone there is no track, nor with an encoder that fails at once; one that fails later ends it there"
  )
  func nothing() throws {
    let silent = try Bench()
    silent.track.start(at: 0)
    #expect(!silent.track.finish(duration: 1_000_000))

    let failing = try Bench()
    failing.encoder.failsAt = 0
    failing.track.begin(duration: 1_000_000)
    failing.track.start(at: 0)
    failing.microphone.hear(1, at: 0)
    #expect(!failing.track.finish(duration: 1_000_000))

    let broken = try Bench()
    broken.encoder.failsAt = 3
    broken.track.start(at: 0)
    broken.microphone.hear(1, at: 0)
    #expect(broken.track.finish(duration: 1_000_000))
    #expect(broken.track.count == 2)
  }

  @Test("a clip with sound has its packets after the pictures, and a player finds both")
  func file() throws {
    let bench = try Bench()
    let memory = try ClipMemory()
    let writer = try ClipWriter(sink: memory)
    writer.begin(limit: 40_000, interval: 20_000, soundBytes: SoundTrack.bytes(duration: 100_000))
    let key = stream(SequenceBits().unit, pictureSet(), slice(key: true))
    try key.withUnsafeBufferPointer { _ = try writer.add($0, at: 1_000_000) }
    let next = stream(slice(key: false))
    for picture in 1...4 {
      try next.withUnsafeBufferPointer { _ = try writer.add($0, at: 1_000_000 + Int64(picture) * 20_000) }
    }
    bench.track.start(at: 1_000_000)
    bench.microphone.hear(8, at: 1_000_000)
    bench.microphone.hear(9, at: 1_100_000)
    let clip = try writer.finish(bench.track)
    #expect(clip.hasSound && clip.duration == 100_000)
    let file = try MP4File(Array(memory.bytes(of: clip)))
    #expect(try file.sampleUnits().count == 5)
    #expect(
      file.sound
        == MP4File.Sound(
          packetBytes: 80, packets: 6, packetTicks: 960, preSkip: 312, skipped: 312, rate: 16_000,
          offset: file.sound!.offset, shownTicks: 9_000))
    #expect((0..<6).map { Array(file.packet($0).prefix(2)) } == [[8, 8], [8, 8], [8, 8], [8, 8], [8, 8], [9, 9]])
    #expect(clip.range.count == file.bytes.count)
  }

  @Test("with sound, a file keeps its limit")
  func limit() throws {
    let bench = try Bench()
    let memory = try ClipMemory()
    let writer = try ClipWriter(sink: memory)
    let limit = 100_000
    writer.begin(limit: limit, interval: 20_000, soundBytes: SoundTrack.bytes(duration: 1_000_000))
    let key = stream(SequenceBits().unit, pictureSet(), slice(key: true, payload: [UInt8](repeating: 7, count: 900)))
    var time: Int64 = 0
    bench.track.start(at: 0)
    while true {
      do throws(ClipError) {
        _ = try key.withUnsafeBufferPointer { bytes throws(ClipError) in try writer.add(bytes, at: time) }
      } catch {
        #expect(error == .full)
        break
      }
      bench.microphone.hear(1, at: time, samples: 320)
      bench.track.listen()
      time += 20_000
    }
    let clip = try writer.finish(bench.track)
    #expect(clip.hasSound)
    #expect(clip.range.count <= limit)
    #expect(clip.range.count > limit - 2_000 - SoundTrack.bytes(duration: 1_000_000))
  }
}
