import Panel
import Runtime

/// A push button on a line of a GPIO chip, by the kernel's edge events (kernel document gpio/chardev). Reports raw
/// edges: the delegate debounces them.
public final class GPIOButton: Button, DescriptorHandler {
  /// The resistor that holds the line while the button is released.
  public enum Bias: Sendable { case pullUp, pullDown, none, asItIs }

  private let line: GPIOLine
  private let loop: Loop
  private let clock: any Clock
  private let log: Log
  private var delegate: (any ButtonDelegate)?
  private var isPressed = false
  /// Start of the second in which edges are counted.
  private var edges = 0
  private var secondBegan: Int64 = 0

  /// A closed line.
  public init(_ place: GPIOPlace, bias: Bias, loop: Loop, clock: any Clock, log: Log) {
    let flags: GPIOLine.Flags
    switch bias {
    case .pullUp: flags = .pullUp
    case .pullDown: flags = .pullDown
    case .none: flags = .noPull
    case .asItIs: flags = []
    }
    line = GPIOLine(place, flags)
    self.loop = loop
    self.clock = clock
    self.log = log
  }

  public func start(_ delegate: any ButtonDelegate) throws(Errno) {
    do throws(Errno) {
      try line.openInput()
      isPressed = try line.isOn()
      guard let descriptor = line.descriptor else { throw .noSuchDevice }
      try loop.watch(descriptor, for: .readable, self)
    } catch {
      line.close()
      throw error
    }
    self.delegate = delegate
    (edges, secondBegan) = (0, clock.monotonic)
    if isPressed { delegate.buttonChanged(isPressed: true, at: clock.monotonic) }
  }

  public func stop() {
    if let descriptor = line.descriptor { loop.unwatch(descriptor) }
    line.close()
    delegate = nil
  }

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    do throws(Errno) {
      if readiness.contains(.failed) { throw .noSuchDevice }
      try readEdges()
    } catch {
      fail(error)
    }
  }

  /// The kernel queues 16 edges and drops the rest, so the line may have another level than the last edge.
  public func catchUp() {
    do throws(Errno) {
      try readEdges()
      guard line.isOpen, try line.isOn() != isPressed else { return }
      // An edge may have come between the two reads.
      try readEdges()
      guard line.isOpen else { return }
      let isDown = try line.isOn()
      guard isDown != isPressed else { return }
      isPressed = isDown
      delegate?.buttonMissed(isPressed: isDown, at: clock.monotonic)
    } catch {
      fail(error)
    }
  }

  private func readEdges() throws(Errno) {
    for _ in 0..<Budget.buttonEdgesPerTurn {
      guard line.isOpen, let edge = try line.nextEdge() else { return }
      try count()
      report(edge.isOn, at: Self.monotonic(edge.stamp / 1_000_000, monotonic: clock.monotonic, wall: clock.wall))
    }
  }

  private func report(_ isPressed: Bool, at instant: Int64) {
    self.isPressed = isPressed
    delegate?.buttonChanged(isPressed: isPressed, at: instant)
  }

  /// Timestamps are monotonic since Linux 5.7 and wall-clock before; takes the clock that is nearer.
  static func monotonic(_ stamp: Int64, monotonic: Int64, wall: Int64) -> Int64 {
    let isMonotonic = abs(stamp - monotonic) <= abs(stamp - wall)
    return isMonotonic ? stamp : monotonic - (wall - stamp)
  }

  // MARK: Faults

  private func count() throws(Errno) {
    let now = clock.monotonic
    if now - secondBegan >= 1_000 { (edges, secondBegan) = (0, now) }
    edges += 1
    guard edges > Budget.buttonEdgesPerSecond else { return }
    log.write(
      .warning, "panel", "the button's line keeps changing: check its wiring and its pull-up or pull-down resistor")
    throw .inputOutput
  }

  private func fail(_ reason: Errno) {
    let delegate = delegate
    stop()
    delegate?.buttonFailed(reason)
  }
}
