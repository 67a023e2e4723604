import Testing
import ToolsPart

@testable import Simulation

/// The whole agent through simulated days.
@Suite("Simulated lives")
struct LifeTests {
  private static let hour: Int64 = 3_600_000

  @Test("all invariants hold through some hours of busy lives", arguments: 1...6)
  func hours(seed: UInt64) {
    let life = Life(seed: seed, options: Life.Options(incidentsPerDay: 60))
    #expect(life.run(4 * Self.hour) == nil, "\(life.lastLines(60).joined(separator: "\n"))")
  }

  @Test("a life with each generation of gateways serves, delivers and talks", arguments: Generation.allCases)
  func generations(generation: Generation) {
    var total = Report()
    var options = Life.Options(incidentsPerDay: 20, generation: generation)
    options.adjust = { scenario in
      scenario.hasOperator = true
      scenario.questionsPerDay = 240
      scenario.eventsPerDay = 60
    }
    for seed in UInt64(20)..<23 {
      let life = Life(seed: seed, options: options)
      #expect(life.run(6 * Self.hour) == nil)
      total.add(life.report)
    }
    #expect(total.connections > 4 && total.operatorConnections > 0)
    #expect(total.answers > 0 && total.delivered > 0 && total.replies > 0)
  }

  @Test("with people who talk the board hears, wakes, is understood and answers", arguments: [false, true])
  func talks(converses: Bool) {
    var total = Report()
    var options = Life.Options(incidentsPerDay: 20)
    options.adjust = { scenario in
      scenario.talks()
      scenario.converses = converses
      scenario.gatewayConverses = true
    }
    for seed in UInt64(60)..<62 {
      let life = Life(seed: seed, options: options)
      #expect(life.run(6 * Self.hour) == nil, "\(life.lastLines(60).joined(separator: "\n"))")
      total.add(life.report)
    }
    #expect(total.scenes > 16 && total.wakes > 1 && total.sessions > 6)
    #expect(total.orders > 3 && total.ordersArrived > 3)
  }

  @Test(
    "tools are published as the owner chose, and called",
    arguments: [ToolChoice.all, .safe, .named(["photo", "steps", "ask"])])
  func tools(choice: ToolChoice) {
    var total = Report()
    var options = Life.Options(incidentsPerDay: 20, generation: .newest)
    options.adjust = { scenario in scenario.tools = choice }
    for seed in UInt64(80)..<83 {
      let life = Life(seed: seed, options: options)
      #expect(life.run(6 * Self.hour) == nil, "\(life.lastLines(60).joined(separator: "\n"))")
      total.add(life.report)
    }
    #expect(total.publications > 3 && total.toolCalls > 30)
  }

  @Test("a board that hangs in every way is back in time, restarted three times a day at most, and says why")
  func hangs() {
    var total = Report()
    var options = Life.Options(incidentsPerDay: 6)
    options.adjust = { scenario in
      scenario.hangsPerDay = 40
      scenario.invokesPerDay = 4
      scenario.eventsPerDay = 4
      (scenario.hasMicrophone, scenario.wakes, scenario.questionsPerDay) = (false, false, 0)
    }
    for seed in UInt64(100)..<104 {
      let life = Life(seed: seed, options: options)
      #expect(life.run(72 * Self.hour) == nil, "\(life.lastLines(60).joined(separator: "\n"))")
      total.add(life.report)
    }
    #expect(total.hangs > 40 && total.recoverySteps > 20 && total.restarts > 12)
  }

  /// Trouble of five minutes, and an hour later a router that forgets the connection.
  private final class TroubleThenSilence: Actor {
    enum Step: Int, CaseIterable { case trouble, good, forgotten }

    unowned let life: Life

    init(_ life: Life) {
      self.life = life
      for (step, minute) in [(Step.trouble, Int64(20)), (.good, 25), (.forgotten, 85)] {
        life.schedule.add(self, step.rawValue, at: minute * 60_000)
      }
    }

    func act(_ what: Int, _ number: Int64) {
      switch Step(rawValue: what)! {
      case .trouble: life.network.outages += 1
      case .good: life.network.outages -= 1
      case .forgotten: life.network.forget(up: true, down: true)
      }
      life.invariants.conditionsChanged()
    }
  }

  @Test("silence after an hour without trouble is over as soon as on a board that never had any", arguments: 1...4)
  func silenceAfterTrouble(seed: UInt64) {
    let life = Life(seed: seed, options: Life.Options(incidentsPerDay: 0))
    let course = TroubleThenSilence(life)
    #expect(life.run(2 * Self.hour) == nil, "\(life.lastLines(60).joined(separator: "\n"))")
    #expect(life.report.connections >= 3)
    withExtendedLifetime(course) {}
  }

  @Test("a seed replays to the same checksum, and another seed to another")
  func replay() {
    func checksum(_ seed: UInt64) -> UInt64 {
      let life = Life(seed: seed, options: Life.Options(incidentsPerDay: 100))
      _ = life.run(2 * Self.hour)
      return life.checksum
    }
    #expect(checksum(7) == checksum(7))
    #expect(checksum(7) != checksum(8))
  }

  @Test("neighbouring seeds lead different lives")
  func variety() {
    let lives = (UInt64(1)...60).map { Life(seed: $0) }
    #expect(Set(lives.map(\.scenario.generation)).count == Generation.allCases.count)
    #expect(Set(lives.map(\.scenario.credential)).count == Scenario.Credential.allCases.count)
    #expect(Set(lives.map(\.scenario.addresses)).count == 3)
    #expect(lives.contains { $0.scenario.isSecure } && lives.contains { !$0.scenario.isSecure })
    #expect(lives.contains { $0.scenario.hasOperator } && lives.contains { !$0.scenario.hasOperator })
  }

  @Test("every kind of incident happens within a few busy days")
  func incidents() {
    var total = Report()
    for seed in UInt64(40)..<44 {
      let life = Life(seed: seed, options: Life.Options(incidentsPerDay: 400))
      #expect(life.run(12 * Self.hour) == nil)
      total.add(life.report)
    }
    for incident in Incident.allCases { #expect(total.incidents[incident.rawValue] > 0, "\(incident)") }
  }
}
