import Agent
import Codec
import Gateway
import Runtime

/// The state of the running agent as a small JSON file in the runtime folder, for `talon status` and for supervisors.
/// Written by a worker, and again when something changed meanwhile.
final class StatusFile: Job {
  private static let name: StaticString = "/status"

  private let path: Path
  private let temporary: Path
  private let runner: any JobRunner
  private let log: Log
  private let buffer = FixedBuffer(capacity: 4096)
  private var count = 0
  private var failure: Errno?
  private var hasFailed = false
  private var isStale = false
  private var source: Agent?

  init(folder: String, runner: any JobRunner, log: Log) throws(Errno) {
    path = try Path(folder)
    temporary = try Path(folder)
    try path.append(Self.name)
    try temporary.append(Self.name)
    try temporary.append(".new")
    self.runner = runner
    self.log = log
  }

  /// Writes the agent's state, now or as soon as the write before is done.
  func update(_ agent: Agent) {
    source = agent
    isStale = isPending
    if isStale { return }
    encode(agent)
    _ = runner.submit(self)
  }

  /// Removes the file: nobody runs any more.
  func remove() {
    do throws(Errno) { try Syscall.unlink(path) } catch {}
  }

  private func encode(_ agent: Agent) {
    var writer = JSONWriter(into: buffer.bytes)
    writer.beginObject()
    writer.key("pid")
    writer.int(Int64(Process.id))
    writer.key("version")
    writer.string(Version.number)
    writer.key("state")
    writer.string(agent.session.state.word)
    writer.key("explanation")
    writer.string(agent.session.explanation.span)
    writer.key("gateway")
    writer.string(agent.gatewayURL)
    writer.key("nodeId")
    writer.string(agent.session.identity.id.span)
    writer.key("connections")
    writer.uint(agent.session.connections)
    if let desk = agent.desk { encode(desk, &writer) }
    writer.endObject()
    count = writer.isComplete ? writer.count : 0
  }

  private func encode(_ desk: OperatorDesk, _ writer: inout JSONWriter) {
    writer.key("operator")
    writer.string(desk.session.state.word)
    writer.key("operatorExplanation")
    writer.string(desk.session.explanation.span)
    guard desk.policy.verdict != .unknown else { return }
    writer.key("withheld")
    writer.beginArray()
    for index in desk.commands.indices where desk.policy.isMissing(index) { writer.string(desk.commands[index]) }
    writer.endArray()
    writer.key("pendingRequestId")
    writer.string(desk.policy.pendingRequest.span)
  }

  override func run() {
    failure = nil
    let text = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer.bytes)[..<count])
    do throws(Errno) {
      try TextFile.replace(path, temporary: temporary, text)
    } catch {
      failure = error
    }
  }

  override func finish() {
    if let failure, !hasFailed {
      log.write(.warning, "status") { line in
        line.add("the status file cannot be written, so talon status will not work: ")
        line.add(failure)
      }
    }
    hasFailed = failure != nil
    if isStale, let source { update(source) }
  }

  // MARK: Reading

  /// What `talon status` reads.
  struct Status {
    var pid: Int32
    var state: String
    var explanation: String
    var gateway: String
    var nodeID: String
    /// The operator connection, or empty when there is none.
    var consoleState: String
    var console: String
  }

  /// Reads the status of the agent that runs; nil when none does.
  static func read(folder: String) -> Status? {
    guard let bytes = try? TextFile.read(folder + String(name), limit: 4096),
      (try? JSONValidator.check(bytes.span, depthLimit: 2)) != nil
    else { return nil }
    let root = JSONView(bytes.span)
    guard let pid = root.member("pid"), let number = pid.int64, number > 0,
      let id = Int32(exactly: number), Process.exists(id)
    else { return nil }
    return Status(
      pid: id, state: text(root, "state"), explanation: text(root, "explanation"),
      gateway: text(root, "gateway"), nodeID: text(root, "nodeId"), consoleState: text(root, "operator"),
      console: text(root, "operatorExplanation"))
  }

  private static func text(_ root: borrowing JSONView, _ key: StaticString) -> String {
    guard let member = root.member(key), let length = member.stringLength else { return "" }
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(length, 1))
    defer { buffer.deallocate() }
    let count = member.copyString(into: buffer) ?? 0
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
