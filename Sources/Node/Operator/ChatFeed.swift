import Codec
import Gateway
import Runtime

/// Gets the conversation that is shown. A `tag` identifies a message that was sent from here together with its
/// reply, or a reply to another client.
public protocol ChatFeedDelegate: AnyObject {
  /// The history was requested: what comes from here on may be newer than the response.
  func historyAsked()
  /// The response of `chat.history`, for `ChatHistory`; valid until this returns.
  func historyRead(_ payload: borrowing JSONView)
  /// The gateway has accepted the message. Its reply may have begun before.
  func messageSent(_ tag: Int)
  /// The message was not accepted, or its run failed. The last event of this tag.
  func messageFailed(_ tag: Int, _ failure: DeskFailure)
  /// A run of another client has begun to reply.
  func replyBegan(_ tag: Int)
  /// The reply continues, or replaces its earlier text; valid until this returns.
  func replyTextReceived(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool)
  /// The agent has begun or ended a step: a tool that it calls, or a thought.
  func stepReceived(_ tag: Int, _ step: ChatStep)
  /// The reply has ended. The last event of this tag.
  func replyEnded(_ tag: Int, isAborted: Bool)
  /// `failure` has changed.
  func feedChanged()
}

/// Follows one conversation while a person looks at it, the main one or the one that was chosen: reads its history,
/// receives new messages, and reads the history again when something may have been missed (the reconnect recipe of
/// gateway reference 9.9). It keeps no text.
public final class ChatFeed: DeskDelegate {
  private static let historyTag = -1, subscribeTag = -2, stopTag = -3, unsubscribeTag = -4

  private unowned(unsafe) let desk: OperatorDesk
  /// Lives as long as the desk.
  public unowned(unsafe) var delegate: (any ChatFeedDelegate)?
  private var lastTag = 0
  private var isOpen = false
  /// True when the gateway sends this connection the messages of the session.
  private var isFollowing = false
  /// How many messages are requested, and whether each is to be cut; reduced when a gateway's response is too large.
  private var limit = Budget.chatHistoryMessages
  private var asksToCut = true
  public private(set) var isReading = false
  private var mustRead = false
  private var readAt: Int64 = 0
  /// The last runs that ended: late events of them begin nothing.
  private var endedRuns = InlineArray<8, InlineText<64>>(repeating: InlineText())
  private var endedCount = 0
  /// Why the conversation cannot be read, or a reply could not be stopped.
  public private(set) var failure: DeskFailure?

  /// The conversation that a person has chosen; nil: the main one.
  public private(set) var chosen: SessionKey?

  init(_ desk: OperatorDesk) { self.desk = desk }

  /// The key of the conversation that is followed.
  public var key: SessionKey { chosen ?? desk.mainSession }

  /// Follows another conversation; nil: the main one. Replies of the one before go on at the gateway, and are in its
  /// history.
  public func choose(_ key: SessionKey?) {
    let old = self.key
    chosen = key == desk.mainSession ? nil : key
    guard self.key != old else { return }
    desk.forget(self, Self.historyTag)
    desk.runs.removeAll(of: self)
    if isFollowing, isOnline {
      desk.ask("sessions.messages.unsubscribe", self, Self.unsubscribeTag) { writer in
        writer.key("key")
        writer.string(old.span)
      }
    }
    (isFollowing, isReading, mustRead, failure) = (false, false, false, nil)
    (limit, asksToCut, readAt) = (Budget.chatHistoryMessages, true, 0)
    isOpen ? follow() : delegate?.feedChanged()
  }

  public var isOnline: Bool { desk.session.state == .online }

  /// True when the board's own agent would answer a message now.
  public var standsIn: Bool { desk.standsIn }

  /// True when the board's own agent answers the message of this tag, or does so still.
  public func isLocal(_ tag: Int) -> Bool { desk.isLocal(self, tag) }

  /// Why the operator connection is not online.
  public var unavailableReason: InlineText<512> { desk.unavailable.sentence }

  /// A buffer for the texts of a history.
  public var buffer: UnsafeMutableBufferPointer<UInt8> { desk.text.bytes }

  // MARK: Visibility

  /// The conversation is shown from here on.
  public func open() {
    isOpen = true
    follow()
  }

  /// The conversation is not shown any more.
  public func close() { isOpen = false }

  private func follow() {
    guard isOnline else { return }
    if !isFollowing {
      isFollowing = true
      let key = self.key
      desk.ask("sessions.messages.subscribe", self, Self.subscribeTag) { writer in
        writer.key("key")
        writer.string(key.span)
      }
    }
    readAgain()
  }

