import Codec
import Gateway
import Runtime

/// A gateway of any generation, as far as a node can tell: fast rather than complete. Its connections are `Peer`s.
final class GatewayModel: Actor {
  private enum Step: Int { case tick, health, noise, invoke }

  /// The shared token or password of this gateway.
  static let sharedSecret = "shared-secret-of-the-simulated-gateway"

  unowned(unsafe) let life: Life
  let builder = FrameBuilder()
  let chats: Chats
  private(set) var peers: [Peer] = []

  // What it is.
  private(set) var generation: Generation
  private(set) var build = 1
  var version: String { generation.version(build) }
  var certificate: PeerCertificate
  private var certificates = 0

  // How it is. Faults may overlap, so each is counted.
  var downs = 0
  var isUp: Bool { downs == 0 }
  /// Until then every `connect` is told to come back.
  var startingUntil: Int64 = 0
  /// Nothing it should send is sent.
  var silences = 0
  /// Ticks and health are not sent; everything else is.
  var lostTicks = 0
  /// Requests of the board are not answered.
  var deafness = 0
  /// `connect` is not answered.
  var hangs = 0
  /// What a proxy answers to the upgrade instead of the gateway.
  var proxyStatus: Int?
  /// Every `connect` is answered by a lockout until then.
  var lockedUntil: Int64 = 0
  /// No version of the protocol that the board speaks.
  var strangers = 0
  /// Everything that a node asks is refused, while its connection stays.
  var refusing = 0
  /// Another machine connects with the board's identity whenever the board is online.
  var clones = 0
  /// The last refusal asked for a pause of its own length: for each role.
  var toldToWait = [false, false]

  // What it knows of the board.
  var device = Device()

  struct Device {
    /// For each role: whether a person approved it, and its token.
    var approved = [false, false]
    var tokens: [String?] = [nil, nil]
    var issuedAt: [Int64] = [0, 0]
    var isSurfaceApproved = false
    /// What the node declared, as JSON.
    var commands = "[]"
    /// What a person must approve, for which roles, and since when.
    var requestID: String?
    var requested = [false, false]
    /// The role whose request it is.
    var requestRole = Role.node
    var requestedAt: Int64 = 0
    /// When the board was removed.
    var removedAt: Int64 = -86_400_000
    var bootstrapToken: String?
    var bootstrapExpiry: Int64 = 0
  }

  private var requests = 0
  private var bootTime: Int64 = 0

  init(_ life: Life) {
    self.life = life
    chats = Chats(life)
    generation = life.scenario.generation
    let nothing = Fingerprint(digest: InlineArray<32, UInt8>(repeating: 0))
    certificate = PeerCertificate(leaf: nothing, key: nothing)
    certificate = newCertificate()
    life.person.configuredPin = certificate.leaf
  }

  func begin() {
    plan(.tick, 30_000)
    plan(.health, 60_000)
    if life.scenario.invokesPerDay > 0 { planInvoke() }
    plan(.noise, life.interval(600_000))
  }

  private func plan(_ step: Step, _ pause: Int64) { life.schedule.add(self, step.rawValue, at: life.now + pause) }

  private func planInvoke() { plan(.invoke, life.interval(86_400_000 / Int64(life.scenario.invokesPerDay))) }

  // MARK: Connections

  var refusesConnections: Bool { !isUp }

  func accept(_ connection: Connection) {
    let peer = Peer(life, connection, generation)
    connection.peer = peer
    peers.append(peer)
  }

  func remove(_ peer: Peer) {
    life.sessions.lost(peer)
    peers.removeAll { $0 === peer }
  }

  /// A board is online: an older connection of it as a node ends (gateway reference 8.6).
  func registered(_ peer: Peer) {
    if peer.role == .node {
      for other in peers where other !== peer && other.isOnline && other.role == .node { other.replaced() }
      if clones > 0 { peer.isReplacedSoon() }
    }
    toldToWait[peer.role.rawValue] = false
    life.invariants.conditionsChanged()
  }

  /// The connection of the board as a node that counts.
  var node: Peer? { peers.last { $0.isOnline && $0.role == .node } }
  /// Its connections as an operator.
  var operators: [Peer] { peers.filter { $0.isOnline && $0.role == .operator } }

  // MARK: Time

  func act(_ what: Int, _ number: Int64) {
    switch Step(rawValue: what)! {
    case .tick:
      plan(.tick, 30_000)
      if isUp, silences == 0, lostTicks == 0 { for peer in peers where peer.isOnline { peer.sendTick() } }
    case .health:
      plan(.health, 60_000)
      if isUp, silences == 0, lostTicks == 0 { for peer in peers where peer.isOnline { peer.sendHealth() } }
    case .noise:
      plan(.noise, life.interval(600_000))
      if isUp, silences == 0 { for peer in peers where peer.isOnline { makeNoise(peer) } }
    case .invoke:
      planInvoke()
      if isUp, silences == 0, let node, mayInvoke { node.invoke() }
    }
  }

  /// From June on a person must approve what the node can do (gateway reference 5.8).
  var mayInvoke: Bool { generation < .june || device.isSurfaceApproved }

  /// A person has approved what the node can do: from some releases on it is told so.
  func surfaceApproved() {
    guard generation.tellsOfApproval(build), isUp, silences == 0, let node else { return }
    node.sendApproval()
    life.tools.toldOfApproval(over: node.connection.serial)
  }

