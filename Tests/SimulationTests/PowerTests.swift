import Testing

@testable import Simulation

/// The power goes at each call of each write of a life from pairing to the first events.
@Suite("Power cuts in a pairing life")
struct PowerTests {
  private static let length: Int64 = 900_000

  /// A life that pairs with a setup code over TLS, and has an operator connection and events. A person is near: a code
  /// that the gateway has redeemed, and whose token the board lost, is worth nothing, and only another one helps.
  private func life(_ generation: Generation, cut: (save: Int, call: Int)?) -> Life {
    var options = Life.Options(incidentsPerDay: 0, generation: generation)
    options.cut = cut
    options.adjust = { scenario in
      scenario.credential = .setupCode
      scenario.isSecure = true
      scenario.isPinConfigured = false
      scenario.hasOperator = true
      scenario.eventsPerDay = 400
      scenario.attention = 30_000
    }
    return Life(seed: 5, options: options)
  }

  @Test("whenever it goes, the board is paired, online and itself afterwards", arguments: [Generation.june, .newest])
  func everyCall(generation: Generation) {
    let undisturbed = life(generation, cut: nil)
    #expect(undisturbed.run(Self.length) == nil)
    let saves = undisturbed.report.writes
    #expect(saves >= 4, "identity, pin, token, events")
    var cuts = 0
    for save in 0..<saves {
      // One after the last call: the power goes when the write is done.
      var call = 0
      while true {
        let life = life(generation, cut: (save, call))
        let violation = life.run(Self.length)
        #expect(violation == nil, "save \(save), call \(call): \(life.lastLines(40).joined(separator: "\n"))")
        guard let calls = life.callsAtCut else { break }
        cuts += 1
        #expect(life.report.boots >= 2 && life.report.connections >= 1, "save \(save), call \(call)")
        call += 1
        if calls < call { break }
      }
    }
    #expect(cuts > 5 * saves)
  }
}
