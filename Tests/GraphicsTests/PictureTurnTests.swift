import Runtime
import Testing

@testable import Graphics

@Suite("How a photo was held")
struct PictureTurnTests {
  /// What a picture of two rows, 1 2 3 and 4 5 6, looks like upright (Exif 2.3, 4.6.4 A).
  @Test(
    "each of the eight ways is set upright",
    arguments: [
      (1, [1, 2, 3, 4, 5, 6]), (2, [3, 2, 1, 6, 5, 4]), (3, [6, 5, 4, 3, 2, 1]), (4, [4, 5, 6, 1, 2, 3]),
      (5, [1, 4, 2, 5, 3, 6]), (6, [4, 1, 5, 2, 6, 3]), (7, [6, 3, 5, 2, 4, 1]), (8, [3, 6, 2, 5, 1, 4]),
    ])
  func turns(number: Int, expected: [UInt32]) throws {
    let picture = try DecodedPicture(Size(3, 2), original: Size(3, 2))
    for index in 0..<6 { picture.pixels[index] = UInt32(index + 1) }
    let turn = PictureTurn(number)
    let upright = try turn.upright(picture)
    #expect(upright.size == (turn.isTransposed ? Size(2, 3) : Size(3, 2)))
    #expect(Array(upright.pixels.prefix(6)) == expected)
  }

  @Test("a number that is none of these is upright")
  func unknown() {
    #expect(PictureTurn(0) == PictureTurn(1))
    #expect(PictureTurn(9) == PictureTurn(1))
  }
}
