import Canvas
import Codec
import Runtime

/// Ties the conversation on the screen to that at the gateway: what people write goes out, what is said comes in, and each
/// message says how it fares. A reply has the tag of what it replies to, negative.
final class Conversation {
  private let page: ChatPage
  private let face: CanvasFace
  private let feed: ChatFeed
  private let clock: any Clock
  private let title: InlineText<64>
  /// Messages and replies that became what they are since the history was asked for: it may not have them.
  private var fresh = InlineList<16, Int>()

  /// `title`: of the page.
  init(_ page: ChatPage, _ face: CanvasFace, _ feed: ChatFeed, title: InlineText<64>, clock: any Clock) {
    self.page = page
    self.face = face
    self.feed = feed
    self.clock = clock
    self.title = title
    page.owner = self
    feed.owner = self
    face.chatOwner = self
  }

  private var log: ChatLog { page.log }

  private var wall: Int64 { clock.wall < Budget.earliestWall ? 0 : clock.wall }

  private func changed() {
    page.changed(at: clock.monotonic)
    face.changed(page)
  }

  /// Says who is talked to, and why nobody can be: called as often as that may be another.
  func update() {
    var notice = InlineText<256>()
    if !feed.isOnline {
      notice = InlineText(cutting: feed.whyNot.span)
    } else if let failure = feed.failure {
      notice = InlineText(cutting: failure.sentence.span)
    } else if log.isEmpty, feed.isReading {
      notice = InlineText(cutting: "Reading what was said\u{2026}")
    }
    if page.say(title: title.span, notice: notice.span, isReplying: feed.isOnline && stoppable != nil) { face.changed(page) }
  }

  /// The reply that a person may stop: the last one that goes on.
  private var stoppable: Int? {
    var index = log.count - 1
    while index >= 0 {
      if log[index].state == .streaming { return index }
      index -= 1
    }
    return nil
  }
}

extension Conversation: ChatOwner {
  func chatOpened() {
    feed.open()
    update()
  }

  func chatClosed() { feed.close() }
}

extension Conversation: ChatPageOwner {
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

  /// Under the name that it had, where the gateway may have it already: then it does nothing twice.
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

extension Conversation: ChatFeedOwner {
  func feedChanged() { update() }

  // MARK: Messages

  func messageSent(_ tag: Int) {
    guard let index = log.index(tag: tag) else { return }
    if log[index].state == .sending { log[index].state = .done }
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
      // Whoever does not know whether it arrived sends the same; else it is another.
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
    for word: StaticString in ["LOST", "TIMEOUT", "BUSY", "NO_OPERATOR"] where code.equals(word.utf8Bytes) { return true }
    return false
  }

  // MARK: Replies

  func replyBegan(_ tag: Int) {
    _ = reply(to: tag)
    changed()
    update()
  }

  /// The reply's message, which is there from now on.
  private func reply(to tag: Int) -> Int {
    if let index = log.index(tag: -tag) { return index }
    log.append(ChatMessage(.agent, .streaming, time: wall, tag: -tag), Span())
    return log.count - 1
  }

  func replySaid(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {
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
    let ellipsis: StaticString = "\u{2026}"
    ChatHistory.forEach(payload, into: feed.buffer) { isPerson, text, isCut, time in
      new.append(ChatMessage(isPerson ? .person : .agent, time: time), text)
      if isCut, !new[new.count - 1].isCut { new.add(ellipsis.utf8Bytes, to: new.count - 1) }
    }
    keep(old, new)
    page.endReplacing(at: clock.monotonic)
    fresh.removeAll()
    face.changed(page)
    update()
  }

  /// What the history does not have: messages on their way or failed, replies that go on, and what is newer than it.
  private func keep(_ old: ChatLog, _ new: ChatLog) {
    let read = new.count
    var place = 0
    for index in 0..<old.count {
      let message = old[index]
      var found: Int?
      // A reply that goes on is not in it yet.
      for other in place..<max(read, place)
      where found == nil && message.state != .streaming && new[other].role == message.role && new.says(other, as: old, index, endsWith: message.role == .person) {
        found = other
      }
      if let found {
        place = found + 1
        take(message, new, found)
      } else if isKept(message) {
        new.append(message, old.text(index))
      }
    }
  }

  /// What is known of a message beside the history. It arrived, whatever was thought of it.
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
      // Its reply goes on: gateways may write both down when that is complete.
      guard message.role == .person, let reply = log.index(tag: -message.tag) else { return false }
      return log[reply].state == .streaming
    }
  }
}
