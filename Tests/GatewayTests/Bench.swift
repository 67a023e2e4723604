import Board
import Codec
import Foundation
import Gateway
import Runtime
import Simulated

/// One session with everything around it in memory.
final class Bench: SessionDelegate {
  let clock = VirtualClock()
  let random = SeededRandom(seed: 7)
  let store = MemoryStore()
  let runner = DeferredRunner()
  let cryptography = OpenSSLCryptography()
  let transport: MemoryTransport
  let gateway: LoopbackGateway
  let log = Log(level: .debug, output: nil)
  let record: GatewayRecord
  let identity: NodeIdentity
  private(set) var session: Session! = nil
  var invoked: [String] = []
  var events: [String] = []
  var opened = 0
  var lost = 0
  var repliesDue = 0
  /// The frames of long invokes that a worker would open; nil: none does.
  var longInvokes: [[UInt8]]?
  private var spare: ReservedBuffer?

  func sessionReceivedInvoke(in buffer: inout ReservedBuffer, count: Int) -> Bool {
    let capacity = buffer.bytes.count
    guard longInvokes != nil, let other = try? spare ?? ReservedBuffer(capacity: capacity) else { return false }
    longInvokes!.append(Array(buffer.bytes[..<count]))
    (spare, buffer) = (buffer, other)
    isOccupied = true
    return true
  }

  var isOccupied = false

  init(
    url: String = "wss://gateway.test:18789", others: [String] = [], pinning: Pinning = .certificate,
    pin: Fingerprint? = nil, token: String = "shared-secret-token",
    capacity: Int = 64 * 1024, pairingPoll: Int64 = 30_000, learned: [String] = [],
    operatorScopes: Scopes? = nil, requiresAuthorities: Bool = false, pins: [Fingerprint] = []
  ) throws {
    transport = MemoryTransport(capacity: capacity)
    gateway = LoopbackGateway(transport: transport, cryptography: cryptography)
    let parsed = try GatewayURL(url)
    record = GatewayRecord(url: parsed, cryptography: cryptography)
    identity = try NodeIdentity.load(from: store, random: random, cryptography: cryptography).identity
    var configuration = SessionConfiguration(
      urls: try [parsed] + others.map { try GatewayURL($0) }, sharedToken: token, pin: pin, displayName: "Test board",
      version: "1.2.3",
      capabilities: ["camera"], commands: ["camera.snap"])
    configuration.trust.pinning = pinning
    configuration.trust.requiresAuthorities = requiresAuthorities
    if !pins.isEmpty { configuration.trust.pins = pins }
    configuration.pairingPoll = pairingPoll
    configuration.learnedURLs = try learned.map { try GatewayURL($0) }
    if let operatorScopes { configuration = configuration.asOperator(operatorScopes) }
    session = try Session(
      configuration: configuration, identity: identity,
      keeper: RecordKeeper(record: record, store: store, runner: runner, clock: clock, log: log),
      transport: transport, clock: clock, random: random, cryptography: cryptography, log: log,
      delegate: self)
  }

  func sessionOpened() { opened += 1 }
  func sessionReceived(_ event: borrowing JSONView, _ payload: borrowing JSONView) {
    let text = payload.rawText.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    if event.equals("node.invoke.request") { invoked.append(text) } else { events.append(text) }
  }
  func sessionLost() { lost += 1 }

  static let leaf = Fingerprint(digest: InlineArray(repeating: 0xAB))
  static let otherLeaf = Fingerprint(digest: InlineArray(repeating: 0xCD))

  /// Starts and gets as far as an open WebSocket.
  func reachOpen(leaf: Fingerprint? = Bench.leaf) {
    if session.state == .stopped { session.start() }
    gateway.accept(leaf: leaf)
    runner.runAll()
    gateway.pump()
  }

  /// Starts and gets as far as the challenge; the connect frame of the node.
  func reachConnect(leaf: Fingerprint? = Bench.leaf) throws -> [String: Any] {
    reachOpen(leaf: leaf)
    gateway.send(
      #"{"type":"event","event":"connect.challenge","payload":{"nonce":"n-1","ts":1767225600000}}"#)
    return try Self.object(gateway.take().first ?? [])
  }

  static let hello = """
    {"type":"res","id":"connect","ok":true,"payload":{"type":"hello-ok","protocol":4,\
    "server":{"version":"2026.8.0","connId":"c"},"features":{"methods":[],"events":[]},"snapshot":{},\
    "auth":{"role":"node","scopes":[],"deviceToken":"device-token-1"},\
    "policy":{"maxPayload":26214400,"maxBufferedBytes":52428800,"tickIntervalMs":30000}}}
    """

  /// Starts and gets online.
  func reachOnline() throws {
    _ = try reachConnect()
    gateway.send(Self.hello)
    runner.runAll()
  }

  /// Lets time pass in the steps that the session asks for.
  func pass(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    while let next = session.deadline, next <= end {
      clock.advance(max(next - clock.monotonic, 0))
      session.advance(to: clock.monotonic)
    }
    clock.advance(end - clock.monotonic)
  }

  /// Lets time pass while the gateway answers pings and says nothing else.
  func passAnsweringPings(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    var answered = gateway.controls.filter { $0.opcode == 9 }.count
    while let next = session.deadline, next <= end {
      clock.advance(max(next - clock.monotonic, 0))
      session.advance(to: clock.monotonic)
      gateway.pump()
      let asked = gateway.controls.filter { $0.opcode == 9 }.count
      for _ in answered..<max(asked, answered) { gateway.sendFrame(0x8A, []) }
      answered = asked
    }
    clock.advance(end - clock.monotonic)
  }

  /// Lets time pass until the next attempt begins.
  func passToNextAttempt() {
    let opens = transport.opens
    while transport.opens == opens, let next = session.deadline {
      clock.advance(max(next - clock.monotonic, 0))
      session.advance(to: clock.monotonic)
    }
  }

  var lines: [String] {
    var lines: [String] = []
    log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  var explanation: String {
    session.explanation.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  static func object(_ bytes: [UInt8]) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
  }

  static func span<Result>(_ text: String, _ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    try body(text.utf8.span)
  }
}
