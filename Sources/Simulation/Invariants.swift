import Agent
import Codec
import Gateway
import Runtime

/// What must hold at every moment of a life, and is looked at after every step.
final class Invariants {
  unowned(unsafe) let life: Life
  /// The first that did not hold.
  private(set) var violation: Violation?

  // Identity and trust.
  private var identity: NodeIdentity?
  /// The certificate that the board may speak to: what it was told, or saw first.
  private(set) var pin: PeerCertificate?
  /// What the gateway's record is called on flash.
  private(set) var recordName: String?

  // Attempts, for each role.
  private var opens: [[Int64]] = [[], []]

  // Recovery, for each role.
  private let recoveries: [Recovery]
  private var isStale = true

  // What the gateway taught about its schema.
  private var lastLesson = ["", ""]
  private var lessonAt: [Int64] = [0, 0]

  // The log.
  private var written: UInt64 = 0
  private var secrets: [[UInt8]] = []

  init(_ life: Life) {
    self.life = life
    recoveries = [Recovery(life, .node), Recovery(life, .operator)]
  }

  /// Ends the run: something happened that must not.
  func violated(_ what: String) {
    guard violation == nil else { return }
    violation = Violation(what: what, time: life.now)
    life.trace.note(life.now, "VIOLATION")
  }

  /// After every step.
  func check() {
    life.root.check()
    if life.board.log.written != written { readLog() }
    guard let agent = life.board.agent else { return }
    life.events.check()
    life.ledger.check(agent)
    checkRecovery(agent)
  }

  // MARK: Identity

  /// The board has read its identity.
  func started(_ found: NodeIdentity) {
    if let identity, !Self.equal(identity.id, found.id) {
      return violated("the board has another identity than before")
    }
    // A write that the power interrupted may have been done.
    life.board.flash.settled("identity", life.board.flash.found("identity"))
    if identity == nil { hide(seedText()) }
    identity = found
  }

  /// The seed of the board as its record has it.
  private func seedText() -> [UInt8] { life.board.seedText.map { Array($0.utf8) } ?? [] }

  private static func equal(_ left: InlineArray<64, UInt8>, _ right: InlineArray<64, UInt8>) -> Bool {
    for index in 0..<64 where left[index] != right[index] { return false }
    return true
  }

  /// The board has read its record of the gateway.
  func started(_ record: GatewayRecord, wasFound: Bool) {
    let flash = life.board.flash
    let names = flash.promised.keys.filter { $0.hasPrefix("gateway-") }
    if recordName == nil { recordName = names.first }
    guard let recordName else { return }
    if !wasFound { return violated("the gateway's record is gone, and with it the board's token") }
    guard let bytes = flash.found(recordName) else { return }
    if !flash.isKept(recordName, bytes) { return violated("the gateway's record is not what was stored") }
    flash.settled(recordName, bytes)
  }

  /// What the board knows goes with its power: the tokens must be on flash, unless the flash was bad within the time
  /// after which the board tries again at the latest.
  func endOfRun() {
    let flash = life.board.flash
    let since = max(flash.goodSince, life.board.bootedAt)
    guard flash.mood == .good, !flash.wasCut, life.now - since > 660_000, let recordName else { return }
    let text = flash.promised[recordName] ?? []
    for role in [Role.node, .operator] {
      guard let token = life.board.knownToken(role), life.now - life.gateway.device.issuedAt[role.rawValue] > 660_000
      else { continue }
      if !text.withUnsafeBufferPointer({ Search.contains(token, in: $0) }) {
        violated("the \(role.name)'s token is not on flash")
      }
    }
  }

  /// The board starts, held by a person or not: as it was when its power went, where the flash took that.
  func startedHeld(_ isHeld: Bool) {
    let wasHeld = life.board.flash.promised["hold"] == [1]
    if wasHeld, !isHeld { violated("a person holds the board, and it forgot that with its power") }
    if isHeld, life.board.flash.promised["hold"] == [0], life.board.heldSince == nil {
      violated("nobody holds the board, and it is still")
    }
  }

  // MARK: Links

