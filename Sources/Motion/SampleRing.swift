import Codec

/// The newest values of a signal, addressed by their number since the start.
///
/// Its memory is allocated once; a class, so that it is never copied.
final class SampleRing {
  private let slots: UnsafeMutablePointer<Float>
  private let mask: Int
  /// Number of values pushed so far, and so the number of the next.
  private(set) var end = 0

  /// Room for `capacity` values, a power of two.
  init(capacity: Int) {
    precondition(capacity > 0 && capacity & (capacity - 1) == 0)
    mask = capacity - 1
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: 0, count: capacity)
  }

  deinit { slots.deallocate() }

  /// The number of the oldest value that is still there.
  var start: Int { max(0, end - mask - 1) }

  /// The value by this number, which must be in `start..<end`.
  @inline(__always)
  subscript(number: Int) -> Float { slots[number & mask] }

  /// Adds a value; the oldest is overwritten.
  func push(_ value: Float) {
    slots[end & mask] = value
    end += 1
  }

  /// The value at a place `offset` after a number (before it when negative), by linear interpolation.
  @inline(__always)
  func value(at number: Int, plus offset: Float) -> Float {
    let whole = Int(clamping: offset.rounded(.down))
    let part = offset - Float(whole)
    return self[number + whole] * (1 - part) + self[number + whole + 1] * part
  }

  /// Removes all values; numbers start at 0 again.
  func clear() { end = 0 }
}
