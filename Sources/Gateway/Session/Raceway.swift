import Runtime

/// Gets the events of a raceway: of the race, then of the connection that won it.
protocol RacewayDelegate: AnyObject {
  /// The server at this address does not answer. Others are still tried, or `raceFailed` follows.
  func raceMissed(_ url: GatewayURL, _ failure: TransportFailure)
  /// No server answers; this is what the last one did.
  func raceFailed(_ failure: TransportFailure)
  /// The server at this address answers first. All other attempts are dropped.
  func raceWon(_ url: GatewayURL, certificate: PeerCertificate?)
  func raceReceived(_ bytes: Span<UInt8>) -> Int
  func raceWritable()
}

/// Connects to the first of several addresses of one gateway that answers. Attempts overlap (Happy Eyeballs, RFC 8305
/// section 5): each begins a moment after the one before, or when that has failed, and none is given up before another
/// is through with its handshake.
///
/// The first attempt uses the transport that is always there. Others get one when they begin, which is freed after the
/// race. Where no more transports are to be had, the addresses are tried one after the other.
final class Raceway {
  /// Milliseconds between two attempts (RFC 8305 section 8), and after one at an address that worked last time: a
  /// handshake over a slow link takes about as long, and the board should stay where it was.
  static let attemptDelay: Int64 = 250
  static let headStart: Int64 = 1_000
  /// Milliseconds after a race until the transports that are not in use are freed.
  private static let freeDelay: Int64 = 1_000

  private let clock: any Clock
  /// Set once, before the first race.
  unowned(unsafe) var delegate: (any RacewayDelegate)!
  /// Makes another transport; nil where there is only one.
  var moreTransports: (() -> any Transport)?
  private var lanes: [Lane] = []
  private var winner: Lane
  private var urls: [GatewayURL] = []
  /// The next address to try.
  private var next = 0
  private var isPreferred = false
  private var isDecided = false
  /// Counts races: what belongs to an earlier one is over.
  private var race = 0
  private var startsAt: Int64?
  private var freesAt: Int64?

  init(transport: any Transport, clock: any Clock) {
    self.clock = clock
    winner = Lane(transport)
    winner.owner = self
    lanes = [winner]
  }

  /// The transport of the connection.
  var transport: any Transport { winner.transport }

  /// When `advance` wants to be called.
  var deadline: Int64? {
    guard let startsAt else { return freesAt }
    return min(startsAt, freesAt ?? .max)
  }

  /// The addresses of this race that were tried, or are being tried.
  var begun: ArraySlice<GatewayURL> { urls[..<next] }

  /// Begins a race, in the order of the addresses. `isPreferred`: the first one worked last time.
  func open(_ urls: [GatewayURL], isPreferred: Bool) {
    close()
    self.urls = urls
    self.isPreferred = isPreferred
    startNext()
  }

  /// Adds an address to the race that is on.
  func add(_ url: GatewayURL) {
    guard !isDecided else { return }
    urls.append(url)
    if startsAt == nil { startsAt = clock.monotonic }
  }

  /// Drops the connection, or all attempts, without a call of the delegate.
  func close() {
    race += 1
    for lane in lanes { lane.drop() }
    winner.transport.close()
    urls = []
    next = 0
    isDecided = false
    startsAt = nil
    freesAt = lanes.count > 1 ? clock.monotonic + Self.freeDelay : nil
  }

  func advance(to now: Int64) {
    if let startsAt, now >= startsAt { startNext() }
    if let freesAt, now >= freesAt { freeLanes() }
  }

  /// Called from the loop, when no lane is on the stack.
  private func freeLanes() {
    freesAt = nil
    for index in lanes.indices.reversed() where index > 0 && lanes[index].url == nil && lanes[index] !== winner {
      lanes.remove(at: index)
    }
  }

  private func startNext() {
    startsAt = nil
    guard next < urls.count, let lane = idleLane() else { return }
    let delay = next == 0 && isPreferred ? Self.headStart : Self.attemptDelay
    let url = urls[next]
    next += 1
    if next < urls.count { startsAt = clock.monotonic + delay }
    lane.url = url
    lane.transport.open(url, lane)
  }

  private func idleLane() -> Lane? {
    for lane in lanes where lane.url == nil { return lane }
    guard lanes.count < Budget.connectionLanes, let moreTransports else { return nil }
    let lane = Lane(moreTransports())
    lane.owner = self
    lanes.append(lane)
    freesAt = nil
    return lane
  }

  fileprivate func secured(_ lane: Lane, _ certificate: PeerCertificate?) {
    guard let url = lane.url else { return }
    isDecided = true
    winner = lane
    startsAt = nil
    for other in lanes where other !== lane { other.drop() }
    if lanes.count > 1 { freesAt = clock.monotonic + Self.freeDelay }
    delegate.raceWon(url, certificate: certificate)
  }

  fileprivate func failed(_ lane: Lane, _ failure: TransportFailure) {
    guard let url = lane.url else { return }
    lane.url = nil
    if isDecided { return delegate.raceFailed(failure) }
    let race = race
    delegate.raceMissed(url, failure)
    guard race == self.race else { return }
    startNext()
    guard race == self.race, !isDecided, next == urls.count else { return }
    for other in lanes where other.url != nil { return }
    delegate.raceFailed(failure)
  }

  fileprivate func received(_ bytes: Span<UInt8>) -> Int { delegate.raceReceived(bytes) }
  fileprivate func writable() { delegate.raceWritable() }
}

/// One attempt of a race, and the connection when it wins.
private final class Lane: TransportDelegate {
  let transport: any Transport
  unowned(unsafe) var owner: Raceway!
  /// The address that is tried; nil while the lane is idle.
  var url: GatewayURL?

  init(_ transport: any Transport) { self.transport = transport }

  func drop() {
    guard url != nil else { return }
    url = nil
    transport.close()
  }

  func transportSecured(certificate: PeerCertificate?) { owner.secured(self, certificate) }
  func transportReceived(_ bytes: Span<UInt8>) -> Int { owner.received(bytes) }
  func transportWritable() { owner.writable() }
  func transportFailed(_ failure: TransportFailure) { owner.failed(self, failure) }
}
