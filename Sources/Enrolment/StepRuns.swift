import Codec
import Runtime
import Voice

/// Embeddings as components of a byte each, one run of steps for each recording or word, in memory of fixed size.
public final class StepRuns {
  /// The steps of one recording or word.
  public struct Run {
    /// The first step, and their number.
    public var start: Int
    public var count: Int

    /// Windows of nine steps in it.
    public var windows: Int { max(0, count - Budget.wakeVectors + 1) }
  }

  /// Bytes of a step.
  public static let components = Budget.enrolComponents
  /// The scale of a component.
  static let scale: Float = 24

  let steps: UnsafeMutablePointer<Int8>
  private let capacity: Int
  /// The runs.
  public private(set) var runs: [Run] = []
  private var count = 0

  /// Room for `capacity` steps.
  @export(interface)
  public init(capacity: Int) {
    self.capacity = capacity
    steps = .allocate(capacity: max(1, capacity) * Self.components)
    steps.initialize(repeating: 0, count: max(1, capacity) * Self.components)
  }

  deinit { steps.deallocate() }

  /// Total number of windows.
  public var windows: Int {
    var sum = 0
    for run in runs { sum += run.windows }
    return sum
  }

  /// Adds a run of steps, of 40 components each; false when it has no window or there is no room.
  public func add(_ components: ArraySlice<Float>) -> Bool {
    let length = components.count / Self.components
    guard length >= Budget.wakeVectors, count + length <= capacity else { return false }
    var place = steps + count * Self.components
    for component in components.prefix(length * Self.components) {
      place.pointee = Int8(clamping: (component * Self.scale).rounded().bounded(-127, 127))
      place += 1
    }
    runs.append(Run(start: count, count: length))
    count += length
    return true
  }

  /// The bytes of all steps.
  public func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    body(UnsafeRawBufferPointer(start: steps, count: count * Self.components))
  }
}
