import Board
import Hands
import Runtime

/// Makes the devices of the configured hands. They need not exist yet.
struct HandWiring {
  let configuration: Configuration
  let loop: Loop
  let clock: any Clock

  func entries() throws(Errno) -> [HandEntry] {
    var entries: [HandEntry] = []
    // Sections with the same line share it.
    var lines: [(path: String, line: SerialToolLine)] = []
    for hand in configuration.hands {
      if let device = try device(hand, &lines) { entries.append(HandEntry(hand, device)) }
    }
    return entries
  }

  private func device(
    _ hand: HandSettings, _ lines: inout [(path: String, line: SerialToolLine)]
  ) throws(Errno) -> HandDevice? {
    switch hand.kind {
    case nil: nil
    case .gpio where hand.gpio.direction == .output:
      .output(GPIOOutput(Self.place(hand.gpio.line), bias: Self.bias(hand.gpio.line)))
    case .gpio: .input(input(hand.gpio.line, Budget.buttonEdgesPerSecond))
    case .pwm: .pwm(try Self.pwm(hand.pwm))
    // Each pulse has two edges.
    case .counter: .counter(input(hand.counter.line, 2 * Budget.counterPulsesPerSecond))
    case .sensor: hand.sensor.source.map { .sensor(SysfsSensor($0)) }
    case .serial: .serial(try Self.line(hand.serial, &lines))
    case .program: .program(ProgramProcess(user: hand.program.user))
    }
  }

  private static func line(
    _ serial: SerialSettings, _ lines: inout [(path: String, line: SerialToolLine)]
  ) throws(Errno) -> SerialToolLine {
    for known in lines where known.path == serial.device { return known.line }
    let line = try SerialToolLine(path: serial.device, baud: serial.baud, framing: serial.framing)
    lines.append((serial.device, line))
    return line
  }

  private func input(_ line: LineSettings, _ edgesPerSecond: Int) -> GPIOInput {
    GPIOInput(
      Self.place(line), bias: Self.bias(line), edgesPerSecond: edgesPerSecond, loop: loop, clock: clock)
  }

  static func pwm(_ pwm: PWMSettings) throws(Errno) -> SysfsPWM {
    try SysfsPWM(chip: pwm.chip, channel: pwm.channel, frequency: pwm.frequency, isInverted: pwm.isInverted)
  }

  static func place(_ line: LineSettings) -> GPIOPlace {
    GPIOPlace(chip: line.chip, line: line.line, isActiveLow: line.isActiveLow)
  }

  static func bias(_ line: LineSettings) -> GPIOBias {
    switch line.bias {
    case .asItIs: .asItIs
    case .none: .none
    case .pullUp: .pullUp
    case .pullDown: .pullDown
    }
  }
}
