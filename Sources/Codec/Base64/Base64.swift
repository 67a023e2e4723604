/// Base64 in both alphabets (RFC 4648 sections 4 and 5). The standard one is written with padding, the one
/// for URLs without.
public enum Base64: UInt8, Sendable {
  /// `+` and `/`, padded with `=`.
  case standard
  /// `-` and `_`, without padding.
  case url

  /// Characters of the encoding of `count` bytes.
  public func encodedLength(of count: Int) -> Int {
    let rest = count % 3
    let tail = rest == 0 ? 0 : self == .standard ? 4 : rest + 1
    return count / 3 * 4 + tail
  }

  /// Writes a whole blob.
  /// - Returns: how many characters that makes; less room in `output` than that is a programmer's error.
  @discardableResult
  public func encode(_ blob: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let length = encodedLength(of: blob.count)
    return encode(blob, from: 0, into: UnsafeMutableBufferPointer(rebasing: output[..<length]))
  }

  /// Writes the characters of a blob's text from `offset` on, as many as fit, so that a long text can be sent
  /// in chunks and never exists as a whole. Fastest where `offset` is a multiple of 4.
  /// - Returns: how many were written; 0 at the end of the text.
  public func encode(
    _ blob: Span<UInt8>, from offset: Int, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    let length = min(output.count, encodedLength(of: blob.count) - offset)
    var written = 0
    while written < length {
      let place = (offset + written) % 4
      let group = (offset + written) / 4
      if place == 0, length - written >= 4, group < blob.count / 3 {
        written += wholeGroups(
          blob, from: group, into: UnsafeMutableBufferPointer(rebasing: output[written..<length]))
      } else {
        output[written] = character(blob, group: group, place: place)
        written += 1
      }
    }
    return max(length, 0)
  }

  /// The 64 characters in the order of their values.
  var alphabet: StaticString {
    switch self {
    case .standard: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    case .url: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    }
  }

  /// What a character stands for, 0 to 63, or nil when it is not in the alphabet.
  func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case alphabet.utf8Start[62]: 62
    case alphabet.utf8Start[63]: 63
    default: nil
    }
  }

  /// Writes groups of three bytes that are all there, as four characters each.
  private func wholeGroups(
    _ blob: Span<UInt8>, from group: Int, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    let letters = alphabet.utf8Start
    let groups = min(blob.count / 3 - group, output.count / 4)
    for index in 0..<groups {
      let source = 3 * (group + index)
      let bits = UInt32(blob[source]) << 16 | UInt32(blob[source + 1]) << 8 | UInt32(blob[source + 2])
      output[4 * index] = letters[Int(bits >> 18)]
      output[4 * index + 1] = letters[Int(bits >> 12 & 63)]
      output[4 * index + 2] = letters[Int(bits >> 6 & 63)]
      output[4 * index + 3] = letters[Int(bits & 63)]
    }
    return 4 * groups
  }

  /// One character of a group that need not be whole: bits of the bytes that are there, then padding.
  private func character(_ blob: Span<UInt8>, group: Int, place: Int) -> UInt8 {
    let start = 3 * group
    guard place <= min(blob.count - start, 3) else { return UInt8(ascii: "=") }
    var bits: UInt32 = 0
    for index in start..<start + 3 { bits = bits << 8 | (index < blob.count ? UInt32(blob[index]) : 0) }
    return alphabet.utf8Start[Int(bits >> UInt32(18 - 6 * place) & 63)]
  }
}
