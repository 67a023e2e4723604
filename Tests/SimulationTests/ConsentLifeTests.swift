import Testing

@testable import Simulation

@Suite struct ConsentLifeTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `Nothing is used that people did not allow, whatever they and the power do`(seed: UInt64) {
    let life = ConsentLife(seed: seed)
    life.run(requests: 5_000)
    #expect(life.report.violations == [])
    #expect(life.report.requests == 5_000)
    #expect(life.report.begun > 500 && life.report.refused > 500 && life.report.questions > 100)
    #expect(life.report.powerCuts > 0 && life.report.panics > 0 && life.report.takenBack > 0)
  }

  @Test func `The oracle notices what is used without having been allowed`() {
    let life = ConsentLife(seed: 1)
    // Somebody else grants what no person of this life has granted.
    life.isBetrayed = true
    life.run(requests: 5_000)
    #expect(life.report.violations.contains { $0.contains("nobody has allowed") || $0.contains("which is over") })
  }
}
