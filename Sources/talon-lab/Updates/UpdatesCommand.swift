import ArgumentParser
import Fetch
import Foundation

/// Many boards at one update server that is away for a while.
struct UpdatesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "updates",
    abstract: "Lets many boards ask an update server that is away for a while, and counts how evenly they come back.",
    discussion: """
      Each board is the schedule of the firmware, with its own random numbers, over real connections of HTTP. Their \
      time passes PACE times faster than the server's, whose interval they take as their own. All times are theirs. \
      The exit code is 1 when the server did not hear of every board, or when the second that is busier than 99 of 100 \
      after its return has more than three times as many polls as a usual one.
      """)

  @Option(help: "The server with its tenant, as in [update] server.")
  var server: String

  @Option(help: "How many boards.")
  var boards = 1000

  @Option(help: "How many times faster than the server's the boards' time passes.")
  var pace: Int64 = 20

  @Option(help: "Seconds before the server goes; the mean is that of their second half.")
  var calm: Int64 = 7200

  @Option(help: "Seconds for which it is away.")
  var away: Int64 = 3600

  @Option(help: "Seconds after it is started again.")
  var after: Int64 = 7200

  @Option(help: "A shell command that ends the server.")
  var stop: String

  @Option(help: "A shell command that starts it again, and returns.")
  var start: String

  func validate() throws {
    guard (1...100_000).contains(boards), (1...1000).contains(pace) else {
      throw ValidationError("--boards must be from 1 to 100000, and --pace from 1 to 1000")
    }
    guard [calm, away, after].allSatisfy({ (2...604_800).contains($0) }) else {
      throw ValidationError("--calm, --away and --after must be from 2 to 604800")
    }
  }

  func run() throws {
    let url: WebURL
    do { url = try WebURL(server.utf8.span) } catch { throw ValidationError("--server \(error.text)") }
    let course = UpdateField.Course(pace: pace, calm: calm, away: away, after: after, stop: stop, start: start)
    let field = try UpdateField(boards: boards, server: url, course)
    try field.run()
    guard let usual = field.counts.summary(Int(calm / 2)..<Int(calm)), usual.mean > 0 else {
      throw LabFailure("the server does not take a board: is it there, and does it let boards register?")
    }
    guard let backAt = field.backAt, let after = field.counts.summary(backAt..<Int(course.end)) else {
      throw LabFailure("the server did not come back")
    }
    var verdict = Verdict()
    func show(_ name: String, _ value: Double, _ unit: String) {
      verdict.show(Measurement(name: name, value: value, unit: unit))
    }
    show("boards of \(boards) that the server knows", Double(field.registered), "")
    show("polls per second, mean before", usual.mean, "/s")
    show("the same, 99 of 100 seconds before", Double(usual.high), "/s")
    verdict.show(Self.figure(Double(after.high), usual: usual.mean))
    show("the highest second after its return", Double(after.most), "/s")
    show("polls that failed", Double(field.failures), "")
    show("longest wait for a free connection", Double(field.longestWait) / 1000, "s")
    guard field.registered == boards else { throw ExitCode(1) }
    try verdict.finish()
  }

  static func figure(_ high: Double, usual mean: Double) -> Measurement {
    Measurement(
      name: "99 of 100 seconds after its return", value: high, unit: "/s", yardstick: ("the mean before", mean),
      bar: .pollsAfterReturn)
  }
}
