import Codec
import Gateway
import Runtime

/// The gateway's end of one connection: upgrade, handshake (in `Peer+Connect`), requests of the board (in
/// `Peer+Requests`), and what the gateway sends by itself (in `Peer+Sending`).
final class Peer: Actor {
  enum Phase { case head, challenge, online, closing }
  enum Step: Int { case budget, ping, close, invokeAgain, cancel, replace }

  unowned(unsafe) let life: Life
  let connection: Connection
  var role: Role { connection.role }
  let generation: Generation
  var phase = Phase.head
  var nonce = ""
  var sequence: Int64 = 0
  private var hasPong = true
  var isOnline: Bool { phase == .online }
  var gateway: GatewayModel { life.gateway }
  var builder: FrameBuilder { life.gateway.builder }

  init(_ life: Life, _ connection: Connection, _ generation: Generation) {
    self.life = life
    self.connection = connection
    self.generation = generation
    life.schedule.add(self, Step.budget.rawValue, at: life.now + generation.handshakeBudget)
  }

  func act(_ what: Int, _ number: Int64) {
    guard connection.peer === self else { return }
    switch Step(rawValue: what)! {
    case .budget: if phase == .head || phase == .challenge { close(1000, "") }
    case .ping: ping()
    case .close: end()
    case .invokeAgain: if isOnline { invoke() }
    case .cancel: if isOnline { sendCancel(number) }
    case .replace: if isOnline { close(1000, life.chance(1, in: 2) ? "" : "replaced by a newer connection") }
    }
  }

  private func end() {
    gateway.remove(self)
    connection.gatewayCloses()
  }

  /// TCP is gone.
  func connectionLost() { gateway.remove(self) }

  /// The gateway's process is gone: the kernel closes for it, unless the machine is gone too.
  func processGone(silently: Bool) {
    phase = .closing
    silently ? connection.gatewayVanishes() : connection.gatewayCloses(reset: life.chance(1, in: 2))
  }

  /// A newer connection of the same device is there.
  func replaced() { close(1000, "") }

  /// Another machine comes with the same identity.
  func isReplacedSoon() {
    life.schedule.add(self, Step.replace.rawValue, at: life.now + 500 + life.random(below: 20_000))
  }

  /// A handshake is over, and the board is served.
  func online() {
    phase = .online
    if generation.sendsPings { life.schedule.add(self, Step.ping.rawValue, at: life.now + 25_000) }
    gateway.registered(self)
  }

  private func ping() {
    guard isOnline else { return }
    if generation.wantsPongs, !hasPong {
      gateway.remove(self)
      return connection.gatewayCloses(reset: true)
    }
    life.schedule.add(self, Step.ping.rawValue, at: life.now + 25_000)
    if gateway.silences > 0 { return }
    hasPong = false
    builder.begin()
    send(0x89)
  }

  // MARK: Receiving

  /// A whole message has arrived.
  func received(_ message: WireReader.Message) {
    guard gateway.silences == 0 else { return }
    let text = connection.reader.text(message)
    switch message.kind {
    case .head: upgrade(text)
    case .ping:
      builder.begin()
      builder.bytes(text)
      send(0x8A)
    case .pong: hasPong = true
    case .close: closed(text)
    case .binary: break
    case .text:
      if text.count > (isOnline ? generation.limit : generation.earlyLimit) {
        life.invariants.violated("a message of \(text.count) bytes is too large for this gateway")
      }
      switch phase {
      case .challenge: connect(text)
      case .online: request(text)
      case .head, .closing: break
      }
    }
  }

  /// The board closes: answered, and then TCP ends.
  private func closed(_ text: UnsafeBufferPointer<UInt8>) {
    if phase != .closing {
      builder.begin()
      builder.bytes(text)
      send(0x88)
    }
    phase = .closing
    end()
  }

  /// Closes in an orderly way: the board has a second for its answer.
  func close(_ code: UInt16, _ reason: String) {
    guard phase != .closing else { return }
    phase = .closing
    builder.begin()
    builder.fill(UInt8(code >> 8), 1)
    builder.fill(UInt8(code & 255), 1)
    builder.text(String(decoding: reason.utf8.prefix(120), as: UTF8.self))
    send(0x88)
    life.schedule.add(self, Step.close.rawValue, at: life.now + 1_000)
    life.trace.note(life.now, "gateway closes", Int64(code), connection.serial)
  }

  // MARK: Upgrade

  private func upgrade(_ head: UnsafeBufferPointer<UInt8>) {
    if let status = gateway.proxyStatus { return refuse(status) }
    let label: StaticString = "Sec-WebSocket-Key: "
    guard let start = Search.find(label.bytes, in: head) else {
      return life.invariants.violated("the upgrade request has no key")
    }
    let key = start + label.utf8CodeUnitCount
    var input = [UInt8](head[key..<(key + 24)])
    input += Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
    let digest = life.cryptography.sha1(input.span)
    var accept = InlineText<28>()
    accept.fill { Base64.standard.encode(digest.span, into: $0) }
    builder.begin()
    builder.text("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n")
    builder.text("Sec-WebSocket-Accept: ")
    builder.bytes(accept.span)
    builder.text("\r\n\r\n")
    connection.send(builder.payload, after: life.random(below: 5))
    phase = .challenge
    nonce = "nonce-\(life.random(below: 1 << 40))-\(connection.serial)"
    life.invariants.hide(Array(nonce.utf8))
    builder.begin()
    builder.text("{\"type\":\"event\",\"event\":\"connect.challenge\",\"payload\":{\"nonce\":\"")
    builder.text(nonce)
    builder.text("\",\"ts\":")
    builder.decimal(life.wall)
    builder.text("}}")
    send(after: life.random(below: 10))
  }

  private func refuse(_ status: Int) {
    builder.begin()
    builder.text("HTTP/1.1 \(status) Refused\r\n")
    if status == 429 {
      builder.text("Retry-After: 120\r\n")
      gateway.toldToWait[role.rawValue] = true
    }
    builder.text("Content-Length: 0\r\n\r\n")
    connection.send(builder.payload, after: 1)
    phase = .closing
    end()
  }

  // MARK: Sending

  /// Sends the message in the builder.
  func send(_ first: UInt8 = 0x81, _ cargo: Connection.Cargo = .nothing, after pause: Int64 = 0) {
    life.report.messages += 1
    connection.send(builder.frame(first), cargo, after: pause)
  }
}
