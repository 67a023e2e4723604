import Foundation
import Motion

/// Why a recording cannot be used, and where.
struct MotionRecordingError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  init(line: Int, _ text: String) { description = "line \(line): \(text)" }
}

/// The acceleration in a table of text.
struct MotionRecording {
  private(set) var samples: [Vector3] = []
  /// What a person should know about how it was read.
  private(set) var notes: [String] = []

  /// Reads a table.
  /// - Parameters:
  ///   - columns: which to take, by name or number; nil: found out
  ///   - factor: what makes g of the values
  init(_ data: Data, columns: String?, factor: Float) throws {
    let lines = MotionTable.lines(of: data)
    guard let first = lines.firstIndex(where: { MotionTable.numbers(in: $0.text).count >= 3 }) else {
      throw MotionRecordingError("holds no line with three numbers")
    }
    let table = MotionTable(separator: MotionTable.separator(of: lines[first].text))
    let names =
      first > 0 ? table.names(lines[first - 1].text, count: table.fields(lines[first].text).count) : nil
    let chosen = try MotionColumns.choose(columns, names, table, lines[first...].prefix(50).map(\.text))
    if let note = chosen.note { notes.append(note) }
    var missing = 0
    for line in lines[first...] {
      if let sample = try table.sample(line, chosen.indices) {
        samples.append(Vector3(sample.x * factor, sample.y * factor, sample.z * factor))
      } else {
        missing += 1
      }
    }
    if missing > 0 { notes.append("\(missing) lines without all three values are left out") }
    checkUnits()
  }

  private mutating func checkUnits() {
    let mean = samples.reduce(0) { $0 + $1.magnitude } / Float(max(1, samples.count))
    guard !(0.5...2.5).contains(mean) else { return }
    notes.append("the mean acceleration is \(mean) g: are the units right?")
  }
}

/// How the lines of a table are taken apart.
struct MotionTable {
  /// What stands between columns; nil: any white space.
  let separator: Character?

  /// Lines with their numbers from 1, without empty ones and remarks.
  static func lines(of data: Data) -> [(number: Int, text: Substring)] {
    var text = String(decoding: data, as: UTF8.self)
    if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
    var lines: [(number: Int, text: Substring)] = []
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let isRemark = line.hasPrefix("#") || line.hasPrefix("//") || line.hasPrefix("%")
      if !isRemark, line.contains(where: { !$0.isWhitespace }) { lines.append((number, line)) }
    }
    return lines
  }

  /// The separator that a line of numbers has.
  static func separator(of line: Substring) -> Character? {
    for candidate in ["\t", ";", ","] as [Character] where line.contains(candidate) { return candidate }
    return nil
  }

  /// The numbers of a line, whatever separates them.
  static func numbers(in line: Substring) -> [Double] {
    let table = MotionTable(separator: separator(of: line))
    return table.fields(line).compactMap { table.number($0) }
  }

  func fields(_ line: Substring) -> [Substring] {
    guard let separator else { return line.split(whereSeparator: \.isWhitespace) }
    var fields = line.split(separator: separator, omittingEmptySubsequences: false).map(Self.trimmed)
    // A separator at the line's end.
    if fields.last == "" { fields.removeLast() }
    return fields
  }

  private static func trimmed(_ field: Substring) -> Substring {
    func isBorder(_ character: Character) -> Bool {
      character.isWhitespace || character == "\"" || character == "'"
    }
    var field = field
    while let first = field.first, isBorder(first) { field.removeFirst() }
    while let last = field.last, isBorder(last) { field.removeLast() }
    return field
  }

  func number(_ field: Substring) -> Double? {
    if let value = Double(field) { return value }
    // A decimal comma, where columns are told apart by something else.
    guard separator != ",", field.contains(",") else { return nil }
    return Double(field.replacingOccurrences(of: ",", with: "."))
  }

  /// The names in a line, when it has as many as there are columns and none is a number.
  func names(_ line: Substring, count: Int) -> [String]? {
    let names = fields(line)
    guard names.count == count, names.allSatisfy({ number($0) == nil }) else { return nil }
    return names.map(String.init)
  }

  /// A sample, or nil when a value is missing.
  func sample(_ line: (number: Int, text: Substring), _ columns: [Int]) throws -> Vector3? {
    let fields = fields(line.text)
    var values: [Float] = []
    for column in columns {
      guard column < fields.count, !fields[column].isEmpty else { return nil }
      guard let value = number(fields[column]) else {
        throw MotionRecordingError(
          line: line.number, "column \(column + 1) is no number: \(fields[column].prefix(20))")
      }
      guard value.isFinite else { return nil }
      values.append(Float(value))
    }
    return Vector3(values[0], values[1], values[2])
  }
}

