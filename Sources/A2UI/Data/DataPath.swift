import Runtime

/// Iterates over a path: the parts between slashes (canvas reference 1.6), or, inside such a part, those between dots
/// and brackets.
struct PathSegments {
  private let path: Bytes
  private var index = 0
  private let isDotted: Bool

  /// The parts between slashes.
  init(_ path: Bytes) {
    self.path = path
    isDotted = false
  }

  /// The parts between dots and brackets of one part.
  init(dotted segment: Bytes) {
    path = segment
    isDotted = true
  }

  /// The next part, or nil after the last one. Empty ones are skipped.
  mutating func next() -> Bytes? {
    while index < path.count, isSeparator(path[index]) { index += 1 }
    guard index < path.count else { return nil }
    let start = index
    while index < path.count, !isSeparator(path[index]) { index += 1 }
    return path.between(start..<index)
  }

  private func isSeparator(_ byte: UInt8) -> Bool {
    guard isDotted else { return byte == UInt8(ascii: "/") }
    return byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
  }
}

extension UnsafeBufferPointer where Element == UInt8 {
  /// True when a path's part may consist of several.
  var isDotted: Bool {
    for byte in self where byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") { return true }
    return false
  }

  /// A path's part as an index of a list.
  var listIndex: Int? {
    guard !isEmpty, count <= 9 else { return nil }
    var value = 0
    for byte in self {
      guard byte &- 0x30 < 10 else { return nil }
      value = value * 10 + Int(byte &- 0x30)
    }
    return value
  }
}

/// One part of a path as an unescaped key: `~0` is a tilde and `~1` a slash (RFC 6901 section 3); an invalid escape
/// stays as it is.
struct PathKey {
  private var storage = InlineText<256>()
  /// Longer than the limit for keys.
  let isTooLong: Bool
  let hash: UInt32

  init(_ segment: Bytes) {
    isTooLong = !storage.fill { buffer in
      var count = 0
      var index = 0
      while index < segment.count {
        guard count < buffer.count else { return nil }
        var byte = segment[index]
        if byte == UInt8(ascii: "~"), index + 1 < segment.count, segment[index + 1] & 0xFE == 0x30 {
          byte = segment[index + 1] == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/")
          index += 1
        }
        buffer[count] = byte
        count += 1
        index += 1
      }
      return count
    }
    hash = storage.span.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: $0.hash) }
  }

  func withBytes<Result, Failure: Error>(_ body: (Bytes) throws(Failure) -> Result) throws(Failure) -> Result {
    try storage.span.withUnsafeBufferPointer(body)
  }
}
