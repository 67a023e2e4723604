/// A few values that live inside their owner. Never allocates.
public struct InlineList<let capacity: Int, Element: Sendable>: Sendable {
  private var storage = InlineArray<capacity, Element?>(repeating: nil)
  /// Values in use.
  public private(set) var count = 0

  /// An empty list.
  public init() {}

  public var isEmpty: Bool { count == 0 }

  /// The value at an index below `count`.
  public subscript(index: Int) -> Element {
    get { storage[index]! }
    set { storage[index] = newValue }
  }

  /// Adds a value; false, and nothing changes, when there is no room.
  @discardableResult
  public mutating func append(_ element: Element) -> Bool {
    guard count < capacity else { return false }
    storage[count] = element
    count += 1
    return true
  }

  /// Makes the list empty.
  public mutating func removeAll() { count = 0 }
}
