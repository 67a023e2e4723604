import Runtime
import Testing

@testable import Fetch

@Suite("Streams of pictures")
struct MotionPictureTests {
  private let picture = FixedBuffer(capacity: 100)
  private let line = FixedBuffer(capacity: Budget.videoLineBytes)

  /// The pictures of a stream that comes in pieces of so many bytes, and whether it is malformed.
  private func read(_ text: String, pieces: Int = .max) -> (pictures: [String], leftOut: UInt32, isMalformed: Bool) {
    var reader = MotionPictureReader(into: picture.bytes, line: line.bytes)
    let bytes = Array(text.utf8)
    var found: [String] = []
    var start = 0
    while start < bytes.count {
      let piece = Array(bytes[start..<min(start + min(pieces, bytes.count), bytes.count)])
      start += piece.count
      var index = 0
      while let count = reader.next(piece.span, &index) {
        found.append(String(decoding: picture.bytes[..<count], as: UTF8.self))
      }
    }
    return (found, reader.leftOut, reader.isMalformed)
  }

  private let counted =
    "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: 5\r\n\r\none--\r\n--frame\r\ncontent-length: 3\r\n\r\ntwo\r\n--frame"

  @Test("parts that tell their length", arguments: [1, 2, 7, Int.max])
  func lengths(pieces: Int) {
    let read = read(counted, pieces: pieces)
    #expect(read.pictures == ["one--", "two"] && read.leftOut == 0 && !read.isMalformed)
  }

  @Test("parts that go on to the next delimiter, with one line end or the other", arguments: [1, 3, Int.max])
  func delimited(pieces: Int) {
    for end in ["\r\n", "\n"] {
      let text = ["junk", "--b", "X: y", "", "on", "-e", "--b", "", "two --b", "--b--", ""].joined(separator: end)
      #expect(read(text, pieces: pieces).pictures == ["on\(end)-e", "two --b"])
    }
  }

  @Test("a picture is whole as soon as its length has come, without what follows")
  func early() { #expect(read("--b\n\n".replacing("\n\n", with: "\nContent-Length: 2\n\nab")).pictures == ["ab"]) }

  @Test("a picture that is too large is left out, and the next one is read")
  func large() {
    let large = String(repeating: "x", count: 300)
    for length in ["", "Content-Length: 300\n"] {
      let read = read("--b\n\(length)\n\(large)\n--b\n\nsmall\n--b\n")
      #expect(read.pictures == ["small"] && read.leftOut == 1)
    }
  }

  @Test(
    "what is no stream is given up",
    arguments: [
      String(repeating: "no delimiter ", count: 200),
      "--b\nContent-Length: 99999999999\n\n",
      "--b\nContent-Length: -1\n\n",
      "--\(String(repeating: "b", count: 90))\n",
      "--b\n" + String(repeating: "X: y\n", count: 600),
    ])
  func malformed(text: String) { #expect(read(text).isMalformed) }
}
