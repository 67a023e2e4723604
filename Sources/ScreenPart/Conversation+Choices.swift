import Canvas
import Codec
import Node
import Runtime

// Which conversation is shown: the main one, an agent's, another, or a new one.

extension Conversation: ChatDirectoryDelegate {
  func chatChooserOpened() {
    fillChoices()
    directory.refresh()
  }

  func directoryChanged() {
    fillChoices()
    face.changed(page)
  }

  private func fillChoices() {
    page.setChoices { add in
      var choice = ChatChoice()
      choice.label = InlineText(cutting: "New conversation")
      choice.isNew = true
      add(choice)
      for index in 0..<directory.count {
        let entry = directory[index]
        choice = ChatChoice()
        choice.isCurrent = entry.key == feed.key
        choice.label.fill { buffer in
          var line = LogLine(buffer)
          if entry.isAgent { line.add("Agent ") }
          line.add(entry.label.span)
          return line.count
        }
        add(choice)
      }
    }
  }

  func chatChoose(_ index: Int) {
    if index == 0 {
      show(directory.newKey(beside: feed.key), InlineText(cutting: "New conversation"))
    } else if index - 1 < directory.count {
      let entry = directory[index - 1]
      show(entry.key, entry.label)
    }
  }

  private func show(_ key: SessionKey, _ label: InlineText<96>) {
    guard key != feed.key else {
      face.changed(page)
      return
    }
    page.forgetConversation(at: clock.monotonic)
    feed.choose(key)
    chosenLabel = feed.chosen == nil ? InlineText() : label
    update()
    face.changed(page)
  }
}

// A photo of the board in a message.

extension Conversation {
  func chatSendPhoto(_ text: Span<UInt8>) {
    let (tag, run) = feed.begin()
    var message = ChatMessage(.person, .sending, time: wall, tag: tag)
    message.run = run
    message.note = InlineText(cutting: "photo")
    log.append(message, text)
    changed()
    feed.sendWithPhoto(text, tag: tag, run: run)
  }
}

// What the agent does besides talking.

extension Conversation {
  func stepReceived(_ tag: Int, _ step: ChatStep) {
    if let index = log.index(tag: tag), log[index].state == .sending { messageSent(tag) }
    // Its line stands above the reply, which goes on.
    let reply = reply(to: tag)
    if step.state != .begun, let index = openStep(step) {
      log[index].state = step.state == .failed ? .failed : .done
      log[index].note = line(of: step)
      if log.isBlank(index), !step.detail.isEmpty { log.add(step.detail.span, to: index) }
    } else {
      log.insert(message(of: step, time: wall), step.detail.span, at: reply)
    }
    changed()
  }

  /// The line of a step that has begun: the last of its name.
  private func openStep(_ step: ChatStep) -> Int? {
    var begun = step
    (begun.state, begun.milliseconds) = (.begun, nil)
    let wanted = line(of: begun)
    var index = log.count - 1
    while index >= 0 {
      if log[index].role == .step, log[index].state == .streaming, log[index].note == wanted { return index }
      index -= 1
    }
    return nil
  }

  func message(of step: ChatStep, time: Int64) -> ChatMessage {
    var message = ChatMessage(
      .step, step.state == .begun ? .streaming : step.state == .failed ? .failed : .done, time: time)
    message.note = line(of: step)
    return message
  }

  private func line(of step: ChatStep) -> InlineText<256> {
    var text = InlineText<256>()
    text.fill { buffer in
      var line = LogLine(buffer)
      step.writeLine(to: &line)
      return line.count
    }
    return text
  }
}

// What was said with the board's own agent.

extension Conversation {
  /// True for what was said with the board's own agent after all that the history has: later the summary that the
  /// gateway gets stands for it.
  func isNewer(_ message: ChatMessage, than new: ChatLog, _ read: Int) -> Bool {
    for index in 0..<read where new[index].time > message.time { return false }
    return true
  }
}

/// Fills a log from the history.
final class HistoryFiller: ChatHistoryReader {
  private unowned(unsafe) let conversation: Conversation
  /// The log that is filled. Only while a history is read.
  unowned(unsafe) var log: ChatLog?

  init(_ conversation: Conversation) { self.conversation = conversation }

  func messageRead(isPerson: Bool, _ text: Span<UInt8>, isCut: Bool, time: Int64) {
    guard let log else { return }
    let ellipsis: StaticString = "\u{2026}"
    log.append(ChatMessage(isPerson ? .person : .agent, time: time), text)
    if isCut, !log[log.count - 1].isCut { log.add(ellipsis.utf8Bytes, to: log.count - 1) }
  }

  func stepRead(_ step: ChatStep, time: Int64) {
    log?.append(conversation.message(of: step, time: time), step.detail.span)
  }

  func pictureRead(isPerson: Bool, _ part: borrowing JSONView, time: Int64) {
    guard let log else { return }
    var message = ChatMessage(isPerson ? .person : .agent, time: time)
    let number = conversation.addPicture(part)
    guard let number else {
      let words: StaticString = "[a picture, which the gateway keeps]"
      return log.append(message, words.utf8Bytes)
    }
    message.picture = number
    log.append(message, Span())
  }
}
