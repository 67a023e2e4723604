import Glibc
import Testing

@testable import talon

@Suite struct SayCommandTests {
  @Test func `A text becomes a WAV file, and half as long twice as fast`() throws {
    let path = "/tmp/talon-say-\(getpid()).wav"
    defer { unlink(path) }
    var sizes: [Int] = []
    for speed in ["1", "2"] {
      #expect(try Talon.run(["say", "The kettle has boiled. Come in!", "--speed", speed, "--out", path]) == .ok)
      let file = try #require(fopen(path, "r"))
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 400_000)
      let count = fread(&bytes, 1, bytes.count, file)
      #expect(bytes.starts(with: Array("RIFF".utf8)) && count > 44 && count % 2 == 0)
      let length = Int(bytes[40]) | Int(bytes[41]) << 8 | Int(bytes[42]) << 16
      #expect(length == count - 44)
      #expect(bytes[24] == 0x80 && bytes[25] == 0x3E)
      sizes.append(length)
    }
    #expect(sizes[0] > 2 * 16_000 && sizes[0] < 8 * 16_000)
    #expect(Double(sizes[1]) < 0.7 * Double(sizes[0]))
  }

  @Test func `A file that cannot be written is named`() {
    #expect(throws: Failure.self) { try Talon.run(["say", "hi", "--out", "/nonexistent/a.wav"]) }
  }
}
