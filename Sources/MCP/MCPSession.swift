import Runtime

/// The life of one server: when it is begun, greeted, asked for its tools, ended and begun again. A state machine: an
/// event goes in, effects come out. It knows no bytes: `MCPClient` carries the effects out.
///
/// A server is begun once at the start of the board, to learn its tools, and ends when nobody calls it; its tools stay
/// known, and the next call begins it again. One that fails is left alone for a while, ever longer.
public struct MCPSession: Equatable, Sendable {
  /// What the server is doing.
  public enum Phase: Equatable, Sendable, CaseIterable {
    /// It does not run.
    case asleep
    /// It is being begun; was greeted and has not answered; is asked for its tools for the first time since.
    case opening, greeting, listing
    /// It takes calls.
    case ready
    /// It failed, and is left alone until `restsUntil`.
    case resting
    /// A person holds the board (panic).
    case held

    /// Its word in a report.
    public var word: StaticString {
      switch self {
      case .asleep: "asleep"
      case .opening, .greeting, .listing: "starting"
      case .ready: "ready"
      case .resting: "failed"
      case .held: "held"
      }
    }

    /// True while there is a link that is open or being opened.
    public var isRunning: Bool {
      switch self {
      case .opening, .greeting, .listing, .ready: true
      case .asleep, .resting, .held: false
      }
    }
  }

  /// Why a server failed last.
  public enum Trouble: Equatable, Sendable, CaseIterable {
    case none
    /// There is no service that begins it; that refuses to; it ended, or its connection did.
    case noService, notBegun, died
    /// It was too slow to begin, to greet, to tell its tools; it did not answer a ping after a call without an answer.
    case slowStart, slowGreeting, slowList, hung
    /// It refused the greeting; it speaks only revisions that Talon does not.
    case refused, otherRevision
    /// It refused to tell its tools.
    case noList
    /// It sent far too much; it does not read what it is sent.
    case flood, deaf

    /// What a person and an agent read: "the server ...".
    public var sentence: StaticString {
      switch self {
      case .none: "has not failed"
      case .noService: "has no service that starts it: systemctl enable --now talon-mcp.socket"
      case .notBegun: "cannot be started"
      case .died: "ended by itself"
      case .slowStart: "took too long to start"
      case .slowGreeting: "did not answer the greeting of MCP in time"
      case .slowList: "did not tell its tools in time"
      case .hung: "does not answer any more"
      case .refused: "refused the greeting of MCP"
      case .otherRevision: "speaks a revision of MCP that this board does not know"
      case .noList: "refused to tell its tools"
      case .flood: "sent far more than anybody asked for"
      case .deaf: "does not read what it is sent"
      }
    }
  }

  /// The events.
  public enum Event: Equatable, Sendable {
    /// Somebody calls it, or its tools are to be learned.
    case wanted
    /// Its link is open.
    case opened
    /// It failed.
    case failed(Trouble)
    /// It answered the greeting.
    case greeted(hasTools: Bool)
    /// A page of its tools has come.
    case listed(hasMore: Bool)
    /// It refused to tell its tools.
    case listRefused
    /// It says that its tools have changed.
    case changed
    /// A call has begun or ended, and so many are under way.
    case calls(Int)
    /// A person holds the board; has released it.
    case held, released
    /// Time has passed.
    case time
  }

