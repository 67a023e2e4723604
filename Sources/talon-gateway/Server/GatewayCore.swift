import Foundation
import Logging
import NIOCore

/// Everything the running gateway knows. It lives on one event loop and must be touched only there.
final class GatewayCore {
  let eventLoop: any EventLoop
  let generation: Generation
  let authMode: AuthMode
  let policy: CommandPolicy
  let pairing: PairingStore
  let invokes: InvokeTable
  let tickIntervalMilliseconds: Int64
  let trace: FrameTrace
  let logger: Logger
  let bootID = UUID().uuidString.lowercased()
  var limiter = FailureLimiter()
  var log = EventLog()

  /// Sockets that have not reached `hello-ok` yet, per remote address, are bounded by this.
  static let preAuthSocketsMax = 32

  private static let healthInterval = TimeAmount.seconds(60)

  private let startedAtMs = wallMilliseconds()
  private var sessions: [String: Session] = [:]
  private var nodes: [String: Session] = [:]
  private var timers: [RepeatingTimer] = []

  init(eventLoop: any EventLoop, options: GatewayOptions, pairing: PairingStore, logger: Logger) {
    self.eventLoop = eventLoop
    self.generation = options.generation
    self.authMode = options.authMode
    self.policy = options.policy
    self.tickIntervalMilliseconds = options.tickIntervalMilliseconds
    self.trace = options.trace
    self.pairing = pairing
    self.logger = logger
    invokes = InvokeTable(
      loop: eventLoop, timeoutMillisecondsDefault: options.generation.invokeTimeoutMillisecondsDefault)
  }

  /// Starts the broadcasts that go out unasked.
  func start() {
    let tick = TimeAmount.milliseconds(tickIntervalMilliseconds)
    timers = [
      RepeatingTimer(loop: eventLoop, interval: tick) { [unowned self] in
        broadcast("tick", ["ts": .integer(wallMilliseconds())])
      },
      RepeatingTimer(loop: eventLoop, interval: Self.healthInterval) { [unowned self] in
        broadcast("health", health)
      },
    ]
  }

  /// Says goodbye to everybody.
  func shutDown() {
    timers.removeAll()
    broadcast("shutdown", ["reason": "gateway stopping", "restartExpectedMs": nil])
    for session in sessions.values { session.close(1012, "service restart") }
  }

  private func broadcast(_ event: String, _ payload: JSON) {
    for session in sessions.values { session.broadcast(event, payload) }
  }

  // MARK: Sessions

  func preAuthSockets(from address: String) -> Int {
    sessions.values.count { $0.admission == nil && $0.remoteAddress == address }
  }

  func opened(_ session: Session) { sessions[session.connectionID] = session }

  func refused(_ session: Session, _ refusal: Refusal) {
    logger.info("refused \(session.remoteAddress): \(refusal.closeReason)")
  }

  /// A newer connection of the same node replaces the older one.
  func admitted(_ session: Session, _ admission: Admission) {
    let id = admission.claim.deviceID
    logger.info("\(admission.claim.role) \(id) online from \(session.remoteAddress) by \(admission.method)")
    guard admission.claim.role == "node" else { return }
    let older = nodes.updateValue(session, forKey: id)
    if let older {
      invokes.abandon(older)
      older.close(1000, "replaced by a newer connection")
    }
  }

  func closed(_ session: Session) {
    sessions[session.connectionID] = nil
    invokes.abandon(session)
    guard let (id, _) = nodes.first(where: { $0.value === session }) else { return }
    nodes[id] = nil
    logger.info("node \(id) gone")
  }

  /// Closes every connection of a device whose record changed under it.
  func invalidate(_ deviceID: String) {
    for session in sessions.values where session.admission?.claim.deviceID == deviceID {
      session.close(4001, "device removed")
    }
  }

  // MARK: Nodes

  var connectedNodes: [Session] { nodes.values.sorted { $0.connectedAtMs < $1.connectedAtMs } }

  func node(_ deviceID: String) -> Session? { nodes[deviceID] }

  /// Declared and allowed; the approval of the device stands for the approval of its surface.
  func effectiveCommands(_ admission: Admission) -> [String] {
    Set(admission.commands.map(\.trimmed)).filter(policy.allows).sorted()
  }

  var health: JSON {
    [
      "ok": true, "ts": .integer(wallMilliseconds()), "uptimeMs": .integer(uptimeMilliseconds),
      "nodes": ["connected": .integer(Int64(nodes.count)), "paired": .integer(Int64(pairing.paired.count))],
    ]
  }

  var uptimeMilliseconds: Int64 { wallMilliseconds() - startedAtMs }
}

/// What `talon-gateway run` was asked for.
struct GatewayOptions: Sendable {
  var generation = Generation.newest
  var authMode: AuthMode
  var policy = CommandPolicy()
  var tickIntervalMilliseconds: Int64 = 30_000
  var trace = FrameTrace(isOn: false)
}

extension Session {
  /// The device id of an admitted node.
  var nodeID: String { admission?.claim.deviceID ?? "" }
}
