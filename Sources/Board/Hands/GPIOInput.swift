import Hands
import Runtime

/// A line of a GPIO chip that is watched by the kernel's edge events (kernel document gpio/chardev). Reports raw edges:
/// the delegate debounces them.
public final class GPIOInput: InputLine, DescriptorHandler {
  private let line: GPIOLine
  private let edgesPerSecond: Int
  private let loop: Loop
  private let clock: any Clock
  private var delegate: (any InputLineDelegate)?
  private var isOn = false
  /// Start of the second in which edges are counted.
  private var edges = 0
  private var secondBegan: Int64 = 0
  /// True when it failed because it has more edges than a line that is connected to something.
  public private(set) var isNoisy = false

  /// A closed line, which fails with `.inputOutput` when it has more edges in a second than this.
  @export(interface)
  public init(_ place: GPIOPlace, bias: GPIOBias, edgesPerSecond: Int, loop: Loop, clock: any Clock) {
    line = GPIOLine(place, GPIOLine.flags(bias))
    self.edgesPerSecond = edgesPerSecond
    self.loop = loop
    self.clock = clock
  }

  public func start(_ delegate: any InputLineDelegate) throws(Errno) -> Bool {
    do throws(Errno) {
      try line.openInput()
      isOn = try line.isOn()
      guard let descriptor = line.descriptor else { throw .noSuchDevice }
      try loop.watch(descriptor, for: .readable, self)
    } catch {
      line.close()
      throw error
    }
    self.delegate = delegate
    (edges, secondBegan, isNoisy) = (0, clock.monotonic, false)
    return isOn
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
      guard line.isOpen, try line.isOn() != isOn else { return }
      // An edge may have come between the two reads.
      try readEdges()
      guard line.isOpen else { return }
      let level = try line.isOn()
      guard level != isOn else { return }
      isOn = level
      delegate?.lineMissed(isOn: level, at: clock.monotonic)
    } catch {
      fail(error)
    }
  }

  private func readEdges() throws(Errno) {
    for _ in 0..<Budget.buttonEdgesPerTurn {
      guard line.isOpen, let edge = try line.nextEdge() else { return }
      try count()
      isOn = edge.isOn
      let instant = Self.monotonic(edge.stamp / 1_000_000, monotonic: clock.monotonic, wall: clock.wall)
      delegate?.lineChanged(isOn: isOn, at: instant)
    }
  }

  /// Timestamps are monotonic since Linux 5.7 and wall-clock before; takes the clock that is nearer. Where neither is
  /// near, the wall clock was set in between, or the edge waited for long: then it is taken as one of now.
  static func monotonic(_ stamp: Int64, monotonic: Int64, wall: Int64) -> Int64 {
    let age = abs(stamp - monotonic) <= abs(stamp - wall) ? monotonic - stamp : wall - stamp
    return abs(age) <= 60_000 ? monotonic - age : monotonic
  }

  // MARK: Faults

  private func count() throws(Errno) {
    let now = clock.monotonic
    if now - secondBegan >= 1_000 { (edges, secondBegan) = (0, now) }
    edges += 1
    guard edges > edgesPerSecond else { return }
    isNoisy = true
    throw .inputOutput
  }

  private func fail(_ reason: Errno) {
    let delegate = delegate
    stop()
    delegate?.lineFailed(reason)
  }
}
