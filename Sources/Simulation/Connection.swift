import Gateway
import Runtime

/// One TCP connection with its two directions, each of which may be slow, held up or dead.
final class Connection: Actor {
  /// Data that accompanies bytes from the gateway, for the ledgers.
  enum Cargo {
    case nothing
    case invoke(Int)
    case acknowledgement(Int64)
    case phrases(Int, isAnswer: Bool)
    case tools(Int64, ToolLedger.Verdict)
    case end
    case reset
  }

  private struct Chunk {
    let end: Int
    let cargo: Cargo
  }

  private enum Step: Int { case up, down, deliver, userTimeout, boardGone, gatewayGone }

  /// Bytes on their way up that the kernel holds (`tl_tcp_options`).
  private static let sendBuffer = 64 * 1024
  /// Bytes that the transport reads at once.
  private static let readBytes = Budget.linkReadBytes
  /// Milliseconds without acknowledgement until the kernel gives up (`NetworkTransport.userTimeout`).
  private static let userTimeout: Int64 = 30_000

  unowned(unsafe) let life: Life
  let serial: Int64
  let role: Role
  let certificate: PeerCertificate?
  private(set) var board: SimulatedTransport?
  private var delegate: (any TransportDelegate)?
  /// The gateway's end, until it is closed there.
  var peer: Peer?

  /// The board may speak to this certificate: looked at once.
  var isTrusted = false

  /// Nothing passes any more in this direction.
  var isDeadUp = false
  var isDeadDown = false

  let reader = WireReader()
  private var written = 0
  private var acknowledged = 0
  private var arrivedUp = 0
  private var lastUp: Int64 = 0
  private var isUpWaiting = false
  private var wantsRoom = false
  private var timeoutAt: Int64?

  private let down = ByteStream()
  private var chunks: [Chunk] = []
  private var nextChunk = 0
  private var arrivedDown = 0
  private var delivered = 0
  private var lastDown: Int64 = 0
  private var isDownWaiting = false
  private var isHeld = false
  private var isDelivering = false

  init(
    _ life: Life, _ board: SimulatedTransport, _ delegate: any TransportDelegate, _ certificate: PeerCertificate?
  ) {
    self.life = life
    self.board = board
    self.delegate = delegate
    self.certificate = certificate
    role = board.role
    serial = life.nextSerial()
  }

  /// True while the board's end is there.
  var isBoardThere: Bool { board != nil }
  /// True while what the board writes does not reach the gateway, or not soon.
  var isUpHindered: Bool { isDeadUp || isUpWaiting || wantsRoom || written - arrivedUp > 32_768 }

