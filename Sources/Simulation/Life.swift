import Board
import Gateway
import Glibc
import Runtime
import Simulated

/// The life of one board in virtual time, decided by a seed: the whole agent runs for real between a simulated network,
/// gateway, flash and person.
public final class Life {
  /// What a run may be told.
  public struct Options: Sendable {
    /// A fault that the simulation itself commits, to see that it is noticed.
    public var plant: Plant?
    /// How much goes wrong, if not what the seed says: incidents a day.
    public var incidentsPerDay: Int?
    public var generation: Generation?
    /// The power goes at this call of this save of a record; both are counted from 0 over the whole life.
    public var cut: (save: Int, call: Int)?
    /// Changes what the seed says of the life.
    var adjust: (@Sendable (inout Scenario) -> Void)?

    /// A life as the seed says.
    public init(plant: Plant? = nil, incidentsPerDay: Int? = nil, generation: Generation? = nil) {
      self.plant = plant
      self.incidentsPerDay = incidentsPerDay
      self.generation = generation
    }
  }

  /// Faults of the kind that the invariants forbid.
  public enum Plant: CaseIterable, Sendable {
    case forgetsReply, answersTwice, logsSecret, ignoresPin, losesIdentity, losesToken, staysAway, losesEvents
    case repeatsEvents, reordersEvents, sendsUnknownKey, hammers, opensTwice, spins, clockRunsBack
    case losesAnswer, repeatsAnswer, garblesReply, losesWrites
    case hearsTwice, staysDark, keepsSessions, repeatsOrders, losesOrders, changesPhrases
    case repeatsTools, showsTools
    case restartsOften, losesReason, ignoresRequests
  }

  public let seed: UInt64
  let options: Options
  private(set) var scenario: Scenario
  /// Virtual milliseconds since the beginning.
  private(set) var now: Int64 = 0
  var schedule = Schedule()
  public internal(set) var report = Report()
  var trace = Trace()
  let dice: SeededRandom
  let cryptography = OpenSSLCryptography()
  /// The true date at the beginning: 2026-01-01.
  static let beginning: Int64 = 1_767_225_600_000

  private(set) var network: Network! = nil
  private(set) var gateway: GatewayModel! = nil
  private(set) var board: SimulatedBoard! = nil
  private(set) var person: Person! = nil
  private(set) var incidents: Incidents! = nil
  private(set) var invariants: Invariants! = nil
  private(set) var invokes: InvokeLedger! = nil
  private(set) var events: EventLedger! = nil
  private(set) var console: Console! = nil
  private(set) var room: Room! = nil
  private(set) var talker: Talker! = nil
  private(set) var sessions: TalkSessions! = nil
  private(set) var phrases: Phrases! = nil
  private(set) var ledger: TalkLedger! = nil
  private(set) var tools: ToolLedger! = nil
  private(set) var root: RootSide! = nil
  private var serial: Int64 = 0

  /// A life that begins with `run`.
  public init(seed: UInt64, options: Options = Options()) {
    self.seed = seed
    self.options = options
    // Neighboring seeds shall differ from the first number on.
    let spread = SeededRandom(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ 0xD1B5_4A32_D192_ED03)
    dice = SeededRandom(seed: spread.next())
    scenario = Scenario(SeededRandom(seed: spread.next()))
    if let count = options.incidentsPerDay { scenario.incidentsPerDay = count }
    if let generation = options.generation {
      scenario.generation = generation
      if scenario.credential == .setupCode, !generation.knowsBootstrapToken { scenario.credential = .token }
    }
    tools = ToolLedger(self, seed: seed)
    if scenario.generation == .newest { scenario.tools = tools.choice() }
    root = RootSide(self, seed: seed)
    scenario.hangsPerDay = root.choice()
    let mayHaveAuthority = scenario.isSecure && !scenario.pinsKey && !scenario.isPinConfigured
    scenario.hasAuthority = mayHaveAuthority && SeededRandom(seed: seed ^ 0xA074_0157).next() % 3 == 0
    options.adjust?(&scenario)
    network = Network(self)
    network.latency = scenario.latency
    network.jitter = scenario.jitter
    invariants = Invariants(self)
    invokes = InvokeLedger(self)
    events = EventLedger(self)
    console = Console(self)
    room = Room(self)
    talker = Talker(self)
    sessions = TalkSessions(self)
    phrases = Phrases(self)
    ledger = TalkLedger(self)
    person = Person(self)
    gateway = GatewayModel(self)
    incidents = Incidents(self)
    board = SimulatedBoard(self, random: SeededRandom(seed: spread.next()))
  }

