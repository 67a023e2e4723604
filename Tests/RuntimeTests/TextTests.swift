import Testing

@testable import Runtime

@Suite struct InlineTextTests {
  /// What a text of 4 bytes holds after it was set to each of `texts`, and whether the last one fitted.
  private func held(_ texts: String...) -> (text: String, isSet: Bool) {
    var name = InlineText<4>()
    var isSet = false
    for text in texts { isSet = name.set(text.utf8.span) }
    return (text(name.span), isSet)
  }

  @Test("a text that fits is kept, one that does not leaves nothing")
  func set() {
    #expect(held() == ("", false))
    #expect(held("") == ("", true))
    #expect(held("four") == ("four", true))
    #expect(held("four", "fives") == ("", false))
  }

  @Test("a shorter text leaves nothing of the longer one")
  func shorter() {
    #expect(held("1234", "ab") == ("ab", true))
  }

  @Test("a text is filled in place; refusing leaves it empty, and so does clearing")
  func fill() {
    var name = InlineText<4>()
    let write: (UnsafeMutableBufferPointer<UInt8>) -> Int? = { room in
      room[0] = UInt8(ascii: "x")
      return 1
    }
    var isFilled = name.fill(write)
    #expect(isFilled)
    #expect(text(name.span) == "x")
    isFilled = name.fill { _ in nil }
    #expect(!isFilled)
    #expect(name.isEmpty)
    name.fill(write)
    name.clear()
    #expect(name.isEmpty)
  }

  @Test(
    "texts are equal when all bytes are",
    arguments: [("abc", true), ("abd", false), ("ab", false), ("abcd", false)])
  func equal(other: String, isEqual: Bool) {
    var name = InlineText<8>()
    name.set("abc".utf8.span)
    let result = name.equals(other.utf8.span)
    #expect(result == isEqual)
  }
}

@Suite struct PathTests {
  private func text(_ path: Path) -> String {
    defer { withExtendedLifetime(path) {} }
    return String(cString: path.cString)
  }

  @Test("a path is built from pieces and cut back to any of them")
  func pieces() throws {
    let path = try Path("/sys")
    let length = path.length
    try path.append("/class")
    "tty".withCString { name in
      #expect(throws: Never.self) { try path.append(cString: name) }
    }
    #expect(text(path) == "/sys/classtty")
    path.truncate(to: length)
    #expect(text(path) == "/sys")
    path.truncate(to: 100)
    #expect(text(path) == "/sys")
    path.truncate()
    #expect(text(path) == "")
  }

  @Test("the longest path of the kernel fits, one more byte does not, and nothing is changed by it")
  func tooLong() throws {
    let longest = String(repeating: "a", count: Budget.pathBytes - 1)
    let path = try Path(longest)
    #expect(text(path) == longest)
    #expect(throws: Errno(36)) { try path.append("b") }
    #expect(text(path) == longest)
    #expect(throws: Errno(36)) { try Path(longest + "b") }
  }

  @Test("a zero byte, which would cut a path short unseen, is refused")
  func zero() throws {
    let path = try Path("/etc")
    #expect(throws: Errno.invalidArgument) { try path.append("/shadow\0.txt" as String) }
    #expect(text(path) == "/etc")
  }
}
