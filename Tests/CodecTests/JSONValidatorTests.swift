@testable import Codec
import Testing

@Suite("RFC 8259: the validator")
struct JSONValidatorTests {
  @Test("accepts every text that the grammar allows", arguments: JSONConformance.accepted)
  func accepts(_ text: String) {
    #expect(verdict(text) == nil)
  }

  @Test("refuses every text that the grammar does not allow", arguments: JSONConformance.refused)
  func refuses(_ text: String) {
    #expect(verdict(text) != nil)
  }

  @Test("fed byte by byte it says the same, of the same byte")
  func byteByByte() {
    for text in JSONConformance.accepted + JSONConformance.refused {
      #expect(verdict(pieces: text.bytes.map { [$0] }) == verdict(text), "\(text)")
    }
  }

  @Test(
    "refuses bytes that are not UTF-8, in strings and in keys, at any alignment",
    arguments: JSONConformance.notUTF8)
  func refusesInvalidUTF8(_ bad: [UInt8]) {
    for padding in 0..<10 {
      let before = [UInt8](repeating: 0x61, count: padding)
      #expect(verdict([0x22] + before + bad + [0x22])?.kind == .invalidUTF8)
      #expect(verdict([0x7B, 0x22] + before + bad + "\":1}".bytes)?.kind == .invalidUTF8)
      #expect(verdict(pieces: ([0x22] + before + bad + [0x22]).map { [$0] })?.kind == .invalidUTF8)
    }
  }

  @Test("accepts every Unicode scalar in a string")
  func acceptsEveryScalar() {
    for block in stride(from: UInt32(0x20), to: 0x11_0000, by: 64) {
      var text = "\""
      for value in block..<block + 64 {
        if let scalar = UnicodeScalar(value), scalar != "\"", scalar != "\\" {
          text.unicodeScalars.append(scalar)
        }
      }
      #expect(verdict(text + "\"") == nil)
    }
  }

  @Test("refuses every beginning of a text but the whole")
  func refusesTruncation() {
    let text = #"{"a":[1,-2.5e+3,true,null,"x\u00e9\ud83d\ude00é😀"],"b":{"c":{}}}"#.bytes
    for length in 0..<text.count {
      #expect(verdict(Array(text[..<length])) == JSONError(kind: .unexpectedEnd, offset: UInt64(length)))
    }
    #expect(verdict(text) == nil)
  }

  @Test(
    "says what was wrong, and at which byte of the whole text",
    arguments: [
      ("[1,]", .unexpectedByte, 3), ("[01]", .invalidNumber, 2), ("[1.]", .invalidNumber, 3),
      ("\"\\x\"", .invalidEscape, 2),
      ("\"a\nb\"", .controlCharacter, 2), ("\"\\ud800x\"", .loneSurrogate, 7),
      ("\"\\udc00\"", .loneSurrogate, 6),
      ("{} x", .unexpectedByte, 3), ("[[1]", .unexpectedEnd, 4), ("tru3", .unexpectedByte, 3),
      ("\u{FEFF}1", .unexpectedByte, 0),
    ] as [(String, JSONError.Kind, UInt64)])
  func saysWhere(_ text: String, _ kind: JSONError.Kind, _ offset: UInt64) {
    #expect(verdict(text) == JSONError(kind: kind, offset: offset))
    #expect(verdict(pieces: text.bytes.map { [$0] }) == JSONError(kind: kind, offset: offset))
  }

  @Test("nests to its limit and not deeper", arguments: [1, 2, 31, 32, 33, 64, 1024])
  func depthLimit(_ limit: Int) {
    func nested(_ depth: Int) -> String {
      (0..<depth).map { $0 % 2 == 0 ? "[" : "{\"a\":" }.joined() + "0"
        + (0..<depth).reversed().map { $0 % 2 == 0 ? "]" : "}" }.joined()
    }
    #expect(verdict(nested(limit), depthLimit: limit) == nil)
    #expect(verdict(nested(limit + 1), depthLimit: limit)?.kind == .tooDeep)
    #expect(verdict(String(repeating: "[", count: 100_000), depthLimit: limit)?.kind == .tooDeep)
  }

  @Test("tells each closing bracket from the other at every level")
  func bracketsMatch() {
    var random = Seeded(7)
    for _ in 0..<200 {
      let isObject = (0..<Int.random(in: 1...60, using: &random)).map { _ in Bool.random(using: &random) }
      let wrong = Int.random(in: 0..<isObject.count, using: &random)
      let opening = isObject.map { $0 ? "{\"k\":" : "[" }.joined() + "1"
      func closing(_ flipped: Int) -> String {
        isObject.indices.reversed().map { isObject[$0] != ($0 == flipped) ? "}" : "]" }.joined()
      }
      #expect(verdict(opening + closing(-1)) == nil)
      #expect(verdict(opening + closing(wrong))?.kind == .unexpectedByte)
    }
  }

  @Test("goes on refusing after an error")
  func staysFailed() {
    var validator = JSONValidator(depthLimit: 4)
    let error = JSONError(kind: .unexpectedByte, offset: 1)
    #expect(throws: error) { try validator.feed("[x".bytes.span) }
    #expect(throws: error) { try validator.feed("1]".bytes.span) }
    #expect(throws: error) { try validator.finish() }
  }

  @Test("damaged texts, in pieces of any size, are judged as they are at once")
  func damagedTexts() {
    var random = Seeded(42)
    let base = JSONConformance.accepted.map(\.bytes)
    for round in 0..<4000 {
      let text = mutated(base[round % base.count], &random)
      #expect(verdict(pieces: pieces(text, upTo: 9, &random)) == verdict(text), "\(text)")
    }
  }
}
