import Codec
import Runtime

/// Takes the entries of a list one by one out of a JSON text of any length, as it arrives: the elements of the array
/// that is the text, or that is the member `data` of the object that it is, as lists of the API are.
///
/// An entry is handed out after it was checked; one that is larger than the memory is left out.
struct EntryReader: ~Copyable {
  /// The longest name of a member that is compared.
  private static let name: StaticString = "data"

  private let memory: UnsafeMutableBufferPointer<UInt8>
  private var validator = JSONValidator(depthLimit: Budget.modelDepth)
  private var depth = 0
  /// The level on which entries stand; 0 outside of the list.
  private var level = 0
  private var isString = false
  private var isEscaped = false
  /// Bytes of the string on the first level, as far as it agrees with the name; nil when it does not.
  private var matched: Int? = 0
  /// The member's name was the list's.
  private var isNamed = false
  private var count = 0
  private var isHandedOut = false
  /// Entries that were larger than the memory.
  private(set) var leftOut: UInt32 = 0
  /// The list was found.
  private(set) var hasList = false

  /// A reader at the start of a text; `memory` holds one entry and outlives the reader.
  init(into memory: UnsafeMutableBufferPointer<UInt8>) { self.memory = memory }

  /// Takes bytes from `index` on, which moves after them, up to the end of an entry.
  /// - Returns: how many bytes the entry has that stands at the start of the memory until the next call; nil: all bytes
  ///   were taken.
  mutating func next(_ bytes: Span<UInt8>, at index: inout Int) throws(JSONError) -> Int? {
    if isHandedOut { (count, isHandedOut) = (0, false) }
    let start = index
    while index < bytes.count {
      let isEnd = character(bytes[index])
      index += 1
      guard isEnd, let length = end() else { continue }
      try validator.feed(bytes.extracting(start..<index))
      isHandedOut = true
      return length
    }
    try validator.feed(bytes.extracting(start..<index))
    return nil
  }

  /// No more bytes come.
  mutating func finish() throws(JSONError) { try validator.finish() }

  /// True when an entry ends with this byte, which does not belong to it.
  private mutating func character(_ byte: UInt8) -> Bool {
    if isString {
      inString(byte)
      keep(byte)
      return false
    }
    switch byte {
    case UInt8(ascii: "\""): (isString, matched) = (true, 0)
    case UInt8(ascii: ":"): if depth == 1 { isNamed = matched == Self.name.utf8CodeUnitCount }
    case UInt8(ascii: ","):
      if depth == 1 { isNamed = false }
      if depth == level { return depth > 0 }
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      if open(byte) { return false }
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      let isEnd = level > 0 && depth == level
      depth = max(depth - 1, 0)
      if isEnd {
        level = 0
        return true
      }
    default: break
    }
    keep(byte)
    return false
  }

  private mutating func inString(_ byte: UInt8) {
    if isEscaped { return isEscaped = false }
    switch byte {
    case UInt8(ascii: "\\"): (isEscaped, matched) = (true, nil)
    case UInt8(ascii: "\""): isString = false
    default:
      guard depth == 1, let place = matched else { return }
      let isNext = place < Self.name.utf8CodeUnitCount && Self.name.utf8Start[place] == byte
      matched = isNext ? place + 1 : nil
    }
  }

  /// True when the list begins with this bracket.
  private mutating func open(_ bracket: UInt8) -> Bool {
    depth += 1
    guard level == 0, bracket == UInt8(ascii: "["), depth == 1 || depth == 2 && isNamed else { return false }
    (level, hasList, count) = (depth, true, 0)
    return true
  }

  private mutating func keep(_ byte: UInt8) {
    guard level > 0 else { return }
    if count < memory.count { memory[count] = byte }
    count = min(count, memory.count) + 1
  }

  /// An entry has ended: its bytes, if there are any and all are there.
  private mutating func end() -> Int? {
    let length = count
    count = 0
    guard length <= memory.count else {
      leftOut &+= 1
      return nil
    }
    let text = Span(_unsafeElements: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(memory)[..<length]))
    return text.trimmed.isEmpty ? nil : length
  }
}
