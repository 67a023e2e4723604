import Graphics
import Runtime

/// Where a conversation by voice stands.
public enum OrbState: UInt8, Sendable {
  /// Nobody talks: nothing is shown.
  case none
  case listening, understanding, speaking
}

/// A small orb below the lights of camera and microphone, in front of every page: a conversation by voice at a glance.
/// While it listens it is as large as the person is loud; while it understands, a dot goes around; while it speaks it
/// swells and sinks. Without a conversation nothing is drawn, and no time is waited for.
extension OverlayView {
  private static let orbColor = Color(0x14B8A6)
  private static let thinkingColor = Color(0xA78BFA)
  private static let speakingColor = Color(0x3B82F6)
  /// Places of the dot that goes around.
  private static let steps = 8

  /// Its frame: all that changes with it.
  var orbFrame: Rect {
    let side = theme.px(26)
    return Rect(size.width - theme.px(6) - side, theme.px(32), side, side)
  }

  /// How long its present look lasts, in milliseconds; nil: until something else happens.
  func orbPeriod(_ state: OrbState) -> Int64? {
    switch state {
    case .none, .listening: nil
    case .understanding: Budget.orbStepMilliseconds
    case .speaking: 2 * Budget.orbStepMilliseconds
    }
  }

  func drawOrb(into list: DisplayList) {
    let frame = orbFrame
    switch facts.orb {
    case .none: return
    case .listening:
      ring(frame, Self.orbColor, into: list)
      disc(frame, 4 + Int32(min(facts.orbLevel, 4)), Self.orbColor, into: list)
    case .understanding:
      ring(frame, Self.thinkingColor, into: list)
      drawDot(frame, into: list)
    case .speaking:
      ring(frame, Self.speakingColor, into: list)
      disc(frame, orbStep % 2 == 0 ? 8 : 6, Self.speakingColor, into: list)
    }
  }

  private func ring(_ frame: Rect, _ color: Color, into list: DisplayList) {
    let radius = Int16(frame.width / 2)
    list.add(.fill(frame, radius: radius, .solid(theme.modal)))
    list.add(.border(frame, radius: radius, width: Int16(max(theme.px(2), 1)), color))
  }

  /// A disc in the middle, so many tenths as wide as the frame.
  private func disc(_ frame: Rect, _ tenths: Int32, _ color: Color, into list: DisplayList) {
    let side = max(frame.width * tenths / 10, 2)
    let rect = Rect(frame.x + (frame.width - side) / 2, frame.y + (frame.height - side) / 2, side, side)
    list.add(.fill(rect, radius: Int16(side / 2), .solid(color)))
  }

  /// The dot at its place on the circle; sines of multiples of 45 degrees, in hundredths.
  private func drawDot(_ frame: Rect, into list: DisplayList) {
    let sines: InlineArray<8, Int32> = [0, 71, 100, 71, 0, -71, -100, -71]
    let reach = frame.width * 26 / 100
    let side = max(frame.width / 4, 2)
    let x = frame.x + frame.width / 2 + reach * sines[orbStep % Self.steps] / 100
    let y = frame.y + frame.height / 2 - reach * sines[(orbStep + 2) % Self.steps] / 100
    list.add(
      .fill(Rect(x - side / 2, y - side / 2, side, side), radius: Int16(side / 2), .solid(Self.thinkingColor)))
  }
}
