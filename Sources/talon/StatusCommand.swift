import Codec
import Gateway
import Runtime

/// `talon status`: what the running agent says of itself.
enum StatusCommand {
  static func run(isJSON: Bool, configurationPath: String) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(configurationPath)
    let answer = try ConsoleClient(folder: configuration.runtimeDirectory).ask("status") { _ in }
    let line = JSONView(answer.span)
    guard let status = line.member("result"), status.kind == .object else {
      throw Failure(.temporary, "the agent is of another release: start it anew")
    }
    isJSON ? Console.out(IdentityCommand.string(status.rawText)) : show(status)
    guard let state = status.member("state"), state.equals(SessionState.online.word) else { return .temporary }
    return .ok
  }

  private static func show(_ status: borrowing JSONView) {
    Console.out("state     \(status.text("state"))")
    Console.out("          \(status.text("explanation"))")
    Console.out("gateway   \(status.text("gateway"))")
    Console.out("node      \(status.text("nodeId"))")
    Console.out("pid       \(status.number("pid"))")
    if let commands = status.member("commands") {
      Console.out("commands  \(commands.text("explanation"))")
      if let steps = commands.member("steps") { show(steps: steps) }
    }
    if let console = status.member("console") {
      Console.out("console   \(console.text("state"))")
      Console.out("          \(console.text("explanation"))")
    }
    if let invokes = status.member("invokes") {
      Console.out("invokes   \(invokes.number("answered")) answered, \(invokes.number("refused")) refused")
    }
    if let outbox = status.member("outbox") {
      let lost = outbox.number("dropped") + outbox.number("refused")
      Console.out("events    \(outbox.number("waiting")) waiting, \(outbox.number("delivered")) delivered, \(lost) lost")
    }
  }

  private static func show(steps: borrowing JSONView) {
    var elements = steps.elements()
    while let step = elements.next() { Console.out("          \(step.text)") }
  }
}

/// The agent that runs beside this command, if one does.
enum RunningAgent {
  /// Tells it to read its configuration and state again.
  static func startOver(_ configuration: Configuration) {
    do throws(Failure) {
      let answer = try ConsoleClient(folder: configuration.runtimeDirectory).ask("status") { _ in }
      let line = JSONView(answer.span)
      guard let status = line.member("result"), let pid = Int32(exactly: status.number("pid")), pid > 0 else { return }
      hangUp(pid)
    } catch {
      // Nobody runs, and nobody has to be told.
    }
  }

  private static func hangUp(_ pid: Int32) {
    do throws(Errno) {
      try Process.hangUp(pid)
      Console.out("the running agent was told to connect again")
    } catch {
      Console.err("the running agent could not be told: \(String(error.text)); restart it")
    }
  }
}

/// For commands, which may allocate.
extension JSONView {
  /// The string that this is; empty when it is none.
  var text: String {
    guard let length = stringLength, length > 0 else { return "" }
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: length)
    defer { buffer.deallocate() }
    let count = copyString(into: buffer) ?? 0
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// What a member says; empty when it is missing or no string.
  func text(_ name: StaticString) -> String { member(name)?.text ?? "" }

  /// What a member counts; 0 when it is missing or no number.
  func number(_ name: StaticString) -> Int64 { member(name)?.int64 ?? 0 }
}