/// Which columns hold the acceleration.
struct MotionColumns {
  /// From 0.
  let indices: [Int]
  /// How they were found, where that was no matter of course.
  var note: String?

  static func choose(
    _ asked: String?, _ names: [String]?, _ table: MotionTable, _ lines: [Substring]
  ) throws -> MotionColumns {
    let count = table.fields(lines[0]).count
    if let asked { return try named(asked, names, count) }
    if let names, let found = find(in: names) { return found }
    if count == 3 { return MotionColumns(indices: [0, 1, 2]) }
    let hasTime = count > 3 && rises(lines.map { table.fields($0) }, table)
    if count == 4 { return MotionColumns(indices: [1, 2, 3]) }
    return MotionColumns(
      indices: hasTime ? [1, 2, 3] : [0, 1, 2],
      note:
        "of \(count) columns \(hasTime ? "2 to 4 are taken, after one that rises" : "the first three are taken")"
    )
  }

  private static func named(_ asked: String, _ names: [String]?, _ count: Int) throws -> MotionColumns {
    let wanted = asked.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    guard wanted.count == 3 else { throw MotionRecordingError("--columns needs three, as in x,y,z") }
    return MotionColumns(
      indices: try wanted.map { name in
        if let index = names?.firstIndex(where: { $0.lowercased() == name.lowercased() }) { return index }
        if let number = Int(name), (1...count).contains(number) { return number - 1 }
        let there = names.map { ": there are " + $0.joined(separator: ", ") } ?? " of \(count)"
        throw MotionRecordingError("no column \(name)\(there)")
      })
  }

  /// Three names that differ in one letter, which is x, y and z; those that speak of acceleration before others.
  private static func find(in names: [String]) -> MotionColumns? {
    let plain = names.map { $0.lowercased() }
    var best: (score: Int, indices: [Int])?
    for (index, name) in plain.enumerated() {
      for place in name.indices where name[place] == "x" {
        func partner(_ letter: Character) -> Int? {
          var other = Array(name)
          other[name.distance(from: name.startIndex, to: place)] = letter
          return plain.firstIndex(of: String(other))
        }
        guard let y = partner("y"), let z = partner("z") else { continue }
        let score = score(name)
        if best == nil || score > best!.score { best = (score, [index, y, z]) }
      }
    }
    guard let best, best.score >= 0 else { return nil }
    let isPlain = names.count <= 4
    return MotionColumns(
      indices: best.indices,
      note: isPlain ? nil : "columns \(best.indices.map { names[$0] }.joined(separator: ", ")) are taken")
  }

  private static func score(_ name: String) -> Int {
    for other in ["gyr", "mag", "rot", "ang", "omega", "quat", "grav", "euler", "ori", "vel", "pos"]
    where name.contains(other) {
      return -1
    }
    if name.contains("lin") || name.contains("user") { return 0 }
    return name.contains("acc") ? 3 : name == "x" || name == "ax" ? 2 : 1
  }

  /// True when the first column never falls: it holds times.
  private static func rises(_ rows: [[Substring]], _ table: MotionTable) -> Bool {
    let values = rows.compactMap { $0.first.flatMap(table.number) }
    // What is no number is a date.
    guard values.count == rows.count else { return true }
    return values.count > 1 && zip(values, values.dropFirst()).allSatisfy { $0 <= $1 }
      && values.first! < values.last!
  }
}
