import ArgumentParser
import Simulation

/// Requests for what people at a board decide about, and people who grant, refuse, go away and cut the power.
struct ConsentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "consent",
    abstract: "Checks that nothing is used that people at the board did not allow.",
    discussion: """
      The router and the consent part are the real ones. The exit code is 1 when something was used outside a grant, \
      or a request was answered twice, late or never. Build with -c release.
      """)

  @Option(name: .long, help: "Requests of each seed.")
  var requests = 100_000

  @Option(name: .long, help: "How many seeds to run.")
  var seeds = 10

  @Option(name: .long, help: "The first seed.")
  var firstSeed: UInt64 = 1

  func validate() throws {
    guard requests > 0, seeds > 0 else { throw ValidationError("--requests and --seeds must be more than 0") }
  }

  func run() throws {
    var total = ConsentLife.Report()
    for offset in 0..<seeds {
      let seed = firstSeed &+ UInt64(offset)
      let life = ConsentLife(seed: seed)
      life.run(requests: requests)
      total.add(life.report)
      guard life.report.violations.isEmpty else {
        print("seed \(seed), after \(life.report.requests) requests:")
        for violation in life.report.violations { print("  \(violation)") }
        throw ExitCode(1)
      }
    }
    print("\(total.requests) requests: \(total.begun) begun, \(total.answered) answered, \(total.refused) refused,")
    print("  \(total.dropped) open when a connection, the agent or the power ended")
    print("\(total.questions) questions: \(total.ignored) ignored, \(total.refusals) refused; \(total.grants) grants")
    print(
      "\(total.powerCuts) power cuts, \(total.restarts) restarts, \(total.reconnects) reconnections,",
      "\(total.panics) panics, \(total.takenBack) times taken back")
    print("nothing was used outside a grant, and no request was answered twice or late")
  }
}
