import Runtime

/// A movement of a fixed length, which slows down to its end. Times are monotonic milliseconds.
public struct Motion: Sendable {
  /// What `progress` is at the end.
  public static let whole: Int32 = 256

  private let length: Int64
  private var begun: Int64?

  /// One that does not move yet. `length`: in milliseconds.
  public init(length: Int64) { self.length = length }

  public var isMoving: Bool { begun != nil }

  /// It begins, in place of the one before.
  public mutating func begin(at now: Int64) { begun = now }

  public mutating func end() { begun = nil }

  /// From 0 to `whole`, which it is also while nothing moves: 1 - (1 - t)^3.
  public func progress(at now: Int64) -> Int32 {
    guard let begun, now < begun + length else { return Self.whole }
    let left = Self.whole - Int32(clamping: max(now - begun, 0) * Int64(Self.whole) / length)
    return Self.whole - left * left / Self.whole * left / Self.whole
  }

  /// When it looks different; nil while nothing moves.
  public func nextFrame(after now: Int64) -> Int64? { isMoving ? now + Budget.motionFrameMilliseconds : nil }

  /// True while something looks different; at its end it stands.
  public mutating func advance(to now: Int64) -> Bool {
    guard let begun else { return false }
    if now >= begun + length { self.begun = nil }
    return true
  }
}
