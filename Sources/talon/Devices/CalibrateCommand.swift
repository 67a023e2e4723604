import Codec
import Runtime

/// `talon imu calibrate`: guides a person through the calibration of the motion sensor. The agent computes and stores
/// it.
enum CalibrateCommand {
  /// Seconds in which the agent measures the gyroscope's bias at rest.
  private static let restSeconds = 5
  /// How often, a second apart, a position is tried while there are too few samples.
  private static let timeout = 5

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(options.configurationPath)
    _ = try step("begin", configuration)
    let isDone = try guide(configuration)
    if !isDone { _ = try step("cancel", configuration) }
    Console.out(isDone ? "calibrated; this is kept" : "given up; nothing was changed")
    return isDone ? .ok : .temporary
  }

  /// False when the person pressed Ctrl-C.
  private static func guide(_ configuration: Configuration) throws(Failure) -> Bool {
    Console.out("First the gyroscope: lay the board on something solid, and do not touch it.")
    guard press("Press Enter when it lies still.") else { return false }
    for _ in 0..<restSeconds where Pause.second() { return false }
    Console.out("Now the accelerometer: each of the six sides of the board has to be up once, in any order.")
    Console.out("A side need not be exactly level, but the board must not move.")
    var taken = 0
    while taken < 6 {
      guard press("Turn up side \(taken + 1) of 6, let go or hold it still, and press Enter.") else { return false }
      guard let answer = try take(configuration) else { return false }
      if answer.face != nil { taken = answer.count }
    }
    return true
  }

  /// Prompts, and waits for a line; false when none will come.
  private static func press(_ prompt: String) -> Bool {
    Console.out(prompt)
    if Pause.untilInput() { return false }
    var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    return withUnsafeMutableBytes(of: &bytes) { buffer in
      do throws(Errno) { return try Syscall.read(Descriptor(0), into: buffer) > 0 } catch { return false }
    }
  }

  /// Takes the current position, and prints the result; nil when the person pressed Ctrl-C.
  private static func take(_ configuration: Configuration) throws(Failure) -> Answer? {
    var answer = try step("restart", configuration)
    for _ in 0..<timeout {
      if Pause.second() { return nil }
      answer = try step("take", configuration)
      if answer.code != "TOO_FEW" { break }
    }
    if let face = answer.face {
      Console.show("  taken: \(face)")
    } else {
      Console.show("  not taken: \(answer.message)")
      if answer.code == "IMPLAUSIBLE" || answer.code == "NOT_BEGUN" { throw Failure(.temporary, answer.message) }
    }
    return answer
  }

  private struct Answer {
    var count = 0
    var face: String?
    var code = ""
    var message = ""
  }

  /// One step; throws when there is no agent or no sensor.
  private static func step(_ name: String, _ configuration: Configuration) throws(Failure) -> Answer {
    let line = try ConsoleClient(folder: configuration.runtimeDirectory).ask("imu-calibrate") { writer in
      writer.key("step")
      writer.string(name)
    }
    let root = JSONView(line.span)
    var answer = Answer()
    if let result = root.member("result") {
      answer.count = Int(clamping: result.number("positions"))
      if let face = result.member("face") { answer.face = face.text }
      return answer
    }
    (answer.code, answer.message) = (root.text("code"), root.text("message"))
    if answer.code == "UNAVAILABLE" { throw Failure(.unavailable, answer.message) }
    if answer.code == "INVALID_REQUEST" { throw Failure(.temporary, "the agent is of another release: restart it") }
    return answer
  }
}
