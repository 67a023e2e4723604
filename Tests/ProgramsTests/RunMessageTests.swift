import Runtime
import Testing

@testable import Programs

@Suite("Messages between the agent and the service") struct RunMessageTests {
  private func head(_ words: Int, _ milliseconds: Int64) -> [UInt8] {
    let room = FixedBuffer(capacity: RunMessage.headBytes)
    RunMessage.writeHead(words: words, milliseconds: milliseconds, into: room.bytes)
    return Array(room.bytes)
  }

  private func read(_ head: [UInt8]) -> (words: Int, milliseconds: Int64)? {
    head.withUnsafeBufferPointer { RunMessage.readHead($0) }
  }

  @Test("a request comes back; one of no words, of too many bytes, or of odd numbers does not, and nothing traps")
  func heads() throws {
    let back = try #require(read(head(5, 3000)))
    #expect(back.words == 5 && back.milliseconds == 3000)
    #expect(read(head(Budget.runCommandBytes, 1))?.words == Budget.runCommandBytes)
    #expect(read(head(Budget.runCommandBytes + 1, 1)) == nil && read(head(0, 1)) == nil)
    #expect(read([UInt8](repeating: 0xFF, count: RunMessage.headBytes)) == nil)
    #expect(
      read([0x09, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8))?.milliseconds == Budget.peerMilliseconds.upperBound)
    #expect(read([UInt8](repeating: 0, count: RunMessage.headBytes)) == nil && read([1]) == nil)
    #expect(read(head(5, -1))?.milliseconds == Budget.peerMilliseconds.lowerBound)
  }

  @Test("words are those between zero bytes, none of them empty")
  func words() {
    func words(_ text: String) -> [String]? { text.withBytes { RunMessage.words($0) } }
    #expect(words("df\u{0}-h\u{0}") == ["df", "-h"])
    for text in ["", "df", "\u{0}", "df\u{0}\u{0}", "df\u{0}-h"] { #expect(words(text) == nil) }
    #expect(words(String(repeating: "x\u{0}", count: Budget.runWords))?.count == Budget.runWords)
    #expect(words(String(repeating: "x\u{0}", count: Budget.runWords + 1)) == nil)
  }

  // MARK: Frames

  private func frames() -> [UInt8] {
    let room = FixedBuffer(capacity: 4096)
    var bytes: [UInt8] = []
    func add(_ count: Int) { bytes += room.bytes[..<count] }
    let text = Array("out".utf8)
    text.withUnsafeBufferPointer { add(RunMessage.write(.output, $0, into: room.bytes)) }
    let large = [UInt8](repeating: 0x65, count: 5000)
    large.withUnsafeBufferPointer { add(RunMessage.write(.errors, $0, into: room.bytes)) }
    add(RunMessage.write(.cut, UnsafeBufferPointer(start: nil, count: 0), into: room.bytes))
    add(RunMessage.write(.signal, -9, into: room.bytes))
    add(RunMessage.write(.exited, .max, into: room.bytes))
    return bytes
  }

  private func read(_ bytes: [UInt8], piece: Int) -> (told: [String], isBroken: Bool) {
    var reader = RunFrameReader()
    var told: [String] = []
    var start = 0
    while start < bytes.count {
      let room = reader.room()
      if room.isEmpty { break }
      let count = min(piece, room.count, bytes.count - start)
      for index in 0..<count { room[index] = bytes[start + index] }
      reader.wrote(count)
      start += count
      while let frame = reader.next() {
        switch frame {
        case .bytes(let kind, let bytes): told.append("\(kind) \(bytes.count)")
        case .number(let kind, let number): told.append("\(kind) \(number)")
        }
      }
      if reader.isBroken { return (told, true) }
    }
    return (told, false)
  }

  @Test("frames come back however they are cut into pieces")
  func pieces() {
    let expected = ["output 3", "errors \(Budget.runFrameBytes)", "cut 0", "signal -9", "exited \(Int32.max)"]
    for piece in [1, 2, 3, 7, 1000, 100_000] {
      let (told, isBroken) = read(frames(), piece: piece)
      #expect(told == expected && !isBroken)
    }
  }

  @Test("what is no frame breaks the reader: an unknown kind, a length too large, a number of other than four bytes")
  func broken() {
    for bytes: [UInt8] in [[0, 0, 0], [0x6F, 0xFF, 0xFF], [0x6F, 1, 4], [0x78, 3, 0, 1, 2, 3], [0x73, 0, 0]] {
      #expect(read(bytes + [UInt8](repeating: 0, count: 2000), piece: 64).isBroken)
    }
    var reader = RunFrameReader()
    _ = reader.room()
    reader.wrote(.max)
    #expect(reader.next() == nil && reader.isBroken)
    reader.reset()
    #expect(!reader.isBroken && reader.next() == nil)
  }
}