  /// Effects to carry out, in this order.
  public struct Effects: OptionSet, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Close the link.
    public static let close = Effects(rawValue: 1)
    /// Fail the calls that are under way, or wait.
    public static let failCalls = Effects(rawValue: 2)
    /// Open the link.
    public static let open = Effects(rawValue: 4)
    /// Send `initialize`; `notifications/initialized`.
    public static let greet = Effects(rawValue: 8)
    public static let confirm = Effects(rawValue: 16)
    /// Ask for the first page of tools; for the next one; forget the pages so far.
    public static let list = Effects(rawValue: 32)
    public static let listMore = Effects(rawValue: 64)
    public static let dropList = Effects(rawValue: 128)
    /// The new list is whole: it takes the place of the old one.
    public static let publish = Effects(rawValue: 256)
    /// Send the calls that wait.
    public static let sendCalls = Effects(rawValue: 512)
  }

  /// Where the question for tools stands while the server is ready.
  private enum Listing: Equatable, Sendable {
    case none
    /// It is asked at this instant; until this one it may answer.
    case due(Int64), running(Int64)
  }

  public private(set) var phase = Phase.asleep
  /// Why it failed last.
  public private(set) var trouble = Trouble.none
  /// When one that failed may be begun again; of use in `resting`.
  public private(set) var restsUntil: Int64 = 0
  /// True when its tools are known, from now or an earlier time.
  public private(set) var hasList = false
  /// How often it was begun.
  public private(set) var starts: UInt64 = 0

  private let idle: Int64
  private var pause = Budget.mcpPauses.lowerBound
  /// When the step under way is too slow.
  private var stepEnds: Int64 = 0
  private var listing = Listing.none
  private var listedAt: Int64?
  /// The news of a change came while the tools were being told: they may be the old ones.
  private var isStale = false
  private var calls = 0
  private var usedAt: Int64 = 0
  private var readyAt: Int64 = 0

  /// A server that sleeps, and ends after so many milliseconds without a call.
  public init(idle: Int64 = Budget.mcpIdleMilliseconds) { self.idle = idle }

  /// When `.time` is to be sent.
  public var nextDeadline: Int64? {
    switch phase {
    case .asleep, .held: return nil
    case .opening, .greeting, .listing: return stepEnds
    case .resting: return restsUntil
    case .ready:
      switch listing {
      case .none: return calls == 0 ? usedAt + idle : nil
      case .due(let instant), .running(let instant): return instant
      }
    }
  }

  /// Handles an event. `now`: milliseconds of `Clock.monotonic`.
  public mutating func handle(_ event: Event, at now: Int64) -> Effects {
    switch event {
    case .wanted: return handleWanted(at: now)
    case .opened:
      guard phase == .opening else { return [] }
      enter(.greeting, for: Budget.mcpStartMilliseconds, at: now)
      return .greet
    case .failed(let reason): return phase.isRunning ? fail(reason, at: now) : []
    case .greeted(let hasTools):
      guard phase == .greeting else { return [] }
      if hasTools {
        enter(.listing, for: Budget.mcpStepMilliseconds, at: now)
        return [.confirm, .list]
      }
      becomeReady(at: now)
      return [.confirm, .dropList, .publish, .sendCalls]
    case .listed(let hasMore): return handleListed(hasMore, at: now)
    case .listRefused:
      // Calls go on with the tools that are known.
      if phase == .ready, case .running = listing {
        listing = .none
        return .dropList
      }
      return phase == .listing ? fail(.noList, at: now) : []
    case .changed:
      handleChanged(at: now)
      return []
    case .calls(let count):
      calls = count
      usedAt = now
      return []
    case .held:
      let wasRunning = phase.isRunning
      phase = .held
      listing = .none
      return wasRunning ? [.close, .failCalls, .dropList] : []
    case .released:
      guard phase == .held else { return [] }
      phase = .asleep
      return hasList ? [] : handleWanted(at: now)
    case .time: return handleTime(at: now)
    }
  }

  private mutating func handleWanted(at now: Int64) -> Effects {
    guard phase == .asleep || phase == .resting && now >= restsUntil else { return [] }
    starts &+= 1
    isStale = false
    listing = .none
    enter(.opening, for: Budget.mcpStartMilliseconds, at: now)
    return .open
  }

  private mutating func handleListed(_ hasMore: Bool, at now: Int64) -> Effects {
    switch phase {
    case .listing:
      if hasMore {
        stepEnds = now + Budget.mcpStepMilliseconds
        return .listMore
      }
      listedAt = now
      becomeReady(at: now)
      return [.publish, .sendCalls]
    case .ready:
      guard case .running = listing else { return [] }
      if hasMore {
        listing = .running(now + Budget.mcpStepMilliseconds)
        return .listMore
      }
      listedAt = now
      listing = .none
      if isStale { ask(at: now) }
      return .publish
    default: return []
    }
  }

  private mutating func handleChanged(at now: Int64) {
    switch phase {
    case .listing: isStale = true
    case .ready:
      switch listing {
      case .none: ask(at: now)
      case .running: isStale = true
      // News that comes again and again must not put the question off for good.
      case .due: return
      }
    default: return
    }
  }

  /// Asks for the tools when the news has settled, and not too often.
  private mutating func ask(at now: Int64) {
    isStale = false
    let spaced = listedAt.map { $0 + Budget.mcpListSpacing } ?? now
    listing = .due(max(now + Budget.mcpSettleMilliseconds, spaced))
  }

  private mutating func handleTime(at now: Int64) -> Effects {
    switch phase {
    case .asleep, .held: return []
    case .opening: return now >= stepEnds ? fail(.slowStart, at: now) : []
    case .greeting: return now >= stepEnds ? fail(.slowGreeting, at: now) : []
    case .listing: return now >= stepEnds ? fail(.slowList, at: now) : []
    case .resting:
      guard now >= restsUntil else { return [] }
      phase = .asleep
      // One whose tools are known is begun when it is needed.
      return hasList ? [] : handleWanted(at: now)
    case .ready:
      switch listing {
      case .none:
        guard calls == 0, now >= usedAt + idle else { return [] }
        wasWell(at: now)
        phase = .asleep
        return .close
      case .due(let instant):
        guard now >= instant else { return [] }
        listing = .running(now + Budget.mcpStepMilliseconds)
        return .list
      case .running(let instant):
        guard now >= instant else { return [] }
        // Calls may still work: it is asked again when it says that something has changed.
        listing = .none
        listedAt = now
        return .dropList
      }
    }
  }

  private mutating func enter(_ phase: Phase, for milliseconds: Int64, at now: Int64) {
    self.phase = phase
    stepEnds = now + milliseconds
  }

  private mutating func becomeReady(at now: Int64) {
    phase = .ready
    hasList = true
    (readyAt, usedAt) = (now, now)
    listing = .none
    if isStale { ask(at: now) }
  }

  /// The server that was ready until now ends: after a while without a failure the next one is its first.
  private mutating func wasWell(at now: Int64) {
    if now - readyAt >= Budget.mcpWellMilliseconds { pause = Budget.mcpPauses.lowerBound }
  }

  private mutating func fail(_ reason: Trouble, at now: Int64) -> Effects {
    if phase == .ready { wasWell(at: now) }
    trouble = reason
    phase = .resting
    listing = .none
    restsUntil = now + pause
    pause = min(pause * 2, Budget.mcpPauses.upperBound)
    return [.close, .failCalls, .dropList]
  }
}
