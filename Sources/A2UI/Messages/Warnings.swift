import Codec
import Runtime

/// Problems of a push that are no reason to refuse it, as sentences for the agent. The first `Budget.a2uiWarnings` are
/// kept, the others counted.
public struct Warnings {
  private var lines = InlineArray<16, InlineText<160>>(repeating: InlineText())
  /// Number of warnings.
  public private(set) var count = 0
  /// Those that are written down: lines of what is wrong with members leave some for what a whole surface lacks.
  private var used = 0
  private static let memberLines = 12
  /// Checksums of members that are told once.
  private var told = InlineList<16, UInt32>()
  /// Of those, messages that were dropped because of a limit.
  public internal(set) var stopped = 0

  init() { precondition(Budget.a2uiWarnings == 16 && Budget.a2uiWarningBytes == 160) }

  /// Warnings that are kept.
  public var kept: Int { used }

  /// A warning below `kept`.
  public func line(_ index: Int) -> InlineText<160> { lines[index] }

  /// Writes a JSON array of strings.
  public func write(into writer: inout JSONWriter) {
    writer.beginArray()
    for index in 0..<kept { writer.string(lines[index].span) }
    if count > kept {
      var rest = InlineText<160>()
      let more = count - kept
      rest.fill { buffer in
        var text = ByteWriter(into: buffer)
        text.text("and ")
        text.decimal(Int64(more))
        text.text(" more")
        return text.count
      }
      writer.string(rest.span)
    }
    writer.endArray()
  }

  mutating func clear() {
    count = 0
    used = 0
    told = InlineList()
    stopped = 0
  }

  /// True the first time that it is asked for a member since `clear`; false beyond 16 of them.
  mutating func isNew(_ member: Bytes) -> Bool {
    var checksum = Checksum()
    checksum.update(UnsafeRawBufferPointer(member))
    for index in 0..<told.count where told[index] == checksum.value { return false }
    guard told.count < 16 else { return false }
    told.append(checksum.value)
    return true
  }

  /// Adds a sentence: `line 3: component "x" has no type`. `name` is truncated.
  mutating func add(
    _ place: MessagePlace, _ before: StaticString, _ name: Bytes, _ after: StaticString, _ number: Int? = nil
  ) {
    add(Sentence(place: place, before: before, name: name, after: after, number: number))
  }

  mutating func add(_ place: MessagePlace, _ sentence: StaticString) { add(Sentence(place: place, before: sentence)) }

  /// Adds a sentence about no particular message, with a number in the middle.
  public mutating func add(_ before: StaticString, _ number: Int, _ after: StaticString) {
    add(Sentence(before: before, number: number, end: after))
  }

  /// Adds an omission: `surface "main": component "x" is left out: ...`.
  /// - Parameters:
  ///   - detail: an id, which stands in quotes at the end
  ///   - shown: how many of how many elements are shown, at the end
  mutating func add(
    _ surface: Bytes, _ component: Bytes, _ omission: Omission, detail: Bytes = Bytes(start: nil, count: 0),
    shown: (count: Int, total: Int)? = nil
  ) {
    let (before, limit, after) = omission.sentence
    // Cut so that the longest sentence has room.
    var sentence = Sentence(
      surface: surface, before: "component \"", name: component.cut(to: 24), after: "\" ", more: before,
      number: limit > 0 ? limit : nil, end: after)
    if !detail.isEmpty {
      (sentence.end, sentence.second, sentence.tail) = (": \"", detail.cut(to: 48), "\"")
    }
    if let shown { (sentence.tail, sentence.total, sentence.last) = ("; of ", shown.total, " elements it shows ") }
    sentence.shown = shown?.count
    add(sentence)
  }

  /// Adds what is wrong with a member of a component or a message.
  mutating func add(
    _ place: MessagePlace, _ kind: StaticString, _ name: Bytes, _ fault: CatalogCheck.Fault, _ member: Bytes,
    _ number: Int?
  ) {
    let (before, after) = fault.sentence
    add(
      Sentence(
        place: place, before: kind, name: name.cut(to: 36), after: kind.utf8CodeUnitCount > 0 ? "\" " : " ",
        more: before, second: member.cut(to: 36), tail: after, total: number), most: Self.memberLines)
  }

