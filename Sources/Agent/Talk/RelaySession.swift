import Codec
import Runtime
import Talk

/// Told how a session of the relay goes.
protocol RelaySessionOwner: AnyObject {
  /// It is open; what the gateway says of it.
  func relayOpened(_ payload: borrowing JSONView)
  /// There will be none.
  func relayRefused(_ failure: DeskFailure)
  /// A piece was taken, or can be tried again.
  func relayHasRoom()
  /// The gateway takes no more sound.
  func relayBroke(_ failure: DeskFailure)
  /// The gateway knows nothing of a session that was to be closed: it has done so itself.
  func relayWasClosed()
  /// What the gateway was saying is cut off there, or was not.
  func relayCancelled()
}

/// A session at the gateway to which sound goes (gateway reference 9.10): asked for on the operator connection, given pieces, a few of
/// them on their way at once, and closed, also where it comes after nobody waits for it any more.
final class RelaySession: DeskListener {
  enum State: Equatable { case none, creating, open, closing }

  /// What is asked for.
  struct Wish {
    var mode: StaticString
    var brain: StaticString
    /// What sound goes there where the gateway does not say.
    var form: SoundForm
    /// Milliseconds until an answer counts as none.
    var patience: Int64
    /// Milliseconds before a piece is sent again that the connection had no room for.
    var roomPause: Int64
  }

  /// What a question was; its tag says also for which session.
  private static let create = 0, append = 1, cancel = 2, close = 3, kinds = 4
  /// Milliseconds before a session is asked for again where the gateway has as many as it allows one connection: those that were
  /// closed just before, which it drains for up to five seconds.
  private static let sessionPause: Int64 = 1_000

  private unowned(unsafe) let desk: OperatorDesk
  private unowned(unsafe) let owner: any RelaySessionOwner
  private let wish: Wish
  private(set) var state = State.none
  /// Counts sessions.
  private var serial = 0
  /// As the gateway calls it.
  private(set) var id = InlineText<128>()
  private let encoder = RelayEncoder()
  private var inFlight = 0
  /// A piece that the connection had no room for; when to try again that, or the session.
  private var unsent: UnsafeBufferPointer<UInt8>?
  private var retryAt: Int64?
  /// When a session is not asked for any more that the gateway has no room for.
  var asksUntil = Int64.max
  /// Pieces that were sent since the start.
  private(set) var pieces: UInt64 = 0

  /// No session.
  init(_ desk: OperatorDesk, _ wish: Wish, owner: any RelaySessionOwner) {
    self.desk = desk
    self.wish = wish
    self.owner = owner
  }

  var nextDeadline: Int64? { retryAt }

  func advance(to now: Int64) {
    guard let due = retryAt, due <= now else { return }
    retryAt = nil
    if state == .creating { return create() }
    if let unsent { append(unsent) }
    if retryAt == nil { owner.relayHasRoom() }
  }

  private func tag(_ kind: Int) -> Int { serial * Self.kinds + kind }

  // MARK: Its life

  /// Asks for a session, and leaves the one before.
  func open() {
    leave()
    asksUntil = .max
    state = .creating
    create()
  }

  private func create() {
    let wish = self.wish
    desk.ask("talk.session.create", patience: wish.patience, self, tag(Self.create)) { writer in
      writer.key("mode")
      writer.string(wish.mode)
      writer.key("transport")
      writer.string("gateway-relay")
      writer.key("brain")
      writer.string(wish.brain)
    }
  }

  /// All was sent: the gateway is to close it, and says what it still has to say.
  func close() {
    guard state == .open else { return }
    state = .closing
    ask("talk.session.close", id)
  }

  /// No session any more; one that was asked for is closed when it comes. `isGone`: the gateway knows.
  func leave(isGone: Bool = false) {
    if state == .open, !isGone { ask("talk.session.close", id) }
    // Answers to what was asked before are of another session from here on.
    serial += 1
    id.clear()
    (state, inFlight, unsent, retryAt) = (.none, 0, nil, nil)
  }

  private func ask(_ method: StaticString, _ session: InlineText<128>) {
    desk.ask(method, self, tag(Self.close)) { writer in
      writer.key("sessionId")
      writer.string(session.span)
    }
  }

