import Runtime

/// Decides when the board looks for a Wi-Fi code and what it does with one: events in, one step out, no I/O.
///
/// A code is taken from whoever stands in front of the camera, so the search is short and ends for good: with the first
/// network that is there, ten minutes after its beginning, with a network that was joined, when a person holds the
/// board, and after `Budget.wifiRequests` requests. Only the next start of the board begins another.
public struct WiFiSearch: Sendable {
  /// Why the search is over.
  public enum End: Equatable, Sendable { case network, time, joined, held, requests }

  /// What the search does.
  public enum State: Equatable, Sendable {
    /// It begins later, or the next look does.
    case waiting, resting(until: Int64)
    case looking
    /// The request is being handed over.
    case asking
    /// Root's side has it; its answer is looked for at `poll`, and does not come any more after `end`.
    case joining(poll: Int64, end: Int64)
    case over(End)
  }

  /// What happens.
  public enum Event {
    case time(hasNetwork: Bool)
    /// The look has ended.
    case sawNothing, sawTrouble
    case saw(WiFiCode), sawWrong(WiFiCodeError)
    /// The request was handed over, or could not be.
    case asked(isDone: Bool)
    case answered(WiFiAnswer)
    /// A person holds the board.
    case held
  }

  /// What is to be done now.
  public enum Step: Equatable, Sendable {
    case look(milliseconds: Int64), endLook
    /// Hand over a request of this number.
    case ask(WiFiCode, id: Int64)
    case readAnswer
  }

  public private(set) var state = State.waiting
  /// Why the last code led nowhere; empty before that.
  public private(set) var failure = InlineText<160>()
  private let opensAt: Int64
  private var id: Int64 = 0
  private var requests = 0

  /// A search of an agent that starts at `now`, in milliseconds of a clock that began with the board.
  public init(at now: Int64) { opensAt = max(Budget.wifiOpens, now + Budget.wifiSettle) }

  /// When the next event `time` is due; nil: other events come first, or none does any more.
  public var nextDeadline: Int64? {
    switch state {
    case .waiting: opensAt
    case .resting(let until): until
    // A look is short, and its end is an event.
    case .looking, .asking, .over: nil
    case .joining(let poll, let end): min(poll, end)
    }
  }

  /// True while a person can show a code.
  public var isOpen: Bool {
    switch state {
    case .resting, .looking: true
    case .waiting, .asking, .joining, .over: false
    }
  }

  /// Takes an event.
  public mutating func handle(_ event: Event, at now: Int64) -> Step? {
    switch event {
    case .time(let hasNetwork): return pass(to: now, hasNetwork)
    case .held: return close(.held)
    case .sawNothing: rest(Budget.wifiPause, at: now)
    case .sawTrouble: rest(Budget.wifiTroublePause, at: now)
    case .sawWrong(let error):
      guard case .looking = state else { return nil }
      failure = InlineText(cutting: error.text)
      rest(Budget.wifiPause, at: now)
    case .saw(let code): return ask(code, at: now)
    case .asked(let isDone):
      guard case .asking = state else { return nil }
      let (poll, end) = (now + Budget.wifiAnswerPoll, now + Budget.wifiAnswerMilliseconds)
      state = isDone ? .joining(poll: poll, end: end) : .resting(until: now + Budget.wifiTroublePause)
    case .answered(let answer): receive(answer, at: now)
    }
    return nil
  }

  private mutating func pass(to now: Int64, _ hasNetwork: Bool) -> Step? {
    switch state {
    case .over, .asking: return nil
    case .looking: return hasNetwork ? close(.network) : now >= Budget.wifiCloses ? close(.time) : nil
    case .joining(let poll, let end):
      if now >= end {
        failure = InlineText(cutting: "the system does not answer")
        state = .resting(until: now + Budget.wifiTroublePause)
        return nil
      }
      guard now >= poll else { return nil }
      state = .joining(poll: now + Budget.wifiAnswerPoll, end: end)
      return .readAnswer
    case .waiting, .resting:
      guard now >= opensAt else { return nil }
      if hasNetwork { return close(.network) }
      if now >= Budget.wifiCloses { return close(.time) }
      if requests >= Budget.wifiRequests { return close(.requests) }
      if case .resting(let until) = state, now < until { return nil }
      state = .looking
      return .look(milliseconds: min(Budget.wifiLook, Budget.wifiCloses - now))
    }
  }

  private mutating func close(_ end: End) -> Step? {
    if case .over = state { return nil }
    let wasLooking = state == .looking
    state = .over(end)
    return wasLooking ? .endLook : nil
  }

  /// A look has led to nothing.
  private mutating func rest(_ pause: Int64, at now: Int64) {
    guard case .looking = state else { return }
    state = .resting(until: now + pause)
  }

  private mutating func ask(_ code: WiFiCode, at now: Int64) -> Step? {
    guard case .looking = state else { return nil }
    requests += 1
    // Larger than those of an earlier agent since the board's start, too.
    id = max(id + 1, now)
    failure.clear()
    state = .asking
    return .ask(code, id: id)
  }

  private mutating func receive(_ answer: WiFiAnswer, at now: Int64) {
    guard case .joining = state, answer.id == id else { return }
    switch answer.state {
    case .waiting, .working: return
    case .joined: state = .over(.joined)
    case .failed:
      failure = answer.reason
      state = .resting(until: now + Budget.wifiTroublePause)
    }
  }
}
