// Numbers that follow from few bytes, half of which are extreme.
extension Dice {
  /// Those that generators of JSON write, what is beyond floating point as infinity; and limits of the painters, half
  /// circles and no number.
  private static let extremes: [Double] =
    Maker.numbers.compactMap { Double($0) } + [
      .nan, -.infinity, -0.5, -1e10, 0x1p63, -0x1p63, 1e100, 1e154, -1e155, 8191, 8193, 16_384, 16_777_216, 100_000,
      -100_000, 360, -360,
    ]
  private static let ends = Maker.ends.map { $0.compactMap { Double($0) } }

  /// Any number. Every fourth is at the ends of one type, the same for all of these dice.
  func number() -> Double {
    switch below(4) {
    case 0: return pick(Self.extremes)
    case 1:
      let kind = self.kind ?? below(Self.ends.count)
      self.kind = kind
      return pick(Self.ends[kind])
    default: return Double(below(256) - 128)
    }
  }

  /// The same as JSON writes it: what is no number there is one that is too large to be read.
  func json() -> String {
    let number = self.number()
    return number.isFinite ? "\(number)" : "1e999"
  }

  func int32() -> Int32 { Int32(clamping: number()) }
  func int16() -> Int16 { Int16(clamping: int32()) }
}
