import Runtime
import Testing

@testable import MCP

/// The life of a server: each phase with each event.
@Suite("The life of an MCP server") struct SessionTests {
  /// A session in a phase, at the instant 0.
  private static func session(_ phase: MCPSession.Phase) -> MCPSession {
    var session = MCPSession()
    let way: [MCPSession.Event]
    switch phase {
    case .asleep: way = []
    case .opening: way = [.wanted]
    case .greeting: way = [.wanted, .opened]
    case .listing: way = [.wanted, .opened, .greeted(hasTools: true)]
    case .ready: way = [.wanted, .opened, .greeted(hasTools: true), .listed(hasMore: false)]
    case .resting: way = [.wanted, .failed(.died)]
    case .held: way = [.held]
    }
    for event in way { _ = session.handle(event, at: 0) }
    return session
  }

  /// What an event does in a phase, where it does anything.
  private struct Row: Sendable {
    let phase: MCPSession.Phase
    let event: MCPSession.Event
    let effects: MCPSession.Effects
    let next: MCPSession.Phase
  }

  private static let failed: MCPSession.Effects = [.close, .failCalls, .dropList]

  private static let rows: [Row] = [
    Row(phase: .asleep, event: .wanted, effects: .open, next: .opening),
    Row(phase: .asleep, event: .held, effects: [], next: .held),
    Row(phase: .opening, event: .opened, effects: .greet, next: .greeting),
    Row(phase: .opening, event: .failed(.notBegun), effects: failed, next: .resting),
    Row(phase: .opening, event: .held, effects: failed, next: .held),
    Row(phase: .greeting, event: .greeted(hasTools: true), effects: [.confirm, .list], next: .listing),
    Row(
      phase: .greeting, event: .greeted(hasTools: false), effects: [.confirm, .dropList, .publish, .sendCalls],
      next: .ready),
    Row(phase: .greeting, event: .failed(.refused), effects: failed, next: .resting),
    Row(phase: .greeting, event: .held, effects: failed, next: .held),
    Row(phase: .listing, event: .listed(hasMore: true), effects: .listMore, next: .listing),
    Row(phase: .listing, event: .listed(hasMore: false), effects: [.publish, .sendCalls], next: .ready),
    Row(phase: .listing, event: .listRefused, effects: failed, next: .resting),
    Row(phase: .listing, event: .failed(.died), effects: failed, next: .resting),
    Row(phase: .listing, event: .held, effects: failed, next: .held),
    Row(phase: .ready, event: .failed(.died), effects: failed, next: .resting),
    Row(phase: .ready, event: .held, effects: failed, next: .held),
    Row(phase: .resting, event: .held, effects: [], next: .held),
    Row(phase: .held, event: .released, effects: .open, next: .opening),
  ]

  private static let events: [MCPSession.Event] = [
    .wanted, .opened, .failed(.died), .greeted(hasTools: true), .greeted(hasTools: false), .listed(hasMore: true),
    .listed(hasMore: false), .listRefused, .changed, .calls(1), .held, .released, .time,
  ]

  @Test("each row of the table")
  func table() {
    for row in Self.rows {
      var session = Self.session(row.phase)
      let effects = session.handle(row.event, at: 0)
      #expect(effects == row.effects && session.phase == row.next, "\(row.phase), \(row.event)")
    }
  }

  @Test("every other event does nothing in every other phase, but for failures, which have no words in the table")
  func others() {
    for phase in MCPSession.Phase.allCases {
      for event in Self.events where !Self.rows.contains(where: { $0.phase == phase && $0.event == event }) {
        if case .failed = event, phase.isRunning { continue }
        var session = Self.session(phase)
        #expect(session.handle(event, at: 0) == [] && session.phase == phase, "\(phase), \(event)")
      }
    }
  }