  /// The board opens a connection.
  func opens(_ transport: SimulatedTransport) {
    if life.board.agent?.isHeld == true { violated("the board connects although a person holds it") }
    let role = transport.role.rawValue
    life.report.attempts += 1
    let times = life.options.plant == .hammers ? 13 : 1
    for _ in 0..<times { opens[role].append(life.now) }
    let bound = 12 * life.scenario.addresses
    while let first = opens[role].first, first <= life.now - 60_000 || first < life.board.bootedAt {
      opens[role].removeFirst()
    }
    if opens[role].count > bound { violated("\(opens[role].count) attempts to connect within a minute") }
  }

  /// A connection stands: it must be the only one of its role.
  func opened(_ connection: Connection) {
    for other in life.network.connections
    where other !== connection && other.isBoardThere && other.role == connection.role {
      violated("a second session of one role was opened while the first was alive")
    }
  }

  /// The board writes to a connection: only to the one that it may trust.
  func writes(_ connection: Connection) {
    guard let shown = connection.certificate, !connection.isTrusted else { return }
    if life.scenario.hasAuthority { return writesVouched(connection, shown) }
    if let configured = life.scenario.isPinConfigured ? life.person.configuredPin : nil {
      if shown.leaf != configured { violated("a byte was sent to a certificate that is not the configured one") }
    } else if let pin {
      let isSame = life.scenario.pinsKey ? shown.key == pin.key : shown.leaf == pin.leaf
      if !isSame { return violated("a byte was sent to a certificate that is not the trusted one") }
    }
    if pin == nil, !life.scenario.isPinConfigured, !isPinOnFlash(shown) {
      return violated("a byte was sent before the first certificate was on flash")
    }
    pin = shown
    connection.isTrusted = true
  }

  /// Where an authority vouches for the gateway, it has to for ever.
  private func writesVouched(_ connection: Connection, _ shown: PeerCertificate) {
    guard case .vouched = shown.vouching else {
      return violated("a byte was sent to a certificate for which no authority vouches")
    }
    let words = Array("\"trust\":\"authorities\"".utf8)
    var isOnFlash = false
    for (name, bytes) in life.board.flash.promised where name.hasPrefix("gateway-") {
      bytes.withUnsafeBufferPointer { text in
        words.withUnsafeBufferPointer { if Search.find($0, in: text) != nil { isOnFlash = true } }
      }
    }
    if pin == nil, !isOnFlash { return violated("a byte was sent before the trust was on flash") }
    pin = shown
    connection.isTrusted = true
  }

  private func isPinOnFlash(_ shown: PeerCertificate) -> Bool {
    let hex = shown.leaf.hex
    let needle = (0..<64).map { hex[$0] }
    for (name, bytes) in life.board.flash.promised where name.hasPrefix("gateway-") {
      if bytes.withUnsafeBufferPointer({ text in
        needle.withUnsafeBufferPointer { Search.find($0, in: text) != nil }
      }) {
        return true
      }
    }
    return false
  }

  /// A person allowed another certificate.
  func forgetPin() { pin = nil }

  /// The board has written; looks at the messages that are whole now.
  func boardWrote(_ connection: Connection) {
    while let message = connection.reader.nextWritten() {
      life.report.messages += 1
      let text = connection.reader.text(message)
      switch message.kind {
      case .head: checkHead(text)
      case .text: checkMessage(text, connection)
      case .binary: violated("the board sent a binary message")
      case .ping, .pong, .close: break
      }
    }
  }

  private func checkHead(_ head: UnsafeBufferPointer<UInt8>) {
    for word in ["Origin:", "Forwarded:", "X-Real-IP:", "Sec-WebSocket-Extensions:", "Sec-WebSocket-Protocol:"] {
      if Search.contains(word, in: head) { violated("the upgrade request has \(word)") }
    }
  }

