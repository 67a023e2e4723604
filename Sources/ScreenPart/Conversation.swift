import Canvas
import Codec
import Node
import Runtime

/// Connects the conversation on the screen with that at the gateway: sends what people write, shows what is said, and
/// the state of each message. A reply has the negative tag of the message that it replies to.
final class Conversation {
  let page: ChatPage
  let face: CanvasFace
  let feed: ChatFeed
  let directory: ChatDirectory
  let clock: any Clock
  private let title: InlineText<64>
  /// What people call the conversation that they have chosen; empty: the main one is shown.
  var chosenLabel = InlineText<96>()
  private var filler: HistoryFiller! = nil
  /// Messages and replies that changed since the history was requested: it may not have them.
  private var fresh = InlineList<16, Int>()

  /// `title`: of the page.
  init(
    _ page: ChatPage, _ face: CanvasFace, _ feed: ChatFeed, _ directory: ChatDirectory, title: InlineText<64>,
    clock: any Clock
  ) {
    self.page = page
    self.face = face
    self.feed = feed
    self.directory = directory
    self.clock = clock
    self.title = title
    page.delegate = self
    feed.delegate = self
    face.chatDelegate = self
    directory.delegate = self
    filler = HistoryFiller(self)
  }

  var log: ChatLog { page.log }

  var wall: Int64 { BelievableDate.of(clock.wall) ?? 0 }

  func changed() {
    page.changed(at: clock.monotonic)
    face.changed(page)
  }

  /// Sets the title, and the reason why nobody can be reached: called whenever that may have changed.
  func update() {
    var notice = InlineText<256>()
    let isAway = !feed.isOnline
    if isAway, feed.standsIn {
      notice = InlineText(cutting: "The board answers by itself: the gateway is away")
    } else if isAway {
      notice = InlineText(cutting: feed.unavailableReason.span)
    } else if let failure = feed.failure {
      notice = InlineText(cutting: failure.sentence.span)
    } else if log.isEmpty, feed.isReading {
      notice = InlineText(cutting: "Reading what was said\u{2026}")
    } else if feed.standsIn {
      notice = InlineText(cutting: "The board answers by itself")
    }
    if page.offer(choice: feed.isOnline, camera: feed.hasCamera && !feed.standsIn) { face.changed(page) }
    let title = shownTitle
    if page.say(title: title.span, notice: notice.span, isReplying: canStop) {
      face.changed(page)
    }
  }

  /// True when the reply that continues can be stopped: a gateway's only while that is there.
  private var canStop: Bool {
    guard let index = stoppable else { return false }
    return feed.isOnline || feed.isLocal(abs(log[index].tag))
  }

  /// Who answers: the conversation that was chosen, or the gateway's first agent; empty while that is not known.
  var agentName: InlineText<96> {
    if feed.standsIn { return InlineText(cutting: "The board") }
    if !chosenLabel.isEmpty { return InlineText(cutting: chosenLabel.span) }
    return directory.count > 0 && directory[0].isAgent ? directory[0].label : InlineText()
  }

  /// The board's name, and the conversation where it is not the main one.
  private var shownTitle: InlineText<64> {
    if chosenLabel.isEmpty { return title }
    var text = InlineText<64>()
    text.fill { buffer in
      var line = LogLine(buffer)
      line.add(chosenLabel.span)
      return line.count
    }
    return text
  }

  /// The reply that a person may stop: the last one that continues.
  private var stoppable: Int? {
    var index = log.count - 1
    while index >= 0 {
      if log[index].state == .streaming, log[index].role == .agent { return index }
      index -= 1
    }
    return nil
  }
}

extension Conversation: ChatDelegate {
  func chatOpened() {
    feed.open()
    update()
  }

  func chatClosed() { feed.close() }
}

extension Conversation: ChatPageDelegate {
  func chatSend(_ text: Span<UInt8>) {
    let (tag, run) = feed.begin()
    send(text, tag, run)
  }

  private func send(_ text: Span<UInt8>, _ tag: Int, _ run: InlineText<64>) {
    var message = ChatMessage(.person, .sending, time: wall, tag: tag)
    message.run = run
    log.append(message, text)
    changed()
    feed.send(text, tag: tag, run: run)
  }

  /// Under the same run id, because the gateway may already have it, and then ignores the repeat.
  func chatRetry(_ index: Int) {
    let (tag, run) = feed.begin()
    let text = InlineText<4096>(cutting: log.text(index))
    let name = log[index].run
    log.remove(index)
    send(text.span, tag, name.isEmpty ? run : name)
  }

  func chatStop() {
    guard let index = stoppable else { return }
    feed.stop(abs(log[index].tag))
  }

  func chatLeave() { face.closeChat() }
}

extension Conversation: ChatFeedDelegate {
  func feedChanged() { update() }

  // MARK: Messages

