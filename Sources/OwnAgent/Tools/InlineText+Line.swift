import Runtime

extension InlineText {
  /// Makes it one line: control characters become blanks. In JSON each would be six characters, and in a log or on a
  /// console it could be an order to a terminal.
  mutating func makeLine() {
    let count = count
    fill { bytes in
      for index in 0..<count where bytes[index] < 0x20 || bytes[index] == 0x7F { bytes[index] = 0x20 }
      return count
    }
  }
}
