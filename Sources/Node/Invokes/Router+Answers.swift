import Codec
import Gateway
import Runtime

/// Answers, from handlers and from memory.
extension Router {

  // MARK: From handlers

  /// Answers with a result: `build` writes one JSON value, the same each time it is called. Does nothing when `token`
  /// was already answered.
  public func succeed(_ token: InvokeToken, _ build: (inout JSONWriter) -> Void) {
    guard let slot = running[token] else { return }
    if let place = slot.memory {
      slot.action == nil
        ? memory.keep(place, at: clock.monotonic, build) : memory.keep(place, at: clock.monotonic)
    }
    deliver(token, slot) { slot in
      if self.channel(slot).reply(to: slot.id.span, build) { return true }
      self.refuse(slot, code: "PAYLOAD_TOO_LARGE", "PAYLOAD_TOO_LARGE: the result does not fit a message")
      return false
    }
  }

  /// Where the answer of an invoke is sent.
  private func channel(_ slot: InvokeTable.Slot) -> any ReplyChannel {
    switch slot.caller {
    case .gateway: replies
    case .program: locals ?? replies
    case .tool: tools ?? replies
    }
  }

  /// Answers with an object that ends in `base64` of a blob; `members` writes those before it. False when the blob was
  /// not taken, because `token` was already answered, or the message would be too large and was answered with an error.
  public func succeed(
    _ token: InvokeToken, blob: UnsafeBufferPointer<UInt8>, delegate: any BlobDelegate,
    _ members: (inout JSONWriter) -> Void
  ) -> Bool {
    succeed(token, blob: OutboundBlob(blob, .base64, delegate: delegate)) { writer in
      writer.beginObject()
      members(&writer)
      writer.key("base64")
      writer.string("")
      // The blob is inserted between the two quotes just written.
      let split = writer.count - 1
      writer.endObject()
      return split
    }
  }

  /// Answers with a result that is already JSON text. False when the text was not taken.
  public func succeed(_ token: InvokeToken, json: UnsafeBufferPointer<UInt8>, delegate: any BlobDelegate) -> Bool {
    succeed(token, blob: OutboundBlob(json, .verbatim, delegate: delegate)) { writer in
      writer.raw(Span())
      return writer.count
    }
  }

  /// Answers with a result that holds a blob: `build` writes one JSON value, and returns where the blob is inserted.
  /// False when the blob was not taken, because `token` was already answered, or the message would be too large and was
  /// answered with an error. The blob is lent once, so repeats of this invoke are answered with an error.
  @export(interface)
  public func succeed(_ token: InvokeToken, blob: OutboundBlob, _ build: (inout JSONWriter) -> Int) -> Bool {
    guard let slot = running[token] else { return false }
    if let place = slot.memory { remember(place, RouterError.notRepeatable) }
    var isTaken = false
    deliver(token, slot) { other in
      if other.leader != nil {
        self.answer(other, RouterError.notRepeatable)
        return false
      }
      isTaken = self.channel(other).reply(to: other.id.span, blob: blob, build)
      if isTaken { return true }
      self.refuse(other, code: "PAYLOAD_TOO_LARGE", "PAYLOAD_TOO_LARGE: the result does not fit a message")
      return false
    }
    return isTaken
  }

  /// Answers with an error. Does nothing when `token` was already answered.
  public func fail(_ token: InvokeToken, _ error: some WireError) {
    fail(token, code: error.code) { error.writeMessage(to: &$0) }
  }

  /// The same for the code and the message of an error. Not generic: in a function that Embedded Swift specializes for
  /// another module, a slot's inline texts were other memory, and no answer was sent.
  @export(interface)
  public func fail(_ token: InvokeToken, code: StaticString, _ write: (inout ByteWriter) -> Void) {
    guard let slot = running[token] else { return }
    if let place = slot.memory {
      // Nothing was done, so the same request may be tried again.
      if slot.waits { memory.forget(place) } else { remember(place, code: code, write) }
    }
    deliver(token, slot) { slot in
      self.answer(slot, code: code, write)
      return false
    }
  }

  /// Frees the slot of a token and those of its repeats; `reply` answers each and returns whether with a result.
  private func deliver(
    _ token: InvokeToken, _ slot: InvokeTable.Slot, _ reply: (InvokeTable.Slot) -> Bool
  ) {
    remove(token)
    if let action = slot.action {
      logAnswered(slot)
      actionDelegate?.actionEnded(action)
      return
    }
    if reply(slot) { ended(slot) }
    while let follower = running.follower(of: token), let other = running[follower] {
      running.remove(follower)
      repeated += 1
      if reply(other) { ended(other) }
    }
    if slot.caller == .gateway { replies.replied() }
  }

