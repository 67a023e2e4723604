import Codec
import Runtime

/// The result of a push.
public struct PushSummary: Equatable, Sendable {
  /// Applied messages, including those that changed nothing.
  public var messages = 0
  /// Whether anything must be drawn again.
  public var hasChanged = false
}

extension SurfaceStore {
  /// Takes messages as JSON Lines: one object a line, LF or CRLF, empty lines are skipped. All are checked before the
  /// first is applied; other problems are in `warnings` afterwards.
  @export(interface)
  public func push(jsonl text: Span<UInt8>) throws(PushError) -> PushSummary {
    try push(text.withUnsafeBufferPointer { $0 }, isLines: true)
  }

  /// Takes messages as a JSON array of objects. A JSON string instead of the array is read as JSON Lines.
  @export(interface)
  public func push(messages text: Span<UInt8>) throws(PushError) -> PushSummary {
    let bytes = text.withUnsafeBufferPointer { $0 }
    guard bytes.count <= Budget.a2uiPushBytes else { throw PushError(.tooManyBytes) }
    do throws(JSONError) {
      try JSONValidator.check(text, depthLimit: Budget.a2uiJSONDepth)
    } catch { throw PushError(.json(error)) }
    let view = JSONView(text)
    switch view.kind {
    case .array: return try push(bytes, isLines: false)
    case .string: return try push(string: view)
    default: throw PushError(.noArray)
    }
  }

  /// Adds warnings that are only known once the data was shown. Call it after the trees are up to date.
  public func reportUnread() {
    reportHidden()
    if data.unread > 0 {
      warnings.add(
        "a string that says JSON stays a string: nested deeper than ", Budget.a2uiJSONDepth, ", or no memory")
    }
    if data.cutStrings > 0 {
      warnings.add(
        "of a string that says JSON the first ", Budget.a2uiParsedValues,
        " values are read, and what is nested deepest not")
    }
    if unfinishedValues > 0 {
      warnings.add(
        "a text or a call is not shown in full: its functions read and write more bytes than ",
        Budget.a2uiValueWork, "")
    }
    (data.unread, data.cutStrings, unfinishedValues) = (0, 0, 0)
  }

  /// Writes `{"ok":true,"surfaces":[...]}`, the answer to a push: the surfaces that have a root, in order of creation,
  /// and the warnings if there are any (canvas reference 2.5).
  public func writeAnswer(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("ok")
    writer.bool(true)
    writer.key("surfaces")
    writer.beginArray()
    for index in 0..<count where records[Int(surface(at: index).slot)].isRendering {
      writer.string(id(surface(at: index)))
    }
    writer.endArray()
    if warnings.count > 0 {
      writer.key("warnings")
      warnings.write(into: &writer)
    }
    writer.endObject()
  }

  private func push(string: JSONView) throws(PushError) -> PushSummary {
    defer { unescaping.release() }
    let count = string.copyString(into: unescaping.bytes) ?? 0
    return try push(Bytes(start: unescaping.bytes.baseAddress!, count: count), isLines: true)
  }

  private func push(_ text: Bytes, isLines: Bool) throws(PushError) -> PushSummary {
    guard text.count <= Budget.a2uiPushBytes else { throw PushError(.tooManyBytes) }
    let form: MessageForm = isLines ? .lines : .elements
    var strict: PushError
    do throws(PushError) { return try apply(text, form, count: try check(text, form)) } catch { strict = error }
    guard isLines, strict.isOfForm else { throw strict }
    return try push(tidying: text, otherwise: strict)
  }

  /// Reads messages that are not one object a line, as many agents write them.
  /// - Parameter strict: what is wrong with them as lines.
  private func push(tidying text: Bytes, otherwise strict: PushError) throws(PushError) -> PushSummary {
    let isCopied = text.baseAddress == UnsafePointer(unescaping.bytes.baseAddress!)
    if !isCopied, !text.isEmpty { unescaping.bytes.baseAddress!.update(from: text.baseAddress!, count: text.count) }
    defer { if !isCopied { unescaping.release() } }
    let room = UnsafeMutableBufferPointer(start: unescaping.bytes.baseAddress!, count: text.count)
    guard let habits = MessageHabits(tidying: room), habits.count > 0 else { throw strict }
    let tidy = Bytes(room)
    let count: Int
    do throws(PushError) { count = try check(tidy, .values) } catch {
      if case .empty = error.kind { throw strict }
      throw error
    }
    let summary = try apply(tidy, .values, count: count, habits)
    return summary
  }

  /// Checks every message; nothing is applied yet.
  /// - Returns: the number of messages.
  private func check(_ text: Bytes, _ form: MessageForm) throws(PushError) -> Int {
    var checked = 0
    try forEachMessage(text, form) { message, place throws(PushError) in
      guard message.count <= Budget.a2uiLineBytes else { throw PushError(.lineTooLong, place) }
      let span = Span(_unsafeElements: message)
      do throws(JSONError) {
        try JSONValidator.check(span, depthLimit: Budget.a2uiJSONDepth)
      } catch { throw PushError(.json(error), place) }
      try forEachInner(message, form, place) { inner, _ throws(PushError) in
        guard checked < Budget.a2uiMessages else { throw PushError(.tooManyMessages) }
        _ = try MessageKind(of: JSONView(Span(_unsafeElements: inner)), at: place)
        checked += 1
      }
    }
    guard checked > 0 else { throw PushError(.empty) }
    return checked
  }

