/// An event of a stream that is larger than the memory for it, and was left out.
public struct EventStreamError: Error, Equatable, Sendable {
  /// Its place among the events of the stream that have data; the first is 1.
  public let event: UInt64
  /// Bytes of data that there is memory for.
  public let limit: Int

  /// Writes what a person reads: "event 3 of the stream has more than the 65536 bytes that are taken".
  public func write(to writer: inout ByteWriter) {
    writer.text("event ")
    writer.decimal(event, width: 1)
    writer.text(" of the stream has more than the ")
    writer.decimal(Int64(clamping: limit))
    writer.text(" bytes that are taken")
  }
}

/// Reads server-sent events as their bytes arrive, in pieces of any size (WHATWG HTML section 9.2.6), into memory of
/// fixed size: one event at a time, its `data` lines joined by line feeds.
///
/// Lines end in CR, LF or both. A byte order mark, comments, and fields other than `data`, `event` and `retry` are
/// skipped. Bytes that are not UTF-8 are handed out as they came.
public struct EventStreamReader: ~Copyable {
  /// What the next byte belongs to: a byte order mark, the name of a field, the blank after its colon, its value, or
  /// the rest of a line that says nothing.
  private enum Place { case mark, name, blank, value, skipped }
  private enum Field { case data, type, retry, other }

  /// Bytes of an event's type that are kept.
  public static let typeBytes = 32
  /// Bytes of the longest name that means something.
  private static let nameBytes = 5

  private let memory: UnsafeMutableBufferPointer<UInt8>
  private var place = Place.mark
  private var field = Field.other
  private var name = InlineArray<5, UInt8>(repeating: 0)
  private var nameCount = 0
  private var markCount = 0
  /// The last byte was a carriage return: a line feed after it belongs to it.
  private var isAfterReturn = false
  private var count = 0
  private var hasData = false
  private var isLeftOut = false
  /// The event in memory was handed out, and is forgotten by the next call.
  private var isHandedOut = false
  private var typeText = InlineArray<32, UInt8>(repeating: 0)
  private var typeCount = 0
  private var pause: UInt32?
  /// Events with data so far, with those that were left out.
  public private(set) var events: UInt64 = 0
  /// Milliseconds that the server wants a client to wait before it connects again; nil when it said nothing.
  public private(set) var retryMilliseconds: UInt32?

  /// A reader at the start of a stream. `memory` holds the data of one event, from its start on, and outlives the
  /// reader.
  public init(into memory: UnsafeMutableBufferPointer<UInt8>) { self.memory = memory }

  /// Bytes of the data of the event that was handed out, which stand at the start of the memory until the next call.
  public var length: Int { isHandedOut ? count : 0 }

