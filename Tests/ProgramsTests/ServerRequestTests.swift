import Programs
import Runtime
import Testing

@Suite("Requests for MCP servers") struct ServerRequestTests {
  private func read(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBufferPointer { bytes in
      switch ServerRequest.read(bytes) {
      case .waiting: "waiting"
      case .wrong: "wrong"
      case .name(let name): String(decoding: name, as: UTF8.self)
      }
    }
  }

  private func write(_ name: String) -> [UInt8]? {
    var room = [UInt8](repeating: 0, count: ServerRequest.most)
    let count = room.withUnsafeMutableBufferPointer { room in
      name.withBytes { ServerRequest.write($0, into: room) }
    }
    return count.map { Array(room[..<$0]) }
  }

  @Test("what was written is read, however it arrives, and what follows is left for the program")
  func roundTrip() throws {
    for name in ["a", "home", "a_2", "abcdefghijkl"] {
      let request = try #require(write(name))
      for count in 0..<request.count { #expect(read(Array(request[..<count])) == "waiting") }
      #expect(read(request) == name && read(request + [0x7B, 0x0A]) == name)
    }
  }

  @Test("nothing else is a name", arguments: ["", "A", "1a", "a-b", "a/b", "..", "a b", "abcdefghijklm", "a\u{0}"])
  func others(name: String) {
    #expect(write(name) == nil)
    #expect(read([UInt8(name.utf8.count)] + Array(name.utf8)) == "wrong")
  }
}
