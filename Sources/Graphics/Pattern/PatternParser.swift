import Runtime

/// Reads a regular expression as ECMAScript has it, without flags: groups, alternatives, classes, repetitions, edges,
/// and what must or must not follow. What refers to a group, looks back, or names a property of Unicode is not
/// understood.
struct PatternParser: ~Escapable {
  private let text: Span<UInt8>
  private let code: PatternCode
  private var place = 0
  private var depth = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>, into code: PatternCode) {
    self.text = text
    self.code = code
  }

  /// Reads all of it into the code.
  mutating func read() throws(PatternError) {
    code.removeAll()
    try alternatives()
    // A parenthesis too many.
    guard place == text.count else { throw .unknown }
    try code.add(.match)
  }

  // MARK: Characters of the expression

  private func peek() -> UInt8? { place < text.count ? text[place] : nil }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard place < text.count, text[place] == UInt8(ascii: byte) else { return false }
    place += 1
    return true
  }

  private mutating func next() throws(PatternError) -> UInt32 {
    guard place < text.count else { throw .unknown }
    let scalar = Characters.scalar(text, place)
    place += Characters.length(text, place)
    return scalar
  }

  // MARK: Structure

  private mutating func alternatives() throws(PatternError) {
    depth += 1
    guard depth <= Budget.patternDepth else { throw .tooLong }
    let start = code.count
    try sequence()
    while take("|") {
      try code.insert(.split, 1, code.count - start + 2, at: start)
      let jump = code.count
      try code.add(.jump)
      try sequence()
      code[jump].first = Int32(code.count - jump)
    }
    depth -= 1
  }

  private mutating func sequence() throws(PatternError) {
    while let byte = peek(), byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
      let start = code.count
      let canRepeat = try piece()
      try repetition(of: start, canRepeat)
    }
  }

  /// One piece; false when it takes nothing and cannot be repeated.
  private mutating func piece() throws(PatternError) -> Bool {
    let scalar = try next()
    switch Unicode.Scalar(scalar) {
    case ".": try code.add(.any)
    case "^":
      try code.add(.start)
      return false
    case "$":
      try code.add(.end)
      return false
    case "(": return try group()
    case "[": try set()
    case "\\": return try escape()
    case "*", "+", "?": throw .unknown
    default: try code.add(.scalar, Int(scalar))
    }
    return true
  }

  private mutating func group() throws(PatternError) -> Bool {
    var look: Int?
    if take("?") {
      let kind = try next()
      switch Unicode.Scalar(kind) {
      case ":": break
      case "=", "!":
        look = code.count
        try code.add(kind == 0x3D ? .ahead : .notAhead)
      case "<":
        // A name; what looks back begins with = or !.
        guard let byte = peek(), byte != UInt8(ascii: "="), byte != UInt8(ascii: "!") else { throw .unknown }
        while try next() != 0x3E {}
      default: throw .unknown
      }
    }
    try alternatives()
    guard take(")") else { throw .unknown }
    guard let look else { return true }
    try code.add(.match)
    code[look].second = Int32(code.count - look)
    return false
  }

  // MARK: Repetitions

  private mutating func repetition(of start: Int, _ canRepeat: Bool) throws(PatternError) {
    guard let (least, most) = try bounds() else { return }
    guard canRepeat else { throw .unknown }
    // As few as can be, or as many: it is the same for whether it matches.
    _ = take("?")
    let length = code.count - start
    if most == 0 { return code.cut(to: start) }
    if least == 0 {
      try code.insert(.split, 1, length + (most == nil ? 2 : 1), at: start)
      if most == nil { return try code.add(.jump, -length - 1) }
    }
    let piece = least == 0 ? start + 1 : start
    for _ in 1..<max(least, 1) { try code.copy(piece, length) }
    guard let most else { return try code.add(.split, -length, 1) }
    for _ in max(least, 1)..<max(most, 1) {
      try code.add(.split, 1, length + 1)
      try code.copy(piece, length)
    }
  }

  /// How often the piece before may stand; nil: once. `most` nil: as often as it likes.
  private mutating func bounds() throws(PatternError) -> (least: Int, most: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = place
    guard take("{") else { return nil }
    guard let least = number() else {
      // A brace by itself is a character.
      place = start
      return nil
    }
    var most: Int? = least
    if take(",") { most = number() }
    guard take("}") else {
      place = start
      return nil
    }
    if let most, most < least { throw .unknown }
    guard least <= Budget.patternInstructions else { throw .tooLong }
    return (least, most)
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let byte = peek(), byte >= 0x30, byte <= 0x39 {
      value = min((value ?? 0) * 10 + Int(byte - 0x30), 1_000_000)
      place += 1
    }
    return value
  }

  // MARK: Classes

  /// What stands after a backslash outside of a class.
  private mutating func escape() throws(PatternError) -> Bool {
    switch peek() {
    case UInt8(ascii: "b"), UInt8(ascii: "B"):
      try code.add(try next() == 0x62 ? .wordEdge : .noWordEdge)
      return false
    case .some(0x31...0x39), UInt8(ascii: "k"), UInt8(ascii: "p"), UInt8(ascii: "P"): throw .unknown
    default: break
    }
    let first = code.rangeCount
    if let scalar = try character() {
      try code.add(.scalar, Int(scalar))
    } else {
      try code.add(.oneOf, first, code.rangeCount - first)
    }
    return true
  }

  private mutating func set() throws(PatternError) {
    let kind = take("^") ? PatternStep.Kind.noneOf : .oneOf
    let first = code.rangeCount
    while !take("]") {
      guard let low = try setCharacter() else { continue }
      guard place + 1 < text.count, text[place] == UInt8(ascii: "-"), text[place + 1] != UInt8(ascii: "]") else {
        try code.add(low, low)
        continue
      }
      place += 1
      // A class at the end of a range makes the hyphen a character.
      if let high = try setCharacter() {
        try code.add(low, high)
      } else {
        try code.add(low, low)
        try code.add(0x2D, 0x2D)
      }
    }
    try code.add(kind, first, code.rangeCount - first)
  }

  private mutating func setCharacter() throws(PatternError) -> UInt32? {
    guard take("\\") else { return try next() }
    if take("b") { return 0x08 }
    return try character()
  }

  /// A character after a backslash; nil for a class, whose ranges are added.
  private mutating func character() throws(PatternError) -> UInt32? {
    let scalar = try next()
    switch Unicode.Scalar(scalar) {
    case "n": return 0x0A
    case "r": return 0x0D
    case "t": return 0x09
    case "f": return 0x0C
    case "v": return 0x0B
    case "0": return 0
    case "x": return try hex(2)
    case "u": return try hex(4)
    case "p", "P", "k", "c": throw .unknown
    case "d", "D", "w", "W", "s", "S":
      try addClass(UInt8(scalar | 0x20), isInverse: scalar & 0x20 == 0)
      return nil
    default: return scalar
    }
  }

  private mutating func hex(_ digits: Int) throws(PatternError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      let digit = try next()
      switch digit {
      case 0x30...0x39: value = value << 4 | (digit - 0x30)
      case 0x41...0x46, 0x61...0x66: value = value << 4 | (digit & 0xF) + 9
      default: throw .unknown
      }
    }
    return value
  }

  /// Digits, letters of words, blanks; or everything else. Each in order, so that what lies between is the rest.
  private func addClass(_ letter: UInt8, isInverse: Bool) throws(PatternError) {
    switch letter {
    case UInt8(ascii: "d"): try add([0x30, 0x39], isInverse)
    case UInt8(ascii: "w"): try add([0x30, 0x39, 0x41, 0x5A, 0x5F, 0x5F, 0x61, 0x7A], isInverse)
    default:
      try add(
        [
          0x09, 0x0D, 0x20, 0x20, 0xA0, 0xA0, 0x1680, 0x1680, 0x2000, 0x200A, 0x2028, 0x2029, 0x202F, 0x202F, 0x205F,
          0x205F, 0x3000, 0x3000, 0xFEFF, 0xFEFF,
        ], isInverse)
    }
  }

  private func add<let count: Int>(_ edges: InlineArray<count, UInt32>, _ isInverse: Bool) throws(PatternError) {
    var after: UInt32 = 0
    var index = 0
    while index < count {
      if !isInverse {
        try code.add(edges[index], edges[index + 1])
      } else if edges[index] > after {
        try code.add(after, edges[index] - 1)
      }
      after = edges[index + 1] + 1
      index += 2
    }
    if isInverse { try code.add(after, 0x10_FFFF) }
  }
}
