import Codec
import Runtime

/// Gets what a conversation's history has, oldest first. Texts are valid during each call. `time`: milliseconds since
/// 1970, 0 when the gateway does not say.
public protocol ChatHistoryReader: AnyObject {
  /// A message of a person or an agent.
  func messageRead(isPerson: Bool, _ text: Span<UInt8>, isCut: Bool, time: Int64)
  /// A tool that the agent called, or a thought.
  func stepRead(_ step: ChatStep, time: Int64)
  /// A picture in a message, for `ChatPicture.writeAddress`.
  func pictureRead(isPerson: Bool, _ part: borrowing JSONView, time: Int64)
}

extension ChatHistory {
  /// Reads the response of `chat.history` with the tools, thoughts and pictures in it, each as gateways of every age
  /// write it. Texts go through `buffer`.
  public static func read(
    _ payload: borrowing JSONView, into buffer: UnsafeMutableBufferPointer<UInt8>, _ reader: any ChatHistoryReader
  ) {
    guard let messages = payload.member("messages"), messages.kind == .array else { return }
    var elements = messages.elements()
    while let message = elements.next() {
      guard let role = message.member("role") else { continue }
      let isPerson = role.equals("user")
      let isAgent = role.equals("assistant")
      let time = time(of: message)
      if isAgent { readThoughts(message, time, reader) }
      if isPerson || isAgent {
        var text = MessageText(into: buffer)
        text.read(message)
        let start = isPerson ? textStart(UnsafeBufferPointer(buffer).extracting(0..<text.count)) : 0
        if text.count > start {
          reader.messageRead(
            isPerson: isPerson, UnsafeBufferPointer(buffer).extracting(start..<text.count).span, isCut: text.isCut,
            time: time)
        }
      }
      if isAgent { readTools(message, time, elements, reader) }
      readPictures(message, isPerson: isPerson, time, reader)
    }
  }

  /// Limited to the year 9999, so that times can be added.
  private static func time(of message: borrowing JSONView) -> Int64 {
    max(min(message.member("timestamp")?.int64 ?? 0, 253_402_300_799_999), 0)
  }

  private static func readThoughts(
    _ message: borrowing JSONView, _ time: Int64, _ reader: any ChatHistoryReader
  ) {
    guard let content = message.member("content"), content.kind == .array else { return }
    var parts = content.elements()
    while let part = parts.next() {
      guard let type = part.member("type") else { continue }
      guard type.equals("thinking") || type.equals("redacted_thinking") || type.equals("reasoning") else { continue }
      var step = ChatStep(.thought, .done)
      if let text = part.member("thinking", or: "text"), text.kind == .string { step.setDetail(text) }
      reader.stepRead(step, time: time)
    }
  }

  /// The tools of a message; each one's result is in a later message.
  private static func readTools(
    _ message: borrowing JSONView, _ time: Int64, _ later: JSONElements, _ reader: any ChatHistoryReader
  ) {
    guard let content = message.member("content"), content.kind == .array else { return }
    var parts = content.elements()
    while let part = parts.next() {
      guard let type = part.member("type"), isToolCall(type) else { continue }
      var step = ChatStep(.tool, .done)
      if let name = part.member("name"), !step.name.fill({ name.copyString(into: $0) }) {
        step.name = InlineText(cutting: "a tool with a long name")
      }
      if let arguments = part.member("arguments", or: "input") {
        step.setDetail(arguments)
      }
      if let id = part.member("id", or: "toolCallId") { findResult(id, time, later, &step) }
      reader.stepRead(step, time: time)
    }
  }

  private static func isToolCall(_ type: borrowing JSONView) -> Bool {
    type.equals("toolCall") || type.equals("toolcall") || type.equals("tool_use") || type.equals("tool_call")
  }

  /// How a tool call ended: the first of the next messages that has its id.
  private static func findResult(
    _ id: borrowing JSONView, _ time: Int64, _ later: JSONElements, _ step: inout ChatStep
  ) {
    var name = InlineText<128>()
    guard name.fill({ id.copyString(into: $0) }), !name.isEmpty else { return }
    var elements = later
    var left = Budget.chatStepSearch
    while left > 0, let message = elements.next() {
      left -= 1
      guard let isError = result(of: name, message) else { continue }
      if isError { step.state = .failed }
      let end = Self.time(of: message)
      if time > 0, end >= time { step.milliseconds = end - time }
      return
    }
  }

