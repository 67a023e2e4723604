import Codec
import Runtime
import Simulated
import ToolsPart

/// The tools that the board publishes, and the calls of an agent (newer-gateways 1). It has dice of its own, so that
/// lives without tools are as they were.
final class ToolLedger: Actor {
  private enum Step: Int { case call, mustHaveAsked }

  /// What the gateway said of a list.
  enum Verdict { case waiting, accepted, busy, refused }

  /// What passed on one connection.
  private struct Publication {
    /// The list, and when the board wrote it.
    var value: [UInt8]
    var writtenAt: Int64
    /// What the board has heard of it, and when.
    var verdict: Verdict?
    var heardAt: Int64 = 0
    /// The gateway has told the board of its approval since, after so many incidents.
    var isTold = false
    var incidents: Int64 = 0
  }

  /// Tools that see, hear, or say where the board is: `publish = safe` has none of them.
  private static let unsafe = ["photo", "clip", "look", "location", "listen", "where_was"]
  /// Milliseconds between two looks for the approval, before a repetition of what failed, and until the board gives up
  /// waiting for an answer (newer-gateways 1.1).
  private static let approvalPause: Int64 = 30_000, failurePause: Int64 = 250, patience: Int64 = 15_000
  /// Milliseconds from the gateway's word of an approval to the question that follows from it: a slow way, and an
  /// answer that is still awaited.
  private static let toldPause: Int64 = 3_000
  /// Milliseconds between calls, on average.
  private static let callPause: Int64 = 900_000

  unowned(unsafe) let life: Life
  let dice: SeededRandom
  private var publications: [Int64: Publication] = [:]
  /// Calls by the number of their invoke: true where the tool was published.
  private var calls: [Int: Bool] = [:]
  /// The last call of a published tool, for a caller that asks again.
  private var last: (tool: String, key: Int64)?
  private var keys: Int64 = 0

  init(_ life: Life, seed: UInt64) {
    self.life = life
    dice = SeededRandom(seed: seed &* 0xA24B_AED4_963E_E407 ^ 0x9FB2_1C65_1E98_DF25)
  }

  /// A number below `bound`, of these dice.
  func random(below bound: Int64) -> Int64 { Int64((dice.next() >> 33) % UInt64(bound)) }

  /// What the owner of this board lets the agent have: mostly nothing.
  func choice() -> ToolChoice {
    switch random(below: 8) {
    case 0: .all
    case 1: .safe
    case 2: .named(Tool.all.map(\.name).filter { _ in random(below: 2) == 0 })
    default: .none
    }
  }

  /// True when the gateway of this life announces the publication of tools.
  var isAnnounced: Bool { life.scenario.tools != .none }

  func begin() { if isAnnounced { plan() } }

  private func plan() {
    life.schedule.add(self, Step.call.rawValue, at: life.now + 1 + random(below: 2 * Self.callPause))
  }

  func act(_ what: Int, _ number: Int64) {
    if Step(rawValue: what) == .mustHaveAsked { return mustHaveAsked(over: number) }
    plan()
    let gateway = life.gateway!
    guard gateway.isUp, gateway.silences == 0, let node = gateway.node, gateway.mayInvoke,
      publications[node.connection.serial] != nil
    else { return }
    call(over: node)
  }

  // MARK: Publication

  /// The board writes a list.
  func written(_ params: borrowing JSONView, over connection: Connection) {
    guard let tools = params.member("tools"), tools.kind == .array else {
      return life.invariants.violated("a publication without a list of tools")
    }
    life.report.publications += 1
    var elements = tools.elements()
    while let tool = elements.next() { check(tool) }
    let value = tools.rawText.withUnsafeBufferPointer { Array($0) }
    if let before = publications[connection.serial], before.value == value { check(before) }
    publications[connection.serial] = Publication(value: value, writtenAt: life.now)
  }

  /// The gateway has told the board of its approval.
  func toldOfApproval(over serial: Int64) {
    guard publications[serial] != nil else { return }
    publications[serial]!.isTold = true
    publications[serial]!.incidents = life.incidents.count
    life.schedule.add(self, Step.mustHaveAsked.rawValue, serial, at: life.now + Self.toldPause)
  }

  /// A list that waited was published again, which a look every 30 s would not have done by now.
  private func mustHaveAsked(over serial: Int64) {
    guard let publication = publications[serial], publication.isTold, publication.verdict == .waiting,
      publication.incidents == life.incidents.count, life.isGood(for: .node)
    else { return }
    life.invariants.violated("the board was told of its approval, and did not ask what it has now")
  }

