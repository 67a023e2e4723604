import Camera
import Runtime
import Testing

@testable import Board

struct OpusEncoderTests {
  @Test("every packet of a tone is Opus of 20 ms, one channel, and of the size that was told")
  func packets() throws {
    let encoder = OpusEncoder()
    // RFC 6716 asks for 2.5 ms to look ahead, libopus delays 4 ms more.
    #expect(try encoder.start() == 312)
    var samples = [Int16](repeating: 0, count: ClipSound.packetSamples)
    var packet = [UInt8](repeating: 0, count: Budget.clipPacketBytes)
    for number in 0..<50 {
      for index in samples.indices {
        let phase = (number * samples.count + index) % 32
        samples[index] = Int16(phase < 16 ? phase * 1_000 : (32 - phase) * 1_000) - 8_000
      }
      try samples.withUnsafeBufferPointer { samples in
        try packet.withUnsafeMutableBufferPointer { try encoder.encode(samples, into: $0) }
      }
      // The table-of-contents byte (RFC 6716, 3.1): bits 7...3 the configuration, 2 stereo, 1...0 the count of frames.
      let configuration = packet[0] >> 3
      let lastsTwentyMilliseconds =
        configuration < 12
        ? configuration % 4 == 1 : configuration < 16 ? configuration % 2 == 1 : configuration % 4 == 3
      #expect(lastsTwentyMilliseconds && packet[0] & 4 == 0)
    }
    #expect(packet.contains { $0 != 0 })
  }

  @Test("what is not one packet is refused, and so is all before the start and after the end")
  func refusals() throws {
    let encoder = OpusEncoder()
    #expect(throws: ClipError.encoder) { try encode(encoder, samples: 320, bytes: 80) }
    _ = try encoder.start()
    #expect(throws: ClipError.encoder) { try encode(encoder, samples: 319, bytes: 80) }
    #expect(throws: ClipError.encoder) { try encode(encoder, samples: 320, bytes: 79) }
    try encode(encoder, samples: 320, bytes: 80)
    encoder.stop()
    encoder.stop()
    #expect(throws: ClipError.encoder) { try encode(encoder, samples: 320, bytes: 80) }
  }

  private func encode(_ encoder: OpusEncoder, samples count: Int, bytes: Int) throws {
    let samples = [Int16](repeating: 100, count: count)
    var packet = [UInt8](repeating: 0, count: bytes)
    try samples.withUnsafeBufferPointer { samples in
      try packet.withUnsafeMutableBufferPointer { try encoder.encode(samples, into: $0) }
    }
  }
}