  private func ended(_ slot: InvokeTable.Slot) {
    // That of a tool is a part of the tool's own call, which is counted.
    if slot.caller != .tool { succeeded += 1 }
    logAnswered(slot)
  }

  private func logAnswered(_ slot: InvokeTable.Slot) {
    log.write(.debug, "commands") { line in
      line.add(self.name(of: slot))
      line.add(" answered")
    }
  }

  /// What the log calls the command.
  private func name(of slot: InvokeTable.Slot) -> String {
    let command = commands[slot.command].row.name
    return slot.lent?.name(for: command) ?? command
  }

  // MARK: Repeats

  /// Answers a repeat: at once, or when the first invoke with its key is answered.
  func repeatAnswer(_ slot: InvokeTable.Slot, _ place: AnswerMemory.Place, _ answer: AnswerMemory.Answer) {
    var slot = slot
    switch answer {
    case .running:
      guard let leader = running.leader(memory: place) else { return refuseBusy(slot.id) }
      slot.leader = leader
      if running.add(slot) == nil { refuseBusy(slot.id) }
      return
    case .result(let count):
      let text = memory.text(place, count)
      guard replies.reply(to: slot.id.span, { $0.raw(Span(_unsafeElements: text)) }) else {
        return refuse(
          slot.id, code: "PAYLOAD_TOO_LARGE", "PAYLOAD_TOO_LARGE: the result does not fit a message")
      }
      succeeded += 1
    case .error(let code, let count):
      let text = memory.text(place, count)
      replies.replyError(to: slot.id.span, code: code.code, message: Span(_unsafeElements: text))
      failed += 1
    case .done: return self.answer(slot, RouterError.notRepeatable)
    }
    repeated += 1
    log.write(.info, "commands") { line in
      line.add(self.commands[slot.command].row.name)
      line.add(" was asked again with the same key: answered from memory")
    }
  }

  /// Remembers an error as the answer.
  func remember(_ place: AnswerMemory.Place, _ error: RouterError) {
    remember(place, code: error.code) { error.writeMessage(to: &$0) }
  }

  private func remember(_ place: AnswerMemory.Place, code: StaticString, _ write: (inout ByteWriter) -> Void) {
    memory.keep(place, at: clock.monotonic, code: code, message: Span(_unsafeElements: text(write)))
  }

  // MARK: Errors

  /// The message of an error, valid until the next call.
  private func text(_ write: (inout ByteWriter) -> Void) -> UnsafeBufferPointer<UInt8> {
    var writer = ByteWriter(into: message.bytes)
    write(&writer)
    let count = min(writer.count, message.bytes.count)
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(message.bytes)[..<count])
  }

  /// Answers one id with an error; its slot is already free.
  func answer(_ slot: InvokeTable.Slot, _ error: RouterError) {
    answer(slot, code: error.code) { error.writeMessage(to: &$0) }
  }

  func answer(_ slot: InvokeTable.Slot, code: StaticString, _ write: (inout ByteWriter) -> Void) {
    let text = text(write)
    if slot.caller != .tool { failed += 1 }
    log.write(.warning, "commands") { line in
      line.add(self.name(of: slot))
      line.add(" failed: ")
      line.add(text)
    }
    channel(slot).replyError(to: slot.id.span, code: code, message: Span(_unsafeElements: text))
  }

  func refuse(_ id: InlineText<128>, _ refusal: InvokeRefusal) { refuse(id, code: "INVALID_REQUEST", refusal.text) }

  func refuseBusy(_ id: InlineText<128>) { refuse(id, code: "UNAVAILABLE", "UNAVAILABLE: node busy") }

  func refuse(_ slot: InvokeTable.Slot, code: StaticString, _ text: StaticString) {
    guard slot.caller != .gateway else { return refuse(slot.id, code: code, text) }
    channel(slot).replyError(to: slot.id.span, code: code, message: text.utf8Bytes)
    failed += 1
  }

  func refuse(_ id: InlineText<128>, code: StaticString, _ text: StaticString) {
    replies.replyError(to: id.span, code: code, message: Span(_unsafeElements: text.bytes))
    failed += 1
    log.write(.warning, "commands") { $0.add(text) }
  }

  /// An id too long to keep is answered at once from the frame: the parameter buffer holds it meanwhile.
  func refuseLongID(_ id: borrowing JSONView) {
    guard parameters.copy(string: id) else { return }
    replies.replyError(
      to: Span(_unsafeElements: parameters.text), code: "INVALID_REQUEST",
      message: Span(_unsafeElements: ("INVALID_REQUEST: the invoke id is too long" as StaticString).bytes))
    failed += 1
  }
}
