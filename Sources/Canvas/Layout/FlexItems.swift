import Graphics
import Runtime

/// Room for the children of rows and columns while they are arranged: a stack, for they stand in each other.
final class FlexItems {
  private let items: UnsafeMutableBufferPointer<FlexItem>
  private var used = 0

  init() {
    items = .allocate(capacity: Budget.flexItems)
    items.initialize(repeating: FlexItem(least: 0, content: 0, weight: 0))
  }

  deinit { items.deallocate() }

  /// Lends room for `count` items, or for fewer when there is no more.
  func lend(_ count: Int, _ body: (UnsafeMutableBufferPointer<FlexItem>) -> Void) {
    let count = min(count, Budget.flexItems - used)
    let lent = items.run(used, count)
    used += count
    body(lent)
    used -= count
  }
}
