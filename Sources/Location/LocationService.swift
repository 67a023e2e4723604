// Location: makes fixes from a receiver's bytes, configures the receiver, and answers requests. It knows a receiver
// only as `PositionSource` and `ReceiverLine`, and nothing of sessions or the router.

import Codec
import Runtime

/// The answer to a `location.get`.
public enum LocationAnswer {
  /// The board's position.
  case fix(Fix)
  /// Why it is not known.
  case failed(LocationError)
}

/// Gets the answers to requests that had to wait.
public protocol LocationDelegate: AnyObject {
  /// The answer to the request `token`; called exactly once.
  func locationAnswered(_ token: Int, _ answer: LocationAnswer)
}

/// Gets every fix and time of the receiver, with or without a request.
public protocol LocationUpdateDelegate: AnyObject {
  /// A fix of a new instant.
  func located(_ fix: Fix)
  /// The receiver's time.
  func timeReceived(_ time: GNSSTime)
}

/// Answers `location.get` from one position source: at once, when a new fix arrives, when the source is lost, or at the
/// timeout. Pure: bytes and instants go in, answers and the next deadline come out.
///
/// All instants are milliseconds of `Clock.monotonic`.
public final class LocationService: PositionSourceDelegate {
  private struct Waiter {
    var token: Int
    /// A fix that arrived before this instant is too old.
    var earliestArrival: Int64
    /// Meters: a fix with a larger error is not accepted.
    var accuracy: Double
    var deadline: Int64

    func takes(_ fix: Fix) -> Bool { fix.arrival >= earliestArrival && fix.accuracy <= accuracy }
  }

  /// Milliseconds after which a receiver without data counts as silent, and one without valid messages as noise.
  static let silenceTimeout: Int64 = 5_000

  private let settings: LocationSettings
  private let clock: any Clock
  /// Gets the answers. A strong reference: both live as long as the program.
  public var delegate: (any LocationDelegate)?
  /// Gets fixes and time. A strong reference.
  public var observer: (any LocationUpdateDelegate)?
  private let waiters: UnsafeMutableBufferPointer<Waiter>
  private var waiting = 0
  private var reader = GNSSReader()
  private var attempt: UInt32 = 0
  private var tracker = FixTracker()
  /// The reader of a gpsd's lines, when that is the source.
  private var daemon: GPSDReader?
  /// How its source is reached.
  public var interface: DeviceInterface { daemon == nil ? .serial : .gpsd }
  /// Finds and configures the receiver at a serial line.
  public let receiver: Receiver
  /// The source's state.
  public private(set) var state = PositionSourceState.absent
  private var openedAt: Int64 = 0
  private var lastBytes: Int64?
  private var lastMessage: Int64?
  /// When the first of the bytes that the reader holds back arrived.
  private var heldSince: Int64 = 0
  /// The last fix of an earlier run, if its age is known.
  public var restored: (Int64) -> Fix? = { _ in nil }

  /// A service without a source. `clock` supplies the date when a receiver does not.
  @export(interface)
  public init(settings: LocationSettings = LocationSettings(), clock: any Clock, log: Log) {
    self.settings = settings
    self.clock = clock
    receiver = Receiver(settings: settings.receiver, log: log)
    waiters = .allocate(capacity: Budget.runningInvokes)
  }

  deinit { waiters.deallocate() }

  /// Statistics since the source was opened.
  public var counters: GNSSCounters { daemon?.counters ?? reader.counters }
  /// The receiver's sentences come without checksums now; see `GNSSReader`.
  public var lacksChecksums: Bool { daemon == nil && reader.lacksChecksums }
  /// The last fix of this run, however old; nil until the first.
  public var latest: Fix? { tracker.latest }
  /// The satellites that the receiver reports.
  public var satellitesInView: SatellitesInView { tracker.satellitesInView }
  /// How the newest position was determined; none while there is none.
  var mode: Fix.Mode { tracker.mode }
  /// The receiver's newest time.
  var time: GNSSTime? { tracker.time }
  /// False when the configuration switched positions off.
  var isEnabled: Bool { settings.isEnabled }

  /// The newest fix, of this run or the last one: what `location.get` and the report on the receiver both answer.
  func newest(_ now: Int64) -> Fix? { latest ?? restored(now) }

