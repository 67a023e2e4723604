import Codec
import Node
import Runtime
import Talk

/// Gets the events of a relay session.
protocol RelaySessionDelegate: AnyObject {
  /// It is open; `payload` is the gateway's response.
  func relayOpened(_ payload: borrowing JSONView)
  /// The gateway refused the session.
  func relayRefused(_ failure: DeskFailure)
  /// A piece was accepted, or can be sent again.
  func relayHasRoom()
  /// The gateway accepts no more sound.
  func relayFailed(_ failure: DeskFailure)
  /// The gateway does not know the session that was to be closed: it has closed it itself.
  func relayWasClosed()
  /// The gateway has answered the request to stop its output.
  func relayCancelled()
}

/// A session at the gateway to which sound is sent (gateway reference 9.10): it is requested on the operator
/// connection, gets pieces, a few of them at once, and is closed, also when it opens after it was canceled.
final class RelaySession: DeskDelegate {
  enum State: Equatable { case none, creating, open, closing }

  /// The parameters of a session.
  struct Options {
    var mode: StaticString
    var brain: StaticString
    /// The form of the sound when the gateway does not say.
    var form: SoundForm
    /// Timeout of requests in milliseconds.
    var timeout: Int64
    /// Milliseconds before a piece is sent again for which the connection had no room.
    var roomPause: Int64
  }

  /// The kinds of requests; a tag has the kind and the number of the session.
  private static let create = 0, append = 1, cancel = 2, close = 3, kinds = 4
  /// Milliseconds before a session is requested again when the gateway has as many as it allows one connection: it
  /// drains sessions that were just closed for up to five seconds.
  private static let sessionPause: Int64 = 1_000

  private unowned(unsafe) let desk: OperatorDesk
  private unowned(unsafe) let delegate: any RelaySessionDelegate
  private let options: Options
  private(set) var state = State.none
  /// Number of the session.
  private var serial = 0
  /// The gateway's id of the session.
  private(set) var id = InlineText<128>()
  private let encoder = RelayEncoder()
  private var inFlight = 0
  /// A piece for which the connection had no room; when that, or the session, is tried again.
  private var unsent: UnsafeBufferPointer<UInt8>?
  private var retryAt: Int64?
  /// When the session is not requested any more because the gateway has no room.
  var asksUntil = Int64.max
  /// Pieces sent since start.
  private(set) var pieces: UInt64 = 0

  /// An inactive object.
  init(_ desk: OperatorDesk, _ options: Options, delegate: any RelaySessionDelegate) {
    self.desk = desk
    self.options = options
    self.delegate = delegate
  }

  var nextDeadline: Int64? { retryAt }

  func advance(to now: Int64) {
    guard let due = retryAt, due <= now else { return }
    retryAt = nil
    if state == .creating { return create() }
    if let unsent { append(unsent) }
    if retryAt == nil { delegate.relayHasRoom() }
  }

  private func tag(_ kind: Int) -> Int { serial * Self.kinds + kind }

  // MARK: Life

  /// Requests a session, and leaves the current one.
  func open() {
    leave()
    asksUntil = .max
    state = .creating
    create()
  }

  private func create() {
    let options = self.options
    desk.ask("talk.session.create", timeout: options.timeout, self, tag(Self.create)) { writer in
      writer.key("mode")
      writer.string(options.mode)
      writer.key("transport")
      writer.string("gateway-relay")
      writer.key("brain")
      writer.string(options.brain)
    }
  }

  /// All sound was sent: asks the gateway to close the session, which still sends its last events.
  func close() {
    guard state == .open else { return }
    state = .closing
    ask("talk.session.close", id)
  }

