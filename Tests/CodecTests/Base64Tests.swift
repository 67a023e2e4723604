import Testing

@testable import Codec

private func decoded(
  _ text: [UInt8], _ alphabet: Base64 = .standard, _ padding: Base64Decoder.Padding = .required
) throws(Base64Error) -> [UInt8] {
  let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(
    capacity: Base64Decoder.decodedLengthMax(of: text.count))
  defer { buffer.deallocate() }
  let count = try Base64Decoder.decode(text.span, alphabet, padding: padding, into: buffer)
  return Array(buffer[..<count])
}

private func kind(
  _ text: String, _ alphabet: Base64 = .standard, _ padding: Base64Decoder.Padding = .required
) -> Base64Error.Kind? {
  do {
    _ = try decoded(text.bytes, alphabet, padding)
    return nil
  } catch {
    return error.kind
  }
}

@Suite("RFC 4648: base64 and hexadecimal")
struct Base64Tests {
  /// RFC 4648 section 10.
  static let vectors = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ]

  @Test("makes and reads the vectors of section 10, padded and not", arguments: vectors)
  func section10(_ plain: String, _ encoded: String) throws {
    let bare = encoded.filter { $0 != "=" }
    #expect(written { Base64.standard.encode(plain.bytes.span, into: $0) } == encoded)
    #expect(written { Base64.url.encode(plain.bytes.span, into: $0) } == bare)
    #expect(Base64.standard.encodedLength(of: plain.utf8.count) == encoded.utf8.count)
    #expect(Base64.url.encodedLength(of: plain.utf8.count) == bare.utf8.count)
    #expect(try decoded(encoded.bytes) == plain.bytes)
    #expect(try decoded(bare.bytes, .url, .forbidden) == plain.bytes)
    #expect(try decoded(encoded.bytes, .standard, .optional) == plain.bytes)
    #expect(try decoded(bare.bytes, .standard, .optional) == plain.bytes)
  }

  @Test("uses the last two characters of each alphabet, and refuses the other's")
  func alphabets() throws {
    let bytes: [UInt8] = [0xFB, 0xFF, 0xBF]
    #expect(written { Base64.standard.encode(bytes.span, into: $0) } == "+/+/")
    #expect(written { Base64.url.encode(bytes.span, into: $0) } == "-_-_")
    #expect(try decoded("+/+/".bytes) == bytes)
    #expect(try decoded("-_-_".bytes, .url) == bytes)
    #expect(kind("-_-_") == .invalidCharacter)
    #expect(kind("+/+/", .url) == .invalidCharacter)
  }

  @Test(
    "refuses what no encoder writes",
    arguments: [
      ("Zg", .required, .invalidPadding), ("Zg=", .required, .invalidPadding),
      ("Zg=", .optional, .invalidPadding),
      ("Zg==", .forbidden, .invalidPadding), ("Z", .optional, .unexpectedEnd),
      ("Zm9vY", .forbidden, .unexpectedEnd),
      ("=", .required, .invalidPadding), ("Z===", .required, .invalidPadding),
      ("Zg==Zg==", .required, .invalidPadding),
      ("Zg===", .required, .invalidPadding), ("Zm9v=", .required, .invalidPadding),
      ("Zg=a", .required, .invalidPadding),
      ("Zh==", .required, .trailingBits), ("Zh", .forbidden, .trailingBits),
      ("Zm9=", .required, .trailingBits),
      ("Zm9v\n", .required, .invalidCharacter), ("Zm\r\n9v", .required, .invalidCharacter),
      ("Zm 9v", .optional, .invalidCharacter),
      ("Zm9\u{0}", .required, .invalidCharacter), ("Zg==\n", .required, .invalidCharacter),
    ] as [(String, Base64Decoder.Padding, Base64Error.Kind)])
  func refuses(_ text: String, _ padding: Base64Decoder.Padding, _ expected: Base64Error.Kind) {
    #expect(kind(text, .standard, padding) == expected)
  }

  @Test("says where it stopped, and never writes after the end of its buffer")
  func limits() {
    #expect(throws: Base64Error(kind: .invalidCharacter, offset: 5)) { try decoded("Zm9vY*==".bytes) }
    let text = "Zm9vYmFy".bytes
    _ = writtenBytes(capacity: 5) { buffer in
      #expect(throws: Base64Error.self) {
        try Base64Decoder.decode(text.span, .standard, padding: .required, into: buffer)
      }
      return 0
    }
  }

  @Test("encodes and decodes the same in pieces of any size")
  func pieceByPiece() throws {
    var random = Seeded(5)
    for length in 0..<80 {
      let blob = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      for alphabet in [Base64.standard, .url] {
        let whole = writtenBytes { alphabet.encode(blob.span, into: $0) }
        var encoder = Base64Encoder(alphabet)
        var text: [UInt8] = []
        for piece in pieces(blob, upTo: 7, &random) {
          text += writtenBytes(capacity: encoder.outputLength(adding: piece.count)) {
            encoder.encode(piece.span, into: $0)
          }
        }
        text += writtenBytes(capacity: 4) { encoder.finish(into: $0) }
        #expect(text == whole)

        var decoder = Base64Decoder(alphabet, padding: .optional)
        var bytes: [UInt8] = []
        for piece in pieces(whole, upTo: 7, &random) {
          bytes += try writtenBytes(capacity: 9) { try decoder.decode(piece.span, into: $0) }
        }
        bytes += try writtenBytes(capacity: 2) { try decoder.finish(into: $0) }
        #expect(bytes == blob)
      }
    }
  }

  @Test("writes any part of a text without the rest")
  func anyPart() {
    for length in [0, 1, 2, 3, 4, 5, 6, 29, 30, 31] {
      let blob = (0..<length).map { UInt8($0 * 7 + 1) }
      for alphabet in [Base64.standard, .url] {
        let whole = writtenBytes { alphabet.encode(blob.span, into: $0) }
        for start in 0...whole.count {
          for count in 0...20 {
            let part = writtenBytes(capacity: count) { alphabet.encode(blob.span, from: start, into: $0) }
            #expect(part == Array(whole[start..<min(start + count, whole.count)]))
          }
        }
      }
    }
  }

  @Test("damaged texts are refused or decode to what encodes to them")
  func damagedTexts() {
    var random = Seeded(21)
    for round in 0..<3000 {
      let text = mutated(Self.vectors[round % Self.vectors.count].1.bytes, &random)
      guard let bytes = try? decoded(text) else { continue }
      #expect(writtenBytes { Base64.standard.encode(bytes.span, into: $0) } == text)
    }
  }

  @Test("hexadecimal is written in lower case and read in both")
  func hex() {
    let bytes: [UInt8] = [0x00, 0x9A, 0xBC, 0xFF]
    #expect(written { Hex.encode(bytes.span, into: $0) } == "009abcff")
    #expect(writtenBytes { Hex.decode("009aBCfF".bytes.span, into: $0)! } == bytes)
    _ = writtenBytes(capacity: 2) { buffer in
      #expect(Hex.decode("0".bytes.span, into: buffer) == nil)
      #expect(Hex.decode("0g".bytes.span, into: buffer) == nil)
      #expect(Hex.decode("000000".bytes.span, into: buffer) == nil)
      #expect(Hex.decode("".bytes.span, into: buffer) == 0)
      return 0
    }
  }
}
