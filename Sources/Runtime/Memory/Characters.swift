extension Span where Element == UInt8 {
  /// Bytes of the longest beginning of this text, at most `most`, that cuts no character of UTF-8.
  public func characters(in most: Int) -> Int {
    var end = Swift.min(count, Swift.max(most, 0))
    if end == count { return end }
    while end > 0, self[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }
}