  /// Applies messages that were checked.
  private func apply(
    _ text: Bytes, _ form: MessageForm, count: Int, _ habits: MessageHabits = MessageHabits()
  ) throws(PushError) -> PushSummary {
    warnings.clear()
    habits.forEach { line, sentence in warnings.add(MessagePlace(number: line, isLine: true), sentence) }
    pushed = 0
    (data.unread, data.cutStrings, unfinishedValues) = (0, 0, 0)
    tidy()
    let before = revision
    var isWrapped = false
    try forEachMessage(text, form) { message, place throws(PushError) in
      try forEachInner(message, form, place) { inner, isInside throws(PushError) in
        if isInside, !isWrapped {
          isWrapped = true
          warnings.add(place, "messages that stand in another array, object or string are read as messages")
        }
        let view = JSONView(Span(_unsafeElements: inner))
        MessageHandler(store: self, place: place).apply(try MessageKind(of: view, at: place), view)
      }
    }
    return PushSummary(messages: count, hasChanged: revision != before)
  }

  /// Compacts texts when that is worthwhile. Not while texts are in use.
  private func tidy() {
    texts.renewMoves()
    data.texts.renewMoves()
    if texts.isWorthCompacting { compact() }
    if data.texts.isWorthCompacting || data.texts.isShort { data.compact() }
  }

  /// Calls `body` with a message, or with those that an array, an object or a string around them has: some agents send
  /// `{"messages":[...]}`, an array of arrays, or an array of strings.
  /// - Parameters:
  ///   - depth: arrays and objects around it that were taken off
  ///   - body: gets whether there were any
  private func forEachInner(
    _ text: Bytes, _ form: MessageForm, _ place: MessagePlace, depth: Int = 0,
    _ body: (Bytes, _ isInside: Bool) throws(PushError) -> Void
  ) throws(PushError) {
    let view = JSONView(Span(_unsafeElements: text))
    if depth < Budget.a2uiWrappers {
      // A line that is an array is no line, but has another form.
      if view.kind == .array, depth > 0 || form == .elements {
        var elements = view.elements()
        while let element = elements.next() {
          try forEachInner(element.rawText.withUnsafeBufferPointer { $0 }, form, place, depth: depth + 1, body)
        }
        return
      }
      if let inner = MessageKind.wrapped(view) { return try forEachInner(inner, form, place, depth: depth + 1, body) }
      // The memory for a string has another use where the whole push is one.
      if view.kind == .string, form == .elements {
        defer { unescaping.release() }
        let count = view.copyString(into: unescaping.bytes) ?? 0
        let inner = Bytes(start: unescaping.bytes.baseAddress!, count: count)
        do throws(JSONError) {
          try JSONValidator.check(Span(_unsafeElements: inner), depthLimit: Budget.a2uiJSONDepth)
        } catch { throw PushError(.json(error), place) }
        return try forEachInner(inner, .values, place, depth: depth + 1, body)
      }
    }
    try body(text, depth > 0)
  }

  private func forEachMessage(
    _ text: Bytes, _ form: MessageForm, _ body: (Bytes, MessagePlace) throws(PushError) -> Void
  ) throws(PushError) {
    var number = 0
    switch form {
    case .lines:
      var lines = Lines(text)
      while let line = lines.next() {
        if line.isBlank { continue }
        try body(line, MessagePlace(number: lines.number, isLine: true))
      }
      return
    case .values:
      var values = MessageValues(text)
      while let value = values.next() { try body(value, MessagePlace(number: values.line, isLine: true)) }
      return
    case .elements: break
    }
    var elements = JSONView(Span(_unsafeElements: text)).elements()
    while let element = elements.next() {
      number += 1
      try body(element.rawText.withUnsafeBufferPointer { $0 }, MessagePlace(number: number, isLine: false))
    }
  }
}

/// Iterates over lines that end in LF, or with the text. A CR before it is white space in JSON.
private struct Lines {
  private let text: Bytes
  private var index = 0
  /// The number of the last line, from 1.
  private(set) var number = 0

  /// - Parameter text: may begin with a byte order mark.
  init(_ text: Bytes) {
    self.text = text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF ? text.dropping(3) : text
  }

  mutating func next() -> Bytes? {
    guard index < text.count else { return nil }
    let start = index
    while index < text.count, text[index] != UInt8(ascii: "\n") { index += 1 }
    let line = text.between(start..<index)
    index += 1
    number += 1
    return line
  }
}

extension UnsafeBufferPointer where Element == UInt8 {
  fileprivate var isBlank: Bool {
    for byte in self where !byte.isSpace { return false }
    return true
  }
}
