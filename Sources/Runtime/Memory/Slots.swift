/// A fixed number of slots, each empty or with an element, whose number stays the same until it is taken out.
public struct Slots<Element>: ~Copyable {
  private let places: UnsafeMutableBufferPointer<Element?>

  /// Takes room for `capacity` elements.
  public init(capacity: Int) {
    places = .allocate(capacity: capacity)
    places.initialize(repeating: nil)
  }

  deinit {
    places.deinitialize()
    places.deallocate()
  }

  /// The numbers of all slots.
  public var indices: Range<Int> { places.indices }

  /// What is in a slot; nil: it is empty.
  public subscript(_ index: Int) -> Element? {
    get { places[index] }
    set { places[index] = newValue }
  }

  /// The first empty slot; nil when there is none.
  public var firstEmpty: Int? {
    for index in places.indices where places[index] == nil { return index }
    return nil
  }

  /// Puts an element into the first empty slot; nil when there is none.
  public mutating func add(_ element: Element) -> Int? {
    guard let index = firstEmpty else { return nil }
    places[index] = element
    return index
  }

  /// Empties a slot, and returns what was in it. A number that no slot has is an empty one's.
  public mutating func take(_ index: Int) -> Element? {
    guard places.indices.contains(index), let element = places[index] else { return nil }
    places[index] = nil
    return element
  }

  /// The first slot whose element is such a one.
  public func first(_ isSuch: (Element) -> Bool) -> Int? {
    for index in places.indices {
      if let element = places[index], isSuch(element) { return index }
    }
    return nil
  }
}
