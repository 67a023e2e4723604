import Panel
import Runtime

/// A light that remembers what it was told, and when. With `plays` it repeats patterns by itself, as the kernel does.
public final class MemoryLight: Light {
  /// What it was told.
  public enum Event: Equatable, Sendable {
    case opened, closed
    case shown(LightColor)
    case played([LightPattern.Step])
  }

  private let clock: any Clock
  private let plays: Bool
  /// The reason for which every call fails; nil: it works.
  public var fault: Errno?
  public private(set) var events: [(at: Int64, event: Event)] = []
  public private(set) var isOpen = false

  /// A dark light.
  public init(clock: any Clock, plays: Bool = false) {
    self.clock = clock
    self.plays = plays
  }

  /// What is lit; nil while it plays a pattern, or is closed.
  public var color: LightColor? {
    guard isOpen, let last = events.last, case .shown(let color) = last.event else { return nil }
    return color
  }

  /// Forgets what it was told.
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
