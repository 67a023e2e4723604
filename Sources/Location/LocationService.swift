import Codec
import Runtime

/// What became of a `location.get`.
public enum LocationAnswer {
  /// Where the board is.
  case fix(Fix)
  /// Why that is not known.
  case failed(LocationError)
}

/// Told the answers to requests that had to wait.
public protocol LocationDelegate: AnyObject {
  /// The request `token` has its answer; it is told exactly once.
  func locationAnswered(_ token: Int, _ answer: LocationAnswer)
}

/// Told what the receiver says, request or not.
public protocol LocationObserver: AnyObject {
  /// A fix of another instant than the last one.
  func located(_ fix: Fix)
  /// What the receiver takes the time to be.
  func told(_ time: GNSSTime)
}

/// Answers `location.get` from what one source says: at once, when a new fix arrives, when the
/// source goes away, or when time is up. Pure: bytes and instants go in, answers and the next deadline come out.
///
/// All instants are milliseconds of `Clock.monotonic`.
public final class LocationService: PositionSink {
  private struct Waiter {
    var token: Int
    /// A fix that arrived before this instant is too old.
    var earliestArrival: Int64
    /// Metres: a fix with a larger error will not do.
    var accuracy: Double
    var deadline: Int64

    func takes(_ fix: Fix) -> Bool { fix.arrival >= earliestArrival && fix.accuracy <= accuracy }
  }

  /// Milliseconds of silence after which a receiver counts as mute, and after which one that sends only noise counts as such.
  static let patience: Int64 = 5_000

  private let settings: LocationSettings
  private let clock: any Clock
  /// Told the answers. Held strongly: both live as long as the program.
  public var delegate: (any LocationDelegate)?
  /// Told of fixes and time. Held strongly.
  public var observer: (any LocationObserver)?
  private let waiters: UnsafeMutableBufferPointer<Waiter>
  private var waiting = 0
  private var reader = GNSSReader()
  private var attempt: UInt32 = 0
  private var tracker = FixTracker()
  /// Reads the lines of a gpsd, when that is the source.
  private var daemon: GPSDReader?
  /// The receiver at a line that can be talked to.
  public let receiver: Receiver
  /// How the source is, as far as it told.
  public private(set) var state = PositionSourceState.absent
  private var openedAt: Int64 = 0
  private var lastBytes: Int64?
  private var lastMessage: Int64?
  /// When the first of the bytes arrived that the reader holds back.
  private var heldSince: Int64 = 0
  /// What the last run knew: arrival counts when its age can be told.
  public var restored: (Int64) -> Fix? = { _ in nil }

  /// A service without a source: it knows of one once that opens or is lost. `clock` gives the date when a receiver does not.
  public init(settings: LocationSettings = LocationSettings(), clock: any Clock, log: Log) {
    self.settings = settings
    self.clock = clock
    receiver = Receiver(settings: settings.receiver, log: log)
    waiters = .allocate(capacity: Budget.runningInvokes)
  }

  deinit { waiters.deallocate() }

  /// What became of the bytes of the source since it was opened.
  public var counters: GNSSCounters { daemon?.counters ?? reader.counters }
  /// The last fix of this run, however old; nil until the first.
  public var latest: Fix? { tracker.latest }
  /// The satellites that the receiver tells of.
  public var sky: Sky { tracker.sky }
  /// What the newest position was made from; none while there is none.
  var mode: Fix.Mode { tracker.mode }
  /// The newest moment that the receiver told.
  var time: GNSSTime? { tracker.time }
  /// False when the configuration switched positions off.
  var isEnabled: Bool { settings.isEnabled }

  /// The newest fix, of this run or the last one.
  private func newest(_ now: Int64) -> Fix? { latest ?? restored(now) }

  // MARK: Requests

  /// The next instant at which `advance(to:)` has something to do.
  public var nextDeadline: Int64? {
    var earliest = receiver.nextDeadline
    for index in 0..<waiting { earliest = min(earliest ?? .max, waiters[index].deadline) }
    return earliest
  }

  /// Begins to answer the request `token`, a number that the caller chooses.
  /// - Returns: the answer when there is one at once; nil: the delegate will be told.
  public func request(_ token: Int, _ parameters: JSONView, now: Int64) -> LocationAnswer? {
    guard settings.isEnabled else { return .failed(.disabled) }
    do throws(LocationError) {
      return answer(token, try LocationRequest(parameters), now)
    } catch {
      return .failed(error)
    }
  }

