import Foundation
import NIOCore

/// Everything the running gateway knows. It lives on one event loop and must be touched only there.
final class GatewayCore {
  let eventLoop: any EventLoop
  let options: GatewayOptions
  let pairing: PairingStore
  let surfaces: SurfaceStore
  let bootstraps: BootstrapTokens
  let invokes: InvokeTable
  let identity: GatewayIdentity
  let canvas: CanvasSurface
  let talk: TalkDesk
  let logger: Logger
  let folder: StateFolder
  let bootID = UUID().uuidString.lowercased()
  /// Which commands callers may use now.
  private(set) var policy: CommandPolicy
  /// Whether new connections are turned away, as while a gateway is suspended.
  var isSuspended = false
  var limiter: FailureLimiter
  var joins: JoinDesk
  var programs = ProgramApprovals()
  var log = EventLog()
  var violations = ViolationLog()
  var pendingWork = PendingWork()
  var voiceWake = VoiceWake()
  var voiceTranscripts = TranscriptFilter()
  var address = GatewayAddress(url: "")
  /// For the next connections; nil serves plainly.
  var tls: TLSContext?
  private(set) lazy var conversations = Conversations(core: self)

  /// Sockets that have not reached `hello-ok` yet, per remote address, are bounded by this.
  static let preAuthSocketsMax = 32

  private static let healthInterval = TimeAmount.seconds(60)

  private let startedAtMs = wallMilliseconds()
  private(set) var sessions: [String: Session] = [:]
  private var nodes: [String: Session] = [:]
  private var timers: [RepeatingTimer] = []
  private var sharedSequence: Int64 = 0
  private var turns: Int64 = 0
  var presenceVersion: Int64 = 1
  private(set) var healthVersion: Int64 = 1

  init(eventLoop: any EventLoop, options: GatewayOptions, folder: StateFolder, logger: Logger) throws {
    self.eventLoop = eventLoop
    self.options = options
    self.folder = folder
    self.logger = logger
    policy = options.policy
    pairing = try PairingStore(folder: folder, generation: options.generation)
    surfaces = try SurfaceStore(
      folder: folder, generation: options.generation, approval: options.surfaceApproval)
    bootstraps = try BootstrapTokens(folder: folder)
    identity = try GatewayIdentity(folder: folder)
    canvas = CanvasSurface(folder: options.canvasFolder, lifetimeMilliseconds: options.canvasMilliseconds)
    talk = TalkDesk(options)
    limiter = FailureLimiter(exemptsLoopback: !options.limitsLoopback)
    joins = JoinDesk(limitsLoopback: options.limitsLoopback)
    invokes = InvokeTable(loop: eventLoop, generation: options.generation)
  }

  var generation: Generation { options.generation }
  var trace: FrameTrace { options.trace }

  /// Starts the broadcasts that go out unasked.
  func start() {
    pairing.asked = { [unowned self] request in
      broadcast("device.pair.requested", ApprovalMethods.row(request), to: .holders(of: OperatorScope.pairing))
    }
    pairing.decided = { [unowned self] request, decision in
      broadcast(
        "device.pair.resolved",
        [
          "requestId": .string(request.requestID), "deviceId": .string(request.claim.deviceID),
          "decision": .string(decision), "ts": .integer(wallMilliseconds()),
        ], to: .holders(of: OperatorScope.pairing))
    }
    let tick = TimeAmount.milliseconds(options.tickIntervalMilliseconds)
    timers = [
      RepeatingTimer(loop: eventLoop, interval: tick) { [unowned self] in
        broadcast("tick", ["ts": .integer(wallMilliseconds())])
      },
      RepeatingTimer(loop: eventLoop, interval: Self.healthInterval) { [unowned self] in
        healthVersion += 1
        broadcast("health", health, stateVersion: stateVersion)
      },
    ]
  }

  /// Says goodbye to everybody.
  func shutDown() {
    timers.removeAll()
    conversations.stop()
    sayGoodbye(reason: "gateway stopping", expectedMilliseconds: nil)
  }

  /// The `shutdown` event and the close that follows it (protocol reference, section 8.5).
  func sayGoodbye(reason: String, expectedMilliseconds: Int64?) {
    broadcast(
      "shutdown",
      ["reason": .string(reason), "restartExpectedMs": expectedMilliseconds.map(JSON.integer) ?? .null])
    for session in sessions.values { session.close(1012, "service restart") }
  }

  /// A number for a turn of the agent.
  func nextTurn() -> Int64 {
    turns += 1
    return turns
  }

  func nextSharedSequence() -> Int64 {
    sharedSequence += 1
    return sharedSequence
  }

  // MARK: Sessions

