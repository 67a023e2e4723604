import Synchronization

/// A request to stop that the loop makes and a worker sees.
public final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Not asked to stop.
  @export(interface)
  public init() {}

  /// True once `request` was called.
  public var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Asks to stop.
  public func request() { flag.store(true, ordering: .relaxed) }

  /// Forgets the request, before the next use.
  public func reset() { flag.store(false, ordering: .relaxed) }
}
