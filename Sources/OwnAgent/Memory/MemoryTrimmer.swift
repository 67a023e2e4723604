import Codec
import Runtime

/// What goes first when there is no more room: conversation, oldest first; then daily notes, oldest first; facts last,
/// of these the oldest that no search has found, and only then those that one has. A vector goes with its entry.
enum MemoryTrimmer {
  static let order: InlineArray<4, MemoryGroup> = [.conversation, .notes, .factsNeverFound, .facts]

  /// The bytes that entries, indexes and vectors may take in a file of `limit` bytes: three quarters, for an index is
  /// written anew while the old one is still there.
  static func target(_ limit: Int64) -> Int64 { max(limit, 0) / 4 * 3 }

  /// The entry that goes next; nil when there is none.
  static func next(_ store: any MemoryStore) throws(MemoryFault) -> Int64? {
    for index in 0..<order.count {
      if let id = try store.oldest(order[index]) { return id }
    }
    return nil
  }

  /// How much more than needed is removed, so that the index is not written anew for each entry: an eighth.
  static func slack(_ bytes: Int64) -> Int64 { bytes / 8 }

  /// Where the store uses more than `bytes`: removes entries until it uses `slack` bytes less, and
  /// `Budget.memoryTrimEntries` at most; how many. The next call goes on.
  /// - Parameter kept: an entry that stays. When it would be the next to go there is no room for it: `.full`.
  static func trim(
    _ store: any MemoryStore, to bytes: Int64, slack: Int64 = 0, keeping kept: Int64? = nil
  ) throws(MemoryFault) -> Int {
    guard try store.usedBytes() > bytes else { return 0 }
    let goal = bytes.subtracting(clamping: slack)
    var removed = 0
    while removed < Budget.memoryTrimEntries {
      try store.compact()
      let used = try store.usedBytes()
      guard used > goal else { break }
      // About half of what is used are texts, and what belongs to them goes with them.
      let some = try remove(
        used.subtracting(clamping: goal) / 2, store, kept, atMost: Budget.memoryTrimEntries - removed)
      guard some > 0 else {
        // What needs room may not be what goes first, or it pushes nothing out.
        if used > bytes, kept != nil { throw MemoryFault(.full) }
        break
      }
      removed += some
    }
    return removed
  }

  /// Removes the next entries, until their texts have more than `bytes`; how many.
  private static func remove(
    _ bytes: Int64, _ store: any MemoryStore, _ kept: Int64?, atMost most: Int
  ) throws(MemoryFault) -> Int {
    var (removed, freed): (Int, Int64) = (0, 0)
    while removed < most, freed <= bytes {
      guard let id = try next(store), id != kept else { break }
      try store.select(.one(id), limit: 1) { row in
        freed = freed.adding(clamping: Int64(row.subject.count + row.text.count))
        return false
      }
      _ = try store.remove(id)
      removed += 1
    }
    return removed
  }

  /// Makes room for one more vector.
  static func makeRoomForVector(_ store: any MemoryStore) throws(MemoryFault) {
    if try store.vectorCount() >= Budget.memoryVectors { try store.removeVectors(Budget.memoryTrimVectors) }
  }
}
