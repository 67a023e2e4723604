/// A step: when the body was on its way up, and how strong it was.
struct Step {
  /// The sample before the rise through zero, and how far behind it that was, 0..<1.
  var number: Int
  var part: Float
  /// Height of the filtered acceleration behind it, in g.
  var strength: Float
  /// Samples that a step lasts here.
  var period: Float

  /// Samples between an earlier step and this one.
  func distance(from earlier: Step) -> Float { Float(number - earlier.number) + part - earlier.part }
}

/// Steps in their order, as many as there is room for. Its memory is taken once.
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
