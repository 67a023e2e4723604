import Codec
import Gateway
import Runtime

/// The gateway's end of a `MemoryTransport`: performs the upgrade, sends what a test tells it to, and collects the
/// node's messages. For benches and simulations; it checks nothing.
public final class LoopbackGateway {
  /// The link to the node.
  public let transport: MemoryTransport
  private let cryptography: any Cryptography
  private var input: [UInt8] = []
  private var message: [UInt8] = []
  private var isUpgraded = false
  /// Messages of the node since the last `take`.
  private var messages: [[UInt8]] = []
  /// Control frames of the node since its connection: opcode and payload.
  public private(set) var controls: [(opcode: UInt8, payload: [UInt8])] = []
  /// The head of the HTTP request.
  public private(set) var upgradeRequest: [UInt8] = []

  /// The other end of `transport`.
  @export(interface)
  public init(transport: MemoryTransport, cryptography: any Cryptography) {
    self.transport = transport
    self.cryptography = cryptography
  }

  /// Accepts a new connection of the node, with or without TLS; see `MemoryTransport.secure`.
  public func accept(leaf: Fingerprint? = nil, key: Fingerprint? = nil, vouching: Vouching = .unasked) {
    input.removeAll()
    message.removeAll()
    messages.removeAll()
    controls.removeAll()
    upgradeRequest.removeAll()
    isUpgraded = false
    transport.secure(leaf: leaf, key: key, vouching: vouching)
    pump()
  }

  /// Reads the node's bytes, and answers the upgrade.
  public func pump() {
    transport.drain { input.append(contentsOf: $0) }
    if !isUpgraded { answerUpgrade() }
    while isUpgraded, readFrame() {}
  }

  /// The messages of the node so far.
  public func take() -> [[UInt8]] {
    pump()
    defer { messages.removeAll() }
    return messages
  }

  // MARK: Sending

  /// Sends a text message in one frame.
  public func send(_ text: String) { sendFrame(0x81, Array(text.utf8)) }

  /// Sends one frame: the first byte of its header, and its payload.
  public func sendFrame(_ first: UInt8, _ payload: [UInt8]) {
    let frame = Self.frame(first, payload)
    frame.withUnsafeBufferPointer { transport.deliver($0) }
  }

  /// A server's frame (RFC 6455 section 5.2), which is not masked.
  public static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var frame = [first]
    if payload.count < 126 {
      frame.append(UInt8(payload.count))
    } else if payload.count < 65_536 {
      frame += [126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    } else {
      frame.append(127)
      for shift in stride(from: 56, through: 0, by: -8) {
        frame.append(UInt8(truncatingIfNeeded: UInt64(payload.count) >> UInt64(shift)))
      }
    }
    return frame + payload
  }

  // MARK: Receiving

  private func answerUpgrade() {
    let end: [UInt8] = [13, 10, 13, 10]
    guard input.count >= 4, let stop = Self.find(end, in: input) else { return }
    upgradeRequest = Array(input[..<stop])
    input.removeFirst(stop + 4)
    let label = Array("Sec-WebSocket-Key: ".utf8)
    guard let at = Self.find(label, in: upgradeRequest) else { return }
    let key = Array(upgradeRequest[(at + label.count)..<(at + label.count + 24)])
    let digest = cryptography.sha1((key + Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)).span)
    var accept = InlineText<28>()
    accept.fill { Base64.standard.encode(digest.span, into: $0) }
    var answer = Array(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        .utf8)
    accept.span.withUnsafeBufferPointer { answer.append(contentsOf: $0) }
    answer += Array("\r\n\r\n".utf8)
    isUpgraded = true
    answer.withUnsafeBufferPointer { transport.deliver($0) }
  }

  private static func find(_ needle: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= needle.count else { return nil }
    return (0...(bytes.count - needle.count)).first { bytes[$0..<($0 + needle.count)].elementsEqual(needle) }
  }

  private func readFrame() -> Bool {
    guard input.count >= 6, input[1] & 0x80 != 0 else { return false }
    var length = Int(input[1] & 0x7F)
    var start = 2
    if length == 126 {
      guard input.count >= 8 else { return false }
      length = Int(input[2]) << 8 | Int(input[3])
      start = 4
    }
    guard input.count >= start + 4 + length else { return false }
    let first = input[0]
    var payload: [UInt8] = []
    payload.reserveCapacity(length)
    for index in 0..<length { payload.append(input[start + 4 + index] ^ input[start + index % 4]) }
    input.removeFirst(start + 4 + length)
    if first & 0x08 != 0 {
      controls.append((first & 0x0F, payload))
      return true
    }
    message.append(contentsOf: payload)
    if first & 0x80 != 0 {
      messages.append(message)
      message.removeAll()
    }
    return true
  }
}
