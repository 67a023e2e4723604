import Simulated
import ToolsPart

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
  /// An authority of the board vouches for the gateway: decided by dice of its own.
  var hasAuthority = false
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
  /// What it hears and speaks with, and what of that is switched off.
  var hasMicrophone: Bool
  var isMicrophoneOn: Bool
  var isTalkOn: Bool
  var hasLight: Bool
  var requiresLight: Bool
  var hasSpeaker: Bool
  var hasTones: Bool
  var hasRecognizer: Bool
  var hasVoice: Bool
  /// It waits for phrases, and what one of them begins; talk mode is a conversation.
  var wakes: Bool
  var wakeTalks: Bool
  var converses: Bool
  /// How often people talk with it, and what the gateway has for that.
  var talksPerDay: Int
  var gatewayListens: Bool
  var gatewayConverses: Bool
  var gatewaySpeaks: Bool
  /// What of the board its agent may have as tools: decided by dice of its own.
  var tools = ToolChoice.none
  /// How often it hangs in a day, so that root's side of recovery is asked; 0: never, and there is none.
  var hangsPerDay = 0
  /// Milliseconds that the person in charge needs on average to approve or to mend something.
  var attention: Int64
  var latency: Int64
  var jitter: Int64

  /// Lets people talk with the board all the time, and has all that this needs.
  mutating func talks() {
    if generation < .june { generation = .june }
    (hasOperator, hasMicrophone, isMicrophoneOn, isTalkOn, hasLight, hasSpeaker, wakes) = (
      true, true, true, true, true, true, true
    )
    (gatewayListens, gatewaySpeaks, converses, talksPerDay) = (true, true, false, 96)
  }

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
    let questions = [0, 4, 24, 120][Int(below(4))]
    hasMicrophone = below(2) == 0
    // What listens and speaks came late.
    if hasMicrophone, below(4) != 0 {
      generation = below(2) == 0 ? .june : .newest
      hasOperator = true
    }
    isMicrophoneOn = below(16) != 0
    isTalkOn = below(16) != 0
    hasLight = below(3) != 0
    requiresLight = below(2) == 0
    hasSpeaker = below(5) != 0
    hasTones = below(3) != 0
    hasRecognizer = below(3) == 0
    hasVoice = below(2) == 0
    wakes = hasMicrophone && below(3) == 0
    wakeTalks = below(4) == 0
    converses = below(3) == 0
    questionsPerDay = hasOperator ? questions : 0
    talksPerDay = [2, 4, 8, 16][Int(below(4))]
    gatewayListens = below(5) != 0
    gatewayConverses = below(4) != 0
    gatewaySpeaks = below(4) != 0
    attention = [120_000, 300_000, 1_200_000, 7_200_000][Int(below(4))]
    latency = [2, 10, 30, 120][Int(below(4))]
    jitter = latency / 2 + 1
  }
}
