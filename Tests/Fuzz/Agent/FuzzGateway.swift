import Codec
import Gateway
import Runtime
import Simulated

/// The gateway's end of one connection: hands over what the fuzzer says, and reads what the board says, all of which
/// must be whole frames of valid JSON.
final class FuzzGateway {
  enum Stage { case closed, upgrading, challenged, online }

  let transport = MemoryTransport(capacity: 1 << 20)
  private let cryptography: any Cryptography
  private(set) var stage = Stage.closed
  private var input: [UInt8] = []
  private var message: [UInt8] = []
  /// Requests of the board without an answer: id and method.
  private(set) var requests: [(id: [UInt8], method: String)] = []
  /// Told of every answer to an invoke: its id.
  var answered: (String) -> Void = { _ in }
  /// The board has sent a close frame.
  private(set) var isClosing = false

  init(_ cryptography: any Cryptography) { self.cryptography = cryptography }

  /// The connection as the board sees it now.
  func follow() {
    if !transport.isOpen { forget() }
  }

  func forget() {
    stage = .closed
    isClosing = false
    input.removeAll(keepingCapacity: true)
    message.removeAll(keepingCapacity: true)
    requests.removeAll(keepingCapacity: true)
  }

  // MARK: To the board

  /// TCP stands; the upgrade follows.
  func secure() {
    forget()
    stage = .upgrading
    transport.secure()
  }

  /// Answers the upgrade as it should be.
  func accept() {
    _ = pump()
    guard let key = upgradeKey() else { return }
    let digest = cryptography.sha1((key + Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)).span)
    var accept = InlineText<28>()
    accept.fill { Base64.standard.encode(digest.span, into: $0) }
    var answer = Array(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ".utf8)
    accept.span.withUnsafeBufferPointer { answer.append(contentsOf: $0) }
    stage = .challenged
    deliver(answer + Array("\r\n\r\n".utf8))
  }

  private func upgradeKey() -> [UInt8]? {
    let label = Array("Sec-WebSocket-Key: ".utf8)
    guard input.count > 40 else { return nil }
    for start in 0..<(input.count - label.count - 24) where input[start] == label[0] {
      guard input[start..<(start + label.count)].elementsEqual(label) else { continue }
      let key = Array(input[(start + label.count)..<(start + label.count + 24)])
      input.removeAll(keepingCapacity: true)
      return key
    }
    return nil
  }

  func deliver(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { transport.deliver($0) } }

  /// Sends a text message in one frame, or in several.
  func send(_ payload: [UInt8], pieces: Int = 1) {
    if pieces <= 1 { return deliver(LoopbackGateway.frame(0x81, payload)) }
    var bytes: [UInt8] = []
    let length = payload.count / pieces + 1
    for piece in 0..<pieces {
      let range = min(piece * length, payload.count)..<min((piece + 1) * length, payload.count)
      let head: UInt8 = (piece == pieces - 1 ? 0x80 : 0) | (piece == 0 ? 1 : 0)
      bytes += LoopbackGateway.frame(head, Array(payload[range]))
    }
    deliver(bytes)
  }

  func isOnline() { stage = .online }

  /// A request that waits, taken or left.
  func request(_ dice: Dice) -> (id: [UInt8], method: String)? {
    guard !requests.isEmpty else { return nil }
    let index = dice.below(requests.count)
    return dice.chance(1, in: 12) ? requests[index] : requests.remove(at: index)
  }

  // MARK: From the board

  /// Reads what the board wrote; true when there was something.
  func pump() -> Bool {
    var hadBytes = false
    transport.drain {
      input.append(contentsOf: $0)
      hadBytes = true
    }
    if stage == .challenged || stage == .online {
      var place = 0
      while let next = readFrame(from: place) { place = next }
      if place > 0 { input.removeFirst(place) }
      expect(input.count < 200_000, "half a frame of \(input.count) bytes")
    }
    return hadBytes
  }

  /// Where the frame that begins at `place` ends; nil when it is not all there.
  private func readFrame(from place: Int) -> Int? {
    guard input.count >= place + 6 else { return nil }
    expect(input[place + 1] & 0x80 != 0, "a frame without a mask")
    var length = Int(input[place + 1] & 0x7F)
    var start = place + 2
    expect(length < 127, "a frame of more than 64 KiB")
    if length == 126 {
      guard input.count >= place + 8 else { return nil }
      length = Int(input[place + 2]) << 8 | Int(input[place + 3])
      start += 2
    }
    guard input.count >= start + 4 + length else { return nil }
    let opcode = input[place] & 0x0F
    input.withUnsafeMutableBufferPointer { bytes in
      for index in 0..<length { bytes[start + 4 + index] ^= bytes[start + index & 3] }
    }
    if opcode == 8 { isClosing = true }
    if opcode < 8 {
      message.append(contentsOf: input[(start + 4)..<(start + 4 + length)])
      if input[place] & 0x80 != 0 {
        read(message)
        message.removeAll(keepingCapacity: true)
      }
    }
    return start + 4 + length
  }

  private func read(_ text: [UInt8]) {
    var isJSON = true
    do throws(JSONError) { try JSONValidator.check(text.span, depthLimit: 512) } catch { isJSON = false }
    expect(isJSON, "the board sent no JSON: \(String(decoding: text.prefix(300), as: UTF8.self))")
    let frame = JSONView(text.span)
    guard let method = frame.member("method"), let id = frame.member("id") else { return }
    if method.equals("node.invoke.result") {
      guard let params = frame.member("params"), let invoke = params.member("id") else {
        return expect(false, "an answer to nothing")
      }
      return answered(Self.text(invoke))
    }
    if requests.count >= 64 { requests.removeFirst() }
    requests.append((Array(Self.text(id).utf8), Self.text(method)))
  }

  private static func text(_ view: borrowing JSONView) -> String {
    var buffer = [UInt8](repeating: 0, count: view.rawText.count)
    let count = buffer.withUnsafeMutableBufferPointer { view.copyString(into: $0) } ?? 0
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
