import Codec
import Consent
import Gateway
import Runtime

/// The requests at the gateway that wait for a person (gateway reference 9.12): shown and answered at the board, where
/// the configuration wants that and the operator connection has the scope. People alone answer: neither a page nor a
/// command of the gateway has a way to this.
public final class ApprovalBook: DeskDelegate {
  private enum Tag: Int { case programs = 1, devices, nodes, answer }

  private unowned(unsafe) let desk: OperatorDesk
  /// True when the configuration wants them.
  public let isWanted: Bool
  private var entries: [Approval] = []
  private var lastNumber = 0
  /// Requests that had no room.
  public private(set) var leftOut = 0
  /// Why the last answer did not count; empty: it did.
  public private(set) var failure = InlineText<256>()

  init(_ desk: OperatorDesk, isWanted: Bool) {
    self.desk = desk
    self.isWanted = isWanted
    if isWanted { entries.reserveCapacity(Budget.approvals) }
  }

  public var count: Int { entries.count }

  public subscript(_ index: Int) -> Approval { entries[index] }

  /// True when the connection has the scope for programs, or for devices.
  public var hasPrograms: Bool { isWanted && desk.isGranted(.approvals) }
  public var hasDevices: Bool { isWanted && desk.isGranted(.pairing) }

  // MARK: The connection

  /// What waits already is asked for; what comes later is told.
  func opened() {
    entries.removeAll(keepingCapacity: true)
    leftOut = 0
    if hasPrograms { desk.ask("exec.approval.list", self, Tag.programs.rawValue) { _ in } }
    guard hasDevices else { return }
    desk.ask("device.pair.list", self, Tag.devices.rawValue) { _ in }
    desk.ask("node.pair.list", self, Tag.nodes.rawValue) { _ in }
  }

  /// Without a connection nothing can be answered.
  func lost() { entries.removeAll(keepingCapacity: true) }

  /// Takes an event; false when it is about something else.
  func received(_ event: borrowing JSONView, _ payload: borrowing JSONView) -> Bool {
    if event.equals("exec.approval.requested") {
      if hasPrograms { readProgram(payload) }
    } else if event.equals("device.pair.requested") {
      if hasDevices { readPairing(.device, payload) }
    } else if event.equals("node.pair.requested") {
      if hasDevices { readPairing(.node, payload) }
    } else if event.equals("exec.approval.resolved") {
      if let id = payload.member("id") { remove(.program, id) }
    } else if event.equals("device.pair.resolved") {
      if let id = payload.member("requestId") { remove(.device, id) }
    } else if event.equals("node.pair.resolved") {
      if let id = payload.member("requestId") { remove(.node, id) }
    } else {
      return false
    }
    return true
  }

  // MARK: Reading

  private func readProgram(_ record: borrowing JSONView) {
    guard let id = record.member("id"), let request = record.member("request") else { return }
    var approval = Approval(.program)
    guard approval.id.fill({ id.copyString(into: $0) }), !approval.id.isEmpty else { return }
    // Newer gateways have the command as they show it.
    guard let command = request.member("command", or: "commandText"), let length = command.stringLength, length > 0
    else { return }
    approval.isCut = !Self.copy(command, to: &approval.subject)
    approval.place.fill { buffer in
      var line = LogLine(buffer)
      Self.add("on ", request.member("host"), &line)
      Self.add(" in ", request.member("cwd"), &line)
      Self.add(", agent ", request.member("agentId"), &line)
      return line.count
    }
    if let end = record.member("expiresAtMs")?.int64 {
      approval.until = desk.now + left(until: end, since: record.member("createdAtMs")?.int64)
    }
    add(approval)
  }

  /// Milliseconds until a time of the gateway's clock. The board's clock may be wrong, so it is believed only where it
  /// says less than the request's whole time.
  private func left(until end: Int64, since start: Int64?) -> Int64 {
    let most = Budget.approvalMilliseconds
    let whole = start.map { min(max(end.subtractingReportingOverflow($0).partialValue, 0), most) } ?? most
    let rest = end.subtractingReportingOverflow(desk.wall)
    return rest.overflow || rest.partialValue <= 0 || rest.partialValue > whole ? whole : rest.partialValue
  }

  private func readPairing(_ kind: Approval.Kind, _ row: borrowing JSONView) {
    guard let id = row.member("requestId") else { return }
    var approval = Approval(kind)
    guard approval.id.fill({ id.copyString(into: $0) }), !approval.id.isEmpty else { return }
    // A board does not approve itself.
    if let device = row.member("deviceId", or: "nodeId"), device.equals(desk.session.identity.id.span) { return }
    if let name = row.member("displayName") { approval.isCut = !Self.copy(name, to: &approval.subject) }
    if approval.subject.isEmpty, let device = row.member("deviceId", or: "nodeId") {
      approval.isCut = !Self.copy(device, to: &approval.subject)
    }
    approval.place.fill { buffer in
      var line = LogLine(buffer)
      Self.add("", row.member("platform"), &line)
      Self.add(", ", row.member("role"), &line)
      Self.addList(row.member("scopes", or: "commands"), &line)
      Self.add(", from ", row.member("remoteIp"), &line)
      return line.count
    }
    add(approval)
  }

