/// How a light goes on and off, distinguishable by eye and countable.
public enum Rhythm: Equatable, Sendable {
  case dark
  case steady
  /// Lit and dark for the same time in milliseconds.
  case even(Int64)
  /// Lit, with a short gap at the start and then once a second, so that even a brief signal is visible.
  case wink
  /// Lit, with this many short gaps, then lit for a while.
  case dips(Int)
  /// This many short flashes, then a pause: a code to look up.
  case blinks(Int)
  /// This many long flashes, then a pause.
  case longs(Int)
  /// One long flash, this many short ones, then a pause.
  case longAndBlinks(Int)

  // Milliseconds. Six flashes at two a second are easy to count; the pause is six times the gap, so that the two are
  // not confused.
  static let short: Int64 = 250
  static let long: Int64 = 900
  static let gap: Int64 = 250
  static let pause: Int64 = 1_500
  static let winkLit: Int64 = 900
  static let winkDark: Int64 = 100

  /// The steps in a color.
  func pattern(_ color: LightColor) -> LightPattern {
    switch self {
    case .dark: LightPattern([.init(.dark, 0)])
    case .steady: LightPattern([.init(color, 0)])
    case .even(let time): LightPattern([.init(color, time), .init(.dark, time)])
    case .wink: LightPattern([.init(.dark, Self.winkDark), .init(color, Self.winkLit)])
    case .dips(let count): Self.gaps(color, count)
    case .blinks(let count): Self.flashes(color, long: 0, short: count)
    case .longs(let count): Self.flashes(color, long: count, short: 0)
    case .longAndBlinks(let count): Self.flashes(color, long: 1, short: count)
    }
  }

  private static func gaps(_ color: LightColor, _ count: Int) -> LightPattern {
    var steps: [LightPattern.Step] = []
    for index in 0..<count {
      steps.append(.init(.dark, gap))
      steps.append(.init(color, index == count - 1 ? pause : gap))
    }
    return LightPattern(steps)
  }

  private static func flashes(_ color: LightColor, long: Int, short: Int) -> LightPattern {
    var steps: [LightPattern.Step] = []
    for index in 0..<long + short {
      steps.append(.init(color, index < long ? Self.long : Self.short))
      steps.append(.init(.dark, index == long + short - 1 ? pause : gap))
    }
    return LightPattern(steps)
  }
}