  private func readAgain() {
    mustRead = true
    read()
  }

  private func read() {
    guard mustRead, !isReading, isOnline, desk.now >= readAt else { return }
    (mustRead, isReading) = (false, true)
    delegate?.historyAsked()
    let (key, limit, asksToCut) = (self.key, limit, asksToCut)
    desk.ask("chat.history", self, Self.historyTag) { writer in
      writer.key("sessionKey")
      writer.string(key.span)
      writer.key("limit")
      writer.int(Int64(limit))
      guard asksToCut else { return }
      writer.key("maxChars")
      writer.int(Int64(Budget.chatHistoryCharacters))
    }
    delegate?.feedChanged()
  }

  // MARK: The connection

  /// The connection is online again. The desk itself catches up with runs that were begun here.
  func opened() {
    (isFollowing, isReading, failure) = (false, false, nil)
    (limit, asksToCut, readAt) = (Budget.chatHistoryMessages, true, 0)
    isOpen ? follow() : delegate?.feedChanged()
  }

  /// The connection is lost.
  func lost() {
    (isFollowing, isReading, mustRead) = (false, false, false)
    desk.runs.removeFollowed(by: self) { tag in
      self.delegate?.messageFailed(tag, DeskFailure("LOST", "the connection was lost while the agent replied"))
    }
    delegate?.feedChanged()
  }

  /// When `advance` is to be called.
  var nextDeadline: Int64? { mustRead && !isReading && isOnline ? readAt : nil }

  func advance(to now: Int64) { read() }

  // MARK: Talking

  /// A tag for the next message, and the id of its run.
  public func begin() -> (tag: Int, run: InlineText<64>) {
    lastTag += 1
    return (lastTag, UUIDText.make(desk.random))
  }

  /// Sends a message; the delegate gets its outcome, possibly within this call. Sent again under the same `run`, it
  /// reaches the agent once.
  public func send(_ message: Span<UInt8>, tag: Int, run: InlineText<64>) {
    guard message.count > 0, message.count <= Budget.chatMessageBytes else {
      return deskFailed(tag, DeskFailure("TOO_LARGE", "a message has 1 to 6144 bytes"))
    }
    let bytes = desk.text.bytes
    for index in 0..<message.count { bytes[index] = message[index] }
    let said = UnsafeBufferPointer(bytes).extracting(0..<message.count)
    desk.say(message.count, run, in: key, self, tag) { $0.string(said.span) }
  }

  /// As `send`, with a photo of the board's camera.
  public func sendWithPhoto(_ message: Span<UInt8>, tag: Int, run: InlineText<64>) {
    guard message.count > 0, message.count <= Budget.chatMessageBytes else {
      return deskFailed(tag, DeskFailure("TOO_LARGE", "a message has 1 to 6144 bytes"))
    }
    for index in 0..<message.count { desk.text.bytes[index] = message[index] }
    desk.sayWithPhoto(message.count, run, in: key, self, tag)
  }

  /// True when there is a camera for photos.
  public var hasCamera: Bool { desk.photo.photographer != nil }

  /// Stops a reply.
  public func stop(_ tag: Int) { _ = desk.abort(tag, self, answerTag: Self.stopTag) }

  // MARK: Runs of other clients

  /// The slot of a run that another client began, if it belongs to the main session.
  func follow(_ id: borrowing JSONView, _ payload: borrowing JSONView) -> Int? {
    guard isFollowing, let other = payload.member("sessionKey"), other.equals(key.span) else { return nil }
    var name = InlineText<64>()
    guard name.fill({ id.copyString(into: $0) }), !name.isEmpty else { return nil }
    for index in 0..<endedRuns.count where endedRuns[index] == name { return nil }
    guard let index = add(name) else {
      // Its text is read when it has ended.
      mustRead = true
      return nil
    }
    // The history has the message that it replies to, and its text so far.
    mustRead = true
    return index
  }

  private func add(_ name: InlineText<64>) -> Int? {
    var count = 0
    for index in 0..<desk.runs.capacity where desk.runs.isActive(index) && desk.runs[index].isFollowed { count += 1 }
    guard count < Budget.chatFollowed else { return nil }
    lastTag += 1
    var run = ChatRun()
    (run.id, run.session, run.delegate, run.tag, run.isFollowed) = (name, key, self, lastTag, true)
    (run.isConfirmed, run.deadline) = (true, desk.now + OperatorDesk.runTimeout)
    guard let index = desk.runs.add(run) else { return nil }
    delegate?.replyBegan(lastTag)
    return index
  }