  /// Whether a message has the result of a call, and that is an error; nil: it has not.
  private static func result(of id: InlineText<128>, _ message: borrowing JSONView) -> Bool? {
    if let other = message.member("toolCallId", or: "tool_call_id"), other.equals(id.span) {
      return message.member("isError")?.bool == true
    }
    guard let content = message.member("content"), content.kind == .array else { return nil }
    var parts = content.elements()
    while let part = parts.next() {
      guard let other = part.member("tool_use_id", or: "toolCallId"), other.equals(id.span) else { continue }
      return part.member("is_error")?.bool == true || part.member("isError")?.bool == true
    }
    return nil
  }

  private static func readPictures(
    _ message: borrowing JSONView, isPerson: Bool, _ time: Int64, _ reader: any ChatHistoryReader
  ) {
    guard let content = message.member("content"), content.kind == .array else { return }
    var parts = content.elements()
    while let part = parts.next() {
      if ChatPicture.isPicture(part) { reader.pictureRead(isPerson: isPerson, part, time: time) }
      // What a tool returns, where it stands inside a message.
      guard let inner = part.member("content"), inner.kind == .array else { continue }
      var nested = inner.elements()
      while let part = nested.next() {
        if ChatPicture.isPicture(part) { reader.pictureRead(isPerson: isPerson, part, time: time) }
      }
    }
  }
}

extension JSONView {
  /// The first of two members that is there.
  @_lifetime(copy self)
  func member(_ name: StaticString, or other: StaticString) -> JSONView? {
    if let found = member(name) { return found }
    return member(other)
  }
}

/// A picture in a message.
public enum ChatPicture {
  /// True for a part of a message that is a picture.
  public static func isPicture(_ part: borrowing JSONView) -> Bool {
    guard let type = part.member("type") else { return false }
    return type.equals("image") || type.equals("image_url") || type.equals("input_image")
  }

  /// True for the text of a message's end that has a picture: what is kept of it is in the history.
  static func hasPicture(_ message: borrowing JSONView) -> Bool {
    guard let content = message.member("content"), content.kind == .array else { return false }
    var parts = content.elements()
    while let part = parts.next() { if isPicture(part) { return true } }
    return false
  }

  /// Writes the picture's address, `data:` or `https:`; nil when the gateway gives none that a board can read, or it
  /// does not fit the buffer.
  public static func writeAddress(_ part: borrowing JSONView, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    if let source = part.member("source"), source.kind == .object {
      if let url = source.member("url") { return copy(url, into: buffer) }
      return data(source, into: buffer)
    }
    if let outer = part.member("image_url") {
      if let url = outer.member("url") { return copy(url, into: buffer) }
      return copy(outer, into: buffer)
    }
    if part.member("data") != nil { return data(part, into: buffer) }
    if let url = part.member("url") { return copy(url, into: buffer) }
    return nil
  }

  /// An absolute address: a board has no way to what a gateway serves to its own pages.
  private static func copy(_ url: borrowing JSONView, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard let count = url.copyString(into: buffer) else { return nil }
    for scheme: StaticString in ["data:", "https://", "http://"] where starts(buffer, count, scheme) { return count }
    return nil
  }

  private static func starts(
    _ buffer: UnsafeMutableBufferPointer<UInt8>, _ count: Int, _ word: StaticString
  ) -> Bool {
    guard count > word.utf8CodeUnitCount else { return false }
    for index in 0..<word.utf8CodeUnitCount where buffer[index] != word.utf8Start[index] { return false }
    return true
  }

  /// Of an object with the members `data` and the type of its content.
  private static func data(_ part: borrowing JSONView, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard let data = part.member("data"), data.kind == .string else { return nil }
    var writer = ByteWriter(into: buffer)
    writer.text("data:")
    var type = InlineText<64>()
    if let kind = part.member("mimeType", or: "media_type") { type.fill { kind.copyString(into: $0) } }
    if type.isEmpty { type = InlineText(cutting: "image/png") }
    writer.bytes(type.span)
    writer.text(";base64,")
    guard writer.isComplete else { return nil }
    let start = writer.count
    guard let length = data.copyString(into: UnsafeMutableBufferPointer(rebasing: buffer[start...])), length > 0 else {
      return nil
    }
    return start + length
  }
}
