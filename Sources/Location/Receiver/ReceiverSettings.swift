import Codec

/// The configuration of a receiver at a serial line.
public struct ReceiverSettings: Sendable {
  /// When the receiver is configured.
  public enum Configuring: Sendable {
    /// Never.
    case never
    /// When it sends no position by itself, or `rate` or `systems` are set.
    case whenNeeded
    /// At each start.
    case always
  }

  /// In which language the receiver is configured.
  public enum SetUp: Equatable, Sendable {
    /// By what the receiver reports of itself; nothing is set where it reports nothing that is known.
    case automatic
    /// As a u-blox receiver, whatever it reports.
    case ublox
    /// As one of this family, whatever it reports.
    case vendor(VendorFamily)
  }

  /// Baud rate; 0: automatic.
  public var speed: UInt32 = 0
  /// When the receiver is configured.
  public var configuring = Configuring.whenNeeded
  /// Its language.
  public var setUp = SetUp.automatic
  /// Fixes a second, 1...10; 0: the receiver's own setting.
  public var rate: UInt16 = 0
  /// Satellite systems to use; none: the receiver's own setting.
  public var systems = UBXSystems()
  /// True when the receiver should save its settings.
  public var saves = false

  /// Automatic baud rate, and no changes if the receiver sends its position.
  public init() {}
}
