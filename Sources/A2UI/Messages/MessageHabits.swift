import Codec
import Runtime

/// How the messages of a push stand in its text.
enum MessageForm {
  /// One object a line.
  case lines
  /// Elements of a JSON array.
  case elements
  /// Objects one after the other, each on as many lines as it takes.
  case values
}

/// How agents write messages besides one object a line: what is tolerated is told, each kind once.
struct MessageHabits {
  /// The kinds of habits.
  enum Kind: Int {
    case comma, fence, spread, array, joined, cut, prose, comment

    fileprivate var sentence: StaticString {
      switch self {
      case .comma: "a comma that nothing follows is passed over"
      case .fence: "a code fence is passed over"
      case .spread: "a message that stands on several lines is read as one"
      case .array: "an array of messages is read as its messages"
      case .joined: "several messages stand on one line"
      case .cut: "the array of messages is not closed: those that are complete are read"
      case .prose: "a text beside the messages is passed over"
      case .comment: "a comment is passed over"
      }
    }
  }

  /// The line of the first of each kind, from 1; 0: there is none.
  private var lines = InlineArray<8, Int>(repeating: 0)

  init() {}

  /// Number of kinds that were found.
  var count: Int {
    var count = 0
    for index in 0..<lines.count where lines[index] > 0 { count += 1 }
    return count
  }

  /// Calls `body` with the line and the sentence of each kind.
  func forEach(_ body: (_ line: Int, StaticString) -> Void) {
    for index in 0..<lines.count where lines[index] > 0 {
      if let kind = Kind(rawValue: index) { body(lines[index], kind.sentence) }
    }
  }

  private mutating func record(_ kind: Kind, _ line: Int) {
    if lines[kind.rawValue] == 0 { lines[kind.rawValue] = line }
  }

  /// Puts spaces in place of everything around the messages, of comments and of commas that nothing follows, so that
  /// `MessageValues` finds JSON objects. Of an array that is cut the last message is left out, if it is not complete.
  /// One pass over the text.
  /// - Returns: nil when something else stands among the messages of an array, JSON that is no message stands beside
  ///   them, or the text ends within one that is in no array.
  init?(tidying text: UnsafeMutableBufferPointer<UInt8>) {
    let space = UInt8(ascii: " ")
    var (index, line, depth) = (0, 1, 0)
    // Arrays around the messages.
    var arrays = 0
    // The last comma, while nothing but white space follows it; where the last message begins, and the line on which
    // one ended.
    var (comma, start, ended) = (-1, 0, 0)
    if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF {
      for place in 0..<3 { text[place] = space }
    }
    while index < text.count {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "\n"):
        if depth > 0 { record(.spread, line) }
        line += 1
      case space, UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      case UInt8(ascii: "\""):
        guard depth > 0 else { return nil }
        index += 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
          if text[index] == UInt8(ascii: "\\") { index += 1 }
          index += 1
        }
        comma = -1
      case UInt8(ascii: ","):
        if depth == 0 {
          record(arrays > 0 ? .array : .comma, line)
          text[index] = space
        }
        comma = depth == 0 ? -1 : index
      case UInt8(ascii: "[") where depth == 0:
        arrays += 1
        record(.array, line)
        text[index] = space
      case UInt8(ascii: "]") where depth == 0:
        guard arrays > 0 else { return nil }
        arrays -= 1
        text[index] = space
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if depth == 0 {
          if ended == line, arrays == 0 { record(.joined, line) }
          start = index
        }
        depth += 1
        comma = -1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else { return nil }
        if comma >= 0 {
          record(.comma, line)
          text[comma] = space
          comma = -1
        }
        depth -= 1
        if depth == 0 { ended = line }
      case UInt8(ascii: "`") where depth == 0:
        record(.fence, line)
        // What follows names the language.
        text.clearProse(from: &index)
        continue
      case UInt8(ascii: "/") where text.isComment(at: index):
        record(.comment, line)
        let ends = text.clearComment(from: &index)
        if ends > 0, depth > 0 { record(.spread, line) }
        line += ends
        continue
      default:
        if depth == 0 {
          guard arrays == 0, byte.isProse else { return nil }
          record(.prose, line)
          text.clearProse(from: &index)
          continue
        }
        comma = -1
      }
      index += 1
    }
    guard depth > 0 || arrays > 0 else { return }
    guard arrays > 0 else { return nil }
    record(.cut, line)
    if depth > 0 { for place in start..<text.count { text[place] = space } }
  }
}

extension UInt8 {
  /// True for what a text beside the messages may begin with: no JSON does.
  fileprivate var isProse: Bool { self > 0x20 && !isDigit && self != UInt8(ascii: ":") }
}

extension UnsafeMutableBufferPointer where Element == UInt8 {
  /// Puts spaces in place of a text, up to a message on the same line.
  fileprivate func clearProse(from index: inout Int) {
    while index < count, self[index] != UInt8(ascii: "\n"), !beginsMessage(at: index) {
      self[index] = UInt8(ascii: " ")
      index += 1
    }
  }

  /// True for an object with a name in it, and for an array with an object or an array in it.
  private func beginsMessage(at start: Int) -> Bool {
    let isArray = self[start] == UInt8(ascii: "[")
    guard isArray || self[start] == UInt8(ascii: "{") else { return false }
    var index = start + 1
    while index < count, self[index].isSpace { index += 1 }
    guard index < count else { return false }
    return isArray
      ? self[index] == UInt8(ascii: "{") || self[index] == UInt8(ascii: "[") : self[index] == UInt8(ascii: "\"")
  }

  /// True for `//` and `/*`.
  fileprivate func isComment(at index: Int) -> Bool {
    index + 1 < count && (self[index + 1] == UInt8(ascii: "/") || self[index + 1] == UInt8(ascii: "*"))
  }

  /// Puts spaces in place of a comment, but for the ends of its lines.
  /// - Returns: how many lines end in it.
  fileprivate func clearComment(from index: inout Int) -> Int {
    let isLine = self[index + 1] == UInt8(ascii: "/")
    var lines = 0
    // The star of `/*/` does not end it.
    var length = 0
    while index < count {
      let byte = self[index]
      if byte == UInt8(ascii: "\n") {
        if isLine { return 0 }
        lines += 1
      } else {
        self[index] = UInt8(ascii: " ")
      }
      index += 1
      length += 1
      if !isLine, length > 2, byte == UInt8(ascii: "*"), index < count, self[index] == UInt8(ascii: "/") {
        self[index] = UInt8(ascii: " ")
        index += 1
        return lines
      }
    }
    return lines
  }
}

/// Iterates over JSON objects that stand one after the other, with white space between them.
struct MessageValues {
  private let text: Bytes
  private var index = 0
  private var lines = 1
  /// The line on which the last one began, from 1.
  private(set) var line = 0

  /// - Parameter text: brackets and quotation marks are in pairs.
  init(_ text: Bytes) { self.text = text }

  mutating func next() -> Bytes? {
    while index < text.count, text[index].isSpace { step() }
    guard index < text.count else { return nil }
    let start = index
    line = lines
    var (depth, isInString) = (0, false)
    repeat {
      switch text[index] {
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "\\") where isInString: step()
      case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString: depth += 1
      case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString: depth -= 1
      default: break
      }
      step()
    } while index < text.count && depth > 0
    return text.between(start..<min(index, text.count))
  }

  private mutating func step() {
    if index < text.count, text[index] == UInt8(ascii: "\n") { lines += 1 }
    index += 1
  }
}
