import Canvas
import Runtime

@testable import Board

/// Any list of what is drawn, with places and sizes of any kind: whatever the painter writes is within its buffers, all of which lie
/// between pages or zones that nothing may touch, and everything is painted in bounded time. The input is the dice of a list.
func checkPainter(_ bytes: [UInt8]) {
  let dice = Dice(bytes)
  let size = Size(Int32(1 + dice.below(dice.chance(1, in: 6) ? 700 : 90)), Int32(1 + dice.below(60)))
  guard let pixels = try? PixelBuffer(size) else { return }
  let list = PaintStage.list
  list.removeAll()
  let handle = PaintStage.picture
  while !dice.isSpent, list.count < 40 { list.add(command(dice, handle, list)) }
  var damage = Damage()
  damage.add(Rect(0, 0, size.width, size.height))
  if dice.chance(1, in: 3) { damage = Damage(Rect(size.width / 3, size.height / 3, max(size.width / 2, 1), max(size.height / 2, 1))) }
  PaintStage.painter.paint(list, damage, into: pixels)
}

private enum PaintStage {
  nonisolated(unsafe) static let list = DisplayList()
  nonisolated(unsafe) static let painter = SoftwarePainter(glyphs: try! FontShelf())
  static let picture: PictureHandle = {
    let pixels = (0..<(13 * 7)).map { UInt32(truncatingIfNeeded: $0 &* 0x1234_5678) | 0xFF00_0000 }
    return pixels.withUnsafeBufferPointer { painter.keep($0, Size(13, 7)) } ?? PictureHandle(0)
  }()
}

private func side(_ dice: Dice) -> Int32 {
  switch dice.below(8) {
  case 0: dice.pick([.min, .max, .min / 2, .max / 2, -32_768, 32_767, 65_536, -8192, 8192, 4096, -4000, 90_000, 12_000])
  case 1: Int32(dice.below(200_000) - 100_000)
  case 2: Int32(dice.below(9000) - 4500)
  default: Int32(dice.below(200) - 60)
  }
}

private func short(_ dice: Dice) -> Int16 { dice.chance(1, in: 6) ? Int16(truncatingIfNeeded: side(dice)) : Int16(dice.below(90)) }

private func rect(_ dice: Dice) -> Rect {
  Rect(side(dice), side(dice), side(dice), side(dice))
}

private func color(_ dice: Dice) -> Color { Color(argb: UInt32(truncatingIfNeeded: dice.below(65_536) &* 0x1_0001)) }

private func command(_ dice: Dice, _ picture: PictureHandle, _ list: DisplayList) -> DrawCommand {
  switch dice.below(13) {
  case 0, 1:
    let fill: Fill = dice.chance(1, in: 3) ? .gradient(color(dice), color(dice), angle: short(dice)) : .solid(color(dice))
    return .fill(rect(dice), radius: short(dice), fill)
  case 2, 3: return .border(rect(dice), radius: short(dice), width: short(dice), color(dice))
  case 4: return .shadow(rect(dice), radius: short(dice), blur: short(dice), down: short(dice), color(dice))
  case 5: return .line(Point(side(dice), side(dice)), Point(side(dice), side(dice)), width: short(dice), color(dice))
  case 6: return .arc(rect(dice), start: short(dice), sweep: short(dice), width: short(dice), color(dice))
  case 7, 8: return .picture(picture, source: rect(dice), rect(dice), radius: short(dice), opacity: dice.byte())
  case 9: return .icon(Icon.allCases[dice.below(Icon.allCases.count)], rect(dice), color(dice))
  case 10: return .clip(rect(dice), radius: short(dice))
  case 11: return .endClip
  default:
    let text = list.add(Array("Text x".utf8).span)
    return .text(text, Font(size: Int16(dice.below(90) + 1)), start: Point(side(dice), side(dice)), advance: side(dice), color(dice))
  }
}