  /// Whether an event is of this session. `key`: as the relay itself calls its sessions of this mode; the common form has `sessionId`.
  func isMine(_ event: borrowing JSONView, _ key: StaticString) -> Bool {
    if id.isEmpty { return false }
    if let own = event.member(key) { return own.equals(id.span) }
    guard let common = event.member("sessionId") else { return false }
    return common.equals(id.span)
  }

  // MARK: Sound

  /// Whether a piece can be sent.
  var hasRoom: Bool { state == .open && retryAt == nil && unsent == nil && inFlight < Budget.appendsInFlight }
  /// Whether all that was sent is at the gateway.
  var isDrained: Bool { unsent == nil && inFlight == 0 }

  /// Sends at most `Budget.appendSamples` samples, where there is room.
  func send(_ samples: UnsafeBufferPointer<Int16>) { append(encoder.encode(samples)) }

  private func append(_ text: UnsafeBufferPointer<UInt8>) {
    let session = id
    (inFlight, unsent) = (inFlight + 1, nil)
    desk.ask("talk.session.appendAudio", patience: wish.patience, self, tag(Self.append)) { writer in
      writer.key("sessionId")
      writer.string(session.span)
      writer.key("audioBase64")
      writer.string(Span(_unsafeElements: text))
    }
    // Refused at once for want of room: it stays where it is.
    if retryAt != nil { unsent = text } else { pieces += 1 }
  }

  /// The gateway is to be silent, for this reason: of this turn, where one is known.
  func cancelOutput(_ turn: InlineText<64>, _ reason: StaticString) {
    let session = id
    desk.ask("talk.session.cancelOutput", patience: wish.patience, self, tag(Self.cancel)) { writer in
      writer.key("sessionId")
      writer.string(session.span)
      if !turn.isEmpty {
        writer.key("turnId")
        writer.string(turn.span)
      }
      writer.key("reason")
      writer.string(reason)
    }
  }

  // MARK: Answers

  func deskAnswered(_ tag: Int, _ payload: borrowing JSONView) {
    let isCurrent = tag / Self.kinds == serial && state != .none
    switch tag % Self.kinds {
    case Self.create: isCurrent && state == .creating ? created(payload) : closeUnwanted(payload)
    case Self.append:
      guard isCurrent else { return }
      inFlight -= 1
      owner.relayHasRoom()
    case Self.cancel: if isCurrent { owner.relayCancelled() }
    default: break
    }
  }

  func deskFailed(_ tag: Int, _ failure: DeskFailure) {
    guard tag / Self.kinds == serial, state != .none else { return }
    switch tag % Self.kinds {
    case Self.create: if state == .creating { refused(failure) }
    case Self.append:
      inFlight -= 1
      if failure.isBusy { retryAt = desk.now + wish.roomPause } else if state == .open { owner.relayBroke(failure) }
    case Self.cancel: owner.relayCancelled()
    default: if state == .closing { owner.relayWasClosed() }
    }
  }

  private func refused(_ failure: DeskFailure) {
    // What is said waits meanwhile.
    guard failure.sentence.span.contains("Too many active"), desk.now + Self.sessionPause < asksUntil else {
      return owner.relayRefused(failure)
    }
    retryAt = desk.now + Self.sessionPause
  }

  private func created(_ payload: borrowing JSONView) {
    guard let name = payload.member("sessionId"), id.fill({ name.copyString(into: $0) }), !id.isEmpty else {
      return owner.relayRefused(DeskFailure("REFUSED", "the gateway named no session"))
    }
    state = .open
    guard encoder.take(payload, usual: wish.form) else {
      return owner.relayRefused(DeskFailure("UNSUPPORTED", "the gateway wants sound in a form that this board cannot make"))
    }
    owner.relayOpened(payload)
  }

  /// A session that came when nobody waited for it any more.
  private func closeUnwanted(_ payload: borrowing JSONView) {
    var unwanted = InlineText<128>()
    guard let name = payload.member("sessionId"), unwanted.fill({ name.copyString(into: $0) }), !unwanted.isEmpty else { return }
    ask("talk.session.close", unwanted)
  }

  func chatSaid(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {}
  func chatCut(_ tag: Int) {}
  func chatEnded(_ tag: Int, isAborted: Bool) {}
}

extension DeskFailure {
  /// Nothing was asked, or the gateway has no room now: it may be tried again.
  var isBusy: Bool { code.equals(("BUSY" as StaticString).utf8Bytes) }
}
