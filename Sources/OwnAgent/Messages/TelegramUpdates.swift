import Codec
import Runtime

/// A message that a chat got (Bot API, Message). Its text is beside it, in the reader's memory.
public struct TelegramMessage: Equatable, Sendable {
  /// The number of the update that brought it.
  public var update: Int64
  public var chat: Int64
  /// The sender's number, and the name by which people know it; 0 and empty for channels.
  public var sender: Int64 = 0
  public var name = InlineText<64>()
}

/// Reads the answer to `getUpdates`, one update after the other. Everything that is no text of a configured chat is
/// passed over, and counted.
public struct TelegramUpdates {
  /// What comes next.
  public enum Step: Equatable, Sendable {
    /// A message; its text is in memory.
    case message(TelegramMessage)
    /// An update of this number that means nothing here.
    case skipped(Int64)
    /// Nothing more.
    case end
  }

  /// Chats whose messages are taken.
  private let chats: InlineList<16, Int64>
  private let room: UnsafeMutableBufferPointer<UInt8>
  private var place = 0
  private var count = 0
  private var textCount = 0
  /// Messages of chats that are not configured, since the start.
  public private(set) var strangers: UInt64 = 0

  /// A reader that puts texts into `room`, which has `Budget.telegramTextBytes` and outlives it.
  public init(chats: InlineList<16, Int64>, into room: UnsafeMutableBufferPointer<UInt8>) {
    precondition(Budget.telegramChats == 16)
    (self.chats, self.room) = (chats, room)
  }

  /// The text of the last message.
  public var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(room).extracting(0..<textCount) }

  /// True for an answer that can be read: JSON, `ok`, and a list.
  public static func isValid(_ answer: UnsafeBufferPointer<UInt8>) -> Bool {
    do throws(JSONError) {
      try JSONValidator.check(answer.span, depthLimit: Budget.jsonDepth)
    } catch {
      return false
    }
    let root = JSONView(answer.span)
    guard root.kind == .object, root.member("ok")?.bool == true else { return false }
    return root.member("result")?.kind == .array
  }

  /// Begins with an answer.
  public mutating func begin() { (place, count, textCount) = (0, 0, 0) }

  /// The next update of a valid answer whose number is `offset` or higher: at most `Budget.telegramBatch` of one
  /// answer. Updates without a number are passed over. A number ends at 2^53 (`JSONView.int64`), so an offset follows.
  public mutating func next(in answer: UnsafeBufferPointer<UInt8>, from offset: Int64) -> Step {
    guard let list = JSONView(answer.span).member("result") else { return .end }
    var elements = list.elements()
    if place > 0 { elements.skip(to: place) }
    while count < Budget.telegramBatch, let update = elements.next() {
      place = elements.offset
      guard let number = update.member("update_id")?.int64, number >= max(offset, 0) else { continue }
      count += 1
      guard let message = read(update, number) else { return .skipped(number) }
      return .message(message)
    }
    return .end
  }

  private mutating func read(_ update: JSONView, _ number: Int64) -> TelegramMessage? {
    textCount = 0
    guard let message = update.member("message"), let chat = message.member("chat")?.member("id")?.int64 else {
      return nil
    }
    guard isConfigured(chat) else {
      strangers &+= 1
      return nil
    }
    guard let text = message.member("text"), let length = text.copyString(into: room), length > 0 else { return nil }
    textCount = length
    var result = TelegramMessage(update: number, chat: chat)
    if let sender = message.member("from") {
      result.sender = sender.member("id")?.int64 ?? 0
      result.name = Self.name(sender)
    }
    return result
  }

  private func isConfigured(_ chat: Int64) -> Bool {
    for index in 0..<chats.count where chats[index] == chat { return true }
    return false
  }

  /// The first name, else the user's name, cleaned.
  private static func name(_ sender: JSONView) -> InlineText<64> {
    var name = InlineText<64>()
    for isFirst in [true, false] {
      guard let value = isFirst ? sender.member("first_name") : sender.member("username") else { continue }
      let isKept = name.fill { buffer in
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { room in
          guard let length = value.copyString(into: room), length > 0 else { return nil }
          var output = PageOutput()
          output.begin(into: buffer)
          var decoder = PageDecoder(.utf8)
          for index in 0..<length {
            decoder.take(room[index])
            while let scalar = decoder.next() { output.put(scalar) }
          }
          output.end()
          return output.count
        }
      }
      if isKept, !name.isEmpty { return name }
    }
    return name
  }
}

/// Divides a text into messages: at most `Budget.telegramUnits` UTF-16 units each, at ends of lines or words.
enum TelegramPieces {
  /// Where the message that begins at `start` ends; white space at its ends is not sent.
  static func end(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var (index, units) = (start, 0)
    var (line, word) = (start, start)
    while index < text.count {
      let byte = text[index]
      let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      let width = length == 4 ? 2 : 1
      if units + width > Budget.telegramUnits { return best(start, line, word, index) }
      if byte == 0x0A { line = index } else if byte == 0x20 { word = index }
      units += width
      index = min(index + length, text.count)
    }
    return text.count
  }

  /// The last end of a line if it is not far back, else of a word, else in the middle of it.
  private static func best(_ start: Int, _ line: Int, _ word: Int, _ index: Int) -> Int {
    if line > start + (index - start) / 2 { return line }
    if word > start { return max(word, line) }
    return line > start ? line : index
  }

  /// Without white space at either end.
  static func trimmed(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, text[start] <= 0x20 { start += 1 }
    while end > start, text[end - 1] <= 0x20 { end -= 1 }
    return start..<end
  }
}
