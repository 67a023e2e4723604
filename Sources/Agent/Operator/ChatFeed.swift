import Codec
import Gateway
import Runtime

/// Told of the main session's conversation. A `tag` names a message that was sent from here, and the reply to it; or a reply
/// to somebody else.
protocol ChatFeedOwner: AnyObject {
  /// The history is asked for: what comes from here on is newer than the answer may be.
  func historyAsked()
  /// The answer of `chat.history`, for `ChatHistory`; gone when this returns.
  func historyRead(_ payload: borrowing JSONView)
  /// The gateway has the message. Its reply may have begun before.
  func messageSent(_ tag: Int)
  /// It does not, or its run came to nothing. The last word on this tag.
  func messageFailed(_ tag: Int, _ failure: DeskFailure)
  /// Somebody else's run says something.
  func replyBegan(_ tag: Int)
  /// The agent says more, or anew what it said before; gone when this returns.
  func replySaid(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool)
  /// The last word on this tag.
  func replyEnded(_ tag: Int, isAborted: Bool)
  /// `failure` is another.
  func feedChanged()
}

/// Follows the conversation of the main session while somebody looks at it: reads its history, hears what is said from anywhere,
/// and reads anew what it may have missed (the reconnect recipe of gateway reference 9.9). It keeps no text.
final class ChatFeed: DeskListener {
  private static let historyTag = -1, subscribeTag = -2, stopTag = -3

  private unowned(unsafe) let desk: OperatorDesk
  /// Lives as long as the desk.
  unowned(unsafe) var owner: (any ChatFeedOwner)?
  private var lastTag = 0
  private var isOpen = false
  /// The gateway tells this connection what is said in the session.
  private var isFollowing = false
  /// Messages that are asked for, and whether each is to be cut: less where a gateway takes no more.
  private var limit = Budget.chatHistoryMessages
  private var asksToCut = true
  private(set) var isReading = false
  private var mustRead = false
  private var readAt: Int64 = 0
  /// The last runs that ended: what comes late of them begins nothing.
  private var endedRuns = InlineArray<8, InlineText<64>>(repeating: InlineText())
  private var endedCount = 0
  /// Why the conversation cannot be read, or a reply not be stopped.
  private(set) var failure: DeskFailure?

  init(_ desk: OperatorDesk) { self.desk = desk }

  var isOnline: Bool { desk.session.state == .online }

  /// Why nobody can be talked to, while it is not online.
  var whyNot: InlineText<512> { desk.unavailable.sentence }

  /// A buffer for the texts of a history.
  var buffer: UnsafeMutableBufferPointer<UInt8> { desk.text.bytes }

  // MARK: Looking

  /// Somebody looks from here on.
  func open() {
    isOpen = true
    follow()
  }

  /// Nobody does any more.
  func close() { isOpen = false }

