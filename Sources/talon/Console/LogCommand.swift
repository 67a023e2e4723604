import Codec
import Runtime

/// `talon log`: the log of the running agent, now or as it is written.
enum LogCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(options.configurationPath)
    switch options.words.first {
    case nil: return try show(options, configuration, follows: options.has("--follow"))
    case "follow": return try show(options, configuration, follows: true)
    case "level": return try setLevel(options, configuration)
    default: throw Failure(.usage, "expected: talon log, talon log follow or talon log level LEVEL")
    }
  }

  private static func show(
    _ options: Options, _ configuration: Configuration, follows: Bool
  ) throws(Failure) -> ExitCode {
    if options.words.count > 1 { throw Failure(.usage, "talon log does not take \"\(options.words[1])\"") }
    let lines = try options.number("--lines", 1...Budget.consoleLogLinesMaximum) ?? Budget.consoleLogLines
    let level = try options.value("--level").map { (word) throws(Failure) in try check(word) }
    let now = SystemClock().wall
    let client = try ConsoleClient(folder: configuration.runtimeDirectory)
    do throws(Failure) {
      let answer = try client.ask("log", as: .lines) { writer in
        writer.key("lines")
        writer.int(Int64(lines))
        if let level {
          writer.key("level")
          writer.string(level)
        }
        if follows {
          writer.key("follow")
          writer.bool(true)
        }
      } show: { line in
        Console.show(text(line, now: follows ? SystemClock().wall : now))
      }
      try BoardCommands.check(answer)
      return .ok
    } catch {
      // The person pressed Ctrl-C.
      if client.isInterrupted { return .ok }
      throw error
    }
  }

  /// A line with its time of day (UTC), according to the board's current clock.
  static func text(_ line: borrowing JSONView, now: Int64) -> String {
    let time = ISO8601(unixMilliseconds: max(now - line.number("age"), 0))
    let day = IdentityCommand.string(time.text)
    return "\(day.part(11, 8)) \(line.text("level").left(7)) \(line.text("text"))"
  }

  private static func setLevel(_ options: Options, _ configuration: Configuration) throws(Failure) -> ExitCode {
    guard options.words.count == 2 else { throw Failure(.usage, "talon log level needs a level") }
    let level = try check(options.words[1])
    try BoardCommands.check(
      ConsoleClient(folder: configuration.runtimeDirectory).ask("log-level") { writer in
        writer.key("level")
        writer.string(level)
      })
    Console.show("the log keeps \(level) and above until the agent restarts")
    return .ok
  }

  private static func check(_ word: String) throws(Failure) -> String {
    if LogLevel(word: word) != nil { return word }
    throw Failure(.usage, "a level is one of error, warning, notice, info, debug")
  }
}

extension String {
  /// Bytes of a text that is ASCII.
  fileprivate func part(_ start: Int, _ count: Int) -> String {
    String(decoding: Array(utf8.dropFirst(start).prefix(count)), as: UTF8.self)
  }
}

extension Options {
  /// The number of an option, or nil when it was not given.
  func number(_ name: String, _ range: ClosedRange<Int>) throws(Failure) -> Int? {
    guard let word = value(name) else { return nil }
    guard let number = Int(word), range.contains(number) else {
      throw Failure(.usage, "\(name) needs a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
