// Panel: the light's table of signals and the button's gestures. It knows devices only as `Light` and `Button`, and
// nothing of the agent: what is active is passed in as a `SignalSet`.

import Runtime

/// What a person does with the button.
public enum Gesture: Equatable, Sendable {
  /// A short press.
  case acknowledge
  /// Held for 1 s: given while it is still held. What follows depends on how long it is held.
  case held
  /// Held for 3 s: given while it is still held, so that panic begins at once.
  case panic
  /// A press of more than 3 s and less than 10 s has ended.
  case letGo
  /// Held for 10 s: a factory reset is offered. `panic` came before it.
  case offerReset
  /// A short press while the reset is offered.
  case confirmReset
  /// The offer expired, or a long press withdrew it.
  case withdrawReset
}

/// Gets the gestures of the button.
public protocol FrontPanelDelegate: AnyObject {
  func gestured(_ gesture: Gesture)
}

/// The board's light and button: shows the most urgent of the active signals, and makes gestures of the button's edges.
/// Either may be missing.
public final class FrontPanel {
  private let player: LightPlayer?
  private let reader: ButtonReader?
  private let clock: any Clock
  private var signals = SignalSet()

  /// A panel that is dark until `start`.
  @export(interface)
  public init(light: (any Light)?, button: (any Button)?, clock: any Clock, log: Log) {
    player = light.map { LightPlayer($0, log: log) }
    reader = button.map { ButtonReader($0, clock: clock, log: log) }
    self.clock = clock
  }

  /// True when there is a light; true when there is a button.
  public var hasLight: Bool { player != nil }
  public var hasButton: Bool { reader != nil }

  /// Opens the devices; one that cannot be opened is tried again later.
  public func start(_ delegate: any FrontPanelDelegate) {
    player?.start(at: clock.monotonic)
    reader?.start(self, delegate)
  }

  /// Switches the light off and closes the devices.
  public func stop() {
    player?.stop()
    reader?.stop()
  }

  /// Sets the active signals. Cheap when nothing changed.
  public func show(_ signals: SignalSet) {
    self.signals = signals
    refresh()
  }

  /// The signal that the light shows, or would show if it worked; nil: it is dark, or there is none.
  public var shown: Signal? { player?.shown }

  /// When `advance` wants to be called; nil while the light is steady, or the kernel plays its pattern, and the button
  /// is not pressed.
  public var nextDeadline: Int64? { earliest(player?.nextDeadline, reader?.nextDeadline) }

  /// Lets time pass.
  public func advance(to now: Int64) {
    reader?.advance(to: now)
    player?.advance(to: now)
  }

  /// When the press began that the last gesture is of, in milliseconds of the monotonic clock; nil before the first.
  public var pressBegan: Int64? { reader?.pressBegan }

  /// Why the light does not work; nil when it works, or is not there.
  public var lightFault: Errno? { player?.fault }
  /// Why the button does not work; `.busy` when it is stuck.
  public var buttonFault: Errno? { reader?.fault }
  /// The button was down at the start, or has been for a minute: it is ignored until it is released.
  public var isButtonStuck: Bool { reader?.isStuck ?? false }

  /// Shows the active signals, and that the button is pressed.
  func refresh() {
    var all = signals
    all[.pressed] = reader?.isPressed ?? false
    player?.show(all.first, at: clock.monotonic)
  }
}
