import Testing

@testable import Camera

struct PhotoSizeTests {
  @Test(
    "the size keeps the width, the aspect, an even height, and never enlarges",
    arguments: [
      (1920, 1080, 1600, 1600, 900), (1920, 1080, 1920, 1920, 1080), (640, 480, 1600, 640, 480),
      (640, 481, 1600, 640, 480), (641, 480, 641, 641, 480), (1920, 1080, 801, 801, 450),
      (1080, 1920, 540, 540, 960), (1920, 1080, 2, 2, 2), (4000, 10, 100, 100, 2), (3, 3, 1600, 3, 2),
    ])
  func firstSize(width: Int, height: Int, maxWidth: Int, expectedWidth: Int, expectedHeight: Int) {
    let size = PhotoSize(width: width, height: height, maxWidth: maxWidth)
    #expect((size.width, size.height) == (expectedWidth, expectedHeight))
  }

  @Test("a long edge is kept whichever way the picture lies")
  func longEdge() {
    for (width, height, expected) in [(4000, 3000, (256, 192)), (3000, 4000, (192, 256))] {
      let size = PhotoSize(width: width, height: height, longEdge: 256)
      #expect((size.width, size.height) == expected)
    }
  }

  @Test(
    "the lowest quality is 0.35 of the highest, at least 20, and never above it",
    arguments: [(100, 35), (90, 32), (60, 21), (57, 20), (30, 20), (20, 20), (5, 5)])
  func leastQuality(start: Int, expected: Int) {
    #expect(PhotoLimits.leastQuality(start: start) == expected)
  }
}
