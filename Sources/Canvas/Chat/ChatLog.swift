import Codec
import Graphics
import Runtime

/// The last messages of a conversation, oldest first. Of a fixed size: the oldest make room for new ones.
public final class ChatLog {
  private let messages: UnsafeMutableBufferPointer<ChatMessage>
  private let memory: ReservedBuffer
  /// Number of messages, and bytes of their texts, which are stored in order without gaps.
  public private(set) var count = 0
  public private(set) var textCount = 0
  public var isEmpty: Bool { count == 0 }
  /// Messages whose height is not known.
  private var unmeasured = 0
  /// Height in pixels of the messages that were dropped, to correct the scroll position.
  var droppedHeight: Int32 = 0

  /// Reserves its memory; throws when the address space is full.
  @export(interface)
  public init() throws(Errno) {
    memory = try ReservedBuffer(capacity: Budget.chatTextsBytes)
    messages = .allocate(capacity: Budget.chatMessages)
    messages.initialize(repeating: ChatMessage(.agent))
  }

  deinit { messages.deallocate() }

  /// The message at an index below `count`.
  public subscript(index: Int) -> ChatMessage {
    get { messages[index] }
    set {
      setHeight(index, -1)
      let old = messages[index]
      messages[index] = newValue
      (messages[index].start, messages[index].count) = (old.start, old.count)
      (messages[index].hash, messages[index].height) = (old.hash, old.height)
    }
  }

  /// Its text.
  @_lifetime(borrow self)
  public func text(_ index: Int) -> Span<UInt8> {
    let (start, count) = (messages[index].start, messages[index].count)
    return _overrideLifetime(UnsafeBufferPointer(memory.bytes).extracting(start..<start + count).span, borrowing: self)
  }

  /// Bytes of its text.
  public func byteCount(_ index: Int) -> Int { messages[index].count }

  /// True when there is no message.
  public func isBlank(_ index: Int) -> Bool { messages[index].count == 0 }

  /// True when a message has the same text as one of another log; `endsWith`: when it ends with that text.
  public func says(_ index: Int, as other: ChatLog, _ otherIndex: Int, endsWith: Bool = false) -> Bool {
    let (mine, theirs) = (messages[index], other.messages[otherIndex])
    let mayBe = mine.count == theirs.count ? mine.hash == theirs.hash : endsWith && mine.count > theirs.count
    guard mayBe else { return false }
    let skip = mine.start + mine.count - theirs.count
    for place in 0..<theirs.count
    where memory.bytes[skip + place] != other.memory.bytes[theirs.start + place] { return false }
    return true
  }

  /// The last message with this tag.
  public func index(tag: Int) -> Int? {
    guard tag != 0 else { return nil }
    var index = count - 1
    while index >= 0 {
      if messages[index].tag == tag { return index }
      index -= 1
    }
    return nil
  }

  /// Its height in pixels; 0 until it is measured.
  func height(_ index: Int) -> Int32 { max(messages[index].height, 0) }

  func isMeasured(_ index: Int) -> Bool { messages[index].height >= 0 }

  /// False while the height of some message is not known.
  var isAllMeasured: Bool { unmeasured == 0 }

  /// True when a message without a picture looks as one of another log does, as far as the hash of its text tells, and
  /// but for the time above it.
  func looks(_ index: Int, as other: ChatLog, _ otherIndex: Int) -> Bool {
    // Most differ in this, and are compared no further.
    guard messages[index].hash == other.messages[otherIndex].hash else { return false }
    let (mine, theirs) = (messages[index], other.messages[otherIndex])
    return mine.role == theirs.role && mine.state == theirs.state && mine.isOpen == theirs.isOpen
      && mine.picture == 0 && theirs.picture == 0 && mine.note.equals(theirs.note.span)
  }

  /// Sets the height of a message; -1: it is not known any more.
  func setHeight(_ index: Int, _ height: Int32) {
    if !isMeasured(index) { unmeasured -= 1 }
    messages[index].height = height
    if !isMeasured(index) { unmeasured += 1 }
  }

  /// Marks every message as unmeasured.
  func forgetHeights() { for index in 0..<count { setHeight(index, -1) } }

  // MARK: Changing

