import Runtime
import Testing

@testable import Camera

struct OrientationTests {
  private static let all: [(Int, Bool, Bool)] = [0, 1, 2, 3].flatMap { turns in
    [(turns, false, false), (turns, true, false), (turns, false, true), (turns, true, true)]
  }

  /// Rows of a picture after flips and turns, done one by one.
  private func expected(_ rows: [[UInt8]], _ turns: Int, _ isMirrored: Bool, _ isFlipped: Bool) -> [[UInt8]] {
    var rows = rows
    if isMirrored { rows = rows.map { $0.reversed() } }
    if isFlipped { rows.reverse() }
    for _ in 0..<turns {
      rows = rows[0].indices.map { column in rows.reversed().map { $0[column] } }
    }
    return rows
  }

  @Test("flips come before turns, which go clockwise", arguments: all)
  func everyWay(_ turns: Int, _ isMirrored: Bool, _ isFlipped: Bool) throws {
    // 70 x 50: more than a tile each way, and no whole number of them.
    let (width, height) = (70, 50)
    var storage = [UInt8](repeating: 0, count: 2 * width * height)
    var room = [UInt8](repeating: 0, count: 2 * width * height)
    storage.withUnsafeMutableBufferPointer { storage in
      room.withUnsafeMutableBufferPointer { room in
        let image = PlanarImage(in: storage, width: width, height: height, chroma: .quarter)!
        for plane in [image.luma, image.blue, image.red] {
          for y in 0..<plane.height {
            for x in 0..<plane.width { plane.base[y * plane.rowBytes + x] = UInt8(truncatingIfNeeded: 7 * x + 31 * y) }
          }
        }
        let orientation = Orientation(quarters: turns, isMirrored: isMirrored, isFlipped: isFlipped)
        let upright = orientation.apply(image, in: room)!
        #expect(samples(upright.luma) == expected(samples(image.luma), turns, isMirrored, isFlipped))
        #expect(samples(upright.blue) == expected(samples(image.blue), turns, isMirrored, isFlipped))
        #expect(samples(upright.red) == expected(samples(image.red), turns, isMirrored, isFlipped))
      }
    }
  }

  @Test("nothing to do is known as such, however it came about")
  func identity() {
    #expect(Orientation().isIdentity)
    #expect(Orientation(quarters: 2, isMirrored: true, isFlipped: true).isIdentity)
    #expect(!Orientation(quarters: 2).isIdentity)
  }

  @Test("what has no mirror in it is known", arguments: 0..<4)
  func turns(_ quarters: Int) {
    #expect(Orientation(quarters: quarters).isTurn)
    #expect(Orientation(quarters: quarters, isMirrored: true, isFlipped: true).isTurn)
    #expect(!Orientation(quarters: quarters, isMirrored: true).isTurn)
    #expect(!Orientation(quarters: quarters, isFlipped: true).isTurn)
  }

  @Test("a picture that has no room upright is refused")
  func room() {
    var storage = [UInt8](repeating: 0, count: 64)
    var room = [UInt8](repeating: 0, count: 20)
    storage.withUnsafeMutableBufferPointer { storage in
      room.withUnsafeMutableBufferPointer { room in
        let image = PlanarImage(in: storage, width: 4, height: 4, chroma: .quarter)!
        #expect(Orientation(quarters: 1).apply(image, in: room) == nil)
      }
    }
  }

  @Test("the width of a turned photo is what is asked, not its height")
  func size() {
    let size = PhotoSize(width: 1920, height: 1080, maxWidth: 540, Orientation(quarters: 1))
    #expect((size.height, size.width) == (540, 960))
    let upright = PhotoSize(width: 1920, height: 1080, maxWidth: 540, Orientation(quarters: 2))
    #expect((upright.width, upright.height) == (540, 304))
  }
}