  private func makeNoise(_ peer: Peer) {
    switch life.random(below: 4) {
    case 0: peer.sendPhrases()
    case 1: peer.sendEvent("presence", "{\"presence\":[{\"host\":\"x\",\"ts\":1}]}", isBroadcast: true)
    default:
      guard generation.isNoisy || peer.role == .operator else { return }
      for _ in 0..<(1 + life.random(below: 30)) {
        peer.sendEvent(
          "chat",
          "{\"runId\":\"r\",\"sessionKey\":\"agent:main:main\",\"state\":\"delta\",\"message\":{\"text\":\"la\"}}",
          isBroadcast: true)
      }
    }
  }

  // MARK: Life of the process

  /// The process is gone: its connections with it.
  func stop(silently: Bool) {
    downs += 1
    for peer in peers {
      life.sessions.lost(peer)
      peer.processGone(silently: silently)
    }
    peers.removeAll()
    chats.stop()
    life.invariants.conditionsChanged()
  }

  /// It is back, perhaps as another release.
  func start(as release: Generation? = nil, startup: Int64 = 0) {
    downs -= 1
    if let release {
      generation = release
      build += 1
    }
    bootTime = life.now
    if generation.hasStartupPhase { startingUntil = life.now + startup }
    life.schedule.add(life.person, Person.Step.look.rawValue, at: life.now + startup)
    life.invariants.conditionsChanged()
  }

  /// True when nothing but the board decides whether it is online.
  func isGood(for role: Role) -> Bool {
    isUp && silences == 0 && hangs == 0 && proxyStatus == nil && strangers == 0 && deafness == 0
      && life.now >= startingUntil && life.now >= lockedUntil && device.approved[role.rawValue] && lostTicks == 0
      && refusing == 0 && clones == 0
  }

  /// True when the board has, or can get, a credential that counts.
  func isCredentialGood(for role: Role) -> Bool {
    if life.scenario.credential != .setupCode { return true }
    if let token = life.board.knownToken(role) { return device.tokens[role.rawValue] == token }
    return role == .node && device.bootstrapToken != nil && life.now < device.bootstrapExpiry - 60_000
  }

  // MARK: Certificates

  /// A new certificate, with the key of the last one or another.
  func newCertificate(keepingKey: Bool = false) -> PeerCertificate {
    certificates += 1
    let leaf = fingerprint()
    return PeerCertificate(
      leaf: leaf, key: keepingKey ? certificate.key : fingerprint(),
      vouching: life.scenario.hasAuthority ? .vouched(until: 4_102_444_800_000) : .unasked)
  }

  /// The certificate of somebody else, for which no authority vouches at this name.
  func strangersCertificate() -> PeerCertificate {
    let stranger = newCertificate()
    guard life.scenario.hasAuthority else { return stranger }
    let objections: [Vouching.Objection] = [.expired, .notYetValid, .otherName, .unknownIssuer, .other]
    return PeerCertificate(
      leaf: stranger.leaf, key: stranger.key, vouching: .objected(objections[Int(life.random(below: 5))]))
  }

  private func fingerprint() -> Fingerprint {
    var digest = InlineArray<32, UInt8>(repeating: 0)
    for index in 0..<32 { digest[index] = UInt8(life.random(below: 256)) }
    return Fingerprint(digest: digest)
  }

  // MARK: Pairing

  /// The request that a person must approve: the one that is open, or a new one. Another role supersedes it, and the
  /// roles of both are asked for (gateway reference 5.3).
  func pairingRequest(for role: Role) -> String {
    let isOpen = device.requestID != nil && life.now - device.requestedAt < 300_000
    if isOpen, device.requestRole == role, let id = device.requestID {
      if generation == .newest { device.requestedAt = life.now }
      return id
    }
    if !isOpen { device.requested = [false, false] }
    device.requested[role.rawValue] = true
    device.requestRole = role
    requests += 1
    let id = "request-\(requests)"
    device.requestID = id
    device.requestedAt = life.now
    life.person.asked()
    return id
  }

  /// 32 random bytes as base64url would have them.
  func newToken() -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let token = String((0..<43).map { _ in alphabet[Int(life.random(below: 64))] })
    life.invariants.hide(Array(token.utf8))
    return token
  }

  /// The token for a board that has just proven itself: the one it has, or a new one.
  func tokenToIssue(_ role: Role) -> String {
    if let token = device.tokens[role.rawValue] { return token }
    let token = newToken()
    device.tokens[role.rawValue] = token
    device.issuedAt[role.rawValue] = life.now
    return token
  }

  /// The tokens of these roles are worth nothing from now on.
  func revoke(_ roles: [Role], _ reason: String) {
    for role in roles {
      device.tokens[role.rawValue] = nil
      for peer in peers where peer.isOnline && peer.role == role { peer.close(4001, "client invalidated: \(reason)") }
    }
    if roles.contains(.node) { life.person.tokenGone(.node) }
  }

  /// A setup code for this gateway (gateway reference 5.4).
  func setupCode(url: String) -> String {
    let token = newToken()
    device.bootstrapToken = token
    device.bootstrapExpiry = life.now + 600_000
    let json = Array("{\"url\":\"\(url)\",\"bootstrapToken\":\"\(token)\"}".utf8)
    var text = [UInt8](repeating: 0, count: 2 * json.count)
    let count = text.withUnsafeMutableBufferPointer { Base64.url.encode(json.span, into: $0) }
    return String(decoding: text[..<count], as: UTF8.self)
  }
}
