import Hands
import Runtime

/// A simulated line that switches something, for tests.
public final class MemoryOutput: OutputLine {
  /// What it is driven to.
  public private(set) var level: Bool
  public private(set) var isOpen = false
  /// How often it was set.
  public private(set) var writes = 0
  /// Why calls fail; nil: they do not.
  public var fault: Errno?
  /// What holds the line whatever it is set to; nil: nothing.
  public var heldAt: Bool?

  /// A line at this level, which nobody has taken.
  @export(interface)
  public init(_ level: Bool = false) { self.level = level }

  private func check() throws(Errno) { if let fault { throw fault } }

  public func open(_ isOn: Bool?) throws(Errno) {
    try check()
    level = isOn ?? level
    isOpen = true
  }

  public func set(_ isOn: Bool) throws(Errno) {
    try check()
    guard isOpen else { throw .noSuchDevice }
    level = isOn
    writes += 1
  }

  public func isOn() throws(Errno) -> Bool {
    try check()
    return heldAt ?? level
  }

  public func close() { isOpen = false }
}

/// A simulated line that is watched. Its edges are delivered at once, or at `catchUp`.
public final class MemoryInput: InputLine {
  private let clock: any Clock
  private var delegate: (any InputLineDelegate)?
  private var reported = false
  public private(set) var level: Bool
  /// Why it cannot be started; nil: it can.
  public var fault: Errno?
  /// True to lose edges, like the kernel's full queue.
  public var losesEdges = false

  /// A line at this level.
  @export(interface)
  public init(clock: any Clock, _ level: Bool = false) {
    self.clock = clock
    self.level = level
  }

  public func start(_ delegate: any InputLineDelegate) throws(Errno) -> Bool {
    if let fault { throw fault }
    self.delegate = delegate
    reported = level
    return level
  }

  public func catchUp() {
    guard reported != level, let delegate else { return }
    reported = level
    delegate.lineMissed(isOn: level, at: clock.monotonic)
  }

  public func stop() { delegate = nil }

  /// Drives the line.
  public func set(_ isOn: Bool) {
    guard isOn != level else { return }
    level = isOn
    guard !losesEdges, let delegate else { return }
    reported = isOn
    delegate.lineChanged(isOn: isOn, at: clock.monotonic)
  }

  /// Its chip goes away.
  public func fail(_ reason: Errno) {
    fault = reason
    let delegate = delegate
    stop()
    delegate?.lineFailed(reason)
  }
}

/// A simulated PWM output, for tests.
public final class MemoryPWM: PWMOutput {
  public private(set) var level: Double
  public private(set) var isOpen = false
  /// Why calls fail; nil: they do not.
  public var fault: Errno?

  /// An output with this share of full power.
  @export(interface)
  public init(_ level: Double = 0) { self.level = level }

  public func open() throws(Errno) {
    if let fault { throw fault }
    isOpen = true
  }

  public func set(_ share: Double) throws(Errno) {
    if let fault { throw fault }
    level = share
  }

  public func share() throws(Errno) -> Double {
    if let fault { throw fault }
    return level
  }

  public func close() { isOpen = false }
}
