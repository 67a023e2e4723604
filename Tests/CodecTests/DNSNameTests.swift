import Testing

@testable import Codec

@Suite("RFC 1035 section 3.1: names")
struct DNSNameTests {
  private func name(_ text: String) throws(DNSError) -> DNSName { try DNSName(text: text.bytes.span) }

  private func failure(_ text: String) -> DNSError? {
    do throws(DNSError) {
      _ = try name(text)
      return nil
    } catch {
      return error
    }
  }

  @Test("text becomes labels, and escapes become the bytes that they stand for")
  func text() throws {
    #expect(try Array(bytes(of: name("a.bc"))) == [1, 97, 2, 98, 99, 0])
    #expect(try name("a.bc.") == name("a.bc"))
    #expect(try name(".").isRoot)
    #expect(try name("").isRoot)
    #expect(try Array(bytes(of: name(#"a\.b\\\032\255.c"#))) == [6, 97, 46, 98, 92, 32, 255, 1, 99, 0])
  }

  private func bytes(of name: DNSName) -> [UInt8] { name.bytes.withUnsafeBufferPointer { Array($0) } }

  @Test(
    "what is no name is refused by kind and place",
    arguments: [
      ("a..b", DNSError(kind: .emptyLabel, offset: 2)), (".a", DNSError(kind: .emptyLabel, offset: 0)),
      (#"a\"#, DNSError(kind: .badEscape, offset: 1)), (#"a\25"#, DNSError(kind: .badEscape, offset: 1)),
      (#"\256"#, DNSError(kind: .badEscape, offset: 0)), (#"\2x5"#, DNSError(kind: .badEscape, offset: 0)),
      (String(repeating: "a", count: 64), DNSError(kind: .labelTooLong, offset: 63)),
    ])
  func refused(text: String, expected: DNSError) {
    #expect(failure(text) == expected)
  }

  @Test("a label has up to 63 bytes, a name up to 255 with its lengths")
  func limits() throws {
    let label = String(repeating: "a", count: 63)
    #expect(failure(label) == nil)
    let three = [label, label, label].joined(separator: ".")
    // 3 * 64 + 1 + 61 + 1 is 255.
    #expect(failure(three + "." + String(repeating: "b", count: 61)) == nil)
    #expect(failure(three + "." + String(repeating: "b", count: 62))?.kind == .nameTooLong)
    var longest = try name(three + "." + String(repeating: "b", count: 59))
    #expect(throws: DNSError(kind: .nameTooLong, offset: 0)) { try longest.append(name("cc")) }
    try longest.append(name("c"))
    #expect(longest.bytes.count == 255)
  }

  @Test("comparison ignores the case of ASCII letters, and of nothing else")
  func comparison() throws {
    #expect(try name("Studio.LOCAL") == name("sTUDIO.local"))
    #expect(try name("studio.local") != name("studio.locam"))
    #expect(try name(#"a\195\132"#) != name(#"a\195\164"#))
    // The byte that is a letter's with bit 5 changed, but no letter.
    #expect(try name("a@b") != name("a`b"))
    #expect(try name("a.bc") != name("ab.c"))
  }

  @Test("a suffix ends at the edge of labels")
  func suffix() throws {
    let local = try name("local")
    #expect(try name("studio.LOCAL").hasSuffix(local))
    #expect(local.hasSuffix(local))
    #expect(try !name("studiolocal").hasSuffix(local))
    #expect(try !name("local.studio").hasSuffix(local))
    #expect(try name("a.local").isDirectChild(of: local))
    #expect(try !name("a.b.local").isDirectChild(of: local))
    #expect(!local.isDirectChild(of: local))
    #expect(!DNSName().isDirectChild(of: DNSName()))
  }

  @Test("what is written reads back as the same name, whatever the bytes")
  func roundTrip() throws {
    var random = Seeded(7)
    for _ in 0..<500 {
      var original = DNSName()
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let label = (0..<Int.random(in: 1...63, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        try original.append(label: label.span)
      }
      #expect(try name(shown(original)) == original)
      #expect(try name(shown(original, isRooted: true)) == original)
    }
    #expect(
      shown(try name(#"Studio\032(OpenClaw)._openclaw-gw._tcp.local"#))
        == #"Studio\032(OpenClaw)._openclaw-gw._tcp.local"#)
    #expect(shown(try name(#"a\.b\\c"#), isRooted: true) == #"a\.b\\c."#)
    #expect(shown(DNSName()) == ".")
  }
}