  private func answer(_ token: Int, _ request: LocationRequest, _ now: Int64) -> LocationAnswer? {
    // An age that reaches back further than the clock does allows any.
    let (earliest, isEndless) = now.subtractingReportingOverflow(request.maxAge ?? 0)
    let waiter = Waiter(
      token: token, earliestArrival: isEndless ? .min : earliest, accuracy: request.accuracy,
      deadline: now + request.timeout)
    if request.maxAge != nil, let fix = newest(now), waiter.takes(fix) { return .fix(settings.precision.limit(fix)) }
    switch state {
    case .absent: return .failed(.noReceiver)
    case .lost(let reason): return .failed(.lost(reason))
    case .open: break
    }
    guard waiting < waiters.count else { return .failed(.tooMany) }
    (waiters.baseAddress! + waiting).initialize(to: waiter)
    waiting += 1
    return nil
  }

  /// Forgets a request; nobody is told.
  public func cancel(_ token: Int) {
    for index in 0..<waiting where waiters[index].token == token {
      remove(index)
      return
    }
  }

  /// Answers the requests whose time is up, and lets the receiver's line go on.
  public func advance(to now: Int64) {
    settle { waiter in waiter.deadline <= now ? .failed(self.reason(waiter, now)) : nil }
    receiver.advance(to: now)
  }

  /// What was missing for a request whose time is up.
  private func reason(_ waiter: Waiter, _ now: Int64) -> LocationError {
    if tracker.lacksDate { return .noDate }
    let fix = newest(now)
    let age = fix.map { max(now - $0.arrival, 0) }
    return .timeout(lack(waiter, fix, now), lastFix: age)
  }

  private func lack(_ waiter: Waiter, _ fix: Fix?, _ now: Int64) -> LocationLack {
    if now - (lastBytes ?? openedAt) >= Self.patience || lastBytes == nil { return .data }
    if now - (lastMessage ?? openedAt) >= Self.patience || lastMessage == nil { return .sense }
    if let fix, fix.arrival >= waiter.earliestArrival { return .accuracy(fix.accuracy, wanted: waiter.accuracy) }
    return .fix(satellites: tracker.sky.count)
  }

  // MARK: Source

  /// Opens the source, unless the configuration says no.
  public func start(_ source: any PositionSource) {
    guard settings.isEnabled else { return }
    receiver.line = source.line
    daemon = source.language == .gpsd ? GPSDReader() : nil
    source.start(self)
  }

  public func positionSourceOpened() {
    state = .open
    openedAt = clock.monotonic
    lastBytes = nil
    lastMessage = nil
    // What is left of a sentence or an epoch from before has no continuation.
    reader = GNSSReader()
    daemon?.restart()
    tracker.receiverRestarted()
    receiver.opened(at: openedAt)
  }

  public func positionSourceLost(_ reason: Errno) {
    state = .lost(reason)
    receiver.lost()
    settle { _ in .failed(.lost(reason)) }
  }

  public func positionSourceReceived(_ bytes: Span<UInt8>, at monotonic: Int64) {
    lastBytes = monotonic
    var index = 0
    while let report = daemon?.next(bytes, at: &index) {
      lastMessage = monotonic
      let before = tracker.time
      took(tracker.accept(report, at: monotonic, wall: clock.wall), before)
    }
    if daemon != nil { return }
    if attempt != receiver.attempts { (attempt, reader) = (receiver.attempts, GNSSReader()) }
    // What was held back is as old as the first of its bytes: it must not pass as new.
    var arrival = reader.heldBytes > 0 ? heldSince : monotonic
    while let message = reader.next(bytes, at: &index) {
      lastMessage = monotonic
      receiver.heard(message, at: monotonic)
      let before = tracker.time
      took(tracker.accept(message, at: arrival, wall: clock.wall), before)
      if reader.heldBytes == 0 { arrival = monotonic }
    }
    if reader.heldBytes <= bytes.count { heldSince = monotonic }
    receiver.heard(bytes: bytes.count, at: monotonic)
  }

  /// Tells what a message has changed.
  private func took(_ isNew: Bool, _ before: GNSSTime?) {
    if let time = tracker.time, time != before { observer?.told(time) }
    guard let fix = latest else { return }
    if isNew { observer?.located(fix) }
    if waiting > 0 {
      settle { waiter in waiter.takes(fix) ? .fix(self.settings.precision.limit(fix)) : nil }
    }
  }

  /// Tells every waiting request for which `decide` has an answer.
  private func settle(_ decide: (Waiter) -> LocationAnswer?) {
    var index = 0
    while index < waiting {
      let waiter = waiters[index]
      guard let answer = decide(waiter) else {
        index += 1
        continue
      }
      remove(index)
      delegate?.locationAnswered(waiter.token, answer)
      // The delegate may have asked or cancelled meanwhile: start over, what is left is short.
      index = 0
    }
  }

  private func remove(_ index: Int) {
    waiting -= 1
    waiters[index] = waiters[waiting]
  }
}