  /// Adds a message as the last one.
  public func append(_ message: ChatMessage, _ text: Span<UInt8>) {
    if count == Budget.chatMessages { dropFirst() }
    begin(message, at: count, start: textCount)
    add(text, to: count - 1)
  }

  /// Adds a message before the one at an index, which may change: older messages make room.
  public func insert(_ message: ChatMessage, _ text: Span<UInt8>, at place: Int) {
    var place = min(place, count)
    if count == Budget.chatMessages {
      dropFirst()
      place = max(place - 1, 0)
    }
    let start = place < count ? messages[place].start : textCount
    var index = count
    while index > place {
      messages[index] = messages[index - 1]
      index -= 1
    }
    begin(message, at: place, start: start)
    // The next message may not show its time any more.
    if place + 1 < count { setHeight(place + 1, -1) }
    add(text, to: place)
  }

  /// Puts a message that has no text yet into its place, which is free.
  private func begin(_ message: ChatMessage, at place: Int, start: Int) {
    messages[place] = message
    (messages[place].start, messages[place].count, messages[place].hash) = (start, 0, FNV1a())
    messages[place].height = -1
    (count, unmeasured) = (count + 1, unmeasured + 1)
  }

  /// Unfolds or folds a step.
  func toggle(_ index: Int) {
    messages[index].isOpen.toggle()
    setHeight(index, -1)
  }

  /// Pictures have arrived: the messages that show one are measured again.
  func forgetPictureHeights() {
    for index in 0..<count where messages[index].picture != 0 { setHeight(index, -1) }
  }

  /// Appends to the text of a message; beyond `Budget.chatShownBytes` it is cut and ends in "…". May drop older
  /// messages, which changes indices.
  public func add(_ text: Span<UInt8>, to index: Int) {
    var index = index
    guard !messages[index].isCut, text.count > 0 else { return }
    let ellipsis: StaticString = "…"
    let room = Budget.chatShownBytes - messages[index].count - ellipsis.utf8CodeUnitCount
    let isCut = text.count > room
    let length = isCut ? Characters.boundary(text, max(room, 0)) : text.count
    let added = length + (isCut ? ellipsis.utf8CodeUnitCount : 0)
    while textCount + added > Budget.chatTextsBytes, index > 0 {
      dropFirst()
      index -= 1
    }
    // The oldest one has none that could make room for it.
    guard textCount + added <= Budget.chatTextsBytes else { return messages[index].isCut = true }
    let place = messages[index].start + messages[index].count
    move(from: place, by: added)
    for offset in 0..<length { memory.bytes[place + offset] = text[offset] }
    for offset in length..<added { memory.bytes[place + offset] = ellipsis.utf8Start[offset - length] }
    messages[index].hash.add(UnsafeBufferPointer(rebasing: memory.bytes[place..<place + added]))
    messages[index].count += added
    setHeight(index, -1)
    if isCut { messages[index].isCut = true }
    for other in index + 1..<max(count, index + 1) { messages[other].start += added }
  }

  /// Removes the text of a message.
  public func clearText(_ index: Int) {
    let length = messages[index].count
    move(from: messages[index].start + length, by: -length)
    (messages[index].count, messages[index].hash, messages[index].isCut) = (0, FNV1a(), false)
    setHeight(index, -1)
    for other in index + 1..<max(count, index + 1) { messages[other].start -= length }
  }

  /// Removes a message.
  public func remove(_ index: Int) {
    clearText(index)
    for other in index..<count - 1 { messages[other] = messages[other + 1] }
    (count, unmeasured) = (count - 1, unmeasured - 1)
    // The next message may now show its time.
    if index < count { setHeight(index, -1) }
  }

  /// Removes all messages and releases their memory.
  public func removeAll() {
    (count, textCount, unmeasured, droppedHeight) = (0, 0, 0, 0)
    memory.release()
  }

  private func dropFirst() {
    droppedHeight += max(messages[0].height, 0)
    remove(0)
  }

  private func move(from place: Int, by distance: Int) {
    let bytes = memory.bytes
    if textCount > place, distance != 0 {
      (bytes.baseAddress! + place + distance).update(from: bytes.baseAddress! + place, count: textCount - place)
    }
    textCount += distance
  }
}