  @Test("each step has its time, and the server that is too slow rests")
  func slow() {
    let steps: [(MCPSession.Phase, Int64, MCPSession.Trouble)] = [
      (.opening, Budget.mcpStartMilliseconds, .slowStart), (.greeting, Budget.mcpStartMilliseconds, .slowGreeting),
      (.listing, Budget.mcpStepMilliseconds, .slowList),
    ]
    for (phase, time, trouble) in steps {
      var session = Self.session(phase)
      #expect(session.nextDeadline == time)
      #expect(session.handle(.time, at: time - 1) == [])
      #expect(session.handle(.time, at: time) == Self.failed)
      #expect(session.phase == .resting && session.trouble == trouble && session.restsUntil == time + 1_000)
    }
  }

  @Test("it rests ever longer, from a second to five minutes, and anew after it was well for a minute")
  func pauses() {
    var session = MCPSession()
    var now: Int64 = 0
    var pauses: [Int64] = []
    _ = session.handle(.wanted, at: now)
    for _ in 0..<11 {
      _ = session.handle(.failed(.died), at: now)
      pauses.append(session.restsUntil - now)
      // Nobody can hurry it.
      #expect(session.handle(.wanted, at: session.restsUntil - 1) == [])
      now = session.restsUntil
      #expect(session.handle(.time, at: now) == .open)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { $0 * 1_000 })
    _ = session.handle(.opened, at: now)
    _ = session.handle(.greeted(hasTools: false), at: now)
    _ = session.handle(.failed(.died), at: now + 59_999)
    #expect(session.restsUntil == now + 59_999 + 300_000)
    now = session.restsUntil
    // Its tools are known: it sleeps until somebody calls it.
    #expect(session.handle(.time, at: now) == [] && session.phase == .asleep)
    for event in [MCPSession.Event.wanted, .opened, .greeted(hasTools: false)] { _ = session.handle(event, at: now) }
    _ = session.handle(.failed(.died), at: now + 60_000)
    #expect(session.restsUntil == now + 60_000 + 1_000)
  }

  @Test("one that was well until it fell asleep rests for a second after its next failure")
  func wellAndAsleep() {
    var session = MCPSession()
    let begin: [MCPSession.Event] = [.wanted, .opened, .greeted(hasTools: false)]
    for event in begin + [.failed(.died)] { _ = session.handle(event, at: 0) }
    var now = session.restsUntil
    _ = session.handle(.time, at: now)
    for event in begin { _ = session.handle(event, at: now) }
    now += Budget.mcpIdleMilliseconds
    #expect(session.handle(.time, at: now) == .close)
    for event in begin + [.failed(.died)] { _ = session.handle(event, at: now) }
    #expect(session.restsUntil == now + 1_000)
  }

  @Test("it is ended when nobody has called it for its time, and not while a call is under way")
  func idle() {
    var session = Self.session(.ready)
    _ = session.handle(.calls(1), at: 5_000)
    #expect(session.nextDeadline == nil)
    #expect(session.handle(.time, at: 5_000_000) == [])
    _ = session.handle(.calls(0), at: 6_000_000)
    #expect(session.nextDeadline == 6_000_000 + Budget.mcpIdleMilliseconds)
    #expect(session.handle(.time, at: 6_000_000 + Budget.mcpIdleMilliseconds) == .close)
    #expect(session.phase == .asleep && session.hasList && session.nextDeadline == nil)
  }

  @Test("news of changed tools is settled, and asked about at most once in its time")
  func changes() {
    var session = Self.session(.ready)
    for instant: Int64 in 0..<100 { _ = session.handle(.changed, at: instant) }
    #expect(session.nextDeadline == Budget.mcpListSpacing)
    #expect(session.handle(.time, at: Budget.mcpListSpacing) == .list)
    // News while it tells its tools: they may be the old ones.
    _ = session.handle(.changed, at: Budget.mcpListSpacing + 1)
    #expect(session.handle(.listed(hasMore: false), at: Budget.mcpListSpacing + 2) == .publish)
    #expect(session.nextDeadline == 2 * Budget.mcpListSpacing + 2)
    // One that never answers goes on with the tools that are known.
    #expect(session.handle(.time, at: 2 * Budget.mcpListSpacing + 2) == .list)
    let end = 2 * Budget.mcpListSpacing + 2 + Budget.mcpStepMilliseconds
    #expect(session.handle(.time, at: end) == .dropList && session.phase == .ready)
  }
}
