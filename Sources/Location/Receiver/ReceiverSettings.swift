import Codec

/// How a receiver at a serial line is spoken to.
public struct ReceiverSettings: Sendable {
  /// When the receiver's own settings are touched.
  public enum Configuring: Sendable {
    /// Never: what it sends has to do.
    case never
    /// When it tells no position by itself, or `rate` or `systems` ask for it.
    case whenNeeded
    /// At each start.
    case always
  }

  /// Bits a second; 0: found out.
  public var speed: UInt32 = 0
  /// When the receiver's own settings are touched.
  public var configuring = Configuring.whenNeeded
  /// Fixes a second, 1...10; 0: as the receiver has it.
  public var rate: UInt16 = 0
  /// Systems to use; none: as the receiver has it.
  public var systems = UBXSystems()
  /// True when the receiver shall keep what it is told over a loss of power.
  public var saves = false

  /// A receiver that is found, and left as it is if it tells its position.
  public init() {}
}
