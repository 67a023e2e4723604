import CZlib
import Testing
@testable import Board

/// Files of gzip; whether others can read them is seen in board/tests/diagnosis.sh.
@Suite struct GzipTests {
  @Test("what repeats becomes shorter, and begins as such files do")
  func pack() throws {
    let packed = try #require(Gzip.pack([UInt8](repeating: 7, count: 4096)))
    #expect(packed.count < 100 && packed[..<2] == [0x1F, 0x8B])
    #expect(try #require(Gzip.pack([])).count == 20)
  }

  @Test("what has no room is refused")
  func room() {
    let bytes = [UInt8](repeating: 7, count: 4096)
    var packed = [UInt8](repeating: 0, count: 256)
    #expect(tl_gzip(bytes, 4096, &packed, 256) > 0)
    #expect(packed[0] == 0x1F && packed[1] == 0x8B)
    #expect(tl_gzip(bytes, 4096, &packed, 16) == -28)
    #expect(tl_gzip(bytes, -1, &packed, 256) == -22)
  }
}
