import Runtime

/// The name of a file, stored inline; ordered by its bytes.
struct FileName {
  // NAME_MAX of Linux is 255.
  private var bytes = InlineArray<256, UInt8>(repeating: 0)
  private var count = 0

  /// The empty name, before all others.
  init() {}

  /// A name that ends in ".jpg" or ".jpeg", in any case; nil for any other.
  init?(picture name: UnsafePointer<CChar>) {
    while count < bytes.count, name[count] != 0 {
      bytes[count] = UInt8(bitPattern: name[count])
      count += 1
    }
    guard count < bytes.count, ends(with: ".jpg") || ends(with: ".jpeg") else { return nil }
  }

  /// Adds the name to a path.
  func append(to path: Path) throws(Errno) {
    try bytes.span.extracting(0..<count).withUnsafeBufferPointer { name throws(Errno) in try path.append(name)
    }
  }

  private func ends(with suffix: StaticString) -> Bool {
    let suffix = suffix.bytes
    guard count >= suffix.count else { return false }
    for index in 0..<suffix.count where bytes[count - suffix.count + index] | 0x20 != suffix[index] | 0x20 {
      return false
    }
    return true
  }

  static func == (left: FileName, right: FileName) -> Bool { !(left < right) && !(right < left) }

  static func < (left: FileName, right: FileName) -> Bool {
    for index in 0..<min(left.count, right.count) where left.bytes[index] != right.bytes[index] {
      return left.bytes[index] < right.bytes[index]
    }
    return left.count < right.count
  }
}