  private func follow() {
    guard isOnline else { return }
    if !isFollowing {
      isFollowing = true
      let key = desk.mainSession
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
    owner?.historyAsked()
    let (key, limit, asksToCut) = (desk.mainSession, limit, asksToCut)
    desk.ask("chat.history", self, Self.historyTag) { writer in
      writer.key("sessionKey")
      writer.string(key.span)
      writer.key("limit")
      writer.int(Int64(limit))
      guard asksToCut else { return }
      writer.key("maxChars")
      writer.int(Int64(Budget.chatHistoryCharacters))
    }
    owner?.feedChanged()
  }

  // MARK: The connection

  /// It is online anew. Runs that were begun here are caught up with by the desk.
  func opened() {
    (isFollowing, isReading, failure) = (false, false, nil)
    (limit, asksToCut, readAt) = (Budget.chatHistoryMessages, true, 0)
    isOpen ? follow() : owner?.feedChanged()
  }

  /// It is gone.
  func lost() {
    (isFollowing, isReading, mustRead) = (false, false, false)
    desk.runs.removeFollowed(by: self) { tag in
      self.owner?.messageFailed(tag, DeskFailure("LOST", "the connection was lost while the agent replied"))
    }
    owner?.feedChanged()
  }

  /// When `advance` wants to be called.
  var nextDeadline: Int64? { mustRead && !isReading && isOnline ? readAt : nil }

  func advance(to now: Int64) { read() }

  // MARK: Talking

  /// A tag for the next message, and the name of its run.
  func begin() -> (tag: Int, run: InlineText<64>) {
    lastTag += 1
    return (lastTag, UUIDText.make(desk.random))
  }

  /// Sends a message; its owner hears what becomes of it, possibly within this call. Again under the same `run`, it
  /// reaches the agent once.
  func send(_ message: Span<UInt8>, tag: Int, run: InlineText<64>) {
    guard message.count > 0, message.count <= Budget.chatMessageBytes else {
      return deskFailed(tag, DeskFailure("TOO_LARGE", "a message has 1 to 6144 bytes"))
    }
    let bytes = desk.text.bytes
    for index in 0..<message.count { bytes[index] = message[index] }
    let said = UnsafeBufferPointer(bytes).extracting(0..<message.count)
    desk.say(message.count, run, in: desk.mainSession, self, tag) { $0.string(said.span) }
  }

  /// Stops a reply.
  func stop(_ tag: Int) { _ = desk.abort(tag, self, answerTag: Self.stopTag) }

  // MARK: Others

  /// A run that nobody here has begun: its slot, when it belongs to the main session.
  func follow(_ id: borrowing JSONView, _ payload: borrowing JSONView) -> Int? {
    guard isFollowing, let key = payload.member("sessionKey"), key.equals(desk.mainSession.span) else { return nil }
    var name = InlineText<64>()
    guard name.fill({ id.copyString(into: $0) }), !name.isEmpty else { return nil }
    for index in 0..<endedRuns.count where endedRuns[index] == name { return nil }
    guard let index = add(name) else {
      // What it says is read when it is over.
      mustRead = true
      return nil
    }
    // What it replies to stands in the history, and what it has said before this.
    mustRead = true
    return index
  }

  private func add(_ name: InlineText<64>) -> Int? {
    var count = 0
    for index in 0..<desk.runs.capacity where desk.runs.isActive(index) && desk.runs[index].isFollowed { count += 1 }
    guard count < Budget.chatFollowed else { return nil }
    lastTag += 1
    var run = ChatRun()
    (run.id, run.session, run.listener, run.tag, run.isFollowed) = (name, desk.mainSession, self, lastTag, true)
    (run.isConfirmed, run.deadline) = (true, desk.now + OperatorDesk.runPatience)
    guard let index = desk.runs.add(run) else { return nil }
    owner?.replyBegan(lastTag)
    return index
  }

  /// The gateway says that something was added to a session.
  func heard(_ payload: borrowing JSONView) {
    guard isFollowing, isOpen else { return }
    if let key = payload.member("sessionKey"), !key.equals(desk.mainSession.span) { return }
    // Replies come as they are said; what people say does not.
    guard let message = payload.member("message"), let role = message.member("role"), role.equals("user") else { return }
    for index in 0..<desk.runs.capacity where desk.runs.isActive(index) && !desk.runs[index].isFollowed {
      // Said here, by this or another way.
      if desk.says(desk.runs[index].question, message), desk.runs[index].listener === self { return }
    }
    mustRead = true
  }

  /// A run is over, whoever began it.
  func ended(_ run: ChatRun, hasGap: Bool) {
    endedRuns[endedCount % endedRuns.count] = run.id
    endedCount += 1
    guard isFollowing, run.session == desk.mainSession else { return }
    if let listener = run.listener, listener === self, !hasGap { return }
    mustRead = true
  }

  // MARK: DeskListener

  func deskAnswered(_ tag: Int, _ payload: borrowing JSONView) {
    switch tag {
    case Self.subscribeTag: break
    case Self.stopTag: setFailure(nil)
    case Self.historyTag:
      (isReading, readAt) = (false, desk.now + Budget.chatReadMilliseconds)
      setFailure(nil)
      owner?.historyRead(payload)
      adopt(payload)
      owner?.feedChanged()
    default:
      owner?.messageSent(tag)
      // A message that was sent again may have been replied to before.
      guard let status = payload.member("status"), !status.equals("started"), !status.equals("in_flight") else { return }
      desk.forget(self, tag)
      owner?.replyEnded(tag, isAborted: false)
      readAgain()
    }
  }

  /// A run that goes on while the history is read.
  private func adopt(_ payload: borrowing JSONView) {
    guard let flying = payload.member("inFlightRun"), let id = flying.member("runId") else { return }
    var name = InlineText<64>()
    guard name.fill({ id.copyString(into: $0) }), !name.isEmpty else { return }
    for index in 0..<endedRuns.count where endedRuns[index] == name { return }
    guard let index = desk.runs.index(of: id) ?? add(name), let listener = desk.runs[index].listener, listener === self else {
      return
    }
    var piece = ChatDecoder.Piece()
    if let message = flying.member("message") {
      desk.runs.readSnapshot(index, message, desk.text.bytes, &piece)
    } else if flying.member("text") != nil {
      desk.runs.readSnapshot(index, flying, desk.text.bytes, &piece)
    }
    desk.tell(desk.runs[index], piece)
  }

  func deskFailed(_ tag: Int, _ failure: DeskFailure) {
    switch tag {
    // Gateways that do not know it tell readers of a session all the same.
    case Self.subscribeTag: break
    case Self.stopTag: setFailure(failure)
    case Self.historyTag: historyFailed(failure)
    default: owner?.messageFailed(tag, failure)
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
      (mustRead, readAt) = (true, desk.now + OperatorDesk.patience)
    }
    setFailure(failure)
  }

  private func setFailure(_ failure: DeskFailure?) {
    self.failure = failure
    owner?.feedChanged()
  }

  func chatSaid(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {
    owner?.replySaid(tag, text, isReplacement: isReplacement)
  }

  /// What is shown of a message is less than what the board takes of one.
  func chatCut(_ tag: Int) {}

  func chatEnded(_ tag: Int, isAborted: Bool) { owner?.replyEnded(tag, isAborted: isAborted) }
}

extension Span<UInt8> {
  fileprivate borrowing func equals(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] != word.utf8Start[index] { return false }
    return true
  }
}
