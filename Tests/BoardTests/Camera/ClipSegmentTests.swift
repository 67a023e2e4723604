import Camera
import Foundation
import Runtime
import Testing

@testable import Board

struct ClipSegmentTests {
  /// A key frame with its parameter sets, as far as a file looks into it.
  private let unit: [UInt8] = [
    0, 0, 0, 1, 0x67, 0x42, 0xC0, 0x0A, 0xDA, 0x7B, 0x01, 0, 0, 0, 1, 0x68, 0xCE, 0x3C, 0x80,
    0, 0, 0, 1, 0x65, 0x88, 0x84, 0x3A, 0xFF, 0x11, 0x22,
  ]

  private func record(into sink: any ClipSink, pictures: Int, padding: Int = 0) throws -> Clip {
    let unit = unit + [UInt8](repeating: 0x5A, count: padding)
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

  /// Bytes of the program's own pages in the mapping that begins at `address`.
  private func resident(_ address: UnsafeRawPointer) throws -> Int {
    // Of a size that is not known before: in pieces, to the end.
    let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
    var text = Data()
    while let piece = try file.read(upToCount: 4096), !piece.isEmpty { text += piece }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    let start = String(UInt(bitPattern: address) & ~0xFFF, radix: 16)
    let head = try #require(lines.firstIndex { $0.hasPrefix(start + "-") })
    let line = try #require(lines[head...].first { $0.hasPrefix("Rss:") })
    return try #require(Int(line.split(separator: " ")[1])) * 1024
  }

  @Test("pages of what was read are given back, and can be read again")
  func forgets() throws {
    let segment = ClipSegment()
    let clip = try record(into: segment, pictures: 16, padding: 200_000)
    var bytes = try segment.bytes(of: clip)
    func pages() throws -> Int { try resident(bytes.baseAddress! - clip.range.lowerBound) }
    let all = Array(bytes)
    #expect(try pages() >= 3_200_000)
    segment.wasRead(upTo: bytes.count)
    #expect(try pages() < 100_000)
    bytes = try segment.bytes(of: clip)
    var most = 0
    for start in stride(from: 0, to: bytes.count, by: 12_288) {
      let end = min(start + 12_288, bytes.count)
      #expect(memcmp(bytes.baseAddress! + start, Array(all[start..<end]), end - start) == 0)
      segment.wasRead(upTo: end)
      if start % 9 == 0 { most = max(most, try pages()) }
    }
    #expect(most > 0 && most < 600_000)
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