  /// False when it does not fit: then it is a beginning.
  private static func copy(_ text: borrowing JSONView, to target: inout InlineText<384>) -> Bool {
    if target.fill({ text.copyString(into: $0) }) { return true }
    let raw = text.rawText
    target = InlineText(cutting: raw.count > 2 ? raw.extracting(1..<raw.count - 1) : raw)
    return false
  }

  private static func add(_ word: StaticString, _ text: JSONView?, _ line: inout LogLine) {
    guard let text, text.kind == .string else { return }
    var copy = InlineText<96>()
    guard copy.fill({ text.copyString(into: $0) }), !copy.isEmpty else { return }
    line.add(word)
    line.add(copy.span)
  }

  private static func addList(_ list: JSONView?, _ line: inout LogLine) {
    guard let list else { return }
    var elements = list.elements()
    while let element = elements.next() { add(" ", element, &line) }
  }

  // MARK: The list

  private func add(_ approval: Approval) {
    var approval = approval
    for index in 0..<entries.count where entries[index].kind == approval.kind && entries[index].id == approval.id {
      return
    }
    guard entries.count < Budget.approvals else {
      leftOut += 1
      return
    }
    lastNumber += 1
    (approval.number, approval.askedAt) = (lastNumber, desk.now)
    approval.name = QuestionName(question: lastNumber, desk.random)
    entries.append(approval)
    desk.log.write(.notice, "operator") { line in
      approval.writeSentence(to: &line)
      line.add(" ")
      line.quote(approval.subject.span, .exact)
    }
  }

  private func remove(_ kind: Approval.Kind, _ id: borrowing JSONView) {
    var index = 0
    while index < entries.count {
      if entries[index].kind == kind, id.equals(entries[index].id.span) {
        entries.remove(at: index)
      } else {
        index += 1
      }
    }
  }

  /// When the first expires.
  var nextDeadline: Int64? {
    var earliest = Int64.max
    for index in 0..<entries.count { earliest = min(earliest, entries[index].until) }
    return earliest == .max ? nil : earliest
  }

  func advance(to now: Int64) {
    var index = 0
    while index < entries.count {
      if entries[index].until <= now { entries.remove(at: index) } else { index += 1 }
    }
  }

  // MARK: Answers of people

  /// The request of this name; nil: it waits no more.
  func named(_ name: borrowing JSONView) -> Approval? {
    for index in 0..<entries.count where name.equals(entries[index].name.span) { return entries[index] }
    return nil
  }

  /// Answers the request of this number. Why that is impossible; nil: the gateway is told.
  public func answer(_ number: Int, allows: Bool) -> DeskFailure? {
    guard let index = entries.firstIndex(where: { $0.number == number }) else {
      return DeskFailure("NO_APPROVALS", "this request waits no more: it was answered, or has expired")
    }
    let approval = entries[index]
    if allows, approval.isCut {
      return DeskFailure("INVALID_REQUEST", "it is too long to be shown whole here: allow it at the gateway")
    }
    entries.remove(at: index)
    failure.clear()
    let method: StaticString
    switch approval.kind {
    case .program: method = "exec.approval.resolve"
    case .device: method = allows ? "device.pair.approve" : "device.pair.reject"
    case .node: method = allows ? "node.pair.approve" : "node.pair.reject"
    }
    desk.log.write(.notice, "operator") { line in
      line.add(allows ? "allowed at the board: " : "refused at the board: ")
      line.quote(approval.subject.span, .exact)
    }
    desk.ask(method, self, Tag.answer.rawValue) { writer in
      writer.key(approval.kind == .program ? "id" : "requestId")
      writer.string(approval.id.span)
      guard approval.kind == .program else { return }
      writer.key("decision")
      writer.string(allows ? "allow-once" : "deny")
    }
    return nil
  }

  // MARK: DeskDelegate

  public func deskAnswered(_ tag: Int, _ payload: borrowing JSONView) {
    switch Tag(rawValue: tag) {
    case .programs:
      readPrograms(payload)
      if let list = payload.member("approvals", or: "pending") { readPrograms(list) }
    case .devices: readPending(.device, payload)
    case .nodes: readPending(.node, payload)
    case .answer, nil: break
    }
  }

  private func readPrograms(_ list: borrowing JSONView) {
    var elements = list.elements()
    while let record = elements.next() { readProgram(record) }
  }

  private func readPending(_ kind: Approval.Kind, _ payload: borrowing JSONView) {
    guard let list = payload.member("pending") else { return }
    var elements = list.elements()
    while let row = elements.next() { readPairing(kind, row) }
  }

  /// Gateways without a list tell what comes.
  public func deskFailed(_ tag: Int, _ failure: DeskFailure) {
    guard tag == Tag.answer.rawValue else { return }
    self.failure = InlineText(cutting: failure.sentence.span)
    desk.log.write(.warning, "operator") { line in
      line.add("an answer did not reach the gateway: ")
      line.add(failure.sentence.span)
    }
  }

  public func chatTextReceived(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {}
  public func chatCut(_ tag: Int) {}
  public func chatStep(_ tag: Int, _ step: ChatStep) {}
  public func chatEnded(_ tag: Int, isAborted: Bool) {}
}
