import Runtime

/// What a person does with the button.
public enum Gesture: Equatable, Sendable {
  /// A short press.
  case acknowledge
  /// Held for 3 s: given while it is still held, so that panic begins at once.
  case panic
  /// A press of more than 3 s and less than 10 s has ended.
  case letGo
  /// Held for 10 s: a factory reset is offered. `panic` came before it.
  case offerReset
  /// A short press while the reset is offered.
  case confirmReset
  /// Nobody confirmed in time, or a long press took it back.
  case withdrawReset
}

/// Told what a person does with the button.
public protocol FrontPanelDelegate: AnyObject {
  func gestured(_ gesture: Gesture)
}

/// The board's light and button: what holds goes in, what the light shows comes out, and edges become gestures.
/// Either may be missing.
public final class FrontPanel {
  private let light: (any Light)?
  private let button: (any Button)?
  private let clock: any Clock
  private let log: Log

  /// A panel that is dark until `start`.
  public init(light: (any Light)?, button: (any Button)?, clock: any Clock, log: Log) {
    self.light = light
    self.button = button
    self.clock = clock
    self.log = log
  }

  /// There is a light, a button.
  public var hasLight: Bool { light != nil }
  public var hasButton: Bool { button != nil }

  /// Takes the devices; what is missing is tried again later.
  public func start(_ delegate: any FrontPanelDelegate) {}

  /// Leaves the light dark and gives the devices back.
  public func stop() {}

  /// What holds now. Cheap to call with what held before.
  public func show(_ signals: SignalSet) {}

  /// What the light says now; nil: it is dark.
  public private(set) var shown: Signal?

  /// When `advance` wants to be called; nil while the light is steady, or blinks by the kernel.
  public var nextDeadline: Int64? { nil }

  /// Lets time pass.
  public func advance(to now: Int64) {}

  /// The first reason why the light or the button does not work; nil when both do, or are not there.
  public private(set) var lightFault: Errno?
  public private(set) var buttonFault: Errno?
}