  /// The data of that event.
  public var data: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get {
      let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(memory)[..<length])
      return _overrideLifetime(Span(_unsafeElements: bytes), borrowing: self)
    }
  }

  /// Its type, of which the first `typeBytes` are kept; empty for a plain message.
  public var type: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { typeText.span.extracting(0..<typeCount) }
  }

  /// Takes bytes from `index` on, which moves after them, up to the end of an event.
  /// - Returns: true when an event has ended, which is in `data`; false when all bytes were taken.
  /// - Throws: when an event does not fit the memory. Call again: the rest of it is skipped, and the next one is read.
  public mutating func next(_ bytes: Span<UInt8>, at index: inout Int) throws(EventStreamError) -> Bool {
    if isHandedOut { forget() }
    while index < bytes.count {
      if place == .blank {
        place = .value
        if bytes[index] == 0x20 { index += 1 }
        continue
      }
      let end = place == .value || place == .skipped ? bytes.lineEnd(from: index) : index
      guard end == index else {
        let run = bytes.extracting(index..<end)
        index = end
        if place == .value { try keep(run) }
        continue
      }
      let byte = bytes[index]
      index += 1
      if try character(byte) { return true }
    }
    return false
  }

  /// No more bytes come. The standard drops an event without an empty line after it; servers forget that line, so the
  /// caller gets the event and judges whether it is whole.
  /// - Returns: true when there is such an event, which is in `data`.
  public mutating func finish() -> Bool {
    if isHandedOut { forget() }
    guard hasData, !isLeftOut else { return false }
    return handOut()
  }

  // MARK: Lines

  /// A byte of a name or a mark, or the end of a line.
  private mutating func character(_ byte: UInt8) throws(EventStreamError) -> Bool {
    let isSecondHalf = byte == 0x0A && isAfterReturn
    isAfterReturn = byte == 0x0D
    if isSecondHalf { return false }
    if byte == 0x0A || byte == 0x0D { return try endLine() }
    if place == .mark, mark(byte) { return false }
    if byte == UInt8(ascii: ":") {
      try beginValue()
    } else if nameCount < Self.nameBytes {
      name[nameCount] = byte
      nameCount += 1
    } else {
      place = .skipped
    }
    return false
  }

  /// True when the byte belongs to a byte order mark (EF BB BF) at the start of the stream.
  private mutating func mark(_ byte: UInt8) -> Bool {
    let expected: UInt8 = markCount == 0 ? 0xEF : markCount == 1 ? 0xBB : 0xBF
    guard byte == expected else {
      // The beginning of a mark is the beginning of a name that no field has.
      place = markCount == 0 ? .name : .skipped
      return markCount > 0
    }
    markCount += 1
    if markCount == 3 { place = .name }
    return true
  }

  /// The name of a field is there.
  private mutating func beginValue() throws(EventStreamError) {
    // A line that begins with a colon is a comment.
    field = Self.field(name.span.extracting(0..<nameCount))
    place = field == .other ? .skipped : .blank
    switch field {
    case .data: try beginData()
    case .type: typeCount = 0
    case .retry: pause = nil
    case .other: break
    }
  }

  private static func field(_ name: Span<UInt8>) -> Field {
    if name.matches("data") { return .data }
    if name.matches("event") { return .type }
    return name.matches("retry") ? .retry : .other
  }

  private mutating func endLine() throws(EventStreamError) -> Bool {
    let isEmpty = nameCount == 0 && (place == .name || place == .mark && markCount == 0)
    if place == .name, nameCount > 0 { try endName() }
    if place == .value || place == .blank, field == .retry { retryMilliseconds = pause ?? retryMilliseconds }
    (place, nameCount) = (.name, 0)
    return isEmpty && endEvent()
  }

  /// A line without a colon is a field with an empty value. Whatever happens, the next line begins.
  private mutating func endName() throws(EventStreamError) {
    defer { (place, nameCount) = (.name, 0) }
    try beginValue()
    if field == .retry { field = .other }
  }

  // MARK: Events

  private mutating func beginData() throws(EventStreamError) {
    guard hasData else { return hasData = true }
    let feed: StaticString = "\n"
    try keep(feed.utf8Bytes)
  }

  private mutating func keep(_ run: Span<UInt8>) throws(EventStreamError) {
    switch field {
    case .data: try keepData(run)
    case .type:
      for index in 0..<min(run.count, Self.typeBytes - typeCount) {
        typeText[typeCount] = run[index]
        typeCount += 1
      }
    case .retry: keepDigits(run)
    case .other: return
    }
  }

  private mutating func keepData(_ run: Span<UInt8>) throws(EventStreamError) {
    if isLeftOut { return }
    guard run.count <= memory.count - count else {
      isLeftOut = true
      throw EventStreamError(event: events &+ 1, limit: memory.count)
    }
    for index in 0..<run.count { memory[count + index] = run[index] }
    count += run.count
  }

  /// Only a value of nothing but digits counts.
  private mutating func keepDigits(_ run: Span<UInt8>) {
    for index in 0..<run.count {
      guard run[index].isDigit else {
        (field, pause) = (.other, nil)
        return
      }
      pause = (pause ?? 0).multiplied(clamping: 10).adding(clamping: UInt32(run[index] & 15))
    }
  }

  /// An empty line: the event is whole, if it has data.
  private mutating func endEvent() -> Bool {
    guard hasData, !isLeftOut else {
      if hasData { events &+= 1 }
      forget()
      return false
    }
    return handOut()
  }

  private mutating func handOut() -> Bool {
    events &+= 1
    isHandedOut = true
    return true
  }

  private mutating func forget() {
    (count, typeCount) = (0, 0)
    (hasData, isLeftOut, isHandedOut) = (false, false, false)
  }
}

extension Span where Element == UInt8 {
  /// The index of the next carriage return or line feed.
  fileprivate func lineEnd(from start: Int) -> Int {
    var index = start
    while index < count, self[index] != 0x0A, self[index] != 0x0D { index &+= 1 }
    return index
  }
}
