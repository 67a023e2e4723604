import Simulated

/// What kind of life a seed has: decided at its beginning, from the seed alone.
struct Scenario {
  /// How the board proves at first that it may come.
  enum Credential: CaseIterable { case token, password, none, setupCode }

  var generation: Generation
  var credential: Credential
  var isSecure: Bool
  /// Addresses that lead to the gateway.
  var addresses: Int
  /// What of the certificate is pinned: its key, or itself.
  var pinsKey: Bool
  /// The pin stands in the configuration.
  var isPinConfigured: Bool
  /// The board has a clock that runs without power.
  var hasClock: Bool
  /// How much goes wrong: incidents a day on average.
  var incidentsPerDay: Int
  /// What people and agents want of the board.
  var invokesPerDay: Int
  var eventsPerDay: Int
  /// The board has an operator connection, and what programs on the board ask over it.
  var hasOperator: Bool
  var questionsPerDay: Int
  /// Milliseconds that the person in charge needs on average to approve or to mend something.
  var attention: Int64
  var latency: Int64
  var jitter: Int64

  /// The life of `random`.
  init(_ random: SeededRandom) {
    func below(_ bound: UInt64) -> UInt64 { random.next() % bound }
    generation = Generation(rawValue: Int(below(6)))!
    isSecure = below(4) != 0
    let kinds: [Credential] = [.token, .token, .token, .password, .none, .setupCode]
    credential = kinds[Int(below(6))]
    if credential == .setupCode, !generation.knowsBootstrapToken { credential = .token }
    addresses = [1, 1, 1, 2, 3][Int(below(5))]
    pinsKey = isSecure && below(3) == 0
    isPinConfigured = isSecure && !pinsKey && below(6) == 0
    hasClock = below(2) == 0
    // Most days are quiet, some are not.
    switch below(10) {
    case 0: incidentsPerDay = 0
    case 1...6: incidentsPerDay = 3 + Int(below(4))
    case 7, 8: incidentsPerDay = 12 + Int(below(12))
    default: incidentsPerDay = 60 + Int(below(120))
    }
    invokesPerDay = [4, 24, 24, 96, 480][Int(below(5))]
    eventsPerDay = [0, 4, 12, 60, 200][Int(below(5))]
    hasOperator = below(3) != 0
    questionsPerDay = hasOperator ? [0, 4, 24, 120][Int(below(4))] : 0
    attention = [120_000, 300_000, 1_200_000, 7_200_000][Int(below(4))]
    latency = [2, 10, 30, 120][Int(below(4))]
    jitter = latency / 2 + 1
  }
}
