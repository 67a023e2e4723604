import Panel
import Runtime

/// A button that a test presses. Its edges are told at once, or when `catchUp` asks for them.
public final class ScriptedButton: Button {
  private let clock: any Clock
  private var delegate: (any ButtonDelegate)?
  private var waiting: [(isPressed: Bool, at: Int64)] = []
  /// The contact.
  public private(set) var isPressed: Bool
  /// The reason for which it cannot be started; nil: it can.
  public var fault: Errno?
  /// True to keep edges until `deliver`, or until it is asked, as a kernel does for a program that is busy.
  public var holdsEdges = false
  /// Edges that are kept at most; what comes then is lost.
  public var room = Int.max
  public private(set) var isStarted = false
  /// What the delegate knows.
  private var told = false

  /// A button that is up, or down from the start.
  public init(clock: any Clock, isPressed: Bool = false) {
    self.clock = clock
    self.isPressed = isPressed
  }

  public func start(_ delegate: any ButtonDelegate) throws(Errno) {
    if let fault { throw fault }
    isStarted = true
    self.delegate = delegate
    told = isPressed
    if isPressed { delegate.buttonChanged(isPressed: true, at: clock.monotonic) }
  }

  public func catchUp() {
    deliver()
    guard told != isPressed else { return }
    told = isPressed
    delegate?.buttonMissed(isPressed: isPressed, at: clock.monotonic)
  }

  public func stop() {
    isStarted = false
    delegate = nil
    waiting = []
  }

  /// Moves the contact now.
  public func set(_ isPressed: Bool) {
    guard isPressed != self.isPressed else { return }
    self.isPressed = isPressed
    guard isStarted else { return }
    if waiting.count < room { waiting.append((isPressed, clock.monotonic)) }
    if !holdsEdges { deliver() }
  }

  /// Tells what was kept.
  public func deliver() {
    let edges = waiting
    waiting = []
    for edge in edges {
      told = edge.isPressed
      delegate?.buttonChanged(isPressed: edge.isPressed, at: edge.at)
    }
  }

  /// Its chip is gone.
  public func fail(_ reason: Errno) {
    fault = reason
    delegate?.buttonFailed(reason)
  }
}
