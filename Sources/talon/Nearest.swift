/// Finds what somebody meant who mistyped a word.
enum Nearest {
  /// The word of `known` that is at most two changes away, three from eleven letters on: a letter more, less, another
  /// one, or two that changed places (restricted Damerau-Levenshtein distance). Nil when none is, or the word is too
  /// short to tell. The first of several counts.
  static func word(_ typed: String, of known: [String]) -> String? {
    let typed = Array(typed.utf8.prefix(64))
    let most = typed.count < 3 ? 0 : typed.count < 5 ? 1 : typed.count < 11 ? 2 : 3
    var best: (word: String, distance: Int)?
    for word in known {
      let distance = distance(typed, Array(word.utf8.prefix(64)))
      if distance <= most, distance < best?.distance ?? .max { best = (word, distance) }
    }
    return best?.word
  }

  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var before = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 0..<left.count {
      var next = [row + 1]
      for column in 0..<right.count {
        var cost = min(next[column] + 1, last[column + 1] + 1)
        cost = min(cost, last[column] + (lower(left[row]) == lower(right[column]) ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, before[column - 1] + 1)
        }
        next.append(cost)
      }
      before = last
      last = next
    }
    return last[right.count]
  }

  private static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}
