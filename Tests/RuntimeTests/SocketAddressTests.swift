import Runtime
import Testing

@Suite struct SocketAddressTests {
  private static func v4(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> [UInt8] { [a, b, c, d] }
  private static func v6(_ head: [UInt8], _ tail: [UInt8]) -> [UInt8] {
    head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
  }

  @Test(
    "this machine is 127.0.0.0/8, ::1 and ::ffff:127.0.0.0/104, and nothing else",
    arguments: [
      (v4(127, 0, 0, 1), true), (v4(127, 255, 255, 255), true), (v4(126, 0, 0, 1), false),
      (v4(128, 0, 0, 1), false), (v4(0, 0, 0, 0), false), (v4(10, 0, 0, 127), false),
      (v6([], [1]), true), (v6([], []), false), (v6([], [2]), false), (v6([], [1, 1]), false),
      (v6([1], [1]), false), (v6([0xFE, 0x80], [1]), false),
      (v6([], [0xFF, 0xFF, 127, 0, 0, 1]), true), (v6([], [0xFF, 0xFF, 127, 255, 0, 9]), true),
      (v6([], [0xFF, 0xFF, 126, 0, 0, 1]), false), (v6([], [0xFF, 0xFE, 127, 0, 0, 1]), false),
      (v6([], [127, 0, 0, 1]), false), (v6([1], [0xFF, 0xFF, 127, 0, 0, 1]), false),
      (v6([], [1, 0xFF, 0xFF, 127, 0, 0, 1]), false),
    ] as [([UInt8], Bool)])
  func loopback(bytes: [UInt8], isLoopback: Bool) {
    #expect(SocketAddress(bytes: bytes.span, port: 1).isLoopback == isLoopback)
  }

  @Test("addresses differ by family, bytes, scope and port")
  func equality() {
    let address = SocketAddress(bytes: Self.v6([0xFE, 0x80], [1]).span, scope: 2, port: 80)
    #expect(address == SocketAddress(bytes: Self.v6([0xFE, 0x80], [1]).span, scope: 2, port: 80))
    #expect(address != SocketAddress(bytes: Self.v6([0xFE, 0x80], [1]).span, scope: 3, port: 80))
    #expect(address != SocketAddress(bytes: Self.v6([0xFE, 0x80], [1]).span, scope: 2, port: 81))
    #expect(address != SocketAddress(bytes: Self.v6([0xFE, 0x80], [2]).span, scope: 2, port: 80))
    let short = SocketAddress(bytes: Self.v4(0, 0, 0, 0).span, port: 80)
    #expect(short != SocketAddress(bytes: Self.v6([], []).span, port: 80))
  }
}
