import Codec
import Runtime

/// Space on a file system.
public struct StorageReading: Equatable, Sendable {
  /// Total bytes.
  public var totalBytes: UInt64
  /// Bytes that the agent may still write.
  public var freeBytes: UInt64
  /// True when it is read-only, as worn cards often become.
  public var isReadOnly: Bool

  /// A reading; see the properties.
  public init(totalBytes: UInt64, freeBytes: UInt64, isReadOnly: Bool = false) {
    self.totalBytes = totalBytes
    self.freeBytes = freeBytes
    self.isReadOnly = isReadOnly
  }

  /// Bytes in use, those reserved for the superuser included.
  public var usedBytes: UInt64 { totalBytes > freeBytes ? totalBytes - freeBytes : 0 }
}

/// Wear of the disk with the agent's state.
public struct WearReading: Equatable, Sendable {
  /// Remaining spare blocks of an eMMC (JEDEC JESD84-B51, PRE_EOL_INFO).
  public enum End: Equatable, Sendable {
    case normal, warning, urgent

    /// The word of `device.health`.
    public var word: StaticString {
      switch self {
      case .normal: "normal"
      case .warning: "warning"
      case .urgent: "urgent"
      }
    }

    /// From the attribute `pre_eol_info`; nil where the card does not report it.
    public init?(preEOL text: Span<UInt8>) {
      switch text.trimmed.dropping("0x")?.hexadecimal {
      case 1: self = .normal
      case 2: self = .warning
      case 3: self = .urgent
      default: return nil
      }
    }
  }

  /// "SD" or "MMC", for a card.
  public var kind = DeviceName()
  /// The card's product name.
  public var name = DeviceName()
  /// Percentage of its life that is used, in steps of ten; 110 is beyond the manufacturer's rating.
  public var lifeUsed: Int?
  /// Remaining spare blocks.
  public var end: End?
  /// Bytes that the file system has written since it was made.
  public var writtenBytes: UInt64?
  /// Errors of the file system since its last check.
  public var errors: UInt64?

  /// Nothing known.
  public init() {}

  /// True when nothing is known.
  public var isEmpty: Bool { self == WearReading() }

  /// Percent of `life_time`: two estimates in steps of ten (JESD84-B51, DEVICE_LIFE_TIME_EST_TYP_A and _B), 1 for up to
  /// 10 %, 11 for more than 100 %. The larger one counts; 0 is undefined, and larger numbers are reserved: a card that
  /// gives one estimate alone is believed.
  public static func lifeUsed(_ text: Span<UInt8>) -> Int? {
    var words = TextFields(text.trimmed, separatedBy: .blank)
    var worst: UInt64 = 0
    while let word = words.next() {
      guard let step = word.dropping("0x")?.hexadecimal else { return nil }
      if step <= 11 { worst = max(worst, step) }
    }
    return worst > 0 ? Int(worst) * 10 : nil
  }
}
