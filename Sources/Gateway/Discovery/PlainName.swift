import Codec
import Runtime

/// A name from the network, cleaned for display: no control characters, nothing that changes the direction of text, no
/// invisible characters, runs of white space as one space, at most `Budget.gatewayNameBytes`. A byte that is not UTF-8
/// becomes "?".
public typealias PlainName = InlineText<64>

extension InlineText where capacity == 64 {
  /// Cleans `text`.
  public init(cleaning text: Span<UInt8>) {
    var clean = InlineArray<64, UInt8>(repeating: 0)
    var count = 0
    var owesSpace = false
    var index = 0
    while index < text.count {
      let length = text.utf8Length(at: index)
      let character = text.extracting(index..<index + max(length, 1))
      index += max(length, 1)
      if character.isWhiteSpace {
        owesSpace = count > 0
        continue
      }
      if length > 0, character.isUnprintable { continue }
      guard count + (owesSpace ? 1 : 0) + character.count <= 64 else { break }
      if owesSpace {
        clean[count] = UInt8(ascii: " ")
        count += 1
        owesSpace = false
      }
      for place in 0..<character.count {
        clean[count] = length == 0 ? UInt8(ascii: "?") : character[place]
        count += 1
      }
    }
    self.init()
    set(clean.span.extracting(..<count))
  }

  /// The same with ASCII letters in lower case, in which DNS compares them.
  var lowercased: InlineText<64> {
    var lower = InlineArray<64, UInt8>(repeating: 0)
    for index in 0..<count {
      let byte = span[index]
      lower[index] = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
    var result = InlineText<64>()
    result.set(lower.span.extracting(..<count))
    return result
  }
}

extension Span where Element == UInt8 {
  /// Bytes of the character at `index`, 0 when there is none.
  fileprivate func utf8Length(at index: Int) -> Int {
    var validator = UTF8Validator()
    for end in index..<Swift.min(index + 4, count) {
      guard validator.accept(extracting(end...end)) else { return 0 }
      if validator.isComplete { return end + 1 - index }
    }
    return 0
  }

  /// Space, tab, line ends, no-break space, line and paragraph separators.
  fileprivate var isWhiteSpace: Bool {
    switch count {
    case 1: self[0] == 0x20 || (0x09...0x0D).contains(self[0])
    case 2: self[0] == 0xC2 && (self[1] == 0xA0 || self[1] == 0x85)
    case 3: self[0] == 0xE2 && self[1] == 0x80 && (self[2] == 0xA8 || self[2] == 0xA9)
    default: false
    }
  }

  /// C0, DEL, C1, U+200B to U+200F, U+202A to U+202E, U+2060 to U+206F, U+FEFF, and the tags of plane 14.
  fileprivate var isUnprintable: Bool {
    switch count {
    case 1: self[0] < 0x20 || self[0] == 0x7F
    case 2: self[0] == 0xC2 && self[1] < 0xA0
    case 3 where self[0] == 0xE2 && self[1] == 0x80:
      (0x8B...0x8F).contains(self[2]) || (0xAA...0xAE).contains(self[2])
    case 3 where self[0] == 0xE2 && self[1] == 0x81: (0xA0...0xAF).contains(self[2])
    case 3: self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
    default: self[0] == 0xF3 && self[1] == 0xA0
    }
  }
}
