import Codec
import Consent
import Gateway
import Runtime

/// Links for the gateway's agent (node-commands 10), from the console and from pages: those that carry the board's
/// own key are sent at once, others when somebody at the board says yes. Links that connect the board never come here:
/// `talon open` reads them itself.
public final class LinkDesk: Part, RequestDelegate, LinkKeeperDelegate {
  /// What became of a link.
  public enum Outcome {
    /// It was handed to the outbox, or to the gateway; `waits`: its answer tells.
    case sent, waits
    /// Somebody at the board is asked.
    case asked
    /// Somebody has to say yes, and nobody was to be asked.
    case unconfirmed
    case refused(DeskFailure)
  }

  /// Who says yes to a link.
  public enum Confirmation: Sendable {
    /// The board asks.
    case asks
    /// Nobody, unless it has the board's own key.
    case none
    /// Whoever opened it, with these eyes on it.
    case given(Grant.Source)
  }

  private let outbox: Outbox
  let clock: any Clock
  private let random: any RandomSource
  let log: Log
  /// Nil: this board has no key.
  let keeper: LinkKeeper?
  /// The link that is opened, and the one that somebody is asked about.
  private var link: DeepLink
  private var waiting: DeepLink
  private let request: ReservedBuffer
  /// A link that a console hands over in pieces.
  var transfer: LinkTransfer
  /// What is asked; nil: nothing.
  public private(set) var question: LinkQuestion?
  /// When a console had its words first, in milliseconds of the monotonic clock; nil: none had.
  public internal(set) var readAt: Int64?
  private var asked = 0
  private var lastAsked: Int64?
  private var isHeld = false
  private var channel: (any RequestChannel)?
  private var tag = 0
  private var isInFlight = false
  /// Calls that wait for the gateway, and for flash.
  var sending: (control: Control, call: Int)?
  var keying: (control: Control, call: Int)?

  /// A desk that keeps its key in `store`, which it must not share, because a worker writes there; nil: without a key.
  @export(interface)
  public init(
    store: (any RecordStore)?, outbox: Outbox, runner: any JobRunner, clock: any Clock, random: any RandomSource,
    log: Log
  ) throws(Errno) {
    self.outbox = outbox
    self.clock = clock
    self.random = random
    self.log = log
    keeper = store.map { LinkKeeper(store: $0, runner: runner, clock: clock, random: random, log: log) }
    link = try DeepLink()
    waiting = try DeepLink()
    request = try ReservedBuffer(capacity: Budget.linkRequestBytes)
    transfer = try LinkTransfer()
    super.init()
    keeper?.delegate = self
  }

  // MARK: Opening

  /// Opens a link. What is refused leaves a line in the log that tells why and nothing of the link.
  @export(interface)
  public func open(_ text: Span<UInt8>, from origin: LinkOrigin, _ confirmation: Confirmation) -> Outcome {
    let outcome = opened(text, origin, confirmation)
    link.clear()
    if case .refused(let failure) = outcome {
      log.write(.notice, "links") { line in
        line.add("a link was refused: ")
        line.add(failure.sentence.span)
      }
    }
    return outcome
  }

  private func opened(_ text: Span<UInt8>, _ origin: LinkOrigin, _ confirmation: Confirmation) -> Outcome {
    if isHeld {
      return .refused(DeskFailure("HELD", "a person holds this board (panic): talon panic release first"))
    }
    do throws(LinkError) {
      try link.read(text)
    } catch {
      return .refused(
        DeskFailure("INVALID_LINK") { line in
          line.add("the link ")
          error.write(to: &line)
        })
    }
    guard link.kind == .agent else {
      return .refused(
        DeskFailure(
          "NOT_HERE", "the link would connect this board to a gateway: only talon open takes such a link, at the board")
      )
    }
    let isOwn = isOwn(link)
    // A page asks all the same: it is seen by more people than the key was given to.
    if isOwn, origin != .screen { return send(isTrusted: true, by: nil) }
    guard isOwn || link.messageCharacters <= Budget.linkStrangerCharacters else {
      return .refused(
        DeskFailure("LINK_TOO_LONG") { [link] line in
          line.add("without this board's key a link's message has at most ")
          line.add(Budget.linkStrangerCharacters)
          line.add(" characters, and this one has ")
          line.add(link.messageCharacters)
        })
    }
    switch confirmation {
    case .given(let source): return send(isTrusted: false, by: source)
    case .none: return .unconfirmed
    case .asks: return ask(text, origin)
    }
  }

  /// True when a link carries this board's own key.
  private func isOwn(_ link: DeepLink) -> Bool {
    guard let keeper else { return false }
    let key = keeper.key
    return link.carries(key: key.span)
  }

  private func ask(_ text: Span<UInt8>, _ origin: LinkOrigin) -> Outcome {
    let now = clock.monotonic
    if question != nil {
      return .refused(DeskFailure("BUSY", "another link waits for an answer at this board"))
    }
    if let last = lastAsked, now - last < Budget.linkQuestionSpacing {
      return .refused(DeskFailure("RATE_LIMITED", "this board asks about one link in 5 s: open it again"))
    }
    lastAsked = now
    asked &+= 1
    swap(&link, &waiting)
    readAt = nil
    var question = LinkQuestion()
    (question.number, question.origin) = (asked, origin)
    question.name = QuestionName(question: asked, random)
    (question.askedAt, question.until) = (now, now + Budget.consentQuestionMilliseconds)
    question.preview = InlineText(cutting: text.trimmed)
    if let message = waiting[.message] {
      question.message = InlineText(cutting: Span(_unsafeElements: message))
      question.isCut = question.message.count < message.count
    }
    self.question = question
    log.write(.notice, "links") { line in
      line.add(question.sentence)
      line.add(" Answer on the screen, with the button, or with talon open yes ")
      line.add(question.name.span)
    }
    return .asked
  }