  // MARK: Requests

  /// When to call `advance(to:)` next.
  public var nextDeadline: Int64? {
    var earliest = receiver.nextDeadline
    for index in 0..<waiting { earliest = min(earliest ?? .max, waiters[index].deadline) }
    return earliest
  }

  /// Starts the request `token`, a number chosen by the caller.
  /// - Returns: the answer if it is available at once; nil: the delegate gets it later.
  public func request(_ token: Int, _ parameters: JSONView, now: Int64) -> LocationAnswer? {
    guard settings.isEnabled else { return .failed(.disabled) }
    do throws(LocationError) {
      return answer(token, try LocationRequest(parameters), now)
    } catch {
      return .failed(error)
    }
  }

  private func answer(_ token: Int, _ request: LocationRequest, _ now: Int64) -> LocationAnswer? {
    // An age from before the clock's start accepts any fix.
    let (earliest, isEndless) = now.subtractingReportingOverflow(request.maxAge ?? 0)
    let waiter = Waiter(
      token: token, earliestArrival: isEndless ? .min : earliest, accuracy: request.accuracy,
      deadline: now + request.timeout)
    if request.maxAge != nil, let fix = newest(now), waiter.takes(fix) { return .fix(settings.precision.limit(fix)) }
    switch state {
    case .absent: return .failed(.noReceiver)
    case .lost(let reason): return .failed(.lost(reason, of: interface))
    case .open: break
    }
    guard waiting < waiters.count else { return .failed(.tooMany) }
    (waiters.baseAddress! + waiting).initialize(to: waiter)
    waiting += 1
    return nil
  }

  /// Cancels a request without an answer.
  public func cancel(_ token: Int) {
    for index in 0..<waiting where waiters[index].token == token {
      remove(index)
      return
    }
  }

  /// Answers the requests whose timeout is over, and advances the receiver.
  public func advance(to now: Int64) {
    settle { waiter in waiter.deadline <= now ? .failed(self.reason(waiter, now)) : nil }
    receiver.advance(to: now)
  }

  /// The reason for a request's timeout.
  private func reason(_ waiter: Waiter, _ now: Int64) -> LocationError {
    if tracker.lacksDate { return .noDate }
    let fix = newest(now)
    let age = fix.map { max(now - $0.arrival, 0) }
    return .timeout(missing(waiter, fix, now), lastFix: age)
  }

  private func missing(_ waiter: Waiter, _ fix: Fix?, _ now: Int64) -> LocationTimeoutReason {
    if now - (lastBytes ?? openedAt) >= Self.silenceTimeout || lastBytes == nil { return .data }
    if now - (lastMessage ?? openedAt) >= Self.silenceTimeout || lastMessage == nil { return .sense }
    if let fix, fix.arrival >= waiter.earliestArrival { return .accuracy(fix.accuracy, wanted: waiter.accuracy) }
    return .fix(satellites: tracker.satellitesInView.count)
  }

  // MARK: Source

  /// Opens the source, unless positions are switched off.
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
    // Drops incomplete sentences and epochs from before.
    reader = GNSSReader()
    daemon?.restart()
    tracker.receiverRestarted()
    receiver.opened(at: openedAt)
  }

  public func positionSourceLost(_ reason: Errno) {
    state = .lost(reason)
    receiver.lost()
    settle { _ in .failed(.lost(reason, of: interface)) }
  }

  @export(interface)
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
    // Bytes that were held back are as old as the first of them, and must not seem new.
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

  /// Reports what a message has changed.
  private func took(_ isNew: Bool, _ before: GNSSTime?) {
    if let time = tracker.time, time != before { observer?.timeReceived(time) }
    guard let fix = latest else { return }
    if isNew { observer?.located(fix) }
    if waiting > 0 {
      settle { waiter in waiter.takes(fix) ? .fix(self.settings.precision.limit(fix)) : nil }
    }
  }

  /// Answers every waiting request for which `decide` returns an answer.
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
      // The delegate may have added or cancelled requests meanwhile, so start over; the list is short.
      index = 0
    }
  }

  private func remove(_ index: Int) {
    waiting -= 1
    waiters[index] = waiters[waiting]
  }
}
