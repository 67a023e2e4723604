import Codec
import Runtime

/// Who asked for a run, for its events and its plan.
public struct RunOrigin: Sendable {
  /// The session and the run at the gateway; empty when it does not say, and then there are no events.
  public var sessionKey = SessionKey()
  public var runID = InlineText<128>()
  /// The agent; empty when the gateway does not say.
  public var agentID = InlineText<128>()
  /// The gateway does not want people to be told of the end.
  public var isQuiet = false

  /// Nobody.
  public init() {}

  /// What stands in parameters, also in those that are refused. Texts that are too long count as absent here.
  public init(_ parameters: borrowing JSONView) {
    Self.copy(parameters, "sessionKey", &sessionKey)
    Self.copy(parameters, "runId", &runID)
    Self.copy(parameters, "agentId", &agentID)
    isQuiet = parameters.member("suppressNotifyOnExit")?.bool == true
  }

  /// True when events of this run can be told to somebody.
  public var hasEvents: Bool { !sessionKey.isEmpty && !runID.isEmpty }

  private static func copy<let capacity: Int>(
    _ parameters: borrowing JSONView, _ name: StaticString, _ target: inout InlineText<capacity>
  ) {
    guard let text = parameters.member(name), text.kind == .string else { return }
    target.fill { text.copyString(into: $0) }
  }
}

/// The parameters of `system.run` and `system.run.prepare`, checked. The file of the board alone decides what may run:
/// what a gateway has approved (`approved`, `approvalDecision`, `systemRunPlan`) can only make it less.
public struct RunRequest: Equatable, Sendable {
  /// The program's index in the list.
  public let program: Int
  /// Milliseconds that the gateway wants to wait; nil: it does not say.
  public let milliseconds: Int64?

  /// The folder in which programs run, and the only one that `cwd` may name.
  public static let folder: StaticString = "/tmp"

  /// Reads parameters; `words` gets the command.
  public init(
    _ parameters: borrowing JSONView, words: CommandWords, list: ProgramList
  ) throws(RunRefusal) {
    try Self.readCommand(parameters, words)
    try Self.checkTexts(parameters)
    try Self.checkFolder(parameters)
    try Self.checkEnvironment(parameters)
    if parameters.member("needsScreenRecording")?.bool == true { throw RunRefusal(.screenRecording) }
    guard let program = list.index(of: words.word(0)) else { throw RunRefusal(.listMiss, words.word(0)) }
    if let decision = parameters.member("approvalDecision"), decision.equals("deny") { throw RunRefusal(.userDenied) }
    try Self.checkPlan(parameters, words)
    self.program = program
    var milliseconds: Int64?
    // Zero means no limit of the gateway's own.
    if let timeout = parameters.member("timeoutMs"), let value = timeout.int64, value > 0 {
      milliseconds = PeerTime.milliseconds(value)
    }
    self.milliseconds = milliseconds
  }

  private static func readCommand(_ parameters: borrowing JSONView, _ words: CommandWords) throws(RunRefusal) {
    words.removeAll()
    var isRaw = false
    if let raw = parameters.member("rawCommand"), !raw.isNull {
      guard raw.kind == .string else { throw RunRefusal(.rawMismatch) }
      isRaw = !words.isBlank(raw)
    }
    guard let command = parameters.member("command"), !command.isNull else {
      throw RunRefusal(isRaw ? .rawWithoutCommand : .noCommand)
    }
    try words.read(command)
    // Read again: a view cannot be kept across the call.
    if isRaw, let raw = parameters.member("rawCommand"), !words.matches(raw) { throw RunRefusal(.rawMismatch) }
  }

  private static func checkTexts(_ parameters: borrowing JSONView) throws(RunRefusal) {
    try checkText(parameters, "sessionKey", 256)
    try checkText(parameters, "runId", 128)
    try checkText(parameters, "agentId", 128)
  }

  private static func checkText(
    _ parameters: borrowing JSONView, _ name: StaticString, _ limit: Int
  ) throws(RunRefusal) {
    guard let text = parameters.member(name), !text.isNull else { return }
    guard let length = text.stringLength, length <= limit else { throw RunRefusal(.badText, name.bytes) }
  }

  // MARK: Where and how

  private static func checkFolder(_ parameters: borrowing JSONView) throws(RunRefusal) {
    guard let folder = parameters.member("cwd"), !isOurs(folder) else { return }
    throw refusal(.folder, folder)
  }

  private static func isOurs(_ folder: borrowing JSONView) -> Bool {
    folder.isNull || folder.equals("") || folder.equals(Self.folder)
  }

  /// Programs have no environment. What only concerns how output looks, and PATH, is ignored as in the reference; all
  /// other variables are refused, for the caller would rely on them.
  private static func checkEnvironment(_ parameters: borrowing JSONView) throws(RunRefusal) {
    guard let environment = parameters.member("env"), !environment.isNull else { return }
    guard environment.kind == .object else { throw RunRefusal(.badText, ("env" as StaticString).bytes) }
    var members = environment.members()
    while let member = members.next() {
      if isHarmless(member.name) { continue }
      throw refusal(.environment, member.name)
    }
  }

  private static let harmless: [StaticString] = ["PATH", "TERM", "LANG", "COLORTERM", "NO_COLOR", "FORCE_COLOR"]

  private static func isHarmless(_ name: borrowing JSONView) -> Bool {
    // By index, here and elsewhere: other loops over arrays take memory in builds without optimization.
    for index in 0..<harmless.count where name.equals(harmless[index]) { return true }
    let raw = name.rawText
    return raw.count > 5 && raw[1] == UInt8(ascii: "L") && raw[2] == UInt8(ascii: "C") && raw[3] == UInt8(ascii: "_")
  }

  private static func refusal(_ reason: RunRefusal.Reason, _ text: borrowing JSONView) -> RunRefusal {
    var copy = InlineText<96>()
    guard copy.fill({ text.copyString(into: $0) }) else {
      return text.rawText.withUnsafeBufferPointer { RunRefusal(reason, $0) }
    }
    return copy.span.withUnsafeBufferPointer { RunRefusal(reason, $0) }
  }

  // MARK: The plan

  /// A plan that people have approved must be of this command, word for word.
  private static func checkPlan(_ parameters: borrowing JSONView, _ words: CommandWords) throws(RunRefusal) {
    guard let plan = parameters.member("systemRunPlan"), !plan.isNull else { return }
    guard plan.kind == .object else { throw mismatch("systemRunPlan") }
    guard let planned = plan.member("argv"), words.areWords(of: planned) else { throw mismatch("argv") }
    if let text = plan.member("commandText"), !text.isNull, !words.matches(text) { throw mismatch("commandText") }
    if let folder = plan.member("cwd"), !isOurs(folder) { throw RunRefusal(.planFolder) }
    try checkSame(parameters, plan, "agentId")
    try checkSame(parameters, plan, "sessionKey")
    // No plan of this board names a file that may change, so nobody could say whether it did.
    if let operand = plan.member("mutableFileOperand"), !operand.isNull { throw RunRefusal(.planOperand) }
  }

  private static func checkSame(
    _ parameters: borrowing JSONView, _ plan: borrowing JSONView, _ name: StaticString
  ) throws(RunRefusal) {
    guard let planned = plan.member(name), !planned.isNull, let wanted = parameters.member(name), !wanted.isNull
    else { return }
    var copy = InlineText<256>()
    guard copy.fill({ wanted.copyString(into: $0) }), planned.equals(copy.span) else { throw mismatch(name) }
  }

  private static func mismatch(_ name: StaticString) -> RunRefusal { RunRefusal(.planMismatch, name.bytes) }
}
