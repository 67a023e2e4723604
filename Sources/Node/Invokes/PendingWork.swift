import Codec
import Gateway
import Runtime

/// Fetches the actions that the gateway kept while the node was offline, runs them, and acknowledges them (gateway
/// reference 9.6): after each `hello-ok`, in rounds, until none is left. After a failure it waits for the next
/// connection; when the gateway does not know the method, until its release changes.
///
/// An action runs once for as long as the router remembers it (10 minutes, as long as the gateway keeps one): when the
/// connection is lost before the acknowledgement, the gateway sends it again over the next one.
public final class PendingWork: Part, RequestDelegate, ActionDelegate {
  /// Milliseconds for an answer of the gateway.
  private static let timeout: Int64 = 15_000
  /// Milliseconds before another round when no action could begin.
  private static let pause: Int64 = 5_000

  private enum Phase { case idle, pulling, beginning, working, acknowledging, resting }

  private struct Action {
    var id = InlineText<128>()
    var isDone = false
  }

  private let router: Router
  private let clock: any Clock
  private let log: Log
  private var channel: (any RequestChannel)?
  private var phase = Phase.idle
  private var rounds = 0
  /// The request under way.
  private var tag = 0
  private var resting: Int64?
  /// The release of the gateway, and the last release that refused the method.
  private var release = InlineText<64>()
  private var refusedBy: InlineText<64>?
  private let actions: UnsafeMutableBufferPointer<Action>
  private var count = 0
  /// Actions acknowledged since start.
  private(set) var acknowledged: UInt64 = 0

  /// A part that fetches nothing until the node connection is open. `router` runs the actions.
  @export(interface)
  public init(router: Router, clock: any Clock, log: Log) {
    self.router = router
    self.clock = clock
    self.log = log
    actions = .allocate(capacity: Budget.pendingActions)
    actions.initialize(repeating: Action())
    super.init()
    router.actionDelegate = self
  }

  deinit { actions.deallocate() }

  // MARK: Life

  public override func online(_ session: Session) { online(session, release: session.hello.serverVersion) }

  /// After `hello-ok` of a gateway of this release.
  func online(_ channel: any RequestChannel, release: InlineText<64>) {
    self.channel = channel
    self.release = release
    rounds = 0
    if let refusedBy, refusedBy.equals(release.span) { return }
    pull()
  }

  /// The connection is lost, and the router has stopped the running actions.
  public override func offline() {
    channel = nil
    end()
  }

  public override var nextDeadline: Int64? { resting }

  public override func advance(to now: Int64) {
    guard let resting, now >= resting else { return }
    self.resting = nil
    pull()
  }

  private func end() {
    phase = .idle
    resting = nil
    count = 0
    tag &+= 1
  }

  // MARK: Rounds

  private func pull() {
    count = 0
    guard rounds < Budget.pendingRounds else {
      log.write(.notice, "commands", "the gateway has too many pending actions: the rest waits for the next connection")
      return end()
    }
    rounds += 1
    ask(.pulling, "node.pending.pull") { _ in }
  }

  private func ask(_ phase: Phase, _ method: StaticString, _ build: (inout JSONWriter) -> Void) {
    self.phase = phase
    tag &+= 1
    guard let channel, channel.request(method, delegate: self, tag: tag, timeout: Self.timeout, build) else {
      return end()
    }
  }

  @export(interface)
  public func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {
    guard tag == self.tag else { return }
    switch phase {
    case .pulling: begin(payload)
    case .acknowledging:
      acknowledged += UInt64(count)
      pull()
    case .idle, .beginning, .working, .resting: return
    }
  }

  public func requestFailed(_ tag: Int, _ failure: RequestFailure) {
    guard tag == self.tag else { return }
    // It does not know the method, or not for nodes. A busy gateway is asked again instead.
    let isBusy = failure.code.equals(("UNAVAILABLE" as StaticString).utf8Bytes)
    if phase == .pulling, failure.kind == .refused, !isBusy { refusedBy = release }
    end()
  }

  private func begin(_ payload: borrowing JSONView) {
    phase = .beginning
    var isEmpty = true
    if let list = payload.member("actions") {
      var elements = list.elements()
      while count < actions.count, let action = elements.next() {
        isEmpty = false
        begin(action: action)
      }
    }
    if isEmpty { return end() }
    if count == 0 { return beginPause() }
    phase = .working
    acknowledgeIfDone()
  }

  private func begin(action: borrowing JSONView) {
    var id = InlineText<128>()
    // Without an id, or with one that is too long, it cannot be acknowledged.
    guard let text = action.member("id"), id.fill({ text.copyString(into: $0) }), !id.isEmpty else { return }
    let number = count
    actions[number] = Action(id: id)
    count += 1
    switch router.begin(action: action, id: id, number: number) {
    case .begun: return
    case .settled: actions[number].isDone = true
    case .later: count -= 1
    }
  }

  private func beginPause() {
    phase = .resting
    resting = clock.monotonic + Self.pause
  }

  func actionEnded(_ number: Int) {
    guard number < count else { return }
    actions[number].isDone = true
    acknowledgeIfDone()
  }

  private func acknowledgeIfDone() {
    // Actions that end while others still begin are counted afterwards.
    guard phase == .working else { return }
    for index in 0..<count where !actions[index].isDone { return }
    ask(.acknowledging, "node.pending.ack") { writer in
      writer.key("ids")
      writer.beginArray()
      for index in 0..<self.count { writer.string(self.actions[index].id.span) }
      writer.endArray()
    }
  }
}
