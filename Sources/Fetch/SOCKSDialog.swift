import Codec
import Gateway
import Runtime

/// The client's half of SOCKS 5 up to the tunnel (RFC 1928, with user and password by RFC 1929). Pure: the proxy's
/// bytes go in, what to send next comes out. A name goes to the proxy as it is, which resolves it.
struct SOCKSDialog {
  /// What follows after a byte of the proxy.
  enum Step {
    case more
    /// `write` says what to send next.
    case send
    case open
    /// Why there is no tunnel.
    case refused(StaticString)
  }

  private enum Phase { case method, password, tunnel }

  private static let version: UInt8 = 5
  private static let noSignIn: UInt8 = 0
  private static let userAndPassword: UInt8 = 2
  private static let noMethod: UInt8 = 0xFF

  private let user: [UInt8]
  private let password: [UInt8]
  private let host: String
  private let port: UInt16
  private var phase = Phase.method
  /// Bytes of the answer to what was sent last.
  private var received = 0
  /// Bytes that the whole answer has.
  private var expected = 2
  /// The answer has a name for the proxy's address.
  private var isNamed = false

  init(_ address: ProxyAddress, to url: GatewayURL) {
    user = address.user
    password = address.password
    host = url.host
    port = url.port
  }

  /// Writes what is to be sent now.
  func write(to writer: inout ByteWriter) {
    switch phase {
    case .method:
      writer.byte(Self.version)
      if user.isEmpty {
        writer.byte(1)
        return writer.byte(Self.noSignIn)
      }
      writer.byte(2)
      writer.byte(Self.noSignIn)
      writer.byte(Self.userAndPassword)
    case .password:
      writer.byte(1)
      for text in [user, password] {
        writer.byte(UInt8(truncatingIfNeeded: text.count))
        for byte in text { writer.byte(byte) }
      }
    case .tunnel: writeRequest(to: &writer)
    }
  }

  /// CONNECT, with an address of four or sixteen bytes, or a name (RFC 1928 section 4).
  private func writeRequest(to writer: inout ByteWriter) {
    writer.byte(Self.version)
    writer.byte(1)
    writer.byte(0)
    if let address = SocketAddress(literal: host, port: port) {
      writer.byte(address.byteCount == 4 ? 1 : 4)
      for index in 0..<address.byteCount { writer.byte(address.bytes[index]) }
    } else {
      writer.byte(3)
      writer.byte(UInt8(truncatingIfNeeded: host.utf8.count))
      writer.text(host)
    }
    writer.byte(UInt8(truncatingIfNeeded: port >> 8))
    writer.byte(UInt8(truncatingIfNeeded: port))
  }

  /// The proxy's next byte.
  mutating func receive(_ byte: UInt8) -> Step {
    let index = received
    received += 1
    switch phase {
    case .method:
      if index == 0 { return byte == Self.version ? .more : .refused("its answer is not SOCKS 5") }
      switch byte {
      case Self.noSignIn: return next(.tunnel, answer: 5)
      case Self.userAndPassword where !user.isEmpty: return next(.password, answer: 2)
      case Self.noMethod where user.isEmpty:
        return .refused("it wants a user and a password (socks5://USER:PASSWORD@HOST:PORT)")
      default: return .refused("it wants another way of signing in than a user and a password")
      }
    case .password:
      // The first byte is the version of this dialog, which some servers leave 5.
      if index == 0 { return .more }
      return byte == 0 ? next(.tunnel, answer: 5) : .refused("it does not take this user and password")
    case .tunnel: return tunnel(byte, at: index)
    }
  }

  private mutating func next(_ phase: Phase, answer: Int) -> Step {
    self.phase = phase
    received = 0
    expected = answer
    return .send
  }

  /// Version, reply, 0, and the proxy's own address and port, which do not matter (RFC 1928 section 6).
  private mutating func tunnel(_ byte: UInt8, at index: Int) -> Step {
    switch index {
    case 0: return byte == Self.version ? .more : .refused("its answer is not SOCKS 5")
    case 1: return byte == 0 ? .more : .refused(Self.words(for: byte))
    case 3:
      switch byte {
      case 1: expected = 4 + 4 + 2
      case 4: expected = 4 + 16 + 2
      case 3: expected = 4 + 1 + 2
      default: return .refused("its answer is not SOCKS 5")
      }
      isNamed = byte == 3
      return .more
    case 4 where isNamed:
      expected += Int(byte)
      return .more
    default: return index + 1 == expected ? .open : .more
    }
  }

  private static func words(for reply: UInt8) -> StaticString {
    switch reply {
    case 2: "it does not let this board reach the gateway"
    case 3, 4: "it does not reach the gateway"
    case 5: "the gateway refuses its connection"
    case 6: "it did not reach the gateway in time"
    case 7: "it makes no tunnels"
    case 8: "it does not take this form of address"
    default: "it makes no tunnel"
    }
  }
}
