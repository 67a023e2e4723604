import ArgumentParser
import Foundation
import Simulation

/// Many lives of a board, each decided by its seed.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Runs the whole agent through simulated days and checks that its promises hold.",
    discussion: """
      Network, gateway, flash, power and people are simulated from a seed; sessions, router, operator \
      desk, outbox and store are the real ones. A seed that breaks a promise is printed with what led to it and the \
      command that replays it, and the exit code is 1. Build with -c release.
      """)

  @Option(name: .long, help: "How many seeds to run.")
  var seeds = 100

  @Option(name: .long, help: "Simulated days of each seed.")
  var days = 1.0

  @Option(name: .long, help: "The first seed.")
  var firstSeed: UInt64 = 1

  @Option(name: .long, help: "Run this seed alone.")
  var seed: UInt64?

  @Option(name: .long, help: "Incidents a day, instead of what the seed says.")
  var incidents: Int?

  @Flag(name: .long, help: "Go on after a seed that failed, and count.")
  var keepGoing = false

  @Flag(name: .long, help: "Too few simulated years per core-minute fail the run: for a machine with time.")
  var strict = false

  @Flag(name: .long, help: "Print everything that happens.")
  var verbose = false

  func validate() throws {
    guard seeds > 0, days > 0 else { throw ValidationError("--seeds and --days must be more than 0") }
  }

  func run() throws {
    let first = seed ?? firstSeed
    let count = seed == nil ? seeds : 1
    var total = Report()
    var failures = 0
    let started = Self.processorSeconds()
    let begun = ContinuousClock.now
    for offset in 0..<count {
      let (life, hasFailed) = one(first + UInt64(offset))
      total.add(life.report)
      if hasFailed { failures += 1 }
      if hasFailed, !keepGoing { break }
      if offset % 100 == 99, offset + 1 < count { print("\(offset + 1) of \(count) seeds") }
    }
    print(Self.summary(total))
    let wall = Double((ContinuousClock.now - begun).components.seconds)
    let processor = Self.processorSeconds() - started
    print(Self.result(total, wall: wall, processor: processor))
    if failures > 0 {
      print("\(failures) seeds FAILED")
      throw ExitCode(1)
    }
    print("all invariants held")
    guard strict else { return }
    var verdict = Verdict()
    verdict.show(Self.figure(Self.years(total, processor: processor)))
    try verdict.finish()
  }

  static func figure(_ years: Double) -> Measurement {
    Measurement(name: "simulated per core-minute", value: years, unit: "years", bar: .simulatedYears)
  }

  /// Simulated years per core-minute.
  private static func years(_ report: Report, processor: Double) -> Double {
    Double(report.milliseconds) / 86_400_000 / 365.25 / (processor / 60)
  }

  private func one(_ seed: UInt64) -> (life: Life, hasFailed: Bool) {
    let life = Life(seed: seed, options: Life.Options(incidentsPerDay: incidents))
    if verbose { life.follow { print($0) } }
    let violation = life.run(Int64(days * 86_400_000))
    if verbose { print("checksum \(String(life.checksum, radix: 16))") }
    guard let violation else { return (life, false) }
    if !verbose, !keepGoing { for line in life.lastLines(120) { print(line) } }
    print("FAILED seed \(seed) at \(violation.text)")
    let more = incidents.map { " --incidents \($0)" } ?? ""
    print("replay: talon-lab simulate --seed \(seed) --days \(days)\(more) --verbose")
    return (life, true)
  }

  /// Seconds of processor time that this process has used.
  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// One line for people and scripts.
  private static func result(_ report: Report, wall: Double, processor: Double) -> String {
    let days = Double(report.milliseconds) / 86_400_000
    return String(
      format: "%d seeds, %.1f simulated days, %.0f s wall, %.1f s processor, %.2f simulated years per core-minute",
      report.seeds, days, wall, processor, years(report, processor: processor))
  }

  private static func summary(_ report: Report) -> String {
    func share(_ milliseconds: Int64) -> String {
      String(format: "%.1f %%", 100 * Double(milliseconds) / Double(max(report.milliseconds, 1)))
    }
    var lines = [
      "time online                node \(share(report.online)), operator \(share(report.operatorOnline))",
      "starts of the board        \(report.boots)",
      "attempts to connect        \(report.attempts)",
      "connections                node \(report.connections), operator \(report.operatorConnections)",
      "messages                   \(report.messages)",
      "invokes, answered          \(report.invokes), \(report.answers)",
      "events posted, delivered   \(report.events), \(report.delivered)",
      "questions, whole replies   \(report.questions), \(report.replies)",
      "talks, wake phrases heard  \(report.scenes), \(report.wakes)",
      "talk sessions              \(report.sessions)",
      "orders understood, arrived \(report.orders), \(report.ordersArrived)",
      "tools published, called    \(report.publications), \(report.toolCalls)",
      "hangs, steps, restarts     \(report.hangs), \(report.recoverySteps), \(report.restarts)",
      "writes to flash, failed    \(report.writes), \(report.failedWrites)",
      "recoveries, slowest        \(report.recoveries), \(report.slowestRecovery) ms",
    ]
    let happened = Incident.allCases.filter { report.incidents[$0.rawValue] > 0 }
    lines.append(
      "incidents                  " + happened.map { "\($0) \(report.incidents[$0.rawValue])" }.joined(separator: ", "))
    return lines.joined(separator: "\n")
  }
}
