/// Why a text is not base64, and where.
public struct Base64Error: Error, Equatable, Sendable {
  /// What was wrong.
  public enum Kind: UInt8, Sendable {
    /// A character outside the alphabet; line breaks are such characters (RFC 4648 section 3.1).
    case invalidCharacter
    /// Padding that is missing, forbidden, too short, too long, or followed by something.
    case invalidPadding
    /// Bits after the last byte that are not zero (section 3.5).
    case trailingBits
    /// A group of a single character, which is less than a byte.
    case unexpectedEnd
    /// More bytes than the buffer has room for.
    case noRoom
  }

  /// What was wrong.
  public let kind: Kind
  /// The offset of the wrong character.
  public let offset: UInt64
}

/// Decodes base64 that arrives in pieces, and only what an encoder would have written (RFC 4648).
public struct Base64Decoder {
  /// Whether `=` at the end is required, forbidden or optional.
  public enum Padding: UInt8, Sendable {
    /// Must make the last group four characters long.
    case required
    /// Must not be there.
    case forbidden
    /// May be there, but then complete.
    case optional
  }

  private let alphabet: Base64
  private let padding: Padding
  /// The bits of the group that is being read, its characters, and how many of these were padding.
  private var bits: UInt32 = 0
  private var place = 0
  private var pads = 0
  private var consumed: UInt64 = 0
  private var isOver = false

  /// A decoder at the start of a text.
  public init(_ alphabet: Base64, padding: Padding) {
    self.alphabet = alphabet
    self.padding = padding
  }

  /// The most bytes that a text of `count` characters can make.
  public static func decodedLengthMax(of count: Int) -> Int {
    (count + 3) / 4 * 3
  }

  /// Decodes the next characters. After an error the decoder must not be used again.
  /// - Returns: how many bytes were written to `output`.
  public mutating func decode(
    _ input: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
  ) throws(Base64Error) -> Int {
    var written = 0
    for index in 0..<input.count {
      try character(input[index])
      consumed &+= 1
      if place == 4 { written += try group(into: output, at: written) }
    }
    return written
  }

  /// Ends the text, and decodes a last group without padding.
  /// - Returns: how many bytes were written to `output`, at most 2.
  public mutating func finish(into output: UnsafeMutableBufferPointer<UInt8>) throws(Base64Error) -> Int {
    guard place > 0 else { return 0 }
    guard place > 1 else { throw error(.unexpectedEnd) }
    guard pads == 0, padding != .required else { throw error(.invalidPadding) }
    pads = 4 - place
    bits <<= UInt32(6 * pads)
    return try group(into: output, at: 0)
  }

  /// Decodes a whole text.
  /// - Returns: how many bytes were written to `output`.
  public static func decode(
    _ text: Span<UInt8>, _ alphabet: Base64, padding: Padding, into output: UnsafeMutableBufferPointer<UInt8>
  ) throws(Base64Error) -> Int {
    var decoder = Base64Decoder(alphabet, padding: padding)
    let count = try decoder.decode(text, into: output)
    return count + (try decoder.finish(into: UnsafeMutableBufferPointer(rebasing: output[count...])))
  }

  private mutating func character(_ character: UInt8) throws(Base64Error) {
    if character == UInt8(ascii: "=") {
      guard padding != .forbidden, place >= 2, !isOver else { throw error(.invalidPadding) }
      bits <<= 6
      pads += 1
    } else {
      guard let value = alphabet.value(of: character) else { throw error(.invalidCharacter) }
      guard pads == 0, !isOver else { throw error(.invalidPadding) }
      bits = bits << 6 | UInt32(value)
    }
    place += 1
  }

  /// Writes the one to three bytes of a group of four characters.
  private mutating func group(
    into output: UnsafeMutableBufferPointer<UInt8>, at start: Int
  ) throws(Base64Error) -> Int {
    let count = 3 - pads
    guard bits & ((1 << UInt32(8 * pads)) - 1) == 0 else { throw error(.trailingBits) }
    guard start + count <= output.count else { throw error(.noRoom) }
    for index in 0..<count {
      output[start + index] = UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * index))
    }
    isOver = pads > 0
    (bits, place, pads) = (0, 0, 0)
    return count
  }

  private func error(_ kind: Base64Error.Kind) -> Base64Error {
    Base64Error(kind: kind, offset: consumed)
  }
}
