import Board
import Hands
import Runtime

/// `talon io safe`: brings the outputs of `[tool NAME]` into their safe state, without an agent. The service runs it
/// whenever the agent has ended, however that was, so that what a killed agent has left on does not wait for the next
/// one.
enum HandCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    guard options.words.first == "safe" else { throw Failure(.usage, "expected: talon io safe") }
    let configuration = try ConfigCommand.read(options.configurationPath, as: .caller)
    var code = ExitCode.ok
    for hand in configuration.hands {
      do throws(Errno) {
        if let state = try makeSafe(hand) { Console.show("\(hand.name): \(state)") }
      } catch {
        let reason = error == .busy ? "a running agent has it" : String(DeviceTrouble(error, of: .line).text)
        Console.err("talon: \(hand.name): \(reason)")
        code = .unavailable
      }
    }
    return code
  }

  /// The state in which it is now; nil for what is no output, or is left as it is.
  private static func makeSafe(_ hand: HandSettings) throws(Errno) -> String? {
    switch hand.kind {
    case .gpio where hand.gpio.direction == .output && hand.gpio.safe != .keep:
      let line = GPIOOutput(HandWiring.place(hand.gpio.line), bias: HandWiring.bias(hand.gpio.line))
      defer { line.close() }
      try line.open(hand.gpio.safe == .on)
      return hand.gpio.safe == .on ? "on" : "off"
    case .pwm:
      let output = try HandWiring.pwm(hand.pwm)
      try output.open()
      try output.set(hand.pwm.safe / 100)
      return hand.pwm.safe == 0 ? "off" : "at its safe power"
    default: return nil
    }
  }
}
