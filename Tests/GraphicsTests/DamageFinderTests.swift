import Runtime
import Testing

@testable import Graphics
@testable import GraphicsSupport

@Suite("Damage between two frames")
struct DamageFinderTests {
  private let finder = DamageFinder()
  private let size = Size(320, 240)

  private func row(_ index: Int32, _ color: UInt32 = 1) -> DrawCommand {
    .fill(Rect(0, index * 10, 100, 8), radius: 0, .solid(Color(color)))
  }

  private func list(_ commands: [DrawCommand]) -> DisplayList {
    let list = DisplayList()
    for command in commands { list.add(command) }
    return list
  }

  @Test("two frames that are the same have none")
  func same() {
    let frame = (0..<20).map { row($0) }
    #expect(finder.damage(from: list(frame), to: list(frame), size).isEmpty)
  }

  @Test("a caret that blinks damages its own rectangle")
  func caret() {
    let frame = (0..<20).map { row($0) }
    let caret = DrawCommand.fill(Rect(50, 52, 2, 6), radius: 0, .solid(.white))
    var with = frame
    with.insert(caret, at: 7)
    let shown = finder.damage(from: list(frame), to: list(with), size)
    #expect(shown.count == 1)
    #expect(shown.bounds == Rect(50, 52, 2, 6))
    #expect(finder.damage(from: list(with), to: list(frame), size).bounds == Rect(50, 52, 2, 6))
  }

  @Test("something that changed damages where it was and where it is")
  func moved() {
    var (old, new) = ((0..<20).map { row($0) }, (0..<20).map { row($0) })
    old[5] = .fill(Rect(200, 0, 10, 10), radius: 0, .solid(.white))
    new[5] = .fill(Rect(200, 200, 10, 10), radius: 0, .solid(.white))
    let damage = finder.damage(from: list(old), to: list(new), size)
    #expect(damage.count == 2)
    #expect(damage.bounds == Rect(200, 0, 10, 210))
  }

  @Test("a text of other letters is another text, the same letters elsewhere in the list are not")
  func texts() {
    let (old, new, other) = (DisplayList(), DisplayList(), DisplayList())
    func text(_ list: DisplayList, _ string: String) -> DrawCommand {
      .text(list.add(string.utf8.span), Font(size: 10), start: Point(10, 50), advance: 30, .white)
    }
    old.add(text(old, "same"))
    _ = new.add("filler".utf8.span)
    new.add(text(new, "same"))
    other.add(text(other, "else"))
    #expect(finder.damage(from: old, to: new, size).isEmpty)
    let bounds = finder.damage(from: old, to: other, size).bounds
    #expect(bounds.contains(Rect(10, 40, 30, 13)))
    #expect(bounds.height < 25)
  }

  @Test("a clip limits the damage of what is in it, and one that changes damages all that is in it")
  func clips() {
    let inside = DrawCommand.fill(Rect(0, 0, 320, 240), radius: 0, .solid(.white))
    func frame(_ clip: Rect, _ color: UInt32) -> DisplayList {
      list([.clip(clip, radius: 4), inside, row(2, color), .endClip, row(20)])
    }
    let clip = Rect(10, 10, 50, 50)
    #expect(finder.damage(from: frame(clip, 1), to: frame(clip, 2), size).bounds == Rect(10, 20, 50, 8))
    let moved = Rect(20, 10, 50, 50)
    #expect(finder.damage(from: frame(clip, 1), to: frame(moved, 1), size).bounds == clip.union(moved))
  }

  @Test("commands that swap their order are painted again")
  func order() {
    let (below, above) = (row(1, 1), DrawCommand.fill(Rect(0, 10, 100, 8), radius: 0, .solid(.white)))
    let damage = finder.damage(from: list([below, above]), to: list([above, below]), size)
    #expect(damage.bounds == Rect(0, 10, 100, 8))
  }

  @Test("two frames without anything in common end within the comparisons that are allowed")
  func isBounded() {
    let count = Int32(Budget.drawCommands)
    let (old, new) = (DisplayList(), DisplayList())
    for index in 0..<count {
      old.add(.fill(Rect(0, 0, 10, 10), radius: 0, .solid(Color(argb: UInt32(index)))))
      new.add(.fill(Rect(30, 0, 10, 10), radius: 0, .solid(Color(argb: UInt32(index)))))
    }
    let damage = finder.damage(from: old, to: new, size)
    #expect(damage.bounds == Rect(0, 0, 40, 10))
    #expect(finder.comparisons <= Budget.damageComparisons + Budget.damageReach)
  }

  @Test("painting the damage over the old frame gives the new frame", arguments: 0..<80)
  func isEnough(seed: Int) throws {
    var dice = PaintDice(UInt64(seed) + 1_000)
    let (old, new) = (try Screen(), try Screen())
    let picture = PictureHandle(0)
    for _ in 0..<dice.roll(0...25) {
      // Mostly in both, sometimes in one of them, or changed.
      let seed = UInt64(dice.roll(0...1_000_000))
      let fate = dice.roll(0...9)
      for screen in [old, new] {
        var own = PaintDice(seed)
        if fate == 0, screen.list === old.list { continue }
        if fate == 1, screen.list === new.list { continue }
        if fate == 2, screen.list === new.list { own = PaintDice(seed + 1) }
        screen.list.add(own.command(screen.list, picture))
      }
      if dice.roll(0...7) == 0 {
        old.list.add(.endClip)
        new.list.add(.endClip)
      }
    }
    old.paint()
    new.paint()
    let damage = finder.damage(from: old.list, to: new.list, old.buffer.size)
    old.painter.paint(new.list, damage, into: old.buffer)
    for y in 0..<old.buffer.size.height {
      for x in 0..<old.buffer.size.width { try #require(old[x, y] == new[x, y], "\(x), \(y)") }
    }
  }
}
