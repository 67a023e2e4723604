import Codec
import Gateway
import Runtime

/// Which of the declared commands the gateway lets through, as its `node.describe` reports to an operator (gateway
/// reference 9.12). The node connection is never told.
public struct CommandPolicy: Equatable, Sendable {
  /// In one word.
  public enum Verdict: Equatable, Sendable {
    /// The gateway was not asked yet, or did not say.
    case unknown
    case all, some, none
  }

  /// The state of the approval of the node's commands; `unknown` before June 2026.
  public enum Approval: Equatable, Sendable {
    case unknown, approved, unapproved, pending, pendingAgain
  }

  /// Whether the gateway's configuration allows the commands that wait for approval.
  public enum Listing: Equatable, Sendable {
    /// The gateway did not say.
    case unknown
    case complete, incomplete
  }

  /// Commands in a set; the table of commands has fewer.
  private static let most = 64

  public private(set) var verdict = Verdict.unknown
  public private(set) var approval = Approval.unknown
  /// The id that a person approves with `openclaw nodes approve`; empty when nothing waits, or when the id is not safe
  /// to print in a command.
  public private(set) var pendingRequest = InlineText<128>()
  public private(set) var listing = Listing.unknown
  private var missing: UInt64 = 0
  /// Those that wait for the approval alone.
  private var listed: UInt64 = 0

  /// Nothing known.
  public init() {}

  /// Reads a row of `node.describe` about a node that declared `commands`; false when it does not list them, because
  /// that node is not connected.
  mutating func read(_ row: borrowing JSONView, declared commands: [String]) -> Bool {
    if let connected = row.member("connected"), connected.bool == false { return false }
    guard let list = row.member("commands"), list.kind == .array else { return false }
    let count = min(commands.count, Self.most)
    let allowed = Self.set(of: list, commands, count)
    let declared: UInt64 = count == Self.most ? .max : (1 << UInt64(count)) - 1
    missing = declared & ~allowed
    verdict = missing == 0 ? .all : allowed == 0 ? .none : .some
    approval = .unknown
    if let state = row.member("approvalState") { approval = Self.approval(state) }
    // A request that still waits is the same one, whether or not the row names it.
    let request = row.member("pendingRequestId")
    if request != nil || !(approval == .pending || approval == .pendingAgain) { pendingRequest.clear() }
    if let request { pendingRequest.fill { request.copyString(into: $0) } }
    if !ApprovalID.isSafe(pendingRequest.span) { pendingRequest.clear() }
    (listing, listed) = (.unknown, 0)
    // Only operators with operator.pairing get this.
    guard let pending = row.member("pendingDeclaredCommands"), pending.kind == .array else { return true }
    listed = Self.set(of: pending, commands, count)
    listing = missing & ~listed == 0 ? .complete : .incomplete
    return true
  }

  private static func set(of list: borrowing JSONView, _ commands: [String], _ count: Int) -> UInt64 {
    var set: UInt64 = 0
    var elements = list.elements()
    while let element = elements.next() {
      for index in 0..<count where element.equals(commands[index].utf8.span) { set |= 1 << UInt64(index) }
    }
    return set
  }

  /// True when a person has to approve commands of this node.
  public var isAwaited: Bool { approval == .unapproved || approval == .pending || approval == .pendingAgain }

  /// True when nothing but that approval is missing, as far as the gateway has said.
  public var awaitsApprovalAlone: Bool { isAwaited && listing == .complete }

  /// The gateway's answer to an invoke of a command that is not approved tells whether its configuration allows it
  /// (gateway reference 9.12). Nil when no command can be tried: it would have an effect if it had just been approved.
  func probe(of commands: [String]) -> String? {
    guard isAwaited, listing == .unknown else { return nil }
    for index in 0..<min(commands.count, Self.most) where isMissing(index) {
      if Self.harmless.contains(commands[index]) { return commands[index] }
    }
    return nil
  }

  /// They need an entry in the gateway's configuration, and only read.
  private static let harmless = ["device.info", "device.status", "camera.list"]

  /// Reads `details.reason` of such an answer: a gateway checks its configuration first.
  mutating func learn(reason: Span<UInt8>) {
    let (allowed, declared, surface): (StaticString, StaticString, StaticString) = (
      "command not allowlisted", "command not declared by node", "node did not declare commands"
    )
    if Self.equal(reason, allowed) { listing = .incomplete }
    if Self.equal(reason, declared) || Self.equal(reason, surface) { listing = .complete }
  }

  private static func equal(_ text: Span<UInt8>, _ words: StaticString) -> Bool {
    guard text.count == words.utf8CodeUnitCount else { return false }
    for index in 0..<text.count where text[index] != words.utf8Start[index] { return false }
    return true
  }

  private static func approval(_ state: borrowing JSONView) -> Approval {
    if state.equals("approved") { return .approved }
    if state.equals("unapproved") { return .unapproved }
    if state.equals("pending-approval") { return .pending }
    if state.equals("pending-reapproval") { return .pendingAgain }
    return .unknown
  }

  /// True when the gateway does not let this command through; the index is its place in the declaration.
  public func isMissing(_ command: Int) -> Bool { command < Self.most && missing >> UInt64(command) & 1 == 1 }

  /// True for one that is not let through only because its approval is missing, as far as the gateway has said.
  public func isListed(_ command: Int) -> Bool {
    listing == .complete || command < Self.most && listed >> UInt64(command) & 1 == 1
  }
}
