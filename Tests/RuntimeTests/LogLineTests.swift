import Runtime
import Testing

@Suite struct LogLineTests {
  /// What `build` leaves in a line of `capacity` bytes.
  private func line(capacity: Int = 100, _ build: (inout LogLine) -> Void) -> String {
    let buffer = FixedBuffer(capacity: capacity)
    var line = LogLine(buffer.bytes)
    build(&line)
    return String(decoding: buffer.bytes[..<line.count], as: UTF8.self)
  }

  @Test("integers of every width stand in decimal, their extremes included")
  func numbers() {
    #expect(line { $0.add(0) } == "0")
    #expect(line { $0.add(-7 as Int8) } == "-7")
    #expect(line { $0.add(Int8.min) } == "-128")
    #expect(line { $0.add(Int64.min) } == "-9223372036854775808")
    #expect(line { $0.add(UInt64.max) } == "18446744073709551615")
  }

  @Test(
    "control characters from outside cannot forge a line", arguments: ["\n", "\r", "\0", "\u{1B}", "\u{7F}"])
  func control(character: String) {
    let text = "a\(character)b"
    #expect(line { $0.add(text) } == "a?b")
    #expect(line { $0.add(text.utf8.span) } == "a?b")
    if character != "\0" {
      #expect(line { line in text.withCString { line.add(cString: $0) } } == "a?b")
    }
  }

  @Test("controls of C1, as characters and as bare bytes, cannot give a terminal orders")
  func controlsOfC1() {
    for value in UInt32(0x80)...0x9F {
      #expect(line { $0.add("a\(Unicode.Scalar(value)!)b" as String) } == "a?b")
      #expect(line { $0.add([0x61, UInt8(value), 0x62].span) } == "a?b")
    }
    #expect(line { $0.add([0x61, 0xC2].span) } == "a?")
    #expect(line { $0.add([0xC0, 0x9B, 0xE0, 0x82, 0x9B].span) } == "?????")
  }

  @Test("marks of direction are spelt, so that a text reads as it was sent")
  func directions() {
    #expect(line { $0.add("gpj\u{202E}exe" as String) } == "gpj<U+202E>exe")
    for value in [UInt32(0x61C), 0x200E, 0x200F] + Array(0x202A...0x202E) + Array(0x2066...0x2069) {
      let digits = String(value, radix: 16, uppercase: true)
      let text = "\(Unicode.Scalar(value)!)"
      let spelt = "<U+\(String(repeating: "0", count: 4 - digits.count))\(digits)>"
      #expect(line { $0.add(text) } == spelt)
      #expect(line { line in text.withCString { line.add(cString: $0) } } == spelt)
    }
  }

  @Test("text of any language stays as it is")
  func unicode() {
    #expect(line { $0.add("Tür 🚪" as String) } == "Tür 🚪")
  }

  @Test("a reason of the kernel is reported in words and as its number")
  func reasons() {
    #expect(line { $0.add(Errno.noSpace) } == "no space left on device (errno 28)")
    #expect(line { $0.add(Errno(9999)) } == "system error (errno 9999)")
  }

  @Test("a path is told as it is")
  func path() throws {
    let path = try Path("/var/lib/talon")
    #expect(line { $0.add(path) } == "/var/lib/talon")
  }

  @Test("what does not fit is dropped")
  func full() {
    #expect(
      line(capacity: 6) {
        $0.add("abcd")
        $0.add(12345)
        $0.add("more")
      } == "abcd12")
  }
}
