import Runtime

/// The device of a hand: the real one or a simulated one.
public enum HandDevice {
  case output(any OutputLine)
  case input(any InputLine)
  case pwm(any PWMOutput)
  case counter(any InputLine)
  case sensor(any SensorDevice)
  case serial(any SerialLine)
  case program(any ProgramRunner)
}

/// A configured hand, and its device.
public struct HandEntry {
  public let settings: HandSettings
  public let device: HandDevice

  /// A hand; the settings are checked.
  public init(_ settings: HandSettings, _ device: HandDevice) {
    self.settings = settings
    self.device = device
  }
}

/// A line that switches something. Calls may block for a millisecond, on an expander that is behind a slow bus.
public protocol OutputLine: AnyObject {
  /// Takes the line, which then has this state from the first instant; nil: the state that it has.
  func open(_ isOn: Bool?) throws(Errno)
  /// Switches it.
  func set(_ isOn: Bool) throws(Errno)
  /// What the line really is.
  func isOn() throws(Errno) -> Bool
  /// Gives it back.
  func close()
}

/// Gets what happens on an input line.
public protocol InputLineDelegate: AnyObject {
  /// An edge, and its instant of `Clock.monotonic`.
  func lineChanged(isOn: Bool, at instant: Int64)
  /// Edges were lost, and the line now is like this.
  func lineMissed(isOn: Bool, at instant: Int64)
  /// The line was lost; it is given back.
  func lineFailed(_ reason: Errno)
}

/// A line that is watched. Edges are raw: not debounced.
public protocol InputLine: AnyObject {
  /// Takes the line; returns its state.
  func start(_ delegate: any InputLineDelegate) throws(Errno) -> Bool
  /// Delivers edges that wait in the kernel, and notices those that it has lost.
  func catchUp()
  /// Gives it back.
  func stop()
}

/// An output whose power is set by the length of its pulses.
public protocol PWMOutput: AnyObject {
  /// Takes it. Until `set` it is as it was.
  func open() throws(Errno)
  /// Sets the share of full power, from 0 (off) to 1.
  func set(_ share: Double) throws(Errno)
  /// The share that the kernel has.
  func share() throws(Errno) -> Double
  /// Gives it back; it stays as it is.
  func close()
}
