import Panel
import Runtime

/// A simulated button that a test presses. Its edges are delivered at once, or at `catchUp`.
public final class ScriptedButton: Button {
  private let clock: any Clock
  private var delegate: (any ButtonDelegate)?
  private var waiting: [(isPressed: Bool, at: Int64)] = []
  /// The contact.
  public private(set) var isPressed: Bool
  /// Why it cannot be started; nil: it can.
  public var fault: Errno?
  /// True to keep edges until `deliver` or `catchUp`, like the kernel for a busy program.
  public var holdsEdges = false
  /// Largest number of kept edges; further ones are lost.
  public var room = Int.max
  public private(set) var isStarted = false
  /// The level last reported to the delegate.
  private var reported = false

  /// A released button, or one that is pressed at the start.
  @export(interface)
  public init(clock: any Clock, isPressed: Bool = false) {
    self.clock = clock
    self.isPressed = isPressed
  }

  public func start(_ delegate: any ButtonDelegate) throws(Errno) {
    if let fault { throw fault }
    isStarted = true
    self.delegate = delegate
    reported = isPressed
    if isPressed { delegate.buttonChanged(isPressed: true, at: clock.monotonic) }
  }

  public func catchUp() {
    deliver()
    guard reported != isPressed else { return }
    reported = isPressed
    delegate?.buttonMissed(isPressed: isPressed, at: clock.monotonic)
  }

  public func stop() {
    isStarted = false
    delegate = nil
    waiting = []
  }

  /// Presses or releases the button now.
  public func set(_ isPressed: Bool) {
    guard isPressed != self.isPressed else { return }
    self.isPressed = isPressed
    guard isStarted else { return }
    if waiting.count < room { waiting.append((isPressed, clock.monotonic)) }
    if !holdsEdges { deliver() }
  }

  /// Delivers the kept edges.
  public func deliver() {
    let edges = waiting
    waiting = []
    for edge in edges {
      reported = edge.isPressed
      delegate?.buttonChanged(isPressed: edge.isPressed, at: edge.at)
    }
  }

  /// Its chip fails.
  public func fail(_ reason: Errno) {
    fault = reason
    delegate?.buttonFailed(reason)
  }
}