  private func checkMessage(_ text: UnsafeBufferPointer<UInt8>, _ connection: Connection) {
    do throws(JSONError) {
      try JSONValidator.check(Span(_unsafeElements: text), depthLimit: 64)
    } catch {
      return violated("the board sent what is no JSON: \(String(decoding: text.prefix(200), as: UTF8.self))")
    }
    let frame = JSONView(Span(_unsafeElements: text))
    guard let method = frame.member("method") else { return violated("the board sent a frame without a method") }
    if connection.role == .operator { return checkOperator(method, frame) }
    if method.equals("node.invoke.result") {
      guard let number = Search.number(after: "\"id\":\"invoke-", in: text) else {
        return violated("the board answered without the invoke's id")
      }
      life.invokes.answered(Int(number), over: connection)
      if let params = frame.member("params") { life.tools.answered(Int(number), params) }
    } else if method.equals("node.pluginTools.update") {
      if let params = frame.member("params") { life.tools.written(params, over: connection) }
    } else if method.equals("node.event"), let number = Search.number(after: "\\\"event ", in: text) {
      life.events.sent(number)
    }
  }

  private func checkOperator(_ method: borrowing JSONView, _ frame: borrowing JSONView) {
    if method.equals("talk.session.appendAudio"), life.board.agent?.isHeld == true {
      violated("sound was sent although a person holds the board")
    }
    if method.equals("talk.session.create"), let mode = frame.member("params")?.member("mode") {
      life.sessions.asked(isRealtime: mode.equals("realtime"))
    }
    if Self.isOfNodes(method) { violated("the operator connection sent \(method.string)") }
  }

  private static func isOfNodes(_ method: borrowing JSONView) -> Bool {
    let names: [StaticString] = [
      "node.invoke.result", "node.event", "node.pending.pull", "node.pending.ack", "node.pluginTools.update",
    ]
    for name in names where method.equals(name) { return true }
    return false
  }

  // MARK: Schemas

  /// The gateway refused a key that it does not know: the board may send it once, and must know better from then on.
  func taught(_ key: String, _ generation: Generation, _ role: Role) {
    let isCode = key == "bootstrapToken" && life.scenario.credential == .setupCode
    if key != "deviceToken", !isCode {
      return violated("the board sent the key \(key) to a gateway that does not know it")
    }
    let build = life.gateway.version
    let lesson = "\(key) of \(build) at start \(life.board.bootedAt)"
    if lesson == lastLesson[role.rawValue], life.now - lessonAt[role.rawValue] < 600_000 {
      violated("the board sent the key \(key) again, which the gateway had refused")
    }
    lastLesson[role.rawValue] = lesson
    lessonAt[role.rawValue] = life.now
  }

  // MARK: Log

  /// From now on this must not stand in the log.
  func hide(_ secret: [UInt8]) {
    guard secret.count >= 16 else { return }
    if secrets.count == 64 { secrets.removeFirst() }
    secrets.append(secret)
  }

  /// A new log begins with the board's start.
  func logBegins(_ log: Log) {
    written = 0
    guard life.options.plant == .logsSecret, let secret = secrets.last else { return }
    secret.withUnsafeBufferPointer { bytes in
      log.write(.info, "plant") { $0.add(Span(_unsafeElements: bytes)) }
    }
  }

  private func readLog() {
    let log = life.board.log
    let fresh = Int(min(log.written - written, UInt64(Budget.logLines)))
    var skipped = Int(min(log.written, UInt64(Budget.logLines))) - fresh
    written = log.written
    log.forEachLine { line in
      skipped -= 1
      if skipped >= 0 { return }
      life.trace.note(life.now, log: line)
      for secret in secrets {
        if secret.withUnsafeBufferPointer({ Search.find($0, in: line) != nil }) {
          violated("a secret stands in the log: \(String(decoding: line, as: UTF8.self))")
        }
      }
    }
  }

  // MARK: Recovery

  /// Something changed that decides whether the board could be online.
  func conditionsChanged() { isStale = true }

  /// When `check` wants to be called, whatever else happens.
  var deadline: Int64 {
    min(
      recoveries[0].deadline, recoveries[1].deadline, life.root.deadline,
      life.board.agent == nil ? .max : life.ledger.deadline)
  }

  /// The program ended, or the power went.
  func boardStopped() {
    for recovery in recoveries { recovery.boardStopped() }
    isStale = true
  }

  private func checkRecovery(_ agent: Agent) {
    recoveries[0].check(agent.session, isStale: isStale)
    // The node's change may have been what the operator's waited for.
    if let session = agent.desk?.session { recoveries[1].check(session, isStale: isStale) }
    isStale = false
  }
}
