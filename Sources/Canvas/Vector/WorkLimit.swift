/// Says when work on a worker shall end: its time is over, or nobody waits for it any more. Asked every few microseconds up to a
/// millisecond, by the worker's thread.
public protocol WorkMeter: AnyObject {
  var isOver: Bool { get }
}

/// Counts work that has no other bound, and asks a meter now and then, for that is a call of the kernel.
public final class WorkLimit {
  private let meter: (any WorkMeter)?
  private var spent = 0
  /// The work shall end. Stays so.
  public private(set) var isOver = false
  /// Steps between two questions: a pixel, an edge on a scan line, a node that is looked at; a tenth of a millisecond here, two on
  /// the slowest board.
  private static let interval = 1 << 15

  /// Without a meter the work never is over.
  public init(_ meter: (any WorkMeter)? = nil) { self.meter = meter }

  /// Counts steps.
  /// - Returns: whether there may be more.
  @inline(__always)
  @discardableResult
  func spend(_ steps: Int) -> Bool {
    spent &+= steps
    if spent >= Self.interval { ask() }
    return !isOver
  }

  private func ask() {
    spent = 0
    if !isOver, let meter, meter.isOver { isOver = true }
  }
}
