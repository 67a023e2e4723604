import Codec
import Runtime

/// One turn that was answered while the gateway was away.
struct AwayTurn: Sendable {
  /// When the person spoke: milliseconds since 1970, or what is no `BelievableDate` when the board did not know.
  var time: Int64 = 0
  var end = TurnEnd.answered
  /// The beginnings of what the person said and of the answer.
  var question = InlineText<200>()
  var answer = InlineText<200>()
  /// The names of the tools that sensed or acted, separated by commas.
  var deeds = InlineText<96>()
}

/// What happened while the gateway was away, as a summary that the gateway gets once.
///
/// Turns are gathered until the gateway is there. Then they are sealed under a serial number, which never comes again,
/// and sent with it until the node says that it has that number for good; turns after that belong to the next summary.
/// All of it is one record on flash, so a summary that was sealed before a power cut has the same number and the same
/// turns after it. The node takes each number once.
public struct HandOver: ~Copyable {
  private let turns: UnsafeMutableBufferPointer<AwayTurn>
  /// Turns in `turns`: the first `sealedCount` belong to the summary that is being handed over.
  private(set) var count = 0
  private(set) var sealedCount = 0
  /// Turns that there was no room for, in the sealed summary and after it: the oldest ones.
  private(set) var sealedOmitted: UInt32 = 0
  private(set) var omitted: UInt32 = 0
  /// The serial number of the sealed summary, or of the next one.
  public private(set) var serial: UInt64 = 1

  /// Nothing has happened.
  public init() {
    turns = .allocate(capacity: Budget.handOverTurns)
    turns.initialize(repeating: AwayTurn())
  }

  deinit {
    turns.deinitialize()
    turns.deallocate()
  }

  /// True while a summary waits to be taken.
  public var isSealed: Bool { sealedCount > 0 || sealedOmitted > 0 }

  /// True when there is nothing to tell.
  public var isEmpty: Bool { count == 0 && omitted == 0 && sealedOmitted == 0 }

  subscript(index: Int) -> AwayTurn { turns[index] }

  // MARK: Gathering

  /// Adds a turn; without room the oldest one that is not sealed is only counted from now on.
  mutating func add(_ turn: AwayTurn) {
    if count == Budget.handOverTurns {
      omitted = omitted == .max ? .max : omitted + 1
      guard sealedCount < count else { return }
      for index in sealedCount..<(count - 1) { turns[index] = turns[index + 1] }
      count -= 1
    }
    turns[count] = turn
    count += 1
  }

  /// The gateway is there: what was gathered becomes a summary. False when there is nothing, or one waits already.
  public mutating func seal() -> Bool {
    guard !isSealed, !isEmpty else { return false }
    (sealedCount, sealedOmitted, omitted) = (count, omitted, 0)
    return true
  }

  /// The node has the summary with this number for good. False when that is not the one that waits.
  public mutating func taken(_ serial: UInt64) -> Bool {
    guard isSealed, serial == self.serial else { return false }
    for index in sealedCount..<count { turns[index - sealedCount] = turns[index] }
    count -= sealedCount
    (sealedCount, sealedOmitted) = (0, 0)
    self.serial &+= 1
    return true
  }

  /// Forgets all turns, because a person wants that; the number of a sealed summary is not used again.
  public mutating func forget() {
    if isSealed { serial &+= 1 }
    (count, sealedCount, sealedOmitted, omitted) = (0, 0, 0, 0)
  }

  // MARK: The record

  /// Replaces everything by what a record says.
  mutating func restore(serial: UInt64, sealedCount: Int, sealedOmitted: UInt32, omitted: UInt32) {
    self.serial = max(serial, 1)
    self.sealedCount = min(max(sealedCount, 0), count)
    (self.sealedOmitted, self.omitted) = (sealedOmitted, omitted)
  }
}
