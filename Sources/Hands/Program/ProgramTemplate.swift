import Codec
import Runtime

/// The command line of a program, with typed places for what the agent chooses:
///
///     /usr/local/bin/valve --zone {zone number 1..8} --mode {mode choice open shut} --note={note text 40 [a-z ]}
///
/// A list of words, never a line for a shell: blanks separate words, except within braces, and nothing else has a
/// meaning. A place has a name, unless it is the only one of its type.
public struct ProgramTemplate: Sendable {
  private enum Piece: Sendable {
    case literal(String)
    /// The value with this index.
    case value(Int)
    case wordEnd
  }

  /// The program's file.
  public private(set) var path = ""
  /// What the agent chooses.
  public private(set) var values: [ProgramValue] = []
  private var pieces: [Piece] = []
  private var words = 0

  private static let shape = "must be an absolute path and words, with places such as {number 0..100}"

  /// Reads a command line; a sentence when it is wrong.
  public static func parse(_ text: String) -> (template: ProgramTemplate?, complaint: String) {
    var template = ProgramTemplate()
    if let complaint = template.read(Array(text.utf8)) { return (nil, complaint) }
    guard case .literal(let path)? = template.pieces.first, path.utf8.first == UInt8(ascii: "/"),
      template.pieces.count > 1, case .wordEnd = template.pieces[1]
    else { return (nil, shape) }
    template.path = path
    return (template, "")
  }

  private mutating func read(_ text: [UInt8]) -> String? {
    var literal: [UInt8] = []
    var isInWord = false
    var index = 0
    while index < text.count {
      let byte = text[index]
      index += 1
      switch byte {
      case 0x20, 0x09:
        if let complaint = endWord(&literal, isInWord) { return complaint }
        isInWord = false
      case UInt8(ascii: "{"):
        guard let end = Self.end(of: text, from: index) else { return "has a { without its }" }
        endLiteral(&literal)
        if let complaint = addValue(Array(text[index..<end])) { return complaint }
        index = end + 1
        isInWord = true
      case UInt8(ascii: "}"): return "has a } without its {"
      default:
        guard byte >= 0x20, byte != 0x7F else { return "has a control character" }
        literal.append(byte)
        isInWord = true
      }
    }
    return endWord(&literal, isInWord)
  }

  /// The closing brace, which a set of characters may contain.
  private static func end(of text: [UInt8], from start: Int) -> Int? {
    var isInSet = false
    for index in start..<text.count {
      switch text[index] {
      case UInt8(ascii: "["): isInSet = true
      case UInt8(ascii: "]"): isInSet = false
      case UInt8(ascii: "}") where !isInSet: return index
      default: continue
      }
    }
    return nil
  }

  private mutating func endLiteral(_ literal: inout [UInt8]) {
    if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
    literal = []
  }

  private mutating func endWord(_ literal: inout [UInt8], _ isInWord: Bool) -> String? {
    guard isInWord else { return nil }
    endLiteral(&literal)
    pieces.append(.wordEnd)
    words += 1
    return words > Budget.programWords ? "has more than \(Budget.programWords) words" : nil
  }

  private mutating func addValue(_ text: [UInt8]) -> String? {
    let place = "{" + String(decoding: text, as: UTF8.self) + "}"
    var words = text.split(whereSeparator: { $0 == 0x20 }).map { String(decoding: $0, as: UTF8.self) }[...]
    guard let first = words.first else { return "has an empty place {}" }
    var name = first
    if !Self.types.contains(first) {
      words = words.dropFirst()
      guard Self.isName(name) else { return "\(place) has a name of other than small letters, digits and _" }
    }
    guard let type = words.popFirst(), let kind = Self.kind(type, Array(words), text) else {
      return "\(place) must be {NAME number 0..100}, {NAME choice WORD...} or {NAME text 40 [a-z0-9 ]}"
    }
    if name.isEmpty { name = type }
    if values.contains(where: { $0.name == name }) { return "\(place) has the name of another place: give it its own" }
    guard values.count < Budget.programValues else { return "has more than \(Budget.programValues) places" }
    pieces.append(.value(values.count))
    values.append(ProgramValue(name: name, kind: kind))
    return nil
  }

