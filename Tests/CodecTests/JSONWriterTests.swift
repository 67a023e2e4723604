import Testing

@testable import Codec

@Suite("RFC 8259: the writer")
struct JSONWriterTests {
  private func writeSample(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("type")
    writer.string("req")
    writer.key("params")
    writer.beginObject()
    writer.key("list")
    writer.beginArray()
    writer.int(-1)
    writer.uint(18_446_744_073_709_551_615)
    writer.beginArray()
    writer.endArray()
    writer.beginObject()
    writer.endObject()
    writer.bool(true)
    writer.null()
    writer.raw("[1, 2]".bytes.span)
    writer.endArray()
    writer.key("x")
    writer.double(0.5)
    writer.endObject()
    writer.key("last")
    writer.string("é".bytes.span)
    writer.endObject()
  }

  private let sample =
    #"{"type":"req","params":{"list":[-1,18446744073709551615,[],{},true,null,[1, 2]],"x":0.5},"last":"é"}"#

  @Test("keys that are not known before are escaped")
  func keys() {
    #expect(
      json {
        $0.beginObject()
        for key in ["a\"b\n", "é"] {
          $0.key(key.bytes.span)
          $0.int(1)
        }
        $0.endObject()
      } == #"{"a\"b\n":1,"é":1}"#)
  }

  @Test("goes on after other text, and other text after it")
  func continued() {
    let text = written { buffer in
      var output = ByteWriter(into: buffer)
      output.text("ctx=")
      var writer = JSONWriter(continuing: output)
      writer.beginArray()
      writer.int(1)
      writer.endArray()
      output = writer.finish()
      output.text(" end")
      return output.count
    }
    #expect(text == "ctx=[1] end")
  }

  @Test("puts commas and colons where they belong")
  func punctuation() {
    #expect(json(writeSample) == sample)
    #expect(verdict(json(writeSample)) == nil)
  }

  @Test("tells the length without a buffer, and never writes after the end of one")
  func counts() {
    var counter = JSONWriter()
    writeSample(&counter)
    #expect(counter.count == sample.utf8.count)
    #expect(counter.isComplete == false)
    for capacity in 0...sample.utf8.count {
      let bytes = writtenBytes(capacity: capacity + 8) { buffer in
        buffer.initialize(repeating: 0xAA)
        var writer = JSONWriter(into: UnsafeMutableBufferPointer(rebasing: buffer[..<capacity]))
        writeSample(&writer)
        #expect(writer.count == sample.utf8.count)
        #expect(writer.isComplete == (capacity == sample.utf8.count))
        return buffer.count
      }
      #expect(bytes.suffix(8).allSatisfy { $0 == 0xAA })
      #expect(bytes.prefix(capacity).elementsEqual(sample.utf8.prefix(capacity)))
    }
  }

  @Test("bytes become base64, as a value like any other, and are counted where there is no room")
  func base64() {
    for count in [0, 1, 2, 3, 767, 768, 769, 5_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      func write(_ writer: inout JSONWriter) {
        writer.beginArray()
        writer.base64(bytes.span)
        writer.base64(bytes.span)
        writer.endArray()
      }
      let text = written(capacity: 7_000) { Base64.standard.encode(bytes.span, into: $0) }
      #expect(json(capacity: 14_000, write) == "[\"\(text)\",\"\(text)\"]")
      var counter = JSONWriter()
      write(&counter)
      #expect(counter.count == 2 * text.utf8.count + 7)
    }
  }

  @Test("escapes what must be escaped and nothing else")
  func escapes() {
    for value in UInt8(0)..<0x80 {
      let text = json { $0.string([value].span) }
      #expect(verdict(text) == nil)
      #expect(string(JSONView(text.bytes.span)) == String(decoding: [value], as: UTF8.self))
      let needsEscape = value < 0x20 || value == 0x22 || value == 0x5C
      #expect((text.utf8.count > 3) == needsEscape)
    }
    #expect(
      json { $0.string("a\"b\\c\u{8}\u{C}\n\r\t\u{0}\u{1F}/" as String) }
        == #""a\"b\\c\b\f\n\r\t\u0000\u001f/""#)
    #expect(json { $0.key("a\"b") } == #""a\"b":"#)
  }

  @Test("replaces what is not UTF-8 as Swift does", arguments: JSONConformance.notUTF8)
  func replacesInvalidUTF8(_ bad: [UInt8]) {
    for bytes in [bad, [0x61] + bad + [0x62], bad + bad, "é".bytes + bad + "😀".bytes] {
      let text = json { $0.string(bytes.span) }
      #expect(verdict(text) == nil)
      #expect(text == "\"" + String(decoding: bytes, as: UTF8.self) + "\"")
    }
  }

  @Test("any bytes make a valid string that says the same")
  func anyBytes() {
    var random = Seeded(11)
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let text = json { $0.string(bytes.span) }
      #expect(verdict(text) == nil)
      #expect(string(JSONView(text.bytes.span)) == String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test("writes integers to their limits")
  func integers() {
    #expect(json { $0.int(.min) } == "-9223372036854775808")
    #expect(json { $0.int(.max) } == "9223372036854775807")
    #expect(json { $0.int(0) } == "0")
    #expect(json { $0.uint(10) } == "10")
  }
}