  /// The gateway reports that a session has a new message.
  func heard(_ payload: borrowing JSONView) {
    guard isFollowing, isOpen else { return }
    if let other = payload.member("sessionKey"), !other.equals(key.span) { return }
    // Replies arrive as runs; messages of people do not.
    guard let message = payload.member("message"), let role = message.member("role"), role.equals("user") else {
      return
    }
    for index in 0..<desk.runs.capacity where desk.runs.isActive(index) && !desk.runs[index].isFollowed {
      // Sent from here, by this or another way.
      if desk.isMessage(desk.runs[index].question, message), desk.runs[index].delegate === self { return }
    }
    mustRead = true
  }

  /// A run has ended, of this or another client.
  func ended(_ run: ChatRun, hasGap: Bool) {
    endedRuns[endedCount % endedRuns.count] = run.id
    endedCount += 1
    guard isFollowing, run.session == key else { return }
    // What tools gave, and pictures, are in the history alone.
    if let delegate = run.delegate, delegate === self, !hasGap, !run.hasSteps { return }
    mustRead = true
  }

  // MARK: DeskDelegate

  public func deskAnswered(_ tag: Int, _ payload: borrowing JSONView) {
    switch tag {
    case Self.subscribeTag, Self.unsubscribeTag: break
    case Self.stopTag: setFailure(nil)
    case Self.historyTag:
      (isReading, readAt) = (false, desk.now + Budget.chatReadMilliseconds)
      setFailure(nil)
      delegate?.historyRead(payload)
      adopt(payload)
      delegate?.feedChanged()
    default:
      delegate?.messageSent(tag)
      // The reply to a message that was sent again may already have come.
      guard let status = payload.member("status"), !status.equals("started"), !status.equals("in_flight") else {
        return
      }
      desk.forget(self, tag)
      delegate?.replyEnded(tag, isAborted: false)
      readAgain()
    }
  }

  /// Follows a run that goes on while the history is read.
  private func adopt(_ payload: borrowing JSONView) {
    guard let inFlight = payload.member("inFlightRun"), let id = inFlight.member("runId") else { return }
    var name = InlineText<64>()
    guard name.fill({ id.copyString(into: $0) }), !name.isEmpty else { return }
    for index in 0..<endedRuns.count where endedRuns[index] == name { return }
    guard let index = desk.runs.index(of: id) ?? add(name), let delegate = desk.runs[index].delegate, delegate === self
    else {
      return
    }
    var piece = ChatDecoder.Piece()
    if let message = inFlight.member("message") {
      desk.runs.readSnapshot(index, message, desk.text.bytes, &piece)
    } else if inFlight.member("text") != nil {
      desk.runs.readSnapshot(index, inFlight, desk.text.bytes, &piece)
    }
    desk.deliver(desk.runs[index], piece)
  }

  public func deskFailed(_ tag: Int, _ failure: DeskFailure) {
    switch tag {
    // Gateways without the method send the messages to readers of a session anyway.
    case Self.subscribeTag, Self.unsubscribeTag: break
    case Self.stopTag: setFailure(failure)
    case Self.historyTag: historyFailed(failure)
    default: delegate?.messageFailed(tag, failure)
    }
  }

  private func historyFailed(_ failure: DeskFailure) {
    isReading = false
    let code = failure.code.span
    if code.equals("LOST") || code.equals(DeskFailure.noOperator) { return }
    if code.equals("TOO_LARGE"), limit > 1 {
      limit = max(limit / 4, 1)
      return readAgain()
    }
    if code.equals("INVALID_REQUEST"), asksToCut {
      asksToCut = false
      return readAgain()
    }
    if code.equals("TIMEOUT") || code.equals("BUSY") {
      (mustRead, readAt) = (true, desk.now + OperatorDesk.timeout)
    }
    setFailure(failure)
  }

  private func setFailure(_ failure: DeskFailure?) {
    self.failure = failure
    delegate?.feedChanged()
  }

  public func chatTextReceived(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {
    delegate?.replyTextReceived(tag, text, isReplacement: isReplacement)
  }

  public func chatStep(_ tag: Int, _ step: ChatStep) { delegate?.stepReceived(tag, step) }

  /// Ignored: the screen shows less of a message than the desk takes.
  public func chatCut(_ tag: Int) {}

  public func chatEnded(_ tag: Int, isAborted: Bool) { delegate?.replyEnded(tag, isAborted: isAborted) }
}

extension Span<UInt8> {
  fileprivate borrowing func equals(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] != word.utf8Start[index] { return false }
    return true
  }
}