  private static let types = ["number", "choice", "text"]

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (97...122).contains(first), text.utf8.count <= 32 else { return false }
    return text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "_") }
  }

  private static func kind(_ type: String, _ words: [String], _ text: [UInt8]) -> ProgramValue.Kind? {
    switch type {
    case "number":
      guard words.count == 1, let range = ModbusRegister.range(words[0]),
        max(-range.lowerBound, range.upperBound) < 1e15
      else { return nil }
      // "0..100" has two points, "0.5..1" more.
      let points = words[0].utf8.filter { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }.count
      return .number(range, isWhole: points == 2)
    case "choice":
      let isPlain = words.allSatisfy { $0.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != 0x22 && $0 != 0x5C } }
      return (1...Budget.programChoices).contains(words.count) && isPlain ? .choice(words) : nil
    default:
      guard let most = words.first.flatMap({ Int($0) }), Budget.programTextRange.contains(most) else { return nil }
      return characters(text).map { .text(most, $0) }
    }
  }

  /// The set in brackets; letters, digits and what stands in plain sentences without one.
  private static func characters(_ text: [UInt8]) -> ASCIISet? {
    guard let open = text.firstIndex(of: UInt8(ascii: "[")) else {
      let usual: StaticString = "a-zA-Z0-9 .,_-]"
      var index = 0
      return ASCIISet(usual.utf8Bytes, at: &index)
    }
    var index = open + 1
    guard let set = ASCIISet(text.span, at: &index), index == text.count else { return nil }
    return set
  }

  // MARK: Filling

  /// What is wrong with an agent's arguments.
  public enum Refusal: Error, Equatable {
    /// The value with this index is missing or not allowed.
    case value(Int)
    /// The words have more than `Budget.programTextBytes`.
    case tooLong
  }

  /// Puts the agent's values into the words.
  public func fill(_ words: ProgramWords, _ arguments: borrowing JSONView) throws(Refusal) {
    words.removeAll()
    var starts = false
    for piece in pieces {
      switch piece {
      case .wordEnd:
        guard words.endWord() else { throw .tooLong }
        starts = true
        continue
      case .literal(let text):
        words.write { $0.text(text) }
      case .value(let index):
        let value = values[index]
        var isAllowed = false
        let before = words.count
        var members = arguments.members()
        while let member = members.next() {
          guard member.name.equals(value.name.utf8.span) else { continue }
          let view = member.value
          words.write { writer in isAllowed = value.write(view, to: &writer) }
          break
        }
        guard isAllowed else { throw .value(index) }
        // A text that begins a word must not be an option of the program.
        if starts, case .text = value.kind, words.byte(at: before) == UInt8(ascii: "-") { throw .value(index) }
      }
      starts = false
    }
  }
}

/// The words of one run, in memory that is used again.
public final class ProgramWords {
  private let text = FixedBuffer(capacity: Budget.programTextBytes)
  /// The list for execve(2), which ends with nil.
  private let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private var wordCount = 0
  private var wordStart = 0
  /// Bytes written.
  private(set) var count = 0

  /// No words.
  @export(interface)
  public init() {
    list = .allocate(capacity: Budget.programWords + 1)
    list.initialize(repeating: nil, count: Budget.programWords + 1)
  }

  deinit { list.deallocate() }

  /// The command line; valid until the words change.
  public var arguments: UnsafePointer<UnsafeMutablePointer<CChar>?> { UnsafePointer(list) }

  func removeAll() {
    (wordCount, wordStart, count) = (0, 0, 0)
    list[0] = nil
  }

  func write(_ body: (inout ByteWriter) -> Void) {
    let start = min(count, text.bytes.count)
    var writer = ByteWriter(into: UnsafeMutableBufferPointer(rebasing: text.bytes[start...]))
    body(&writer)
    count += writer.count
  }

  func byte(at place: Int) -> UInt8? { place < min(count, text.bytes.count) ? text.bytes[place] : nil }

  /// Ends a word; false when the words so far have no room.
  func endWord() -> Bool {
    guard count < text.bytes.count, wordCount < Budget.programWords else { return false }
    text.bytes[count] = 0
    count += 1
    list[wordCount] = UnsafeMutableRawPointer(text.bytes.baseAddress! + wordStart).assumingMemoryBound(to: CChar.self)
    wordCount += 1
    list[wordCount] = nil
    wordStart = count
    return true
  }

  /// The words as a person reads them, for tests and the log.
  public func forEach(_ body: (Span<UInt8>) -> Void) {
    for index in 0..<wordCount {
      let start = UnsafeRawPointer(list[index]!).assumingMemoryBound(to: UInt8.self)
      var length = 0
      while start[length] != 0 { length += 1 }
      body(Span(_unsafeElements: UnsafeBufferPointer(start: start, count: length)))
    }
  }
}
