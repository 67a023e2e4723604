import Codec
import Runtime

// What a server sends: answers, requests and notifications.
extension MCPClient {
  func receive(_ view: borrowing JSONView) {
    let message = MCPMessage(view)
    guard let method = message.method.of(view) else { return receiveAnswer(message, view) }
    guard isWelcome() else { return }
    guard method.kind == .string else { return counts.strangeLines &+= 1 }
    guard let id = message.id.of(view) else { return receiveNotification(method, message.params.of(view)) }
    answer(method, id)
  }

  // MARK: Requests

  /// Answers a request. Talon has told no server that it may ask for anything but a sign of life.
  private func answer(_ method: borrowing JSONView, _ id: borrowing JSONView) {
    let text = id.rawText
    guard id.kind == .string || id.kind == .number, text.count <= Budget.mcpQuotedBytes else {
      return counts.strangeLines &+= 1
    }
    let isPing = method.equals("ping")
    if !isPing { counts.refusedRequests &+= 1 }
    let raw = text.withUnsafeBufferPointer { $0 }
    // One that does not read gets no answer, and loses nothing else by it.
    _ = sendLine { line in
      let id = Span(_unsafeElements: raw)
      if isPing { MCPWriter.pong(id, to: &line) } else { MCPWriter.refuse(id, to: &line) }
    }
  }

  // MARK: Notifications

  private func receiveNotification(_ method: borrowing JSONView, _ params: JSONView?) {
    if method.equals("notifications/tools/list_changed") { return handle(.changed) }
    if method.equals("notifications/message") { return counts.logMessages &+= 1 }
    guard method.equals("notifications/progress"), let params, let token = params.member("progressToken"),
      token.kind == .number, let id = token.int64, let slot = slot(of: id), var call = calls[slot]
    else { return }
    // It may go on for as long as the caller waits.
    let now = clock.monotonic
    call.quietUntil = now + settings.timeout
    let mustTell = now >= call.progressAt
    if mustTell { call.progressAt = now + Budget.mcpProgressMilliseconds }
    calls[slot] = call
    guard mustTell else { return }
    var words = InlineText<160>()
    if let text = params.member("message") { words = MCPText.quoted(text) }
    delegate?.callProgressed(self, call.tag, words.span)
  }

  // MARK: Answers

  private func receiveAnswer(_ message: MCPMessage, _ view: borrowing JSONView) {
    guard let number = message.id.of(view), number.kind == .number, let id = number.int64 else {
      return receiveStrange()
    }
    if let slot = slot(of: id), let call = calls[slot] {
      if let result = message.result.of(view), result.kind == .object { return end(slot, call, result: result) }
      guard let error = message.error.of(view) else { return end(slot, call, MCPFailure(.noResult)) }
      var failure = MCPFailure(.refused)
      failure.words = Self.words(of: error, "message")
      return end(slot, call, failure)
    }
    if id == asked.greeting {
      asked.greeting = nil
      return receiveGreeting(message, view)
    }
    if id == asked.list {
      asked.list = nil
      return receivePage(message, view)
    }
    if id == asked.ping { return asked.ping = nil }
    receiveStrange()
  }

  /// An answer to nothing: one that came too late, or comes again, or is invented.
  private func receiveStrange() {
    counts.strangeAnswers &+= 1
    _ = isWelcome()
  }

  /// A member of an object on one line; empty where there is none.
  private static func words(of object: borrowing JSONView, _ name: StaticString) -> InlineText<160> {
    guard let text = object.member(name) else { return InlineText() }
    return MCPText.quoted(text)
  }

  private func receiveGreeting(_ message: MCPMessage, _ view: borrowing JSONView) {
    guard let result = message.result.of(view), result.kind == .object else {
      guard let error = message.error.of(view) else { return fail(.refused) }
      let words = Self.words(of: error, "message")
      return fail(.refused, words.span)
    }
    guard let name = result.member("protocolVersion"), let version = MCPVersion(name) else {
      let words = Self.words(of: result, "protocolVersion")
      return fail(.otherRevision, words.span)
    }
    revision = version
    link.agreed(on: version)
    var hasTools = false
    if let capabilities = result.member("capabilities"), let tools = capabilities.member("tools") {
      hasTools = tools.kind == .object
    }
    handle(.greeted(hasTools: hasTools))
  }

  private func receivePage(_ message: MCPMessage, _ view: borrowing JSONView) {
    guard let result = message.result.of(view), result.kind == .object, let list = result.member("tools"),
      list.kind == .array
    else { return handle(.listRefused) }
    var tools = list.elements()
    while let tool = tools.next() {
      nextTools.add(tool, settings) { name in self.delegate?.isTaken(name) ?? false }
    }
    page.count = 0
    // An empty place is what some servers write at the end of the list.
    if let next = result.member("nextCursor"), next.kind == .string, next.stringLength != 0 {
      let text = next.rawText
      // A server that goes on for ever is asked no more.
      if text.count <= page.cursor.bytes.count, page.asked < Budget.mcpPages {
        for index in 0..<text.count { page.cursor.bytes[index] = text[index] }
        page.count = text.count
      } else {
        nextTools.refuseRest()
      }
    }
    handle(.listed(hasMore: page.count > 0))
  }

  // MARK: Long lines

  /// The beginning of a line that is too long, unchecked: whose answer it is stands before the answer itself, or there
  /// is only one thing that is waited for.
  func receiveBeginning(_ view: borrowing JSONView) {
    let message = MCPMessage(view)
    if let id = message.id.of(view), id.kind == .number, let number = id.int64 { return receiveTooLong(number) }
    if message.method.of(view) != nil {
      _ = isWelcome()
      return
    }
    var only: Int64?
    var waiting = 0
    for index in calls.indices {
      guard let call = calls[index], call.quietUntil != nil else { continue }
      only = call.id
      waiting += 1
    }
    if let id = asked.greeting { (only, waiting) = (id, waiting + 1) }
    if let id = asked.list { (only, waiting) = (id, waiting + 1) }
    guard waiting == 1, let only else {
      _ = isWelcome()
      return
    }
    receiveTooLong(only)
  }

  private func receiveTooLong(_ id: Int64) {
    if let slot = slot(of: id), let call = calls[slot] { return end(slot, call, MCPFailure(.longResult)) }
    if id == asked.list {
      asked.list = nil
      return handle(.listRefused)
    }
    if id == asked.greeting { return fail(.refused) }
    _ = isWelcome()
  }
}
