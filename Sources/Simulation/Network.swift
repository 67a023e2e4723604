import Gateway
import Runtime

/// The network between the board and its gateway: what is broken in it now. Faults may overlap, so each is counted.
final class Network {
  unowned(unsafe) let life: Life

  /// No packet passes. What was sent waits for its repetition.
  var isDown: Bool { outages > 0 }
  var outages = 0 {
    didSet { if outages == 0, oldValue > 0 { wakeAll() } }
  }
  /// Names have no address.
  var nameFaults = 0
  /// Connecting is refused, or leads nowhere.
  var refusals = 0
  var blackHoles = 0
  /// TLS is answered in plain text, or not at all.
  var tlsFaults = 0
  /// This one of the gateway's addresses leads nowhere.
  var deadRoute: Int?
  /// Another machine answers at the gateway's addresses, with this certificate.
  var impostor: PeerCertificate?
  /// Milliseconds that a packet takes one way, and by how much it varies.
  var latency: Int64 = 20
  var jitter: Int64 = 10
  /// Bytes per second each way; 0: as much as one likes.
  var bandwidth: Int64 = 0
  /// How bytes arrive.
  var delivery = Delivery.whole

  /// How the pieces of what was sent arrive.
  enum Delivery { case whole, split, single }

  /// Every connection of which one end is still there.
  private(set) var connections: [Connection] = []

  init(_ life: Life) { self.life = life }

  /// True when connecting would succeed, and everything would arrive.
  var isGood: Bool {
    outages == 0 && nameFaults == 0 && refusals == 0 && blackHoles == 0 && tlsFaults == 0 && impostor == nil
      && latency <= 500 && bandwidth == 0
  }

  func add(_ connection: Connection) { connections.append(connection) }

  func remove(_ connection: Connection) { connections.removeAll { $0 === connection } }

  private func wakeAll() {
    for connection in connections { connection.pathRestored() }
  }

  /// One way of a packet.
  func trip() -> Int64 { latency + (jitter > 0 ? life.random(below: jitter) : 0) }

  /// Milliseconds that so many bytes need beside that.
  func duration(_ bytes: Int) -> Int64 { bandwidth > 0 ? Int64(bytes) * 1000 / bandwidth : 0 }

  // MARK: Faults of single connections

  /// A router forgets its connections: from now on nothing passes in these directions, for ever.
  func forget(up: Bool, down: Bool) {
    for connection in connections {
      connection.isDeadUp = connection.isDeadUp || up
      connection.isDeadDown = connection.isDeadDown || down
    }
  }

  /// A router cuts its connections with a reset to both sides.
  func resetAll() {
    for connection in connections { connection.cut() }
  }
}

/// The board's end of the network, for one role.
final class SimulatedTransport: Transport, Actor {
  unowned(unsafe) let life: Life
  let role: Role
  private var connection: Connection?
  /// Numbers the attempts of `open`, so that late results are ignored.
  private var generation: Int64 = 0
  private var pending: (url: GatewayURL, delegate: any TransportDelegate)?
  private var failure = TransportFailure(.broken)

  private enum Step: Int { case fail, connected, secured }

  init(_ life: Life, role: Role) {
    self.life = life
    self.role = role
  }

  /// True from `open` until either side ends it.
  var isOpen: Bool { connection != nil || pending != nil }

  /// When the attempt that is under way, or led to this connection, began.
  private(set) var openedAt: Int64 = 0

  func open(_ url: GatewayURL, _ delegate: any TransportDelegate) {
    life.invariants.opens(self)
    // What is still there stays: one open must be followed by one close.
    if pending != nil { life.invariants.violated("a second connection was begun while the first was being opened") }
    generation += 1
    pending = (url, delegate)
    openedAt = life.now
    life.trace.note(life.now, "board opens", Int64(role.rawValue), Int64(url.port))
    let network = life.network!
    let roundTrip = network.trip() + network.trip()
    if network.nameFaults > 0 {
      let timeout: Int64 = life.chance(1, in: 2) ? 10 : 5_000 + life.random(below: 5_000)
      return fail(TransportFailure(.resolve), after: timeout)
    }
    if network.isDown || network.blackHoles > 0 {
      return fail(TransportFailure(.connect, reason: .timedOut), after: 10_000)
    }
    if let route = network.deadRoute, Int(url.port) == 18_789 + route {
      return fail(TransportFailure(.connect, reason: .timedOut), after: 10_000)
    }
    if network.impostor == nil, network.refusals > 0 || life.gateway.refusesConnections {
      return fail(TransportFailure(.connect, reason: .connectionRefused), after: roundTrip)
    }
    plan(.connected, after: roundTrip)
  }

  private func plan(_ step: Step, after pause: Int64) {
    life.schedule.add(self, step.rawValue, generation, at: life.now + pause)
  }

  private func fail(_ failure: TransportFailure, after pause: Int64) {
    self.failure = failure
    plan(.fail, after: pause)
  }

  func act(_ what: Int, _ number: Int64) {
    guard number == generation, let pending else { return }
    switch Step(rawValue: what)! {
    case .fail:
      self.pending = nil
      life.trace.note(life.now, "connecting failed", Int64(role.rawValue))
      pending.delegate.transportFailed(failure)
    case .connected: connected(pending.url)
    case .secured: secured(pending.url, pending.delegate)
    }
  }

  private func connected(_ url: GatewayURL) {
    let network = life.network!
    guard url.isSecure else { return plan(.secured, after: 0) }
    if network.isDown { return fail(TransportFailure(.tls, reason: .timedOut), after: 10_000) }
    if network.tlsFaults > 0 {
      return fail(TransportFailure(.tls), after: life.chance(1, in: 2) ? network.trip() : 10_000)
    }
    plan(.secured, after: 4 * network.trip())
  }

  private func secured(_ url: GatewayURL, _ delegate: any TransportDelegate) {
    pending = nil
    let certificate = url.isSecure ? life.network.impostor ?? life.gateway.certificate : nil
    let connection = Connection(life, self, delegate, certificate)
    if life.options.plant == .opensTwice { life.network.add(Connection(life, self, delegate, certificate)) }
    self.connection = connection
    life.network.add(connection)
    life.invariants.opened(connection)
    // An impostor is silent: what matters is that the board sends nothing to it.
    if life.network.impostor == nil { life.gateway.accept(connection) }
    var shown = certificate
    if life.options.plant == .ignoresPin, let pin = life.invariants.pin { shown = pin }
    delegate.transportSecured(certificate: shown)
  }

  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int { connection?.write(bytes) ?? 0 }

  func resumeReading() { connection?.resumeReading() }

  func close() {
    generation += 1
    pending = nil
    connection?.boardCloses()
    connection = nil
  }

  /// The connection broke: told to the board.
  func ended(_ ended: Connection, _ delegate: any TransportDelegate, _ failure: TransportFailure) {
    guard connection === ended else { return }
    connection = nil
    delegate.transportFailed(failure)
  }

  /// Power failure: no close frame is sent.
  func powerLost() {
    generation += 1
    pending = nil
    connection?.boardVanishes()
    connection = nil
  }
}