  func messageSent(_ tag: Int) {
    guard let index = log.index(tag: tag) else { return }
    if log[index].state == .sending { log[index].state = .done }
    log[index].note.clear()
    log[index].isLocal = feed.isLocal(tag)
    fresh.append(tag)
    _ = reply(to: tag)
    changed()
    update()
  }

  func messageFailed(_ tag: Int, _ failure: DeskFailure) {
    let code = failure.code
    if let index = log.index(tag: tag) {
      log[index].state = .failed
      log[index].note = InlineText(cutting: failure.sentence.span)
      // When it is unknown whether the message arrived, it is sent again under its run id; otherwise under a new one.
      if !Self.isUnknown(code) { log[index].run.clear() }
      if let reply = log.index(tag: -tag) {
        if log.isBlank(reply) { log.remove(reply) } else { log[reply].state = .stopped }
      }
    } else if let index = log.index(tag: -tag) {
      log[index].state = .failed
      log[index].note = InlineText(cutting: failure.sentence.span)
    }
    fresh.append(tag)
    changed()
    update()
  }

  private static func isUnknown(_ code: InlineText<64>) -> Bool {
    for word: StaticString in ["LOST", "TIMEOUT", "BUSY", "NO_OPERATOR"] where code.equals(word.utf8Bytes) {
      return true
    }
    return false
  }

  // MARK: Replies

  func replyBegan(_ tag: Int) {
    _ = reply(to: tag)
    changed()
    update()
  }

  /// The reply's message, which is created if necessary.
  func reply(to tag: Int) -> Int {
    if let index = log.index(tag: -tag) { return index }
    var message = ChatMessage(.agent, .streaming, time: wall, tag: -tag)
    message.isLocal = feed.isLocal(tag)
    log.append(message, Span())
    return log.count - 1
  }

  func replyTextReceived(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {
    if let index = log.index(tag: tag), log[index].state == .sending { messageSent(tag) }
    let index = reply(to: tag)
    if isReplacement { log.clearText(index) }
    log.add(text, to: index)
    changed()
  }

  func replyEnded(_ tag: Int, isAborted: Bool) {
    guard let index = log.index(tag: -tag) else { return }
    if log.isBlank(index), !isAborted { log.remove(index) } else { log[index].state = isAborted ? .stopped : .done }
    fresh.append(-tag)
    changed()
    update()
  }

  // MARK: The history

  func historyAsked() { fresh.removeAll() }

  func historyRead(_ payload: borrowing JSONView) {
    let old = log
    let new = page.beginReplacing()
    page.pictures.removeAll()
    filler.log = new
    ChatHistory.read(payload, into: feed.buffer, filler)
    filler.log = nil
    keep(old, new)
    page.endReplacing(at: clock.monotonic)
    fresh.removeAll()
    face.changed(page)
    update()
  }

  /// Keeps a picture's address; its number, or nil when the gateway gives none that a board can read.
  func addPicture(_ part: borrowing JSONView) -> Int? {
    // A closure may not keep the part.
    let part = copy part
    return page.pictures.add { ChatPicture.writeAddress(part, into: $0) }
  }

  /// Adds what the history does not have: messages being sent or failed, unfinished replies, and newer messages.
  private func keep(_ old: ChatLog, _ new: ChatLog) {
    let read = new.count
    var place = 0
    for index in 0..<old.count {
      let message = old[index]
      // What the agent does stands in the history; what it does now does not yet.
      if message.role == .step {
        if message.state == .streaming { new.append(message, old.text(index)) }
        continue
      }
      // A picture is the history's.
      if message.picture != 0 { continue }
      var found: Int?
      // An unfinished reply is not in the history yet.
      for other in place..<max(read, place)
      where found == nil && message.state != .streaming && new[other].role == message.role && new[other].picture == 0
        && new.says(other, as: old, index, endsWith: message.role == .person)
      {
        found = other
      }
      if let found {
        place = found + 1
        take(message, new, found)
      } else if isKept(message) || message.isLocal && isNewer(message, than: new, read) {
        new.append(message, old.text(index))
      }
    }
  }

  /// Takes over the state of a message that the history has: it arrived, whatever was known before.
  private func take(_ message: ChatMessage, _ new: ChatLog, _ index: Int) {
    new[index].tag = message.tag
    if message.state == .stopped || message.state == .failed && message.role == .person && message.run.isEmpty {
      new[index].state = message.state
      new[index].note = message.note
    }
  }

  private func isKept(_ message: ChatMessage) -> Bool {
    switch message.state {
    case .sending, .streaming: return true
    case .failed where message.role == .person: return true
    case .done, .stopped, .failed:
      guard message.tag != 0 else { return false }
      for index in 0..<fresh.count where fresh[index] == message.tag { return true }
      // Its reply continues: gateways may store both when the reply is complete.
      guard message.role == .person, let reply = log.index(tag: -message.tag) else { return false }
      return log[reply].state == .streaming
    }
  }
}