  /// The folder for the flash: in memory where there is such a place.
  static func scratch(_ seed: UInt64) -> String {
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    serials.lock()
    defer { serials.unlock() }
    lives += 1
    return "\(parent)/talon-simulation-\(getpid())-\(lives)-\(seed)"
  }

  nonisolated(unsafe) private static var lives = 0
  private static let serials = Lock()

  // MARK: Chance

  /// A number below `bound`.
  func random(below bound: Int64) -> Int64 { Int64((dice.next() >> 33) % UInt64(bound)) }

  func chance(_ count: Int64, in all: Int64) -> Bool { random(below: all) < count }

  /// Milliseconds until something that happens every `mean` milliseconds on average: an exponential distribution,
  /// without its longest tail.
  func interval(_ mean: Int64) -> Int64 {
    let unit = Double(dice.next() >> 11) / 9_007_199_254_740_992
    return max(1, Int64(min(-log(1 - unit), 6) * Double(mean)))
  }

  func nextSerial() -> Int64 {
    serial += 1
    return serial
  }

  // MARK: Time

  /// The true date in milliseconds since 1970.
  var wall: Int64 { Self.beginning + now }

  /// What went wrong, or nil when all invariants held for `milliseconds`.
  public func run(_ milliseconds: Int64) -> Violation? {
    board.begin()
    gateway.begin()
    incidents.begin(until: milliseconds)
    events.begin()
    console.begin()
    talker.begin()
    phrases.begin()
    tools.begin()
    root.begin()
    while now < milliseconds, invariants.violation == nil {
      let due = board.dueTime
      let next = min(schedule.nextTime, due, milliseconds, invariants.deadline)
      if next > now { pass(next - now) }
      if due <= now {
        board.advance()
      } else if schedule.nextTime <= now, let entry = schedule.pop() {
        entry.actor.act(entry.what, entry.number)
        board.advance()
      }
      invariants.check()
    }
    report.seeds = 1
    report.milliseconds = now
    report.writes = board.flash.saves
    report.failedWrites = board.flash.failures
    board.end()
    return invariants.violation
  }

  private func pass(_ milliseconds: Int64) {
    now += milliseconds
    board.clock.advance(milliseconds)
    if options.plant == .clockRunsBack, now > 3_600_000 { board.clock.advance(-90_000_000) }
  }

  /// True when nothing but the board decides whether it is online.
  func isGood(for role: Role) -> Bool {
    board.isServing && network.isGood && gateway.isGood(for: role) && gateway.isCredentialGood(for: role)
      && board.flash.mood == .good && isPinGood
  }

  private var isPinGood: Bool {
    guard scenario.isSecure else { return true }
    if scenario.isPinConfigured { return person.configuredPin == gateway.certificate.leaf }
    guard let pin = invariants.pin else { return true }
    return scenario.pinsKey ? pin.key == gateway.certificate.key : pin.leaf == gateway.certificate.leaf
  }

  /// How many calls the save had in which the power went as `Options.cut` wanted; nil when it did not come to that.
  var callsAtCut: Int? { board.flash.callsAtCut }

  // MARK: Reading along

  /// A checksum of everything that happened.
  public var checksum: UInt64 { trace.checksum }

  /// The last lines of what happened.
  public func lastLines(_ count: Int) -> [String] { trace.last(count) }

  /// Calls `body` with each line as it comes.
  public func follow(_ body: @escaping (String) -> Void) { trace.reader = body }
}

/// What an invariant found.
public struct Violation: Equatable, Sendable {
  /// What was expected and did not hold.
  public var what: String
  /// Virtual milliseconds since the beginning.
  public var time: Int64

  /// "1d 02:03:04.567: an invoke was answered twice"
  public var text: String { "\(Trace.instant(time)): \(what)" }
}

/// A mutex, for the one number that runs share.
private final class Lock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() { pthread_mutex_init(mutex, nil) }
  func lock() { pthread_mutex_lock(mutex) }
  func unlock() { pthread_mutex_unlock(mutex) }
}
