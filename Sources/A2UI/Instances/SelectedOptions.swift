import Codec
import Runtime

/// Which options of a choice are selected, found for all of them at once: the lists of both may be long.
final class SelectedOptions {
  private var surface: Surface?
  private var index = 0
  private var revision: UInt32 = 0
  /// Options by the hash of their value, in its order once they are sorted.
  private var hashes = InlineArray<1024, UInt64>(repeating: 0)
  private var checks = InlineArray<1024, UInt64>(repeating: 0)
  private var options = InlineArray<1024, UInt16>(repeating: 0)
  private var count = 0
  private var selected = InlineArray<1024, Bool>(repeating: false)
  /// A value is selected that no option has.
  private(set) var hasOther = false

  init() { precondition(Budget.a2uiItems == 1024) }

  /// True when what is known is about this choice, and of this state of all surfaces.
  func isOf(_ surface: Surface, _ index: Int, _ revision: UInt32) -> Bool {
    self.surface == surface && self.index == index && self.revision == revision
  }

  subscript(option: Int) -> Bool { option >= 0 && option < selected.count && selected[option] }

  // MARK: Building

  func begin(_ surface: Surface, _ index: Int, _ revision: UInt32) {
    (self.surface, self.index, self.revision) = (surface, index, revision)
    (count, hasOther) = (0, false)
    for option in 0..<selected.count { selected[option] = false }
  }

  func add(_ option: Int, _ value: Bytes) {
    (hashes[count], checks[count]) = ByteHash.pair(Span(_unsafeElements: value))
    options[count] = UInt16(truncatingIfNeeded: option)
    count += 1
  }

  /// All options are there.
  func sort() { HeapSort.sort(count, by: { self.hashes[$0] < self.hashes[$1] }, swap: { self.swap($0, $1) }) }

  private func swap(_ one: Int, _ other: Int) {
    (hashes[one], hashes[other]) = (hashes[other], hashes[one])
    (checks[one], checks[other]) = (checks[other], checks[one])
    (options[one], options[other]) = (options[other], options[one])
  }

  /// The options with a value are selected.
  func select(_ value: Bytes) {
    let (hash, check) = ByteHash.pair(Span(_unsafeElements: value))
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if hashes[middle] < hash { low = middle + 1 } else { high = middle }
    }
    guard low < count, hashes[low] == hash else {
      if !value.isEmpty { hasOther = true }
      return
    }
    // Of options with one value all are marked when it is met first.
    if selected[Int(options[low])] { return }
    while low < count, hashes[low] == hash {
      if checks[low] == check { selected[Int(options[low])] = true }
      low += 1
    }
  }
}
