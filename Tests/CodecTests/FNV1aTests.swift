import Codec
import Testing

@Suite("The hash FNV-1a") struct FNV1aTests {
  @Test(
    "texts have the hashes that its authors published",
    arguments: [
      ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
    ] as [(String, UInt64)])
  func published(_ text: String, _ expected: UInt64) {
    var hash = FNV1a()
    hash.add(text.utf8.span)
    #expect(hash.value == expected)
    var parts = FNV1a()
    for byte in text.utf8 { parts.add(UInt64(byte)) }
    #expect(parts == hash)
  }
}
