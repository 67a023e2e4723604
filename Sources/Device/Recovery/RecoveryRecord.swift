import Runtime

/// A step against a board that hangs, from the mildest to the last.
public enum RecoveryRung: UInt8, Equatable, Sendable {
  case interface, driver, restart

  /// The word of the request to root's side.
  public var word: StaticString {
    switch self {
    case .interface: "interface"
    case .driver: "driver"
    case .restart: "restart"
    }
  }
}

/// Which steps were taken, as it is kept on flash: little-endian, after a version byte.
///
/// A count is forgotten when the board has run for a day without that step, in as many parts as it likes: the board's
/// clock may stand still, or jump, and has no say in this.
public struct RecoveryRecord: Equatable, Sendable {
  private static let version: UInt8 = 1

  /// How often each step was taken.
  public internal(set) var counts = InlineArray<3, UInt8>(repeating: 0)
  /// Milliseconds that the board has run since each of them was last taken; of use where its count is not 0.
  var ages = InlineArray<3, Int64>(repeating: 0)
  /// The number of the last request.
  public internal(set) var number: UInt32 = 0
  /// The last step and its reason; nil before the first.
  public internal(set) var last: (rung: RecoveryRung, reason: RecoveryReason)?

  /// No step was taken.
  public init() {}

  /// The record in `bytes`; nil when that is none.
  public init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= Budget.recoveryRecordBytes, bytes[0] >= Self.version else { return nil }
    let raw = UnsafeRawBufferPointer(bytes)
    number = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
    for index in 0..<3 {
      counts[index] = raw[5 + index]
      ages[index] = max(Int64(littleEndian: raw.loadUnaligned(fromByteOffset: 8 + 8 * index, as: Int64.self)), 0)
    }
    if let rung = RecoveryRung(rawValue: raw[32]), let reason = RecoveryReason(rawValue: raw[33]) {
      last = (rung, reason)
    }
  }

  /// Writes it to the beginning of `bytes`; returns its length.
  public func encode(into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let raw = UnsafeMutableRawBufferPointer(bytes)
    for index in 0..<Budget.recoveryRecordBytes { raw[index] = 0 }
    raw[0] = Self.version
    raw.storeBytes(of: number.littleEndian, toByteOffset: 1, as: UInt32.self)
    for index in 0..<3 {
      raw[5 + index] = counts[index]
      raw.storeBytes(of: ages[index].littleEndian, toByteOffset: 8 + 8 * index, as: Int64.self)
    }
    if let last {
      raw[32] = last.rung.rawValue
      raw[33] = last.reason.rawValue
    }
    return Budget.recoveryRecordBytes
  }

  public static func == (left: RecoveryRecord, right: RecoveryRecord) -> Bool {
    guard left.number == right.number, left.last?.rung == right.last?.rung, left.last?.reason == right.last?.reason
    else { return false }
    for index in 0..<3 where left.counts[index] != right.counts[index] || left.ages[index] != right.ages[index] {
      return false
    }
    return true
  }

  // MARK: Counting

  /// True when the step may be taken once more.
  func allows(_ rung: RecoveryRung) -> Bool {
    let index = Int(rung.rawValue)
    return counts[index] < Budget.recoverySteps[index]
  }

  mutating func take(_ rung: RecoveryRung, _ reason: RecoveryReason) {
    let index = Int(rung.rawValue)
    counts[index] = min(counts[index], .max - 1) + 1
    ages[index] = 0
    number = number &+ 1
    last = (rung, reason)
  }

  /// The board has run for so many milliseconds more.
  mutating func run(_ milliseconds: Int64) {
    for index in 0..<3 where counts[index] > 0 {
      ages[index] = min(ages[index], Budget.recoveryDay) + min(max(milliseconds, 0), Budget.recoveryDay)
      if ages[index] >= Budget.recoveryDay { (counts[index], ages[index]) = (0, 0) }
    }
  }

  /// A step counts.
  var isCounting: Bool { counts[0] > 0 || counts[1] > 0 || counts[2] > 0 }
}
