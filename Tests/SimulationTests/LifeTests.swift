import Simulation
import Testing

/// The whole agent through simulated days.
@Suite struct LifeTests {
  @Test("all invariants hold through some hours of several lives", arguments: 1...6)
  func hours(seed: Int) {
    let life = Life(seed: UInt64(seed), options: Life.Options(incidentsPerDay: 60))
    #expect(life.run(4 * 3_600_000) == nil, "\(life.lastLines(60).joined(separator: "\n"))")
  }
}
