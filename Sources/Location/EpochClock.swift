import Codec

/// Aligns the timestamps of a receiver's messages, so that those of one epoch can be joined.
///
/// A message with a position says when the board was there, so those with equal timestamps belong together, and others
/// do not. Some receivers offset ZDA, GST or NAV-TIMEUTC against the positions, by a constant amount of milliseconds or
/// seconds. The offset of each of these is learned relative to one type with positions, the anchor; one whose timestamp
/// less its offset is that of a position belongs to it. A receiver without positions has such a type as anchor.
struct EpochClock {
  /// Types of message with a time of day.
  enum Kind: UInt8 {
    case pvt, gga, gns, rmc, gll
    case zda, gst, timeUTC

    /// Cases above.
    static let count = 8

    /// True for a message with a position, or with the status that there is none.
    var hasPosition: Bool { rawValue <= Kind.gll.rawValue }
    fileprivate var index: Int { Int(rawValue) }
  }

  private struct Stamp {
    var time: UInt32 = 0
    var arrival: Int64 = 0
    var isHeard = false
    /// Milliseconds by which its timestamps are ahead, once known.
    var offset: Int32 = 0
    var isPlaced = false
    /// A different offset that was seen once.
    var candidate: Int32?
    /// Messages since the last one of the anchor.
    var count: UInt8 = 0
    /// Messages beyond those of the anchor.
    var lead: UInt8 = 0
  }

  /// Milliseconds of a day.
  static let day: UInt32 = 86_400_000
  /// Largest difference of equal timestamps in milliseconds: the protocols round differently.
  private static let sameMax: Int32 = 5
  /// Largest offset in milliseconds: GPS time is 18 s ahead of UTC.
  private static let offsetMax: Int32 = 30_000
  /// After this many messages more than the anchor's, a type with positions becomes the anchor: the old one has become
  /// rarer or has ended. The lead of two equally frequent types is at most 2.
  private static let leadMax: UInt8 = 3
  /// The same for a type without positions: the receiver sends no positions any more.
  private static let timeLeadMax: UInt8 = 10

  private var stamps = InlineArray<8, Stamp>(repeating: Stamp())
  /// The type against which offsets are measured; nil before the first message.
  private(set) var anchor: Kind?

  /// True when the receiver sends positions.
  var hasPositions: Bool { anchor?.hasPosition == true }

  /// Takes the stamp of the next message.
  /// - Parameters:
  ///   - time: its stamp, milliseconds since midnight UTC.
  ///   - arrival: milliseconds of `Clock.monotonic`.
  ///   - epoch: the aligned time of the current epoch, if any.
  /// - Returns: its aligned time; nil while the offset of its type is not known.
  mutating func take(_ kind: Kind, _ time: UInt32, at arrival: Int64, epoch: UInt32?) -> UInt32? {
    let index = kind.index
    if !stamps[index].isHeard || !Self.isSame(time, stamps[index].time) {
      count(kind, time, arrival)
      stamps[index].time = time
      stamps[index].arrival = arrival
      stamps[index].isHeard = true
    }
    if let epoch { _ = place(kind, time, in: epoch) }
    return moment(kind, time)
  }

  /// The aligned time of an earlier message; nil while the offset of its type is not known.
  func moment(_ kind: Kind, _ time: UInt32) -> UInt32? {
    if kind.hasPosition { return time }
    let stamp = stamps[kind.index]
    return stamp.isPlaced ? Self.moment(time, stamp.offset) : nil
  }

  /// A type with the same timestamp as the anchor in one epoch gets the anchor's offset at once.
  /// - Returns: true when a message with the timestamp `time` belongs to the epoch `epoch`.
  mutating func place(_ kind: Kind, _ time: UInt32, in epoch: UInt32) -> Bool {
    if let anchor, !kind.hasPosition, !stamps[kind.index].isPlaced,
      Self.isSame(Self.moment(time, stamps[anchor.index].offset), epoch)
    {
      stamps[kind.index].offset = stamps[anchor.index].offset
      stamps[kind.index].isPlaced = true
    }
    return moment(kind, time).map { Self.isSame($0, epoch) } ?? false
  }

