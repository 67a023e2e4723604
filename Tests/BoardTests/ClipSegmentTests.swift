import Camera
import Runtime
import Testing

@testable import Board

struct ClipSegmentTests {
  /// A key frame with its parameter sets, as far as a file looks into it.
  private let unit: [UInt8] = [
    0, 0, 0, 1, 0x67, 0x42, 0xC0, 0x0A, 0xDA, 0x7B, 0x01, 0, 0, 0, 1, 0x68, 0xCE, 0x3C, 0x80,
    0, 0, 0, 1, 0x65, 0x88, 0x84, 0x3A, 0xFF, 0x11, 0x22,
  ]

  private func record(into sink: any ClipSink, pictures: Int) throws -> Clip {
    let writer = try ClipWriter(sink: sink)
    writer.begin(limit: Budget.clipBytes, interval: 40_000)
    for index in 0..<pictures {
      _ = try unit.withUnsafeBufferPointer { try writer.add($0, at: Int64(index) * 40_000) }
    }
    return try writer.finish()
  }

  @Test("a segment holds the same file as memory, clip after clip")
  func same() throws {
    let (segment, memory) = (ClipSegment(), try ClipMemory())
    for pictures in [1, 30, 4] {
      let clip = try record(into: segment, pictures: pictures)
      #expect(try record(into: memory, pictures: pictures) == clip)
      #expect(Array(try segment.bytes(of: clip)) == Array(memory.bytes(of: clip)))
      if pictures == 30 { segment.release() }
    }
  }

  @Test("what is beyond its room is refused, and what was released is gone")
  func bounds() throws {
    let segment = ClipSegment()
    let bytes: [UInt8] = [1, 2, 3]
    func write(at offset: Int) throws {
      try bytes.withUnsafeBufferPointer { try segment.write($0, at: offset) }
    }
    #expect(throws: Errno.noSpace) { try write(at: segment.capacity - 2) }
    #expect(throws: Errno.noSpace) { try write(at: -1) }
    try write(at: segment.capacity - 3)
    let clip = try record(into: segment, pictures: 2)
    segment.release()
    segment.release()
    let again = try record(into: segment, pictures: 2)
    #expect(again == clip)
    #expect(try segment.bytes(of: again).count == clip.range.count)
  }
}
