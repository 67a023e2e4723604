import Runtime

/// Selects the entries of an action's context that fit: the longest are left out first (canvas reference 2.9).
struct ContextFit {
  private var lengths = InlineArray<64, Int>(repeating: 0)
  /// One bit for each entry.
  private(set) var kept = UInt64.max
  /// True when entries were left out.
  private(set) var isTruncated = false
  /// The first entry that was left out because of its length; nil: none was.
  private(set) var firstLeftOut: Int?

  init() { precondition(lengths.count == Budget.a2uiContextEntries) }

  /// Sets the bytes of an entry with its key, and the comma or brace before it.
  mutating func set(_ place: Int, length: Int) { lengths[place] = length }

  /// There are more entries than a context may have.
  mutating func hasMore() { isTruncated = true }

  /// Leaves out the longest entries until the rest has at most `limit` bytes, braces included.
  mutating func fit(into limit: Int) {
    // The brace at the end.
    var total = 1
    for place in 0..<lengths.count { total += lengths[place] }
    if isTruncated { total += Self.markLength }
    guard total > limit else { return }
    if !isTruncated { total += Self.markLength }
    isTruncated = true
    while total > limit {
      var longest = 0
      for place in 1..<lengths.count where lengths[place] > lengths[longest] { longest = place }
      if lengths[longest] == 0 { return }
      total -= lengths[longest]
      lengths[longest] = 0
      kept &= ~(1 << UInt64(longest))
      firstLeftOut = min(firstLeftOut ?? longest, longest)
    }
  }

  func isKept(_ place: Int) -> Bool { kept >> UInt64(place) & 1 == 1 }

  private static let markLength = #","_truncated":true"#.utf8.count
}