  // MARK: The anchor

  private mutating func count(_ kind: Kind, _ time: UInt32, _ arrival: Int64) {
    if kind == anchor { return measure(time, arrival) }
    stamps[kind.index].count = min(stamps[kind.index].count + 1, 2)
    stamps[kind.index].lead = min(stamps[kind.index].lead + 1, Self.timeLeadMax)
    if shallLead(kind) { lead(kind) }
  }

  private func shallLead(_ kind: Kind) -> Bool {
    guard let anchor else { return true }
    if kind.hasPosition, !anchor.hasPosition { return true }
    // Between types of the same sort the more frequent one is the anchor.
    let isAlike = kind.hasPosition == anchor.hasPosition
    return stamps[kind.index].lead >= (isAlike ? Self.leadMax : Self.timeLeadMax)
  }

  private mutating func lead(_ kind: Kind) {
    // Where its offset is known, the other offsets stay valid. Otherwise all are learned again.
    let isPlaced = stamps[kind.index].isPlaced
    for index in 0..<Kind.count {
      stamps[index].count = 0
      stamps[index].lead = 0
      if isPlaced { continue }
      stamps[index].isPlaced = false
      stamps[index].candidate = nil
    }
    if !isPlaced { stamps[kind.index].offset = 0 }
    stamps[kind.index].isPlaced = true
    anchor = kind
  }

  // MARK: Offsets

  /// At each message of the anchor: measures the types that came once since its previous one.
  private mutating func measure(_ time: UInt32, _ arrival: Int64) {
    guard let anchor else { return }
    let last = stamps[anchor.index]
    let isForward = Self.step(from: last.time, to: time) > 0
    for index in 0..<Kind.count where index != anchor.index {
      if isForward, index > Kind.gll.index, stamps[index].count == 1 { measure(index, last, time, arrival) }
      stamps[index].count = 0
      if stamps[index].lead > 0 { stamps[index].lead -= 1 }
    }
  }

  private mutating func measure(_ index: Int, _ last: Stamp, _ time: UInt32, _ arrival: Int64) {
    let stamp = stamps[index]
    let toLast = Self.step(from: last.time, to: stamp.time) + last.offset
    let toNext = Self.step(from: time, to: stamp.time) + last.offset
    if stamp.isPlaced, Self.isNear(stamp.offset, toLast) || Self.isNear(stamp.offset, toNext) { return }
    let offset: Int32
    if Self.isNear(toLast, last.offset) || Self.isNear(toNext, last.offset) {
      offset = last.offset
    } else {
      // It belongs to the anchor's message that arrived closer to it.
      let (since, until) = (stamp.arrival - last.arrival, arrival - stamp.arrival)
      let isLast = since == until ? abs(toLast - last.offset) <= abs(toNext - last.offset) : since < until
      offset = isLast ? toLast : toNext
    }
    guard abs(offset - last.offset) <= Self.offsetMax else { return }
    // One lost sentence does not change a known offset.
    if stamp.isPlaced, stamp.candidate.map({ Self.isNear($0, offset) }) != true {
      stamps[index].candidate = offset
      return
    }
    stamps[index].offset = offset
    stamps[index].isPlaced = true
    stamps[index].candidate = nil
  }

  // MARK: Times of day

  /// True when two times of day are equal.
  static func isSame(_ first: UInt32, _ second: UInt32) -> Bool {
    max(first, second) - min(first, second) <= UInt32(sameMax)
  }

  /// Milliseconds from one time of day to another, within half a day either way. Within a leap second a stamp is up to
  /// 86,400,999, and then 0.
  static func step(from first: UInt32, to second: UInt32) -> Int32 {
    let step = (second % day + day - min(first, day - 1)) % day
    return step > day / 2 ? Int32(step) - Int32(day) : Int32(step)
  }

  private static func isNear(_ first: Int32, _ second: Int32) -> Bool { abs(first - second) <= sameMax }

  private static func moment(_ time: UInt32, _ offset: Int32) -> UInt32 {
    if offset == 0 { return time }
    let day = Int32(day)
    return UInt32(((Int32(time) - offset) % day + day) % day)
  }
}
