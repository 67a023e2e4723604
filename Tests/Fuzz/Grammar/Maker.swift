/// What a value should look like.
indirect enum Shape: @unchecked Sendable {
  /// A number that makes sense between these.
  case number(Double, Double)
  case whole(Int, Int)
  case word([String])
  /// Words for people.
  case text
  case flag
  case url
  case color
  case time
  case object([(String, Shape)])
  /// Up to so many.
  case list(Shape, Int)
  /// One of these.
  case either([Shape])
  /// A value of any kind that means something to somebody: names and words that Talon looks for.
  case soup
  /// As it is.
  case raw(String)
  /// A name that other parts of the message use, too: `c3`.
  case name(String, Int)
  case base64(Int)
  /// JSON as text in a string.
  case quoted(Shape)
  /// Written by a grammar of its own.
  case made((Maker) -> Void)

  var isNumber: Bool {
    switch self {
    case .number, .whole, .time: true
    default: false
    }
  }
}

/// Makes JSON of shapes, some of it extreme, missing or of the wrong kind.
final class Maker {
  /// How much of a message is odd. Messages of one mood find what mixed ones do not: a check of one value hides others.
  enum Mood { case calm, odd, wild }

  let dice: Dice
  var mood: Mood
  /// The numbers that odd ones are in a message of this kind; nil: any.
  let ends: [String]?
  private(set) var bytes: [UInt8] = []
  /// Names of members and values that Talon looks for, found in its sources by `board/fuzz`.
  nonisolated(unsafe) static var words: [[UInt8]] = [Array("id".utf8), Array("text".utf8)]

  init(_ dice: Dice) {
    self.dice = dice
    mood = [Mood.calm, .odd, .odd, .wild][dice.below(4)]
    ends = mood != .calm && dice.chance(1, in: 2) ? dice.pick(Self.ends) : nil
    bytes.reserveCapacity(1024)
  }

  /// A value becomes an odd one now.
  var isOdd: Bool {
    switch mood {
    case .calm: false
    case .odd: dice.chance(1, in: 14)
    case .wild: dice.chance(2, in: 5)
    }
  }

  /// The same for a number: where they are of one kind, half of them are.
  private var isOddNumber: Bool { ends == nil ? isOdd : dice.chance(1, in: 2) }

  // MARK: Text

  func add(_ text: String) { bytes.append(contentsOf: text.utf8) }
  func add(_ byte: UInt8) { bytes.append(byte) }
  func add(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  /// A JSON string of these bytes.
  func quote(_ content: [UInt8]) {
    add(0x22)
    for byte in content {
      switch byte {
      case 0x22, 0x5C:
        add(0x5C)
        add(byte)
      case 0x0A: add(#"\n"#)
      case 0..<0x20: add("\\u00" + (byte < 16 ? "0" : "1") + String(byte & 15, radix: 16))
      default: add(byte)
      }
    }
    add(0x22)
  }

  func quote(_ text: String) { quote(Array(text.utf8)) }

  /// What `body` writes, apart.
  func apart(_ body: () -> Void) -> [UInt8] {
    let before = bytes
    bytes = []
    body()
    defer { bytes = before }
    return bytes
  }

  // MARK: Values

  func value(_ shape: Shape) {
    if shape.isNumber ? isOddNumber : isOdd { return odd(shape) }
    switch shape {
    case .number(let low, let high): number(low, high)
    case .whole(let low, let high): add(String(low + dice.below(max(high - low, 0) + 1)))
    case .word(let words): quote(dice.pick(words))
    case .text: quote(dice.pick(Self.texts))
    case .flag: add(dice.chance(1, in: 2) ? "true" : "false")
    case .url: quote(dice.pick(Self.urls))
    case .color: quote(dice.pick(Self.colors))
    case .time: add(dice.pick(["0", "1", "100", "1000", "30000", "1767225600000"]))
    case .object(let members): object(members)
    case .list(let element, let most): list(element, dice.below(most + 1))
    case .either(let shapes): value(dice.pick(shapes))
    case .soup: soup(3)
    case .raw(let text): add(text)
    case .name(let letter, let count): quote(letter + String(dice.below(count)))
    case .base64(let most): quote(base64(dice.below(most + 1)))
    case .quoted(let inner): quote(apart { value(inner) })
    case .made(let write): write(self)
    }
  }

  /// Members in order; each may be missing or stand twice.
  func object(_ members: [(String, Shape)]) {
    add(0x7B)
    var isFirst = true
    for (name, shape) in members {
      if mood == .calm ? dice.chance(1, in: 4) : dice.chance(1, in: 6) { continue }
      let times = mood == .wild && dice.chance(1, in: 30) ? 2 : 1
      for _ in 0..<times {
        if !isFirst { add(0x2C) }
        isFirst = false
        quote(mood == .wild && dice.chance(1, in: 40) ? Array(name.uppercased().utf8) : Array(name.utf8))
        add(0x3A)
        value(shape)
      }
    }
    if mood != .calm, dice.chance(1, in: 20) {
      if !isFirst { add(0x2C) }
      quote(dice.pick(Self.words))
      add(0x3A)
      soup(2)
    }
    add(0x7D)
  }

  /// All members, none left out: what a message is not understood without.
  func whole(_ members: [(String, Shape)]) {
    add(0x7B)
    for (index, (name, shape)) in members.enumerated() {
      if index > 0 { add(0x2C) }
      quote(name)
      add(0x3A)
      value(shape)
    }
    add(0x7D)
  }

  func list(_ element: Shape, _ count: Int) {
    add(0x5B)
    for index in 0..<count {
      if index > 0 { add(0x2C) }
      value(element)
    }
    add(0x5D)
  }

  private func number(_ low: Double, _ high: Double) {
    switch dice.below(6) {
    case 0: add(Self.text(low))
    case 1: add(Self.text(high))
    case 2: add(Self.text((low + (high - low) * Double(dice.below(1001)) / 1000).rounded()))
    default: add(Self.text(low + (high - low) * Double(dice.below(1001)) / 1000))
    }
  }

  private static func text(_ number: Double) -> String {
    number.rounded() == number && abs(number) < 1e15 ? String(Int64(number)) : String(number)
  }

  private func base64(_ count: Int) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    return (0..<(4 * count)).map { _ in alphabet[dice.below(64)] }
  }
}
