import Panel
import Runtime

/// A simulated light that records its calls with their times. With `plays` it repeats patterns by itself, as the kernel
/// does.
public final class MemoryLight: Light {
  /// The recorded calls.
  public enum Event: Equatable, Sendable {
    case opened, closed
    case shown(LightColor)
    case played([LightPattern.Step])
  }

  private let clock: any Clock
  private let plays: Bool
  /// Why every call fails; nil: it works.
  public var fault: Errno?
  public private(set) var events: [(at: Int64, event: Event)] = []
  public private(set) var isOpen = false

  /// A dark light.
  @export(interface)
  public init(clock: any Clock, plays: Bool = false) {
    self.clock = clock
    self.plays = plays
  }

  /// The color that is lit; nil while it plays a pattern, or is closed.
  public var color: LightColor? {
    guard isOpen, let last = events.last, case .shown(let color) = last.event else { return nil }
    return color
  }

  /// Clears the recorded calls.
  public func forget() { events = [] }

  public func open() throws(Errno) {
    if let fault { throw fault }
    isOpen = true
    note(.opened)
  }

  public func close() {
    isOpen = false
    note(.closed)
  }

  public func show(_ color: LightColor) throws(Errno) {
    try check()
    note(.shown(color))
  }

  public func play(_ pattern: LightPattern) throws(Errno) -> Bool {
    try check()
    if plays { note(.played(pattern.steps)) }
    return plays
  }

  private func check() throws(Errno) {
    if let fault { throw fault }
    guard isOpen else { throw .noSuchDevice }
  }

  private func note(_ event: Event) { events.append((clock.monotonic, event)) }
}