  private func check(_ tool: borrowing JSONView) {
    guard let name = tool.member("mcp")?.member("tool")?.string,
      tool.member("pluginId")?.equals("node-mcp") == true, tool.member("command")?.equals("mcp.tools.call.v1") == true
    else { return life.invariants.violated("a tool was published that no gateway would show") }
    if !isOn(name) { life.invariants.violated("the tool \(name) was published, which is switched off") }
  }

  private func isOn(_ name: String) -> Bool {
    if life.options.plant == .showsTools { return false }
    switch life.scenario.tools {
    case .none: return false
    case .all: return true
    case .safe: return !Self.unsafe.contains(name)
    case .named(let names): return names.contains(name)
    }
  }

  /// The same list again: only after a failure, or as a look for the approval.
  private func check(_ before: Publication) {
    switch before.verdict {
    case .accepted, .refused: life.invariants.violated("the same tools were published twice on one connection")
    case .waiting where !before.isTold && life.now - before.heardAt < Self.approvalPause:
      life.invariants.violated("the board looked for its approval after \(life.now - before.heardAt) ms")
    case .busy where life.now - before.heardAt < Self.failurePause:
      life.invariants.violated("tools were published again \(life.now - before.heardAt) ms after a failure")
    default: break
    }
  }

  /// The gateway has a list: answers it.
  func arrived(_ params: borrowing JSONView, _ id: borrowing JSONView, at peer: Peer) {
    let pause = random(below: 20)
    let number = peer.connection.serial
    switch random(below: 40) {
    case 0: break
    case 1, 2: peer.refuseRequest(id, "UNAVAILABLE", "busy", after: pause, .tools(number, .busy))
    case 3: peer.refuseRequest(id, "INVALID_REQUEST", "invalid params", after: pause, .tools(number, .refused))
    default:
      let isApproved = life.gateway.mayInvoke
      var list = ""
      if isApproved, var elements = params.member("tools")?.elements() {
        while let tool = elements.next() {
          list +=
            (list.isEmpty ? "" : ",") + tool.rawText.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        }
      }
      peer.answer(
        id, "{\"nodeId\":\"\(life.board.nodeID)\",\"tools\":[\(list)]}",
        .tools(number, isApproved ? .accepted : .waiting),
        after: pause)
    }
  }

  /// The board has the answer; what comes after it gave up is nothing to it.
  func heard(_ verdict: Verdict, over serial: Int64) {
    guard let publication = publications[serial], life.now - publication.writtenAt < Self.patience - 1_000
    else { return }
    publications[serial]!.verdict = verdict
    publications[serial]!.heardAt = life.now
    if life.options.plant == .repeatsTools, verdict == .accepted { check(publications[serial]!) }
  }

  /// The connection is gone, and what was published on it.
  func lost(over serial: Int64) { publications[serial] = nil }

  // MARK: Calls

  private func call(over peer: Peer) {
    var tool = Tool.all[Int(random(below: Int64(Tool.all.count)))].name
    if random(below: 20) == 0 { tool = "no_such_tool" }
    keys += 1
    var key = keys
    // The same call again, which must not be done again.
    if random(below: 8) == 0, let last { (tool, key) = last }
    let timeout: Int64 = [120_000, 120_000, 30_000, 2_000][Int(random(below: 4))]
    let number = life.invokes.begin(over: peer.connection, timeout: timeout)
    // Pedometer and activity have no sensor here, and speech no speaker, so they are no tools.
    calls[number] = publications[peer.connection.serial]?.value.containsTool(tool) == true
    if calls[number] == true { last = (tool, key) }
    life.report.toolCalls += 1
    peer.sendCall(number, tool, key: key, timeout: timeout)
    if random(below: 6) == 0 {
      life.schedule.add(peer, Peer.Step.cancel.rawValue, Int64(number), at: life.now + random(below: 3_000))
    }
    // Several at once, more than a board takes.
    if random(below: 4) == 0 { call(over: peer) }
  }

  /// The board has answered an invoke, which may be a call.
  func answered(_ number: Int, _ params: borrowing JSONView) {
    guard let isPublished = calls.removeValue(forKey: number) else { return }
    let isDone = params.member("ok")?.bool == true
    if isDone, !isPublished { return life.invariants.violated("a tool was called that was not published") }
    guard isDone else { return }
    var isText = false
    if var blocks = params.member("payload")?.member("content")?.elements() {
      isText = blocks.next()?.member("type")?.equals("text") == true
    }
    if !isText { life.invariants.violated("the result of a tool does not begin with a text") }
  }
}

extension [UInt8] {
  /// True when this list of descriptors has that tool.
  fileprivate func containsTool(_ name: String) -> Bool {
    withUnsafeBufferPointer { Search.contains("\"tool\":\"\(name)\"", in: $0) }
  }
}