  /// A person answers the question of this number; nothing happens when another one is asked, or none.
  public func answer(_ yes: Bool, to number: Int, by source: Grant.Source) {
    guard let question, question.number == number else { return }
    self.question = nil
    guard yes else {
      waiting.clear()
      return log.write(.notice, "links") { line in
        line.add("a link was refused at the ")
        line.add(source.word)
      }
    }
    swap(&link, &waiting)
    let outcome = send(isTrusted: isOwn(link), by: source)
    // What waits for the gateway is in the buffer already.
    link.clear()
    waiting.clear()
    if case .refused(let failure) = outcome {
      log.write(.warning, "links") { line in
        line.add("a link's message was not sent: ")
        line.add(failure.sentence.span)
      }
    }
  }

  // MARK: Sending

  /// Sends the link's message to the agent. Delivery, recipient and channel count only for who has the key.
  private func send(isTrusted: Bool, by source: Grant.Source?) -> Outcome {
    let id = UUIDText.make(random)
    var writer = JSONWriter(into: request.bytes)
    writer.beginObject()
    add(.message, to: &writer)
    add(.sessionKey, to: &writer)
    add(.thinking, to: &writer)
    writer.key("deliver")
    writer.bool(isTrusted && link.delivers)
    if isTrusted {
      add(.to, to: &writer)
      add(.channel, to: &writer)
    }
    if let seconds = link.timeoutSeconds {
      writer.key("timeoutSeconds")
      writer.int(seconds)
    }
    // The gateway drops repeats by it; the board's own key is a secret of this board.
    writer.key("key")
    writer.string(id.span)
    writer.endObject()
    let (count, isComplete) = (writer.count, writer.isComplete)
    guard isComplete else {
      return .refused(DeskFailure("TOO_LARGE", "the link's message is larger than one message to the gateway can be"))
    }
    let payload = UnsafeBufferPointer(request.bytes).extracting(0..<count)
    let name: StaticString = "agent.request"
    if outbox.post(name, ageLimit: Budget.linkAge, hasID: false, JSONView(Span(_unsafeElements: payload))) != nil {
      said(isTrusted, source)
      return .sent
    }
    // Larger than what waits on flash: now or not at all.
    guard let channel, !isInFlight else {
      return .refused(
        DeskFailure("UNAVAILABLE", "a message of this length does not wait, and the gateway is away or busy: try again")
      )
    }
    tag &+= 1
    guard NodeEvent.send(name.bytes, payload, over: channel, delegate: self, tag: tag) else {
      return .refused(DeskFailure("UNAVAILABLE", "the connection to the gateway is full: try again"))
    }
    isInFlight = true
    said(isTrusted, source)
    return .waits
  }

  private func add(_ key: DeepLink.Key, to writer: inout JSONWriter) {
    guard let text = link[key], !text.isEmpty else { return }
    writer.key(key.word)
    writer.string(Span(_unsafeElements: text))
  }

  private func said(_ isTrusted: Bool, _ source: Grant.Source?) {
    log.write(.notice, "links") { line in
      line.add("a link's message goes to the agent: ")
      line.add(isTrusted ? "it has this board's key" : "")
      guard let source else { return }
      line.add(isTrusted ? ", and somebody said yes at the " : "somebody said yes at the ")
      line.add(source.word)
    }
  }

  public func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) { ended(tag, nil) }

  public func requestFailed(_ tag: Int, _ failure: RequestFailure) {
    ended(tag, DeskFailure(failure, of: "node.event"))
  }

  private func ended(_ tag: Int, _ failure: DeskFailure?) {
    guard isInFlight, tag == self.tag else { return }
    isInFlight = false
    if let failure {
      log.write(.warning, "links") { line in
        line.add("a link's message was not taken: ")
        line.add(failure.sentence.span)
      }
    }
    guard let (control, call) = sending else { return }
    sending = nil
    if let failure { control.fail(call, failure) } else { finish(control, call, "sent") }
  }

  // MARK: Part

  public override var operations: [ControlRow] { linkOperations }

  public override func start() { keeper?.load() }

  public override func flush() { keeper?.flush() }

  public override var isStopped: Bool { keeper?.isSettled ?? true }

  public override func online(_ session: Session) { connected(session) }

  /// The channel to the gateway is open; see `online`.
  func connected(_ channel: any RequestChannel) { self.channel = channel }

  public override func offline() { channel = nil }

  public override func hold() {
    isHeld = true
    if question != nil { end("a person holds the board") }
  }

  public override func letGo() { isHeld = false }

  public override var nextDeadline: Int64? { earliest(question?.until, keeper?.nextDeadline) }

  public override func advance(to now: Int64) {
    keeper?.advance(to: now)
    if let question, question.until <= now { end("nobody answered") }
  }

  private func end(_ why: StaticString) {
    question = nil
    waiting.clear()
    log.write(.notice, "links") { line in
      line.add("a link was not opened: ")
      line.add(why)
    }
  }

  public override func forget(_ control: Control, _ call: Int) {
    if sending?.call == call { sending = nil }
    if keying?.call == call { keying = nil }
  }
}
