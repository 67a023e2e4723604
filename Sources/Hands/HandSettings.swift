// Hands: what an agent may switch, read and count on this board (`[tool NAME]`): settings, the rules of switches,
// counters and inputs, and the protocols of their devices. Pure: levels, edges and time go in. It must not know a
// driver, nor the gateway's frames.

import Runtime

/// What a hand is.
public enum HandKind: CaseIterable, Sendable {
  /// A line of a GPIO chip: a switch, or something that is on or off.
  case gpio
  /// An output whose power is set in percent.
  case pwm
  /// A line whose pulses are counted.
  case counter
  /// A value that a driver of the kernel measures.
  case sensor
  /// A device at a serial line: lines of text, or registers of Modbus.
  case serial
  /// A program of the owner.
  case program

  /// Its word in the configuration.
  public var word: StaticString {
    switch self {
    case .gpio: "gpio"
    case .pwm: "pwm"
    case .counter: "counter"
    case .sensor: "sensor"
    case .serial: "serial"
    case .program: "program"
    }
  }
}

/// One section `[tool NAME]` of the configuration.
public struct HandSettings: Sendable {
  /// a to z, 0 to 9 and `_`, at most `Budget.handNameBytes`; unique.
  public let name: String
  /// Nil until the configuration names it.
  public var kind: HandKind?
  /// What the owner tells the agent of it.
  public var about = ""
  /// Calls in a minute; one more is refused.
  public var callsPerMinute = 60
  /// The line of the file where its section begins, for complaints.
  public let fileLine: Int
  public var gpio = GPIOSettings()
  public var pwm = PWMSettings()
  public var counter = CounterSettings()
  public var sensor = SensorSettings()
  public var serial = SerialSettings()
  public var program = ProgramSettings()

  /// The settings of a section that begins.
  public init(name: String, fileLine: Int = 0) {
    self.name = name
    self.fileLine = fileLine
  }
}

/// A line of a GPIO chip.
public struct LineSettings: Equatable, Sendable {
  /// The resistor inside the chip that holds an input.
  public enum Bias: Sendable { case asItIs, none, pullUp, pullDown }

  /// A name, a label or a path; empty: the chip that has a line of this name.
  public var chip = ""
  /// A number on that chip, or a name.
  public var line = ""
  /// True when 0 volts means on.
  public var isActiveLow = false
  public var bias = Bias.asItIs

  /// No line.
  public init() {}
}

/// The state of an output when nobody has decided otherwise: after the start, in panic, and when Talon ends.
public enum SafeState: Equatable, Sendable {
  case off, on
  /// As it is; only panic switches it off.
  case keep
}

/// `kind = gpio`. Times in milliseconds.
public struct GPIOSettings: Sendable {
  public enum Direction: Sendable { case input, output }

  /// Which changes of an input the agent is told of.
  public enum Events: Sendable { case none, on, off, both }

  public var line = LineSettings()
  /// Nil until the configuration names it.
  public var direction: Direction?

  // Outputs
  public var safe = SafeState.off
  /// Names of outputs that are never on together with this one.
  public var neverWith: [String] = []
  /// Least times between switchings.
  public var minOn: Int64 = 0
  public var minOff: Int64 = 0
  /// After so long it is switched off; nil: never.
  public var maxOn: Int64?
  public var maxPulse: Int64 = 60_000
  /// Limits in 24 hours; nil: none.
  public var maxOnPerDay: Int64?
  public var maxSwitchesPerDay: Int64?

  // Inputs
  /// What on and off mean, as in "open" and "closed".
  public var onWord = "on"
  public var offWord = "off"
  public var debounce: Int64 = 30
  public var events = Events.none
  public var maxEventsPerHour = 12

  /// An input or an output with the defaults.
  public init() {}
}

/// `kind = pwm`. Shares of full power in percent.
public struct PWMSettings: Sendable {
  /// Its name below /sys/class/pwm, or its path; empty: not configured.
  public var chip = ""
  public var channel = 0
  /// Hertz.
  public var frequency = 1_000
  public var isInverted = false
  /// What may be set, beside 0 for off.
  public var minimum = 0.0
  public var maximum = 100.0
  /// The share when nobody has decided otherwise; see `SafeState`.
  public var safe = 0.0
  public var neverWith: [String] = []

  /// An output with the defaults.
  public init() {}
}

/// `kind = counter`.
public struct CounterSettings: Sendable {
  /// What rates are told per.
  public enum Period: Int64, Sendable {
    case second = 1_000, minute = 60_000, hour = 3_600_000

    /// Its sign in a unit, as in "l/min".
    public var sign: StaticString {
      switch self {
      case .second: "s"
      case .minute: "min"
      case .hour: "h"
      }
    }
  }

  public var line = LineSettings()
  /// Least milliseconds between two pulses.
  public var debounce: Int64 = 1
  /// Units for each pulse.
  public var scale = 1.0
  public var unit = ""
  public var period = Period.minute
  /// Milliseconds over which the rate is taken.
  public var window: Int64 = 60_000
  /// Milliseconds between writes of the total to flash.
  public var saving: Int64 = 600_000

  /// A counter of bare pulses.
  public init() {}
}
