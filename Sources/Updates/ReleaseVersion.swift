import Codec

/// The order of versions, as Debian's packages have it (deb-version(7)): digits are compared as numbers, and `~` sorts
/// before everything, even before the end. `0.4.0+20261126` comes after `0.4.0`, and `0.4.0~rc1` before it.
public enum ReleaseVersion {
  /// Below zero when `left` is older than `right`, above zero when it is newer, zero when they are the same.
  public static func compare(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
    var (one, other) = (0, 0)
    while one < left.count || other < right.count {
      // What is not a digit, character by character.
      while (one < left.count && !left[one].isDigit) || (other < right.count && !right[other].isDigit) {
        let (first, second) = (weight(left, one), weight(right, other))
        if first != second { return first - second }
        if one < left.count { one += 1 }
        if other < right.count { other += 1 }
      }
      while one < left.count, left[one] == UInt8(ascii: "0") { one += 1 }
      while other < right.count, right[other] == UInt8(ascii: "0") { other += 1 }
      var difference = 0
      while one < left.count, left[one].isDigit, other < right.count, right[other].isDigit {
        if difference == 0 { difference = Int(left[one]) - Int(right[other]) }
        one += 1
        other += 1
      }
      // The longer number is the larger one.
      if one < left.count, left[one].isDigit { return 1 }
      if other < right.count, right[other].isDigit { return -1 }
      if difference != 0 { return difference }
    }
    return 0
  }

  /// Letters sort before other characters, the end before both, and `~` before the end.
  private static func weight(_ text: Span<UInt8>, _ index: Int) -> Int {
    guard index < text.count, !text[index].isDigit else { return 0 }
    let byte = text[index]
    if byte == UInt8(ascii: "~") { return -1 }
    let isLetter = (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
    return isLetter ? Int(byte) : Int(byte) + 256
  }
}
