import Hands
import Panel
import Runtime

/// A push button on a line of a GPIO chip. Reports raw edges: the delegate debounces them.
public final class GPIOButton: Button, InputLineDelegate {
  let line: GPIOInput
  private let clock: any Clock
  private let log: Log
  private var delegate: (any ButtonDelegate)?

  /// A closed line.
  @export(interface)
  public init(_ place: GPIOPlace, bias: GPIOBias, loop: Loop, clock: any Clock, log: Log) {
    line = GPIOInput(place, bias: bias, edgesPerSecond: Budget.buttonEdgesPerSecond, loop: loop, clock: clock)
    self.clock = clock
    self.log = log
  }

  public func start(_ delegate: any ButtonDelegate) throws(Errno) {
    let isPressed = try line.start(self)
    self.delegate = delegate
    if isPressed { delegate.buttonChanged(isPressed: true, at: clock.monotonic) }
  }

  public func stop() {
    line.stop()
    delegate = nil
  }

  public func catchUp() { line.catchUp() }

  // MARK: InputLineDelegate

  public func lineChanged(isOn: Bool, at instant: Int64) { delegate?.buttonChanged(isPressed: isOn, at: instant) }

  public func lineMissed(isOn: Bool, at instant: Int64) { delegate?.buttonMissed(isPressed: isOn, at: instant) }

  public func lineFailed(_ reason: Errno) {
    if line.isNoisy {
      log.write(
        .warning, "panel", "the button's line keeps changing: check its wiring and its pull-up or pull-down resistor")
    }
    let delegate = delegate
    self.delegate = nil
    delegate?.buttonFailed(reason)
  }
}
