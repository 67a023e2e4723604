import Runtime

/// One instruction of an expression. Places are relative to its own, so that pieces can be moved and copied.
struct PatternStep: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// The scalar `first`; any but a line's end; one of the `second` ranges from `first` on, or none of them.
    case scalar, any, oneOf, noneOf
    /// On at `first`, or else at `second`; on at `first`.
    case split, jump
    case start, end, wordEdge, noWordEdge
    /// What follows up to `second` must match from here, or must not; neither takes anything.
    case ahead, notAhead
    case match
  }

  var kind: Kind
  var first: Int32 = 0
  var second: Int32 = 0
}

/// From one character to another, both included.
struct PatternRange: BitwiseCopyable {
  var first: UInt32
  var last: UInt32
}

/// Why an expression is not understood.
enum PatternError: Error {
  case unknown, tooLong
}

/// The instructions of one expression. Of a fixed size.
final class PatternCode {
  private let steps: UnsafeMutableBufferPointer<PatternStep>
  private let ranges: UnsafeMutableBufferPointer<PatternRange>
  private(set) var count = 0
  private(set) var rangeCount = 0

  init() {
    steps = .allocate(capacity: Budget.patternInstructions)
    steps.initialize(repeating: PatternStep(kind: .match))
    ranges = .allocate(capacity: Budget.patternRanges)
    ranges.initialize(repeating: PatternRange(first: 0, last: 0))
  }

  deinit {
    steps.deallocate()
    ranges.deallocate()
  }

  subscript(index: Int) -> PatternStep {
    get { steps[index] }
    set { steps[index] = newValue }
  }

  func removeAll() { (count, rangeCount) = (0, 0) }

  func add(_ kind: PatternStep.Kind, _ first: Int = 0, _ second: Int = 0) throws(PatternError) {
    guard count < Budget.patternInstructions else { throw .tooLong }
    steps[count] = PatternStep(kind: kind, first: Int32(first), second: Int32(second))
    count += 1
  }

  /// Before what stands from a place on.
  func insert(_ kind: PatternStep.Kind, _ first: Int, _ second: Int, at place: Int) throws(PatternError) {
    try add(kind)
    var index = count - 1
    while index > place {
      steps[index] = steps[index - 1]
      index -= 1
    }
    steps[place] = PatternStep(kind: kind, first: Int32(first), second: Int32(second))
  }

  /// Once more what stands in `length` steps from a place on.
  func copy(_ place: Int, _ length: Int) throws(PatternError) {
    guard count + length <= Budget.patternInstructions else { throw .tooLong }
    for index in 0..<length { steps[count + index] = steps[place + index] }
    count += length
  }

  func cut(to count: Int) { self.count = count }

  func add(_ first: UInt32, _ last: UInt32) throws(PatternError) {
    guard first <= last else { throw .unknown }
    guard rangeCount < Budget.patternRanges else { throw .tooLong }
    ranges[rangeCount] = PatternRange(first: first, last: last)
    rangeCount += 1
  }

  /// Whether one of the ranges of a step has a character.
  func contains(_ step: PatternStep, _ scalar: UInt32) -> Bool {
    for index in Int(step.first)..<Int(step.first + step.second)
    where ranges[index].first <= scalar && scalar <= ranges[index].last {
      return true
    }
    return false
  }

  /// Letters, digits and `_` of ASCII, as ECMAScript has it.
  static func isWord(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
    default: false
    }
  }
}
