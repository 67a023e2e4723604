/// Where a generator gets its choices from: a seed, or the bytes that libFuzzer makes up. Each byte names the next
/// thing, so that what is made is well-formed, and reaches in a second where mutated text arrives in an hour.
final class Dice {
  private var state: UInt64
  private let bytes: [UInt8]?
  private var place = 0
  /// Which type's ends its numbers are at (`number`); nil until one was.
  var kind: Int?

  /// The choices of a seed: SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
  init(seed: UInt64) {
    state = seed
    bytes = nil
  }

  /// The choices that stand in these bytes; after their end, the first of each.
  init(_ bytes: [UInt8]) {
    state = 0
    self.bytes = bytes
  }

  /// True when the bytes have been read.
  var isSpent: Bool { bytes.map { place >= $0.count } ?? false }

  /// A seed of its own for the `index`th message of a campaign, so that leaving out others does not change it.
  static func seed(_ campaign: UInt64, _ index: Int) -> UInt64 {
    let dice = Dice(seed: campaign &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(index) &* 0xD1B5_4A32_D192_ED03)
    return dice.next()
  }

  func next() -> UInt64 {
    if let bytes {
      var value: UInt64 = 0
      for _ in 0..<8 { value = value << 8 | UInt64(byte(bytes)) }
      return value
    }
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  private func byte(_ bytes: [UInt8]) -> UInt8 {
    guard place < bytes.count else { return 0 }
    defer { place += 1 }
    return bytes[place]
  }

  /// 0 ..< `bound`.
  func below(_ bound: Int) -> Int {
    guard let bytes else { return Int(next() >> 33) % bound }
    var value = Int(byte(bytes))
    if bound > 256 { value = value << 8 | Int(byte(bytes)) }
    if bound > 65_536 { value = value << 16 | Int(byte(bytes)) << 8 | Int(byte(bytes)) }
    return value % bound
  }

  /// True `count` times of `all`. Spent bytes say no.
  func chance(_ count: Int, in all: Int) -> Bool { below(all) >= all - count }

  func pick<T>(_ list: [T]) -> T { list[below(list.count)] }

  func byte() -> UInt8 { UInt8(below(256)) }
}
