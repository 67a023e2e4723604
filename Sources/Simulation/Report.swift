/// What happened in one or many runs, in numbers.
public struct Report: Sendable {
  /// Runs that ended.
  public var seeds = 0
  /// Virtual milliseconds.
  public var milliseconds: Int64 = 0
  /// Attempts to connect, and connections that reached `hello-ok`.
  public var attempts = 0
  public var connections = 0
  public var operatorConnections = 0
  /// Messages and control frames in both directions.
  public var messages = 0
  public var invokes = 0
  public var answers = 0
  /// Events that the outbox took, and that arrived.
  public var events = 0
  public var delivered = 0
  /// Times that the board started.
  public var boots = 0
  /// Writes to flash, and those that were cut or refused.
  public var writes = 0
  public var failedWrites = 0
  /// Milliseconds online.
  public var online: Int64 = 0
  public var operatorOnline: Int64 = 0
  /// What programs on the board asked over the local socket, and how many replies of the agent were complete.
  public var questions = 0
  public var replies = 0
  /// Times that people talked with the board, phrases that were heard, sessions of the gateway that listened, what they
  /// understood, and how much of that reached the agent.
  public var scenes = 0
  public var wakes = 0
  public var sessions = 0
  public var orders = 0
  public var ordersArrived = 0
  /// Lists of tools that the board published, and calls of an agent.
  public var publications = 0
  public var toolCalls = 0
  /// Times that the board hung, steps of recovery that its agent asked for, and restarts by root's side.
  public var hangs = 0
  public var recoverySteps = 0
  public var restarts = 0
  /// Times that everything was good again, and the longest time from there to `hello-ok`, in milliseconds.
  public var recoveries = 0
  public var slowestRecovery: Int64 = 0
  /// How often each kind of incident happened.
  public var incidents = [Int](repeating: 0, count: Incident.allCases.count)

  /// Nothing yet.
  public init() {}

  /// Adds what happened elsewhere.
  public mutating func add(_ other: Report) {
    seeds += other.seeds
    milliseconds += other.milliseconds
    attempts += other.attempts
    connections += other.connections
    operatorConnections += other.operatorConnections
    operatorOnline += other.operatorOnline
    questions += other.questions
    replies += other.replies
    scenes += other.scenes
    wakes += other.wakes
    sessions += other.sessions
    orders += other.orders
    ordersArrived += other.ordersArrived
    publications += other.publications
    toolCalls += other.toolCalls
    hangs += other.hangs
    recoverySteps += other.recoverySteps
    restarts += other.restarts
    messages += other.messages
    invokes += other.invokes
    answers += other.answers
    events += other.events
    delivered += other.delivered
    boots += other.boots
    writes += other.writes
    failedWrites += other.failedWrites
    online += other.online
    recoveries += other.recoveries
    slowestRecovery = max(slowestRecovery, other.slowestRecovery)
    for index in incidents.indices { incidents[index] += other.incidents[index] }
  }
}
