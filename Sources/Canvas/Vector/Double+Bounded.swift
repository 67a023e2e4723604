extension Double {
  /// Within a range; what is no number is the lower end, where `min` and `max` would pass it on.
  @inline(__always)
  func bounded(_ low: Double, _ high: Double) -> Double { self > low ? (self < high ? self : high) : low }
}
