import Runtime
import Simulated
import Testing

@testable import Graphics
@testable import GraphicsSupport

private final class Listener: DisplayDelegate {
  var ready = 0, changes = 0, lost = 0
  func displayIsReady(isVisible: Bool) { ready += 1 }
  func displayChanged() { changes += 1 }
  func displayWantsAll() { lost += 1 }
  func displayIsAway(_ isAway: Bool) {}
}

@Suite("Pages of a display")
struct MemoryDisplayTests {
  /// Every pixel of the panel is the picture's.
  private func shows(_ display: MemoryDisplay, _ picture: PixelBuffer) -> Bool {
    for y in 0..<picture.size.height {
      for x in 0..<picture.size.width {
        let place = ReferencePanel.place(Point(x, y), picture.size, display.rotation)
        let code = ReferencePanel.code(picture.pixel(Point(x, y)), display.layout.format, place)
        guard ReferencePanel.pixel(display.scannedOut, display.layout, place) == code else { return false }
      }
    }
    return true
  }

  @Test(
    "frame after frame the panel shows the picture", arguments: [1, 2],
    [Rotation.none, .quarter, .half, .threeQuarters])
  func showsEachFrame(_ pages: Int, _ rotation: Rotation) throws {
    for format in [PanelFormat.xrgb8888, .rgb565, .mono] {
      var dice = Dice(UInt64(rotation.rawValue + pages))
      let layout = try #require(PanelLayout(format: format, size: Size(61, 40), stride: 61 * 4 + 12))
      let display = MemoryDisplay(layout, rotation, pages: pages)
      let listener = Listener()
      let mode = try display.open(listener)
      #expect(mode.size == rotation.turned(Size(61, 40)) && mode.rotation == rotation)
      let picture = try PixelBuffer.noise(mode.size, &dice)
      try display.show(picture, Damage(Rect(3, 3, 4, 4)))
      display.takeFrame()
      #expect(shows(display, picture))
      for frame in 1...20 {
        var damage = Damage()
        for _ in 0..<dice.next(1...12) {
          let rect = Rect(dice.next(0...50), dice.next(0...50), dice.next(1...20), dice.next(1...20))
          damage.add(rect)
          let part = rect.intersection(Rect(0, 0, mode.size.width, mode.size.height))
          for y in part.y..<max(part.maxY, part.y) {
            for x in part.x..<part.maxX {
              picture.pixels[Int(y * mode.size.width + x)] = UInt32(truncatingIfNeeded: dice.next()) & 0xFF_FFFF
            }
          }
        }
        try display.show(picture, damage)
        display.takeFrame()
        #expect(shows(display, picture))
        #expect(listener.ready == frame + 1)
      }
    }
  }

  @Test("only what changed is written, and on two pages what changed before as well")
  func writesDamageAlone() throws {
    for pages in 1...2 {
      let layout = try #require(PanelLayout(format: .xrgb8888, size: Size(100, 100), stride: 400))
      let display = MemoryDisplay(layout, pages: pages)
      let listener = Listener()
      let picture = try PixelBuffer(try display.open(listener).size)
      for _ in 0..<2 {
        try display.show(picture, Damage())
        display.takeFrame()
      }
      try display.show(picture, Damage(Rect(10, 10, 5, 5)))
      display.takeFrame()
      #expect(display.written.count == 1 && display.written[0] == Rect(10, 10, 5, 5))
      try display.show(picture, Damage(Rect(80, 80, 5, 5)))
      display.takeFrame()
      #expect(display.written.count == pages)
      var isThere = false
      for index in 0..<display.written.count { isThere = isThere || display.written[index] == Rect(80, 80, 5, 5) }
      #expect(isThere)
    }
  }

  @Test("what another program painted over comes back whole")
  func recovers() throws {
    var dice = Dice(5)
    let layout = try #require(PanelLayout(format: .rgb888, size: Size(33, 21), stride: 100))
    let display = MemoryDisplay(layout, .half, pages: 2)
    let listener = Listener()
    let picture = try PixelBuffer.noise(try display.open(listener).size, &dice)
    try display.show(picture, Damage())
    display.takeFrame()
    display.losePicture()
    #expect(listener.lost == 1 && !shows(display, picture))
    try display.show(picture, Damage())
    display.takeFrame()
    #expect(shows(display, picture))
  }

  @Test("with one page gone the other one goes on")
  func keepsOnePage() throws {
    var dice = Dice(6)
    let layout = try #require(PanelLayout(format: .xrgb8888, size: Size(16, 16), stride: 64))
    let first = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.byteCount, alignment: 8)
    let second = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.byteCount, alignment: 8)
    defer {
      first.deallocate()
      second.deallocate()
    }
    var pages = FramePages(layout, .none, first)
    pages.add(second)
    let picture = try PixelBuffer.noise(Size(16, 16), &dice)
    _ = pages.draw(picture, Damage())
    #expect(pages.next == 1)
    pages.turn()
    pages.keepShownOnly()
    #expect(pages.count == 1 && pages.next == 0)
    picture.pixels[0] ^= 0xFF
    #expect(pages.draw(picture, Damage(Rect(0, 0, 1, 1))).bounds == Rect(0, 0, 1, 1))
    #expect(second.assumingMemoryBound(to: UInt32.self)[0] == picture.pixels[0])
  }

  @Test("a fault is reported and changes nothing")
  func tellsFaults() throws {
    let layout = try #require(PanelLayout(format: .xrgb8888, size: Size(16, 16), stride: 64))
    let display = MemoryDisplay(layout)
    let listener = Listener()
    let picture = try PixelBuffer(try display.open(listener).size)
    try display.show(picture, Damage())
    #expect(throws: DisplayFault.self) { try display.show(picture, Damage()) }
    display.fault = DisplayFault("show a frame", .inputOutput)
    #expect(throws: DisplayFault.self) { try display.setBlank(true) }
    #expect(!display.isBlank)
    display.fault = nil
    display.takeFrame()
    display.hasBacklight = false
    #expect(try !display.setBrightness(40) && display.brightness == nil)
    display.change()
    #expect(listener.changes == 1)
  }
}