  // MARK: Up

  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let count = min(bytes.count, Self.sendBuffer - (written - acknowledged))
    guard count > 0 else {
      wantsRoom = true
      return 0
    }
    if count < bytes.count { wantsRoom = true }
    life.invariants.writes(self)
    let taken = UnsafeBufferPointer(rebasing: bytes[..<count])
    reader.feed(taken)
    written += count
    lastUp = max(lastUp, life.now + life.network.trip()) + life.network.duration(count)
    life.schedule.add(self, Step.up.rawValue, Int64(written), at: lastUp)
    if !reader.isSound { life.invariants.violated("the board broke the WebSocket protocol") }
    life.invariants.boardWrote(self)
    return count
  }

  private func arriveUp(_ offset: Int) {
    if isDeadUp { return armTimeout() }
    if life.network.isDown {
      isUpWaiting = true
      return armTimeout()
    }
    // After something that still waits.
    guard !isUpWaiting, offset > arrivedUp else { return }
    arrivedUp = offset
    if isDeadDown {
      armTimeout()
    } else {
      acknowledged = offset
    }
    guard let peer else { return refuseUp() }
    while let message = reader.next(before: offset) {
      peer.received(message)
      if self.peer == nil { break }
    }
    reader.compact()
    guard wantsRoom, !isDeadDown else { return }
    wantsRoom = false
    delegate?.transportWritable()
  }

  /// The peer is gone: a reset comes back.
  private func refuseUp() {
    guard !isDeadDown, life.network.impostor == nil || certificate == nil else { return }
    life.schedule.add(self, Step.boardGone.rawValue, 1, at: life.now + life.network.trip())
  }

  private func armTimeout() {
    guard timeoutAt == nil, isBoardThere else { return }
    let instant = life.now + Self.userTimeout
    timeoutAt = instant
    life.schedule.add(self, Step.userTimeout.rawValue, Int64(acknowledged), at: instant)
  }

  // MARK: Down

  /// Sends bytes to the board, `pause` milliseconds from now.
  func send(_ bytes: UnsafeBufferPointer<UInt8>, _ cargo: Cargo = .nothing, after pause: Int64 = 0) {
    down.append(bytes)
    plan(bytes.count, cargo, pause)
  }

  private func plan(_ count: Int, _ cargo: Cargo, _ pause: Int64) {
    chunks.append(Chunk(end: down.end, cargo: cargo))
    let network = life.network!
    lastDown = max(lastDown, life.now + pause + network.trip()) + network.duration(count)
    life.schedule.add(self, Step.down.rawValue, Int64(down.end), at: lastDown)
  }

  /// The gateway closes its end: in an orderly way, or with a reset.
  func gatewayCloses(reset: Bool = false, after pause: Int64 = 0) {
    guard peer != nil else { return }
    peer = nil
    plan(0, reset ? .reset : .end, pause)
    if !isBoardThere { life.network.remove(self) }
  }

  /// The gateway's machine is gone: nothing is said.
  func gatewayVanishes() {
    peer = nil
    isDeadDown = true
    isDeadUp = true
    if !isBoardThere { life.network.remove(self) }
  }

  private func arriveDown(_ offset: Int) {
    if isDeadDown { return }
    if life.network.isDown {
      isDownWaiting = true
      return
    }
    guard !isDownWaiting else { return }
    arrivedDown = max(arrivedDown, offset)
    guard isBoardThere else {
      // The board's end is closed, or its power was gone: a reset tells the gateway.
      if !isDeadUp { life.schedule.add(self, Step.gatewayGone.rawValue, at: life.now + life.network.trip()) }
      return
    }
    deliver()
  }

  func resumeReading() {
    guard isHeld else { return }
    isHeld = false
    life.schedule.add(self, Step.deliver.rawValue, at: life.now)
  }

  private func deliver() {
    guard !isDelivering, !isHeld else { return }
    isDelivering = true
    defer { isDelivering = false }
    while nextChunk < chunks.count, chunks[nextChunk].end <= arrivedDown {
      let chunk = chunks[nextChunk]
      guard deliverBytes(upTo: chunk.end) else { return }
      nextChunk += 1
      switch chunk.cargo {
      case .nothing: break
      case .invoke(let number): life.invokes.delivered(number, over: self)
      case .acknowledgement(let number): life.events.acknowledged(number)
      case .phrases(let number, let isAnswer): life.phrases.arrived(number, isAnswer: isAnswer, over: self)
      case .tools(let serial, let verdict): life.tools.heard(verdict, over: serial)
      case .end: return end(TransportFailure(.closedByPeer))
      case .reset: return end(TransportFailure(.broken, reason: .connectionReset))
      }
    }
    if nextChunk == chunks.count {
      chunks.removeAll(keepingCapacity: true)
      nextChunk = 0
      down.drop(before: delivered)
    }
  }

  /// False when the board did not take them all, or is gone.
  private func deliverBytes(upTo end: Int) -> Bool {
    while delivered < end {
      guard let delegate else { return false }
      let count = min(end - delivered, pieceLength())
      let piece = UnsafeBufferPointer(down.bytes(delivered, delivered + count))
      let taken = delegate.transportReceived(Span(_unsafeElements: piece))
      delivered += taken
      if !isBoardThere { return false }
      if taken < count {
        isHeld = true
        return false
      }
    }
    return true
  }

  private func pieceLength() -> Int {
    switch life.network.delivery {
    case .whole: Self.readBytes
    case .split: 1 + Int(life.random(below: 400))
    case .single: 1
    }
  }

  // MARK: Ends

  private func end(_ failure: TransportFailure) {
    guard let board, let delegate else { return }
    self.board = nil
    self.delegate = nil
    if peer == nil { life.network.remove(self) }
    life.invokes.lost(over: self)
    life.tools.lost(over: serial)
    life.trace.note(life.now, "connection ended", serial)
    board.ended(self, delegate, failure)
  }

  /// The board closes: the gateway hears of it, if the network lets it.
  func boardCloses() {
    boardVanishes()
    guard peer != nil, !isDeadUp else { return }
    lastUp = max(lastUp, life.now + life.network.trip())
    life.schedule.add(self, Step.gatewayGone.rawValue, at: lastUp)
  }

  /// The board's end is gone without a word.
  func boardVanishes() {
    guard isBoardThere else { return }
    board = nil
    delegate = nil
    life.invokes.lost(over: self)
    life.tools.lost(over: serial)
    if peer == nil { life.network.remove(self) }
  }

  /// Both sides are told that it broke.
  func cut() {
    life.schedule.add(self, Step.boardGone.rawValue, 0, at: life.now)
    life.schedule.add(self, Step.gatewayGone.rawValue, at: life.now)
  }

  /// What waited is repeated.
  func pathRestored() {
    let instant = life.now + 200 + life.random(below: 2_800)
    if isUpWaiting {
      isUpWaiting = false
      timeoutAt = nil
      lastUp = max(lastUp, instant)
      life.schedule.add(self, Step.up.rawValue, Int64(written), at: lastUp)
    }
    if isDownWaiting {
      isDownWaiting = false
      lastDown = max(lastDown, instant)
      life.schedule.add(self, Step.down.rawValue, Int64(down.end), at: lastDown)
    }
  }

  func act(_ what: Int, _ number: Int64) {
    switch Step(rawValue: what)! {
    case .up: arriveUp(Int(number))
    case .down: arriveDown(Int(number))
    case .deliver: if isBoardThere { deliver() }
    case .userTimeout:
      guard timeoutAt == life.now, acknowledged == Int(number) else { return timeoutAt = nil }
      end(TransportFailure(.broken, reason: .timedOut))
    case .boardGone: end(TransportFailure(.broken, reason: .connectionReset))
    case .gatewayGone:
      guard !life.network.isDown, let peer else { return }
      self.peer = nil
      if !isBoardThere { life.network.remove(self) }
      peer.connectionLost()
    }
  }
}
