import Runtime
import Testing

@Suite struct ChecksumTests {
  private func checksum(_ pieces: [UInt8]...) -> UInt32 {
    var checksum = Checksum()
    for piece in pieces { piece.withUnsafeBytes { checksum.update($0) } }
    return checksum.value
  }

  @Test(
    "the checksum is the CRC-32 of zlib",
    arguments: [
      ("", 0), ("a", 0xE8B7_BE43), ("123456789", 0xCBF4_3926),
      ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
    ] as [(String, UInt32)])
  func vectors(text: String, value: UInt32) {
    #expect(checksum(Array(text.utf8)) == value)
  }

  @Test("32 bytes of zeroes and of ones have the values of zlib")
  func blocks() {
    #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x190A_55AD)
    #expect(checksum([UInt8](repeating: 0xFF, count: 32)) == 0xFF6C_AB0B)
  }

  @Test("pieces count as a whole, however they are cut", arguments: 0...9)
  func pieces(cut: Int) {
    let bytes = Array("123456789".utf8)
    #expect(checksum(Array(bytes[..<cut]), Array(bytes[cut...])) == 0xCBF4_3926)
  }
}