  /// Adds that a list is cut: `line 1: "rows" has 511 of 600 entries: ...`.
  mutating func add(_ place: MessagePlace, cut list: Bytes, kept: Int, of total: Int, _ reason: StaticString) {
    add(
      Sentence(
        place: place, before: "\"", name: list, after: "\" has ", number: kept, end: " of ", total: total,
        last: reason))
  }

  /// Adds a sentence about a surface that shows nothing.
  mutating func add(surface: Bytes, _ before: StaticString, _ name: Bytes, _ after: StaticString, _ ids: Bytes) {
    add(Sentence(surface: surface, before: before, name: name.cut(to: 32), after: after, second: ids))
  }

  /// How many bytes such a sentence has left for ids.
  static func room(surface: Bytes, _ before: StaticString, _ name: Bytes, _ after: StaticString) -> Int {
    var counter = ByteWriter()
    Sentence(surface: surface, before: before, name: name.cut(to: 32), after: after).write(into: &counter)
    return Budget.a2uiWarningBytes - counter.count
  }

  /// The parts of a warning, in order.
  private struct Sentence {
    var place: MessagePlace?
    var surface: Bytes?
    var before: StaticString
    var name = Bytes(start: nil, count: 0)
    var after: StaticString = ""
    var more: StaticString = ""
    var number: Int?
    var end: StaticString = ""
    var second = Bytes(start: nil, count: 0)
    var tail: StaticString = ""
    var total: Int?
    var last: StaticString = ""
    var shown: Int?

    func write(into text: inout ByteWriter) {
      if let place { place.write(into: &text) }
      if let surface {
        text.text("surface \"")
        text.bytes(Span(_unsafeElements: surface.cut(to: 16)))
        text.text("\": ")
      }
      text.text(before)
      text.bytes(Span(_unsafeElements: name.cut(to: 64)))
      text.text(after)
      text.text(more)
      if let number { text.decimal(Int64(number)) }
      text.text(end)
      text.bytes(Span(_unsafeElements: second))
      text.text(tail)
      if let total { text.decimal(Int64(total)) }
      text.text(last)
      if let shown { text.decimal(Int64(shown)) }
    }
  }

  private mutating func add(_ sentence: Sentence, most: Int = Budget.a2uiWarnings) {
    count += 1
    guard used < most else { return }
    used += 1
    lines[used - 1].fill { buffer in
      var text = ByteWriter(into: buffer)
      sentence.write(into: &text)
      guard text.count > buffer.count else { return text.count }
      return Bytes(buffer).withoutPartialEnd.count
    }
  }
}

/// The number of a message.
struct MessagePlace {
  /// Counts from 1.
  var number: Int
  /// Counts lines, not elements of `messages`.
  var isLine: Bool

  func write(into writer: inout ByteWriter) {
    writer.text(isLine ? "line " : "message ")
    writer.decimal(Int64(number))
    writer.text(": ")
  }
}

extension UnsafeBufferPointer where Element == UInt8 {
  /// Without the beginning of a character at its end.
  var withoutPartialEnd: UnsafeBufferPointer<UInt8> {
    var start = count
    while start > 0, count - start < 4, self[start - 1] & 0xC0 == 0x80 { start -= 1 }
    guard start > 0, self[start - 1] >= 0xC0 else { return self }
    let first = self[start - 1]
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    return start - 1 + length > count ? prefix(start - 1) : self
  }

  /// At most `length` bytes, cut at a character boundary.
  func cut(to length: Int) -> UnsafeBufferPointer<UInt8> {
    guard count > length else { return self }
    var end = length
    while end > 0, self[end] & 0xC0 == 0x80 { end -= 1 }
    return prefix(end)
  }
}
