import Codec
import Gateway
import Runtime

/// Fetches the actions that the gateway kept while nobody was there, has them done, and acknowledges them
/// (gateway reference 9.6): after each `hello-ok`, round by round until none is left. A gateway that fails is left in peace
/// until the next connection, one that does not know the method for as long as its release stays.
///
/// An action is begun once for as long as the router remembers it (10 minutes, as long as the gateway keeps one):
/// when the connection is lost before the acknowledgement, the next one brings it.
final class PendingWork: RequestOwner, ActionOwner {
  private static let patience: Int64 = 15_000
  /// Milliseconds before another round when there was no room for any action.
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
  /// Which request is awaited.
  private var tag = 0
  private var resting: Int64?
  /// The release of the gateway, and the last one that refused the method.
  private var release = InlineText<64>()
  private var refusedBy: InlineText<64>?
  private let actions: UnsafeMutableBufferPointer<Action>
  private var count = 0
  /// Actions acknowledged since start.
  private(set) var acknowledged: UInt64 = 0

  init(router: Router, clock: any Clock, log: Log) {
    self.router = router
    self.clock = clock
    self.log = log
    actions = .allocate(capacity: Budget.pendingActions)
    actions.initialize(repeating: Action())
    router.actionOwner = self
  }

  deinit { actions.deallocate() }

  // MARK: Life

  /// After `hello-ok` of a gateway of this release.
  func online(_ channel: any RequestChannel, release: InlineText<64>) {
    self.channel = channel
    self.release = release
    rounds = 0
    if let refusedBy, refusedBy.equals(release.span) { return }
    pull()
  }

  /// The connection is gone, and the router has stopped what ran.
  func offline() {
    channel = nil
    end()
  }

  /// When `advance` wants to be called.
  var nextDeadline: Int64? { resting }

  func advance(to now: Int64) {
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
      log.write(.notice, "commands", "the gateway has ever more pending actions: they wait for the next connection")
      return end()
    }
    rounds += 1
    ask(.pulling, "node.pending.pull") { _ in }
  }

  private func ask(_ phase: Phase, _ method: StaticString, _ build: (inout JSONWriter) -> Void) {
    self.phase = phase
    tag &+= 1
    guard let channel, channel.request(method, owner: self, tag: tag, timeout: Self.patience, build) else {
      return end()
    }
  }

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
    // It knows no such method, or none for nodes; that it is busy is another matter.
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
    if count == 0 { return rest() }
    phase = .working
    acknowledgeIfDone()
  }

  private func begin(action: borrowing JSONView) {
    var id = InlineText<128>()
    // Without an id, or with one that was never ours to keep, it cannot be acknowledged either.
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

  private func rest() {
    phase = .resting
    resting = clock.monotonic + Self.pause
  }

  func actionEnded(_ number: Int) {
    guard number < count else { return }
    actions[number].isDone = true
    acknowledgeIfDone()
  }

  private func acknowledgeIfDone() {
    // Those that end while others are still being begun are looked at afterwards.
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
