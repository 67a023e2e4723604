import Runtime
import Testing

@testable import Graphics
@testable import GraphicsSupport

@Suite("Painter")
struct PainterTests {
  @Test("a filled rectangle is where it should be, and nowhere else")
  func fills() throws {
    let screen = try Screen()
    screen.list.add(.fill(Rect(10, 5, 20, 8), radius: 0, .solid(Color(0x123456))))
    screen.paint()
    #expect(screen.painted == Rect(10, 5, 20, 8))
    #expect(screen[10, 5] == 0x123456)
    #expect(screen[29, 12] == 0x123456)
  }

  @Test("what is half transparent is mixed with what is behind it")
  func blends() throws {
    let screen = try Screen()
    screen.list.add(.fill(screen.all, radius: 0, .solid(Color(0x0000FF))))
    screen.list.add(.fill(screen.all, radius: 0, .solid(Color(0xFF0000).opacity(128))))
    screen.paint()
    #expect(screen[3, 3] == 0x80007F)
  }

  @Test("round corners leave the corner and take the middle of each edge")
  func roundsCorners() throws {
    let screen = try Screen()
    screen.list.add(.fill(Rect(0, 0, 40, 40), radius: 20, .solid(.white)))
    screen.paint()
    for (x, y) in [(0, 0), (39, 0), (0, 39), (39, 39), (4, 4)] { #expect(screen[Int32(x), Int32(y)] == 0) }
    for (x, y) in [(20, 0), (0, 20), (39, 20), (20, 39), (20, 20), (8, 8)] {
      #expect(screen[Int32(x), Int32(y)] & 255 > 200)
    }
  }

  @Test(
    "a gradient has its two colours at two ends",
    arguments: [(0, 20, 0, 20, 39), (90, 0, 20, 39, 20), (135, 0, 0, 39, 39)])
  func gradients(angle: Int, x0: Int, y0: Int, x1: Int, y1: Int) throws {
    let screen = try Screen()
    screen.list.add(.fill(Rect(0, 0, 40, 40), radius: 0, .gradient(.black, .white, angle: Int16(angle))))
    screen.paint()
    #expect(screen[Int32(x0), Int32(y0)] & 255 < 8)
    #expect(screen[Int32(x1), Int32(y1)] & 255 > 247)
    #expect(abs(Int(screen[20, 20] & 255) - 128) < 8)
  }

  @Test("a border is inside its rectangle and leaves the middle")
  func borders() throws {
    let screen = try Screen()
    screen.list.add(.border(Rect(10, 10, 30, 20), radius: 6, width: 2, .white))
    screen.paint()
    #expect(screen.painted == Rect(10, 10, 30, 20))
    #expect(screen[25, 11] == 0xFFFFFF)
    #expect(screen[25, 12] == 0)
    #expect(screen[11, 20] == 0xFFFFFF)
    #expect(screen[12, 20] == 0)
    #expect(screen[10, 10] == 0)
  }

  @Test("a shadow fades outwards, and is not under its rectangle")
  func shadows() throws {
    let screen = try Screen()
    screen.list.add(.shadow(Rect(20, 16, 24, 14), radius: 4, blur: 6, down: 4, .white))
    screen.paint()
    #expect(screen[32, 20] == 0)
    let (near, far) = (screen[32, 30] & 255, screen[32, 36] & 255)
    #expect(near > far)
    #expect(far > 0)
    #expect(Rect(14, 14, 36, 26).contains(screen.painted))
  }

  @Test("an arc is where its angles say")
  func arcs() throws {
    let screen = try Screen()
    screen.list.add(.arc(Rect(0, 0, 40, 40), start: 0, sweep: 90, width: 6, .white))
    screen.paint()
    #expect(screen[33, 6] & 255 > 100)
    #expect(screen[3, 20] == 0)
    #expect(screen[20, 37] == 0)
    #expect(screen[20, 20] == 0)
  }

  @Test("nothing is drawn outside of a clip, its corners, and clips around it")
  func clips() throws {
    let screen = try Screen()
    screen.list.add(.clip(Rect(10, 10, 30, 30), radius: 15))
    screen.list.add(.clip(Rect(0, 0, 25, 48), radius: 0))
    screen.list.add(.fill(screen.all, radius: 0, .solid(.white)))
    screen.list.add(.endClip)
    screen.list.add(.endClip)
    screen.list.add(.fill(Rect(60, 40, 2, 2), radius: 0, .solid(Color(0x0000FF))))
    screen.paint()
    #expect(screen[11, 11] == 0)
    #expect(screen[24, 25] == 0xFFFFFF)
    #expect(screen[25, 25] == 0)
    #expect(screen[60, 40] == 0x0000FF)
  }

  @Test("clips deeper than there is room for still cut, and end")
  func clipsAreBounded() throws {
    let screen = try Screen()
    for _ in 0..<Budget.clipDepth + 8 { screen.list.add(.clip(Rect(8, 8, 8, 8), radius: 2)) }
    screen.list.add(.fill(screen.all, radius: 0, .solid(.white)))
    for _ in 0..<Budget.clipDepth + 8 { screen.list.add(.endClip) }
    screen.list.add(.fill(Rect(40, 40, 2, 2), radius: 0, .solid(.white)))
    screen.list.add(.endClip)
    screen.paint()
    #expect(screen.painted == Rect(8, 8, 34, 34))
    #expect(screen[20, 20] == 0)
  }

  @Test("text is drawn from its start and baseline")
  func texts() throws {
    let screen = try Screen()
    screen.list.add(.text(screen.text("ab"), Font(size: 16), start: Point(10, 30), advance: 16, .white))
    screen.paint()
    #expect(screen.painted == Rect(10, 22, 16, 8))
  }

  @Test("every icon draws something else, inside its square", arguments: [16, 24, 40])
  func icons(side: Int) throws {
    var seen: [[UInt32]] = []
    for icon in Icon.allCases {
      let screen = try Screen(48, 48)
      screen.list.add(.icon(icon, Rect(2, 2, Int32(side), Int32(side)), .white))
      screen.paint()
      let pixels = Array(screen.buffer.pixels)
      #expect(Rect(2, 2, Int32(side), Int32(side)).contains(screen.painted), "\(icon)")
      #expect(screen.painted.width >= Int32(side) / 6, "\(icon)")
      #expect(!seen.contains(pixels), "\(icon)")
      seen.append(pixels)
    }
  }

  /// What the standard catalog of v0.8 lists (canvas reference 1.9), what that of v0.9 adds, and what published samples
  /// name beyond both.
  private static let iconNames = """
    accountCircle add arrowBack arrowForward attachFile calendarToday call camera check close delete download edit \
    event error favorite favoriteOff folder help home info locationOn lock lockOpen mail menu moreVert moreHoriz \
    notificationsOff notifications payment person phone photo print refresh search send settings share shoppingCart \
    star starHalf starOff upload visibility visibilityOff warning fastForward pause play rewind skipNext skipPrevious \
    stop volumeDown volumeMute volumeOff volumeUp pause priorityHigh directionsRun trendingUp arrowUpward circle \
    arrowDownward trendingDown directionsWalk checkCircle schedule localShipping flight accountBalance playArrow mic \
    email accessTime
    """

  @Test(
    "every name of the catalogs and of samples has an icon, in both spellings",
    arguments: iconNames.split(separator: " "))
  func iconName(_ name: Substring) {
    let snake = name.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    for spelling in [String(name), snake] {
      #expect(Icon(named: spelling.utf8.span) != .unknown, "\(spelling)")
    }
  }

  @Test(
    "any other name, and the mouse's arrow, has the dot in a square",
    arguments: ["", "nonsense", "cursor", "unknown", "pauses"])
  func unknownIconName(_ name: String) {
    #expect(Icon(named: name.utf8.span) == .unknown)
  }

  @Test(
    "what is far beyond the screen, or absurdly large, is drawn as far as it is seen", arguments: [Int32.max, .min])
  func faraway(far: Int32) throws {
    let screen = try Screen()
    let picture = try #require(
      [UInt32](repeating: .max, count: 4).withUnsafeBufferPointer { pixels in
        screen.painter.keep(pixels, Size(2, 2))
      })
    for rect in [Rect(far, far, far, far), Rect(0, 0, far, far), Rect(-5, -5, far, 20), Rect(far, 0, 20, far)] {
      screen.list.add(.shadow(rect, radius: .max, blur: .max, down: .max, .white))
      screen.list.add(.fill(rect, radius: .max, .gradient(.black, .white, angle: 33)))
      screen.list.add(.border(rect, radius: .max, width: .max, .white))
      screen.list.add(.icon(.add, rect, .white))
      screen.list.add(.arc(rect, start: .max, sweep: .min, width: .max, .white))
      screen.list.add(.line(Point(rect.x, rect.y), Point(rect.width, rect.height), width: .max, .white))
      screen.list.add(.picture(picture, source: rect, rect, radius: .max, opacity: 255))
      screen.list.add(.text(screen.text("a"), Font(size: .max), start: Point(rect.x, rect.y), advance: far, .white))
      screen.list.add(.clip(rect, radius: .max))
      screen.list.add(.fill(rect, radius: 0, .solid(.white)))
      screen.list.add(.endClip)
    }
    screen.list.add(.fill(Rect(-100, -100, .max, .max), radius: 0, .solid(Color(0x123456))))
    screen.paint()
    #expect(screen[63, 47] == 0x123456)
    #expect(DamageFinder().damage(from: DisplayList(), to: screen.list, Size(64, 48)).bounds == screen.all)
  }

