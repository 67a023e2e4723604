extension Span<UInt8> {
  /// True when the bytes of `word` stand somewhere in it.
  public func contains(_ word: StaticString) -> Bool {
    let wanted = word.utf8CodeUnitCount
    guard count >= wanted else { return false }
    for start in 0...(count - wanted) {
      var length = 0
      while length < wanted, self[start + length] == word.utf8Start[length] { length += 1 }
      if length == wanted { return true }
    }
    return false
  }
}
