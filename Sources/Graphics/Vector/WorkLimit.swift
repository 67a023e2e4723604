/// Tells when work on a worker has to end: its time is over, or it was cancelled. Called by the worker's thread every
/// few microseconds up to a millisecond.
public protocol WorkMeter: AnyObject {
  var isOver: Bool { get }
}

/// Counts steps of work without another bound, and asks the meter only from time to time, because that is a system
/// call.
public final class WorkLimit {
  private let meter: (any WorkMeter)?
  private var spent = 0
  /// The work has to end. Stays true.
  public private(set) var isOver = false
  /// Steps between two questions: a pixel, an edge on a scan line, a node that is looked at; a tenth of a millisecond
  /// here, two on the slowest board.
  private static let interval = 1 << 15

  /// Without a meter the work never is over.
  @export(interface)
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
