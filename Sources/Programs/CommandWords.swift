import Codec
import Runtime

/// The words of one command line, checked, in memory that is used again.
public final class CommandWords {
  /// Each word with a zero byte after it.
  private let buffer = FixedBuffer(capacity: Budget.runCommandBytes)
  /// The line as a person reads it: each word may get two quotation marks, a blank and a mark before each of its own.
  private let display = FixedBuffer(capacity: 2 * Budget.runCommandBytes + 2 * Budget.runWords)
  private var displayCount = 0
  /// A text that is compared.
  private let other = FixedBuffer(capacity: 2 * Budget.runCommandBytes + 2 * Budget.runWords)
  private var used = 0
  /// Words that were read.
  public private(set) var count = 0

  /// No words.
  @export(interface)
  public init() {}

  /// All words, each with its zero byte; valid until the next `read`.
  public var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<used])
  }

  /// The line as a person reads it, as the reference writes it; valid until the next `read`.
  public var text: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(display.bytes)[..<displayCount])
  }

  /// The word at an index, which must be below `count`; valid until the next `read`.
  public func word(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    var (start, left) = (0, index)
    while left > 0 {
      if buffer.bytes[start] == 0 { left -= 1 }
      start += 1
    }
    var end = start
    while buffer.bytes[end] != 0 { end += 1 }
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[start..<end])
  }

  /// Forgets the words.
  func removeAll() { (used, count, displayCount) = (0, 0, 0) }

  /// Reads `command`, an array of words that are not empty.
  public func read(_ command: borrowing JSONView) throws(RunRefusal) {
    removeAll()
    guard command.kind == .array else { throw RunRefusal(.notWords) }
    var elements = command.elements()
    while let element = elements.next() {
      guard element.kind == .string else { throw RunRefusal(.notWords) }
      guard count < Budget.runWords else { throw RunRefusal(.tooManyWords) }
      try add(element)
    }
    if count == 0 { throw RunRefusal(.noCommand) }
    render()
  }

  private func add(_ element: borrowing JSONView) throws(RunRefusal) {
    // One byte of room is for the zero.
    let room = UnsafeMutableBufferPointer(rebasing: buffer.bytes[used...])
    guard let length = element.copyString(into: room) else { throw RunRefusal(.tooLong) }
    if length == 0 { throw RunRefusal(.emptyWord) }
    guard length < room.count else { throw RunRefusal(.tooLong) }
    for index in 0..<length where room[index] == 0 { throw RunRefusal(.zeroByte) }
    room[length] = 0
    used += length + 1
    count += 1
  }

  // MARK: The line

  private func render() {
    var start = 0
    for index in 0..<used where buffer.bytes[index] == 0 {
      if start > 0 { put(UInt8(ascii: " ")) }
      render(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[start..<index]))
      start = index + 1
    }
  }

  /// Words with white space or quotation marks stand between quotation marks.
  private func render(_ word: UnsafeBufferPointer<UInt8>) {
    var isPlain = true
    for byte in word where byte == UInt8(ascii: "\"") || Self.isSpace(byte) { isPlain = false }
    if !isPlain { put(UInt8(ascii: "\"")) }
    for byte in word {
      if byte == UInt8(ascii: "\"") { put(UInt8(ascii: "\\")) }
      put(byte)
    }
    if !isPlain { put(UInt8(ascii: "\"")) }
  }

  private func put(_ byte: UInt8) {
    display.bytes[displayCount] = byte
    displayCount += 1
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

  /// A gateway's text without the white space around it, as the reference reads it: empty for what says nothing, nil
  /// for what is no text, or longer than any command.
  private func trimmed(_ text: borrowing JSONView) -> UnsafeBufferPointer<UInt8>? {
    guard let count = text.copyString(into: other.bytes) else { return nil }
    return Self.trimmed(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(other.bytes)[..<count]))
  }

  private static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var (start, end) = (0, text.count)
    while start < end, isSpace(text[start]) { start += 1 }
    while end > start, isSpace(text[end - 1]) { end -= 1 }
    return UnsafeBufferPointer(rebasing: text[start..<end])
  }

  /// True for a text of white space alone.
  func isBlank(_ text: borrowing JSONView) -> Bool { trimmed(text)?.isEmpty == true }

  /// True when a gateway's text means this command: the line, or what stands after `-c` where a shell is called with
  /// nothing more, as gateways write it.
  func matches(_ text: borrowing JSONView) -> Bool {
    guard let wanted = trimmed(text) else { return false }
    if Self.equal(wanted, Self.trimmed(self.text)) { return true }
    guard count == 3, Self.isShell(word(0)) else { return false }
    let option = word(1)
    guard option.count >= 2, option[0] == UInt8(ascii: "-"), option[option.count - 1] == UInt8(ascii: "c") else {
      return false
    }
    return Self.equal(wanted, Self.trimmed(word(2)))
  }

  private static func equal(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard one.count == other.count else { return false }
    for index in 0..<one.count where one[index] != other[index] { return false }
    return true
  }

  private static let shells: [StaticString] = ["sh", "bash", "dash", "ash", "ksh", "zsh", "fish"]

  private static func isShell(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    var start = word.count
    while start > 0, word[start - 1] != UInt8(ascii: "/") { start -= 1 }
    let name = UnsafeBufferPointer(rebasing: word[start...])
    for index in 0..<shells.count where equal(shells[index].bytes, name) { return true }
    return false
  }

  /// True when these are the words of an array.
  func areWords(of array: borrowing JSONView) -> Bool {
    guard array.kind == .array else { return false }
    var elements = array.elements()
    var index = 0
    while let element = elements.next() {
      guard index < count, element.equals(Span(_unsafeElements: word(index))) else { return false }
      index += 1
    }
    return index == count
  }
}
