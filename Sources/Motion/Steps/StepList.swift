/// A step: a rising zero crossing of the filtered signal, and its strength.
struct Step {
  /// The sample before the zero crossing, and the fraction of a sample after it, 0..<1.
  var number: Int
  var part: Float
  /// Peak of the filtered acceleration after it, in g.
  var strength: Float
  /// Samples of a step here.
  var period: Float

  /// Samples between an earlier step and this one.
  func distance(from earlier: Step) -> Float { Float(number - earlier.number) + part - earlier.part }
}

/// Steps in order, up to a capacity. Its memory is allocated once.
final class StepList {
  private let slots: UnsafeMutablePointer<Step>
  private let capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: Step(number: 0, part: 0, strength: 0, period: 0), count: capacity)
  }

  deinit { slots.deallocate() }

  subscript(index: Int) -> Step {
    precondition(index < count)
    return slots[index]
  }

  /// Adds a step; false when there is no room for it.
  @discardableResult
  func append(_ step: Step) -> Bool {
    guard count < capacity else { return false }
    slots[count] = step
    count += 1
    return true
  }

  func clear() { count = 0 }
}
