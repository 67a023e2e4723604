import Graphics
import Runtime

/// Room for the children of rows and columns while they are arranged: a stack, for they stand in each other. Only what
/// was used costs memory.
final class FlexItems {
  private let memory: ReservedBuffer
  private let items: UnsafeMutableBufferPointer<FlexItem>
  private var used = 0

  /// Reserves its memory; throws when the address space is full.
  init() throws(Errno) {
    memory = try ReservedBuffer(capacity: Budget.flexItems * MemoryLayout<FlexItem>.stride)
    items = UnsafeMutableRawBufferPointer(memory.bytes).bindMemory(to: FlexItem.self)
  }

  /// Lends room for `count` items, or for fewer when there is no more.
  func lend(_ count: Int, _ body: (UnsafeMutableBufferPointer<FlexItem>) -> Void) {
    let count = min(count, Budget.flexItems - used)
    let lent = items.run(used, count)
    used += count
    body(lent)
    used -= count
  }
}