  /// Commands that cover a rectangle with round corners, each so that a pixel inside of it is painted.
  private static let roundShapes: [@Sendable (Rect, PictureHandle) -> [DrawCommand]] = [
    { rect, _ in [.fill(rect, radius: 12_000, .solid(.white))] },
    { rect, _ in [.fill(rect, radius: 12_000, .gradient(.white, .white, angle: 33))] },
    { rect, _ in [.border(rect, radius: 12_000, width: 9_000, .white)] },
    { rect, picture in [.picture(picture, source: Rect(0, 0, 2, 2), rect, radius: 12_000, opacity: 255)] },
    { rect, _ in [.clip(rect, radius: 12_000), .fill(rect, radius: 0, .solid(.white)), .endClip] },
  ]

  /// The corners' arcs go through the screen's middle, at a slant of 45 degrees.
  @Test("corners wider than the longest row are where they should be", arguments: roundShapes.indices)
  func hugeCorners(shape: Int) throws {
    let side: Int32 = 90_000
    // So far the middle of a corner's arc is from its rectangle's corner, to the side and down: 12,000 * (1 - 1 / √2).
    let arc: Int32 = 3_515
    for (x, y) in [(false, false), (true, false), (false, true), (true, true)] {
      let screen = try Screen(200, 200)
      let picture = try #require(
        [UInt32](repeating: .max, count: 4).withUnsafeBufferPointer { screen.painter.keep($0, Size(2, 2)) })
      let rect = Rect(x ? 100 + arc - side : 100 - arc, y ? 100 + arc - side : 100 - arc, side, side)
      for command in Self.roundShapes[shape](rect, picture) { screen.list.add(command) }
      screen.paint()
      #expect(screen[x ? 80 : 119, y ? 80 : 119] == 0xFFFFFF)
      #expect(screen[x ? 119 : 80, y ? 119 : 80] == 0)
      #expect(screen[x ? 80 : 119, y ? 119 : 80] & 255 > 0 || screen[x ? 82 : 117, y ? 119 : 80] & 255 > 0)
    }
  }

  @Test("what has a shadow may have corners wider than the longest row, or no size at all")
  func hugeShadows() throws {
    let screen = try Screen(200, 200)
    screen.list.add(.shadow(Rect(100 - 3_515, 100 - 3_515, 90_000, 90_000), radius: 12_000, blur: 96, down: 0, .white))
    screen.list.add(.shadow(Rect(150, 150, -1, -20), radius: 4, blur: 96, down: 5, .white))
    screen.paint()
    #expect(screen[119, 119] == 0)
    #expect(screen[80, 80] != 0)
  }

  @Test(
    "whatever the numbers of a command are, it is drawn as far as it is seen",
    arguments: [Int16.min, -1, 0, 1, 8192, 12_000, .max])
  func anyNumbers(short: Int16) throws {
    let numbers: [Int32] = [.min, -90_000, -8192, -1, 0, 1, 100, 8191, 90_000, .max]
    let screen = try Screen(90, 30)
    let picture = try #require(
      [UInt32](repeating: .max, count: 4).withUnsafeBufferPointer { screen.painter.keep($0, Size(2, 2)) })
    for a in numbers {
      for b in numbers {
        screen.list.removeAll()
        for rect in [Rect(a, b, b, a), Rect(a, a, b, b), Rect(-4000, a, 90_000, b)] {
          for other: Int16 in [.min, 3, 96, .max] {
            screen.list.add(.clip(rect.inset(by: -5000), radius: short))
            screen.list.add(.shadow(rect, radius: short, blur: other, down: short, .white))
            screen.list.add(.fill(rect, radius: short, .gradient(.black, .white, angle: other)))
            screen.list.add(.border(rect, radius: short, width: other, .white))
            screen.list.add(.arc(rect, start: short, sweep: other, width: short, .white))
            screen.list.add(.line(Point(rect.x, rect.y), Point(rect.width, rect.height), width: other, .white))
            screen.list.add(.picture(picture, source: rect, rect, radius: short, opacity: 200))
            screen.list.add(.icon(.add, rect, .white))
            screen.list.add(.text(screen.text("a"), Font(size: short), start: Point(a, b), advance: a, .white))
            screen.list.add(.endClip)
          }
        }
        screen.paint()
      }
    }
    screen.list.removeAll()
    screen.list.add(.fill(screen.all, radius: 0, .solid(Color(0x123456))))
    screen.paint()
    #expect(screen[63, 17] == 0x123456)
  }

  @Test("an icon larger than the mask is drawn in the middle")
  func largeIcon() throws {
    let side = Int32(Budget.iconPixels)
    let screen = try Screen(side + 40, side + 40)
    screen.list.add(.icon(.menu, screen.all, .white))
    screen.paint()
    #expect(screen.painted.width > side / 2)
    #expect(Rect(20, 20, side, side).contains(screen.painted))
  }

  @Test("painting some damage gives the same pixels as painting all, and no others", arguments: 0..<60)
  func damageIsKept(seed: Int) throws {
    var dice = PaintDice(UInt64(seed))
    let (whole, part) = (try Screen(), try Screen())
    var picture = [UInt32](repeating: 0, count: 63)
    for index in picture.indices { picture[index] = Blend.premultiplied(dice.color().argb) }
    let handle = picture.withUnsafeBufferPointer { whole.painter.keep($0, Size(9, 7)) }
    #expect(picture.withUnsafeBufferPointer { part.painter.keep($0, Size(9, 7)) } == handle)
    for _ in 0..<dice.roll(1...30) {
      let command = dice.command(whole.list, try #require(handle))
      whole.list.add(command)
      if dice.roll(0...9) == 0 { whole.list.add(.endClip) }
    }
    whole.paint()
    part.buffer.pixels.update(repeating: 0xFF12_3456)
    let damage = dice.rect()
    part.painter.paint(whole.list, Damage(damage), into: part.buffer)
    for y in 0..<part.buffer.size.height {
      for x in 0..<part.buffer.size.width {
        let expected = damage.contains(Point(x, y)) ? whole[x, y] : 0x123456
        try #require(part[x, y] == expected, "\(x), \(y)")
      }
    }
  }
}
