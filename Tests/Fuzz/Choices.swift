/// What a target does, chosen by bytes: a byte names the next thing, or the next number. Programs made this way are all well-formed, and reach in
/// a second where mutated text arrives in an hour. When the bytes are used up every choice is the first.
struct Choices {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place >= bytes.count }

  mutating func byte() -> UInt8 {
    guard !isAtEnd else { return 0 }
    defer { place += 1 }
    return bytes[place]
  }

  /// One of `count` things.
  mutating func pick(_ count: Int) -> Int { Int(byte()) % count }

  mutating func pick<T>(_ list: [T]) -> T { list[pick(list.count)] }

  /// The ends of the integer types and of floating point, what lies beyond both, limits of the painters, and small numbers.
  static let extremes: [Double] = [
    0, 1, -1, 0.5, -0.5, 1e10, -1e10, 1e38, -1e38, 3.5e38, 1e100, 1e154, -1e155, 1e308, -1e308, .nan, .infinity, -.infinity, 1e-10, 1e-38, 1e-308,
    32_767, 32_768, -32_768, -32_769, 65_536, 2_147_483_647, 2_147_483_648, -2_147_483_648, -2_147_483_649, 4_294_967_296, 0x1p63,
    -0x1p63, 0x1p64, 0x1p53, 8191, 8192, 8193, 12_000, -4000, 90_000, 100_000, -100_000, 16_384, 16_777_216, -16_777_216, 255, 256, 360, -360,
  ]

  /// Any number: half of them are extreme.
  mutating func number() -> Double {
    let byte = self.byte()
    return byte < 128 ? Self.extremes[Int(byte) % Self.extremes.count] : Double(Int8(truncatingIfNeeded: Int(byte) - 192))
  }

  /// The same as JSON writes it: what is no number there is one that is too large to be read.
  mutating func json() -> String {
    let number = self.number()
    return number.isFinite ? "\(number)" : "1e999"
  }

  mutating func int32() -> Int32 {
    let number = self.number()
    return number > -0x1p31 && number < 0x1p31 ? Int32(number) : number < 0 ? .min : .max
  }

  mutating func int16() -> Int16 { Int16(clamping: int32()) }
}
