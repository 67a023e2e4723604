import Codec
import Gateway
import Node
import Runtime

/// Publishes the tools to the gateway after each `hello-ok`, and learns from its answers whether a person has approved
/// them (newer-gateways 1.1): the answer lists what is in effect, which is nothing before the approval.
final class Publication: RequestDelegate {
  /// What the gateway says of the tools.
  enum State: Equatable {
    /// There is no connection, or no answer yet.
    case unknown
    /// The gateway knows no tools of nodes: it is older than 2026.7.
    case unsupported
    /// Nothing is in effect: the tools wait for an approval, or the gateway allows none.
    case waiting
    /// So many tools are in effect.
    case accepted(Int)
    /// The gateway refused the list.
    case refused

    /// As in `talon status --json`.
    var word: StaticString {
      switch self {
      case .unknown: "unknown"
      case .unsupported: "unsupported"
      case .waiting: "waiting"
      case .accepted: "accepted"
      case .refused: "refused"
      }
    }
  }

  /// Timeout in milliseconds of an answer.
  private static let timeout: Int64 = 15_000
  /// Milliseconds before the gateway is asked again whether a person has approved the tools.
  private static let approvalPause: Int64 = 30_000
  /// Milliseconds before the first repeat after a failure, and the longest (newer-gateways 1.1).
  private static let pauses: ClosedRange<Int64> = 250...5_000

  private let log: Log
  private let clock: any Clock
  private let write: (inout JSONWriter) -> Void
  private let place: (borrowing JSONView) -> Int?
  private var channel: (any RequestChannel)?
  private var tag = 0
  private var isAsking = false
  /// Somebody has decided since the question that is not answered yet.
  private var isOutdated = false
  private var retry = RetryPause(pauses)
  private(set) var state = State.unknown
  /// Why the gateway refused the list; empty unless it did.
  private(set) var refusal = InlineText<256>()
  /// The accepted ones: bit `n` of all is the descriptor with that place in the list, of at most
  /// `Budget.publishedTools`.
  private var accepted = InlineArray<2, UInt64>(repeating: 0)
  /// The tools are others than those of the question that is not answered yet.
  private var isReplaced = false
  /// There is no tool to publish now.
  var isEmpty = false
  /// The gateway of this connection does not announce the method.
  private var isTooOld = false

  /// `write` writes the list of descriptors, a JSON array; `place` is the place in it of a name.
  init(
    clock: any Clock, log: Log, place: @escaping (borrowing JSONView) -> Int?,
    _ write: @escaping (inout JSONWriter) -> Void
  ) {
    self.clock = clock
    self.log = log
    self.place = place
    self.write = write
  }

  /// True when the descriptor with this place in the list is in effect.
  func isAccepted(_ place: Int) -> Bool {
    place < Budget.publishedTools && accepted[place / 64] >> UInt64(place % 64) & 1 == 1
  }

  // MARK: The connection

  /// After `hello-ok`; `isKnown`: the gateway announces the method. A board that has no tool yet may have some later.
  func online(_ channel: any RequestChannel, isKnown: Bool) {
    isTooOld = !isKnown
    if isTooOld { return changed() }
    self.channel = channel
    if !isEmpty { ask() }
  }

  /// The connection is lost, and with it all that was published.
  func offline() {
    channel = nil
    (isAsking, isOutdated, isReplaced, isTooOld) = (false, false, false, false)
    retry = RetryPause(Self.pauses)
    tag &+= 1
    set(.unknown)
  }

  var nextDeadline: Int64? { retry.dueAt }

  func advance(to now: Int64) {
    guard let due = retry.dueAt, due <= now else { return }
    retry.begin()
    ask()
  }

  /// The gateway says that somebody has decided about this node (newer-gateways 12): what waits is asked about at once.
  /// Never twice at a time, however many such events come; and not at all once tools are in effect, for a gateway
  /// filters what was published again by itself.
  func decided() {
    if isAsking {
      isOutdated = true
    } else if state == .waiting {
      retry.begin()
      ask()
    }
  }

  /// The tools are others than before: the gateway is told at once, or after its answer to what it was told last.
  func changed() {
    // Who has no tools misses nothing.
    if isTooOld {
      if !isEmpty { set(.unsupported) }
      return
    }
    // Nothing is published, and nothing was.
    if isEmpty, state == .unknown, !isAsking { return }
    if isAsking {
      isReplaced = true
    } else {
      retry.begin()
      ask()
    }
  }

  private func ask() {
    guard !isAsking, let channel else { return }
    (isOutdated, isReplaced) = (false, false)
    tag &+= 1
    isAsking = channel.request("node.pluginTools.update", delegate: self, tag: tag, timeout: Self.timeout) { writer in
      writer.key("tools")
      self.write(&writer)
    }
    if !isAsking { later() }
  }

  /// After a failure that says nothing of the list.
  private func later() { retry.failed(at: clock.monotonic) }

  // MARK: Answers

  func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {
    guard tag == self.tag else { return }
    isAsking = false
    retry.succeeded()
    var count = 0
    accepted = InlineArray(repeating: 0)
    // What it says is of tools that are no more.
    if isReplaced { return ask() }
    if let tools = payload.member("tools"), tools.kind == .array {
      var elements = tools.elements()
      while let tool = elements.next() {
        count += 1
        if let name = tool.member("name"), let place = place(name), place < Budget.publishedTools {
          accepted[place / 64] |= 1 << UInt64(place % 64)
        }
      }
    }
    if count > 0 { return set(.accepted(count)) }
    // Nobody has to approve an empty list.
    if isEmpty { return set(.unknown) }
    set(.waiting)
    if isOutdated { return ask() }
    retry.failed(at: clock.monotonic, pausing: Self.approvalPause)
  }

  func requestFailed(_ tag: Int, _ failure: RequestFailure) {
    guard tag == self.tag else { return }
    isAsking = false
    guard failure.kind == .refused else { return later() }
    if failure.message.span.contains("unknown method") || failure.message.span.contains("unauthorized role") {
      channel = nil
      return set(.unsupported)
    }
    guard failure.code.equals(("INVALID_REQUEST" as StaticString).utf8Bytes) else { return later() }
    // The same list would be refused again.
    refusal = failure.message
    set(.refused)
    if isReplaced { ask() }
  }

  private func set(_ new: State) {
    guard state != new else { return }
    state = new
    switch new {
    case .unknown: break
    case .unsupported: log.write(.info, "tools", "this gateway knows no tools of boards: it is older than 2026.7")
    case .waiting:
      log.write(.notice, "tools") { line in
        line.add("the agent does not see this board's tools yet: somebody has to approve them. ")
        line.add("On the gateway's machine: openclaw nodes pending")
      }
    case .accepted(let count):
      log.write(.notice, "tools") { line in
        line.add("the agent sees ")
        line.add(count)
        line.add(count == 1 ? " tool of this board" : " tools of this board")
      }
    case .refused:
      log.write(.warning, "tools") { line in
        line.add("the gateway refuses this board's tools: ")
        line.quote(self.refusal.span)
      }
    }
  }
}