  /// Whether connects are still turned away.
  var isStarting: Bool { uptimeMilliseconds < options.startingMilliseconds }

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
    reconcile(admission)
    let older = nodes.updateValue(session, forKey: id)
    if let older {
      invokes.abandon(older)
      older.close(1000, "replaced by a newer connection")
    }
  }

  private func reconcile(_ admission: Admission) {
    do {
      try surfaces.reconcile(
        declaredSurface(admission), of: admission.claim, nowMilliseconds: wallMilliseconds(),
        automatically: admission.wasApprovedAutomatically && generation.era >= .july)
    } catch {
      logger.error("the surface of \(admission.claim.deviceID) could not be saved: \(error)")
    }
  }

  func closed(_ session: Session) {
    sessions[session.connectionID] = nil
    invokes.abandon(session)
    talk.connectionClosed(session)
    guard let (id, _) = nodes.first(where: { $0.value === session }) else { return }
    nodes[id] = nil
    logger.info("node \(id) gone")
    broadcastPresence()
  }

  /// Closes the connections of a device, in one role or all, whose record changed under it.
  func invalidate(_ deviceID: String, role: String? = nil) {
    for session in sessions.values where session.admission?.claim.deviceID == deviceID {
      guard role == nil || session.admission?.claim.role == role else { continue }
      session.close(4001, "device removed")
    }
  }

  // MARK: Nodes

  var connectedNodes: [Session] { nodes.values.sorted { $0.connectedAtMs < $1.connectedAtMs } }

  func node(_ deviceID: String) -> Session? { nodes[deviceID] }

  func isOperatorConnected(_ deviceID: String) -> Bool {
    sessions.values.contains {
      $0.admission?.claim.deviceID == deviceID && $0.admission?.claim.role == "operator"
    }
  }

  /// Declared, without the commands that the configuration does not allow.
  func declaredSurface(_ admission: Admission) -> Surface {
    let permissions = (admission.permissions.object?.members ?? []).filter { $0.value.bool == true }
    return Surface(
      caps: Set(admission.caps.map(\.trimmed)),
      commands: Set(admission.commands.map(\.trimmed)).filter(policy.allows),
      permissions: Set(permissions.map(\.key)))
  }

  /// Declared, allowed and approved.
  func liveSurface(_ admission: Admission) -> Surface {
    var live = surfaces.live(declaredSurface(admission), of: admission.claim.deviceID)
    guard generation.withholdsCaps else { return live }
    live.caps.subtract(policy.withheldCaps(of: Surface(commands: Set(admission.commands.map(\.trimmed)))))
    return live
  }

  /// Reads the policy again, which counts at once: what runs and is not allowed any more ends.
  func reloadPolicy() throws {
    guard generation.refreshesPolicy else {
      throw GatewayError.invalidRequest(
        "gateways of generation \(generation.era.rawValue) read their configuration at the start")
    }
    policy = try CommandPolicy(folder: folder, options.policyOptions, era: generation.era)
    invokes.cancel(.invoke("ABORTED", "the command is not allowed any more")) { session, command in
      guard let admission = session.admission else { return false }
      return !effectiveCommands(admission).contains(command)
    }
  }

  /// Tells operators of pairing that somebody has decided, and the node itself of an approval (newer-gateways 12).
  func surfaceDecided(_ request: SurfaceRequest, _ decision: String) {
    let payload: JSON = [
      "requestId": .string(request.requestID), "nodeId": .string(request.deviceID), "decision": .string(decision),
      "ts": .integer(wallMilliseconds()),
    ]
    broadcast("node.pair.resolved", payload, to: .holders(of: OperatorScope.pairing))
    guard generation.tellsNodesOfApprovals, decision == "approved" else { return }
    node(request.deviceID)?.send(Frames.event("node.pair.resolved", payload))
  }

  func effectiveCommands(_ admission: Admission) -> [String] { liveSurface(admission).commands.sorted() }

  /// Something a client sent has a shape that the protocol does not have.
  func noteViolation(_ text: String, from deviceID: String) {
    violations.note(text, from: deviceID)
    logger.warning("schema violation: \(text) (from \(deviceID.prefix(12)))")
  }

  var health: JSON {
    [
      "ok": true, "ts": .integer(wallMilliseconds()), "uptimeMs": .integer(uptimeMilliseconds),
      "channels": [
        "telegram": ["configured": true, "linked": true], "whatsapp": ["configured": true, "linked": false],
      ],
      "channelOrder": ["telegram", "whatsapp"], "heartbeatSeconds": 1800, "defaultAgentId": "main",
      "agents": [["agentId": "main", "isDefault": true], ["agentId": "garden", "isDefault": false]],
      "sessions": ["path": "sessions.json", "count": .integer(Int64(conversations.count)), "recent": .array([])],
      "nodes": ["connected": .integer(Int64(nodes.count)), "paired": .integer(Int64(pairing.paired.count))],
    ]
  }

  var uptimeMilliseconds: Int64 { wallMilliseconds() - startedAtMs }
}
