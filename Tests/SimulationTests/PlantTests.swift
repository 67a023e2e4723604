import Testing

@testable import Simulation

/// Each invariant can fail: a fault of the kind that it forbids is committed, and it says so.
@Suite("Planted faults")
struct PlantTests {
  @Test(
    "the fault is noticed",
    arguments: [
      (Life.Plant.opensTwice, "a second session of one role"),
      (.forgetsReply, "was not answered in"),
      (.answersTwice, "was answered twice"),
      (.logsSecret, "a secret stands in the log"),
      (.ignoresPin, "was sent to a certificate that is not the"),
      (.losesIdentity, "another identity"),
      (.losesToken, "the gateway's record is gone"),
      (.losesWrites, "token is not on flash"),
      (.staysAway, "all is good for"),
      (.clockRunsBack, "and waits for"),
      (.spins, "the board spins"),
      (.hammers, "attempts to connect within a minute"),
      (.losesEvents, "is not on flash any more"),
      (.repeatsEvents, "was sent again after it was"),
      (.reordersEvents, "was sent after event"),
      (.sendsUnknownKey, "which no gateway knows"),
      (.losesAnswer, "was not answered in time"),
      (.repeatsAnswer, "answered a call that was over"),
      (.garblesReply, "was shown as"),
      (.hearsTwice, "two had the microphone"),
      (.staysDark, "its light is out"),
      (.keepsSessions, "has let go of talk session"),
      (.repeatsOrders, "reached the agent twice"),
      (.losesOrders, "has not reached the agent"),
      (.changesPhrases, "the board listens for"),
      (.repeatsTools, "were published twice"),
      (.showsTools, "which is switched off"),
      (.restartsOften, "a fourth time within 24 hours"),
      (.losesReason, "the reason is lost"),
      (.ignoresRequests, "hangs for longer than ten minutes"),
    ])
  func noticed(plant: Life.Plant, words: String) {
    var options = Life.Options(plant: plant, incidentsPerDay: 200)
    options.adjust = { scenario in
      scenario.isSecure = plant != .losesWrites
      scenario.hasOperator = true
      scenario.credential = .token
      scenario.questionsPerDay = 240
      scenario.eventsPerDay = 200
      if Self.ofTalk.contains(plant) { scenario.talks() }
      if Self.ofHanging.contains(plant) { scenario.hangsPerDay = 60 }
      if plant == .repeatsTools || plant == .showsTools { (scenario.generation, scenario.tools) = (.newest, .all) }
    }
    // Not every life gives every fault its chance.
    for seed in UInt64(1)...30 {
      let life = Life(seed: seed, options: options)
      guard let violation = life.run(12 * 3_600_000) else { continue }
      #expect(violation.what.contains(words))
      return
    }
    Issue.record("nobody noticed")
  }

  /// They need people who talk with the board.
  private static let ofTalk: [Life.Plant] = [
    .hearsTwice, .staysDark, .keepsSessions, .repeatsOrders, .losesOrders, .changesPhrases,
  ]

  /// They need a board that hangs.
  private static let ofHanging: [Life.Plant] = [.restartsOften, .losesReason, .ignoresRequests]

  @Test("every fault that can be planted is tried above")
  func complete() { #expect(Life.Plant.allCases.count == 30) }
}
