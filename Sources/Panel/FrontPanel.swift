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
  private let player: LightPlayer?
  private let reader: ButtonReader?
  private let clock: any Clock
  private var signals = SignalSet()

  /// A panel that is dark until `start`.
  public init(light: (any Light)?, button: (any Button)?, clock: any Clock, log: Log) {
    player = light.map { LightPlayer($0, log: log) }
    reader = button.map { ButtonReader($0, clock: clock, log: log) }
    self.clock = clock
  }

  /// There is a light, a button.
  public var hasLight: Bool { player != nil }
  public var hasButton: Bool { reader != nil }

  /// Takes the devices; what is missing is tried again later.
  public func start(_ delegate: any FrontPanelDelegate) {
    player?.start(at: clock.monotonic)
    reader?.start(self, delegate)
  }

  /// Leaves the light dark and gives the devices back.
  public func stop() {
    player?.stop()
    reader?.stop()
  }

  /// What holds now. Cheap to call with what held before.
  public func show(_ signals: SignalSet) {
    self.signals = signals
    refresh()
  }

  /// What the light says now, or would if it worked; nil: it is dark, or there is none.
  public var shown: Signal? { player?.shown }

  /// When `advance` wants to be called; nil while the light is steady, or blinks by the kernel, and nobody presses the button.
  public var nextDeadline: Int64? { earliest(player?.nextDeadline, reader?.nextDeadline) }

  /// Lets time pass.
  public func advance(to now: Int64) {
    reader?.advance(to: now)
    player?.advance(to: now)
  }

  /// The first reason why the light or the button does not work; nil when both do, or are not there.
  public var lightFault: Errno? { player?.fault }
  /// `.busy` for a button that is stuck.
  public var buttonFault: Errno? { reader?.fault }
  /// The button was down at the start, or has been for a minute: it means nothing until it is released.
  public var isButtonStuck: Bool { reader?.isStuck ?? false }

  /// Shows what holds, and that the button is pressed.
  func refresh() {
    var all = signals
    all[.pressed] = reader?.isPressed ?? false
    player?.show(all.first, at: clock.monotonic)
  }
}
