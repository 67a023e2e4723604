import Runtime
import TestSupport
import Testing

@testable import Metrics

@Suite("Compression")
struct SnappyEncoderTests {
  private static func encode(_ input: [UInt8]) throws -> [UInt8] {
    let output = FixedBuffer(capacity: SnappyEncoder.bound(input.count))
    let encoder = try SnappyEncoder()
    let count = try #require(input.withUnsafeBufferPointer { encoder.encode($0, into: output.bytes) })
    return Array(output.bytes[..<count])
  }

  @Test("what is compressed comes back", arguments: 0..<60)
  func roundTrips(_ seed: Int) throws {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func dice(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var input: [UInt8] = []
    let wanted = [0, 1, 3, 4, 60, 61, 256, 4096, 65_535, 65_536, 65_537, 200_000][seed % 12]
    while input.count < wanted {
      // Noise, and repeats from near and far.
      if dice(3) == 0 || input.isEmpty {
        for _ in 0..<(1 + dice(80)) { input.append(UInt8(dice(256))) }
      } else {
        let start = dice(input.count)
        for index in 0..<(1 + dice(200)) { input.append(input[min(start + index, input.count - 1)]) }
      }
    }
    input.removeLast(input.count - wanted)
    #expect(Snappy.decode(try Self.encode(input)) == input)
  }

  @Test("repeats become copies of every kind")
  func copies() throws {
    // A long literal, a short copy from near, a long one, one from more than 2,047 bytes before.
    let noise = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    for length in [4, 11, 12, 63, 64, 65, 67, 68, 69, 131, 132, 133] {
      for start in [0, 2900] {
        let input = noise + noise[start..<min(start + length, 3000)] + [1, 2, 3]
        #expect(Snappy.decode(try Self.encode(input)) == input)
      }
    }
    #expect(try Self.encode([UInt8](repeating: 7, count: 60_000)).count < 3000)
  }

  @Test("nothing is written where there is no room for the worst")
  func room() throws {
    let output = FixedBuffer(capacity: SnappyEncoder.bound(100) - 1)
    let encoder = try SnappyEncoder()
    let input = [UInt8](repeating: 0, count: 100)
    #expect(input.withUnsafeBufferPointer { encoder.encode($0, into: output.bytes) } == nil)
  }

  @Test("noise grows by no more than the bound")
  func noise() throws {
    var state: UInt32 = 1
    let input = (0..<70_000).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    let output = try Self.encode(input)
    #expect(output.count <= input.count + 16)
    #expect(Snappy.decode(output) == input)
  }
}
