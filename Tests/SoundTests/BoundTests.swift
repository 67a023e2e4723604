import CAllocationCounter
import Foundation
import Runtime
import Simulated
import Testing

@testable import Sound

@Suite struct BoundTests {
  @Test func `What is heard costs no memory after the start`() throws {
    let intake = intake(gain: .automatic)
    try intake.begin(facts(SampleFormat(.signed, bits: 24, bytes: 3), rate: 48_000, channels: 2))
    let bytes = frames(
      sine(500, rate: 48_000, count: 4_800).map { [$0, $0] }, SampleFormat(.signed, bits: 24, bytes: 3))
    let counter = Counter()
    bytes.withUnsafeBytes { raw in
      intake.take(raw, counter)
      tl_count_allocations()
      for _ in 0..<10 { intake.take(raw, counter) }
      #expect(tl_counted_allocations() == 0)
    }
    #expect(counter.blocks == 55)
  }

  @Test func `Samples that begin too far from the start of a file are reported`() throws {
    let recording = Recording([1, 2, 3])
    let content = recording.content
    let size = Budget.wavHeaderBytes
    let title =
      Array("LIST".utf8) + [UInt8(size & 255), UInt8(size >> 8), 0, 0] + [UInt8](repeating: 0, count: size)
    try Data(content[..<12] + title + content[12...]).write(to: URL(fileURLWithPath: recording.path))
    let capture = try WAVCapture(path: recording.path, clock: VirtualClock())
    #expect { try capture.open(SoundOrder()) } throws: { ($0 as? SoundError)?.isLike(.notWAV("")) == true }
  }

  @Test func `A frame of more bytes than a recording may have is refused`() throws {
    let recording = Recording([Int16](repeating: 0, count: 600), channels: 300)
    let capture = try WAVCapture(path: recording.path, clock: VirtualClock())
    #expect { try capture.open(SoundOrder()) } throws: { ($0 as? SoundError)?.isLike(.noFormat) == true }
  }
}

private final class Counter: SoundListener {
  var blocks = 0
  func heard(_ block: UnsafeBufferPointer<Int16>) { blocks += 1 }
}