  /// Leaves the session; one that was requested is closed when it opens. `isGone`: the gateway has already closed it.
  func leave(isGone: Bool = false) {
    if state == .open, !isGone { ask("talk.session.close", id) }
    // Later responses belong to another session.
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

  /// True when an event belongs to this session. `key`: the relay's member with the id of sessions of this mode; the
  /// common form has `sessionId`.
  func isForSession(_ event: borrowing JSONView, _ key: StaticString) -> Bool {
    if id.isEmpty { return false }
    if let own = event.member(key) { return own.equals(id.span) }
    guard let common = event.member("sessionId") else { return false }
    return common.equals(id.span)
  }

  // MARK: Sound

  /// True when a piece can be sent.
  var hasRoom: Bool { state == .open && retryAt == nil && unsent == nil && inFlight < Budget.appendsInFlight }
  /// True when the gateway has accepted all pieces.
  var isDrained: Bool { unsent == nil && inFlight == 0 }

  /// Sends at most `Budget.appendSamples` samples, if there is room.
  func send(_ samples: UnsafeBufferPointer<Int16>) { append(encoder.encode(samples)) }

  private func append(_ text: UnsafeBufferPointer<UInt8>) {
    let session = id
    (inFlight, unsent) = (inFlight + 1, nil)
    desk.ask("talk.session.appendAudio", timeout: options.timeout, self, tag(Self.append)) { writer in
      writer.key("sessionId")
      writer.string(session.span)
      writer.key("audioBase64")
      writer.string(Span(_unsafeElements: text))
    }
    // The connection has no room: the piece stays in its buffer.
    if retryAt != nil { unsent = text } else { pieces += 1 }
  }

  /// Asks the gateway to stop its output for this reason: of this turn, if it is known.
  func cancelOutput(_ turn: InlineText<64>, _ reason: StaticString) {
    let session = id
    desk.ask("talk.session.cancelOutput", timeout: options.timeout, self, tag(Self.cancel)) { writer in
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
      delegate.relayHasRoom()
    case Self.cancel: if isCurrent { delegate.relayCancelled() }
    default: break
    }
  }

  func deskFailed(_ tag: Int, _ failure: DeskFailure) {
    guard tag / Self.kinds == serial, state != .none else { return }
    switch tag % Self.kinds {
    case Self.create: if state == .creating { refused(failure) }
    case Self.append:
      inFlight -= 1
      if failure.isBusy {
        retryAt = desk.now + options.roomPause
      } else if state == .open {
        delegate.relayFailed(failure)
      }
    case Self.cancel: delegate.relayCancelled()
    default: if state == .closing { delegate.relayWasClosed() }
    }
  }

  private func refused(_ failure: DeskFailure) {
    // The sound waits meanwhile.
    guard failure.sentence.span.contains("Too many active"), desk.now + Self.sessionPause < asksUntil else {
      return delegate.relayRefused(failure)
    }
    retryAt = desk.now + Self.sessionPause
  }

  private func created(_ payload: borrowing JSONView) {
    guard let name = payload.member("sessionId"), id.fill({ name.copyString(into: $0) }), !id.isEmpty else {
      return delegate.relayRefused(DeskFailure("REFUSED", "the gateway's response has no session"))
    }
    state = .open
    guard encoder.take(payload, usual: options.form) else {
      return delegate.relayRefused(
        DeskFailure("UNSUPPORTED", "the gateway expects an encoding of sound that this board does not support"))
    }
    delegate.relayOpened(payload)
  }

  /// Closes a session that opened after it was canceled.
  private func closeUnwanted(_ payload: borrowing JSONView) {
    var unwanted = InlineText<128>()
    guard let name = payload.member("sessionId"), unwanted.fill({ name.copyString(into: $0) }), !unwanted.isEmpty else {
      return
    }
    ask("talk.session.close", unwanted)
  }

  func chatTextReceived(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {}
  func chatCut(_ tag: Int) {}
  func chatStep(_ tag: Int, _ step: ChatStep) {}

  func chatEnded(_ tag: Int, isAborted: Bool) {}
}

extension DeskFailure {
  /// True when nothing was requested, or the gateway has no room now: it may be tried again.
  var isBusy: Bool { code.equals(("BUSY" as StaticString).utf8Bytes) }
}
