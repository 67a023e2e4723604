import Codec

/// Makes fixes of sentences: joins those that tell the same instant, keeps the newest fix, and drops what comes out of
/// order.
///
/// Receivers send the sentences of an epoch in any order and choice. A fix is made as soon as GGA and RMC are there, or
/// whatever the epoch before had, and at the latest when the next epoch begins.
public struct FixTracker {
  private static let day: UInt32 = 86_400_000
  /// Epochs out of order, one after the other, until the receiver's clock counts as set back (a leap second learned, a
  /// restart, a recording that begins anew).
  private static let outOfOrderMax = 2

  /// The newest fix, however old.
  public private(set) var latest: Fix?
  /// True when the newest position could not be reported for want of a date.
  public private(set) var lacksDate = false
  private var epoch: FixEpoch?
  private var previousKinds: FixEpoch.Kinds = []
  private var outOfOrder = 0
  private var lastOutOfOrder: UInt32?

  /// A tracker that knows nothing.
  public init() {}

  /// The receiver may have been exchanged: what it says next continues nothing. The newest fix stays.
  public mutating func receiverRestarted() {
    let kept = latest
    self = FixTracker()
    latest = kept
  }

  /// Takes the next sentence.
  /// - Parameters:
  ///   - arrival: when it arrived, in milliseconds of `Clock.monotonic`.
  ///   - wall: milliseconds since the Unix epoch, for a receiver that gives no date.
  /// - Returns: true when `latest` has become the fix of another epoch.
  public mutating func accept(_ sentence: NMEASentence, at arrival: Int64, wall: Int64) -> Bool {
    var isNew = false
    if let timeOfDay = sentence.timeOfDay, timeOfDay != epoch?.timeOfDay {
      guard follows(timeOfDay) else { return false }
      isNew = finishEpoch(wall)
      epoch = FixEpoch(timeOfDay: timeOfDay, arrival: arrival)
    }
    // A sentence without a time belongs to the epoch at hand if it is of the kind that never has one.
    guard sentence.timeOfDay != nil || sentence.isTimeless else { return false }
    epoch?.merge(sentence)
    return publish(wall) || isNew
  }

  /// Makes a fix of an epoch that got no further, and remembers what such an epoch consists of.
  private mutating func finishEpoch(_ wall: Int64) -> Bool {
    guard let finished = epoch else { return false }
    previousKinds = finished.kinds
    return !finished.isPublished && makeLatest(of: finished, wall)
  }

  /// Makes a fix of the epoch at hand when it is complete. What comes later improves the fix, or takes it back.
  private mutating func publish(_ wall: Int64) -> Bool {
    guard let current = epoch else { return false }
    if current.isPublished {
      if !makeLatest(of: current, wall) { latest = nil }
      return false
    }
    guard current.isComplete(like: previousKinds), makeLatest(of: current, wall) else { return false }
    epoch?.isPublished = true
    return true
  }

  private mutating func makeLatest(of epoch: FixEpoch, _ wall: Int64) -> Bool {
    do throws(UndatedFix) {
      lacksDate = false
      guard let fix = try epoch.fix(wall: wall) else { return false }
      latest = fix
      return true
    } catch {
      lacksDate = true
      return false
    }
  }

  /// True when an epoch at `timeOfDay` comes after the one at hand, midnight included.
  private mutating func follows(_ timeOfDay: UInt32) -> Bool {
    guard let last = epoch?.timeOfDay else { return true }
    // Up to 86,400,999 within a leap second.
    let step = (timeOfDay % Self.day + Self.day - last % Self.day) % Self.day
    if step > Self.day / 2 {
      if timeOfDay == lastOutOfOrder { return false }
      lastOutOfOrder = timeOfDay
      outOfOrder += 1
      if outOfOrder <= Self.outOfOrderMax { return false }
    }
    outOfOrder = 0
    lastOutOfOrder = nil
    return true
  }
}

extension NMEASentence {
  /// UTC since midnight in milliseconds, when the sentence tells.
  fileprivate var timeOfDay: UInt32? {
    switch self {
    case .gga(let fix): fix.timeOfDayMilliseconds
    case .rmc(let minimum): minimum.timeOfDayMilliseconds
    case .vtg: nil
    }
  }

  /// True for a kind that never tells a time.
  fileprivate var isTimeless: Bool {
    if case .vtg = self { true } else { false }
  }
}
