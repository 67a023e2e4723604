import Codec
import TestSupport

@testable import Terminal

typealias Seeded = TestSupport.Seeded

/// The keys of bytes that come in these pieces.
func keys(_ pieces: [[UInt8]], thenSilence: Bool = true) -> [Key] {
  var decoder = KeyDecoder()
  var keys: [Key] = []
  for piece in pieces {
    var index = 0
    while let key = decoder.next(piece.span, at: &index) { keys.append(key) }
    precondition(index == piece.count)
  }
  if thenSilence, let key = decoder.timeOut() { keys.append(key) }
  return keys
}

func keys(_ text: String) -> [Key] { keys([Array(text.utf8)]) }

/// Cuts bytes into pieces of random length.
func pieces(_ bytes: [UInt8], upTo longest: Int, _ random: inout Seeded) -> [[UInt8]] {
  var pieces: [[UInt8]] = []
  var start = 0
  while start < bytes.count {
    let length = min(Int.random(in: 1...longest, using: &random), bytes.count - start)
    pieces.append(Array(bytes[start..<start + length]))
    start += length
  }
  return pieces
}

/// Bytes as they come from keyboards and from bad lines.
func hostileBytes(_ count: Int, _ random: inout Seeded) -> [UInt8] {
  let sequences = [
    "\u{1B}[A", "\u{1B}OB", "\u{1B}[1;5C", "\u{1B}[3~", "\u{1B}[[A", "\u{1B}]0;title\u{07}", "\u{1B}P1;2|x\u{1B}\\",
    "\u{1B}[", "\u{1B}", "\r\n", "\r", "\n", "é", "日本", "e\u{301}", "😀", "help ", "\t", "\u{7F}", "\u{3}",
  ]
  var bytes: [UInt8] = []
  while bytes.count < count {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.append(UInt8.random(in: 0...255, using: &random))
    case 1: bytes += Array(repeating: 0, count: Int.random(in: 0...3, using: &random))
    default: bytes += Array(sequences.randomElement(using: &random)!.utf8)
    }
  }
  return bytes
}

/// A terminal as VT100 and its successors are: what it shows after it was sent bytes.
final class ModelTerminal {
  let rows: Int
  let columns: Int
  private(set) var cells: [Character]
  private(set) var reversed: Set<Int> = []
  private(set) var row = 0, column = 0
  private(set) var hasScrolled = false
  private var isReverse = false
  private var pendingWrap = false

  init(rows: Int, columns: Int) {
    (self.rows, self.columns) = (rows, columns)
    // What was there before.
    cells = Array(repeating: "#", count: rows * columns)
  }

  var lines: [String] {
    (0..<rows).map { row in
      var text = String(cells[row * columns..<(row + 1) * columns].filter { $0 != "\u{0}" })
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  func take(_ bytes: [UInt8]) {
    var characters = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    while let first = characters.popFirst() {
      switch first {
      case "\u{18}", "\u{0F}": break
      case "\r": (column, pendingWrap) = (0, false)
      case "\n": lineFeed()
      case "\u{08}": (column, pendingWrap) = (max(column - 1, 0), false)
      case "\u{1B}": escape(&characters)
      default: show(first)
      }
    }
  }

  private func lineFeed() {
    if row < rows - 1 { row += 1 } else { hasScrolled = true }
  }

  private func show(_ scalar: Unicode.Scalar) {
    let width = Terminal.columns(of: scalar)
    if pendingWrap || column + width > columns {
      column = 0
      lineFeed()
      pendingWrap = false
    }
    let index = row * columns + column
    cells[index] = Character(scalar)
    if isReverse { reversed.insert(index) } else { reversed.remove(index) }
    if width == 2 {
      cells[index + 1] = "\u{0}"
      reversed.remove(index + 1)
    }
    column += width
    if column == columns { (column, pendingWrap) = (columns - 1, true) }
  }

  private func escape(_ rest: inout ArraySlice<Unicode.Scalar>) {
    let introducer = rest.popFirst()!
    if introducer == "(" {
      _ = rest.popFirst()
      return
    }
    precondition(introducer == "[")
    var parameters = ""
    while let next = rest.popFirst() {
      if next.value < 0x40 {
        parameters.unicodeScalars.append(next)
        continue
      }
      return control(next, parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 })
    }
    preconditionFailure("a sequence without an end")
  }

  private func control(_ final: Unicode.Scalar, _ numbers: [Int]) {
    switch final {
    case "H":
      row = max(numbers.first ?? 1, 1) - 1
      column = max(numbers.count > 1 ? numbers[1] : 1, 1) - 1
      precondition(row < rows && column < columns)
    case "C": column = min(column + max(numbers.first ?? 1, 1), columns - 1)
    case "K": for index in row * columns + column..<(row + 1) * columns { erase(index) }
    case "J": for index in cells.indices { erase(index) }
    case "m": isReverse = numbers.contains(7)
    default: preconditionFailure("\(final) is not known")
    }
    pendingWrap = false
  }

  private func erase(_ index: Int) {
    cells[index] = " "
    reversed.remove(index)
  }
}
