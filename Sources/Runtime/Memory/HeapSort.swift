/// Sorts what is reached by its index, in place, in a time that no order makes longer than n log n (J. W. J. Williams,
/// "Algorithm 232: Heapsort", 1964). Equal elements change their places.
public enum HeapSort {
  /// `precedes` tells whether the first of two elements stands before the second; `swap` exchanges two.
  public static func sort(_ count: Int, by precedes: (Int, Int) -> Bool, swap: (Int, Int) -> Void) {
    var start = count / 2
    while start > 0 {
      start -= 1
      sink(start, before: count, precedes, swap)
    }
    var end = count
    while end > 1 {
      end -= 1
      swap(0, end)
      sink(0, before: end, precedes, swap)
    }
  }

  /// Moves an element down until neither of the two below it comes after it.
  private static func sink(
    _ start: Int, before end: Int, _ precedes: (Int, Int) -> Bool, _ swap: (Int, Int) -> Void
  ) {
    var place = start
    while 2 * place + 1 < end {
      var child = 2 * place + 1
      if child + 1 < end, precedes(child, child + 1) { child += 1 }
      guard precedes(place, child) else { return }
      swap(place, child)
      place = child
    }
  }
}
