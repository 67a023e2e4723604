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

/// Answers `location.get` from the sentences of one receiver: at once, when a new fix arrives, when the
/// receiver goes away, or when time is up. Pure: bytes and instants go in, answers and the next deadline come out.
///
/// All instants are milliseconds of `Clock.monotonic`.
public final class LocationService: PositionSink {
  private struct Waiter {
    var token: Int
    /// A fix that arrived before this instant is too old.
    var earliestArrival: Int64
    var deadline: Int64
  }

  private let clock: any Clock
  /// Told the answers. Held strongly: both live as long as the program.
  public var delegate: (any LocationDelegate)?
  private let waiters: UnsafeMutableBufferPointer<Waiter>
  private var waiting = 0
  private var reader = GNSSReader()
  private var tracker = FixTracker()
  /// How the receiver is, as far as it told.
  public private(set) var state = PositionSourceState.absent
  /// What became of the lines of the receiver since it was opened.
  public var counters: GNSSCounters { reader.counters }
  /// The last fix, however old; nil until the first.
  public var latest: Fix? { tracker.latest }

  /// A service without a receiver: it knows of one once that opens or is lost. `clock` gives the date
  /// when a receiver does not.
  public init(clock: any Clock) {
    self.clock = clock
    waiters = .allocate(capacity: Budget.runningInvokes)
  }

  deinit { waiters.deallocate() }

  // MARK: Requests

  /// The next instant at which `advance(to:)` has something to do.
  public var nextDeadline: Int64? {
    var earliest: Int64?
    for index in 0..<waiting { earliest = min(earliest ?? .max, waiters[index].deadline) }
    return earliest
  }

  /// Begins to answer the request `token`, a number that the caller chooses.
  /// - Returns: the answer when there is one at once; nil: the delegate will be told.
  public func request(_ token: Int, _ parameters: JSONView, now: Int64) -> LocationAnswer? {
    do throws(LocationError) {
      return answer(token, try LocationRequest(parameters), now)
    } catch {
      return .failed(error)
    }
  }

  private func answer(_ token: Int, _ request: LocationRequest, _ now: Int64) -> LocationAnswer? {
    if let fix = latest, let maxAge = request.maxAge, fix.arrival >= now - maxAge { return .fix(fix) }
    switch state {
    case .absent: return .failed(.noReceiver)
    case .lost(let reason): return .failed(.lost(reason))
    case .open: break
    }
    guard waiting < waiters.count else { return .failed(.tooMany) }
    let waiter = Waiter(
      token: token, earliestArrival: now - (request.maxAge ?? 0), deadline: now + request.timeout)
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

  /// Answers the requests whose time is up.
  public func advance(to now: Int64) {
    let reason: LocationError = tracker.lacksDate ? .noDate : .timeout
    settle { waiter in waiter.deadline <= now ? .failed(reason) : nil }
  }

  // MARK: Receiver

  public func positionSourceOpened() {
    state = .open
    // What is left of a sentence or an epoch from before has no continuation.
    reader = GNSSReader()
    tracker.receiverRestarted()
  }

  public func positionSourceLost(_ reason: Errno) {
    state = .lost(reason)
    settle { _ in .failed(.lost(reason)) }
  }

  public func positionSourceReceived(_ bytes: Span<UInt8>, at monotonic: Int64) {
    var index = 0
    while let message = reader.next(bytes, at: &index) {
      guard tracker.accept(message, at: monotonic, wall: clock.wall), let fix = latest else { continue }
      settle { waiter in fix.arrival >= waiter.earliestArrival ? .fix(fix) : nil }
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
