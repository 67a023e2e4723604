import Runtime

/// A reserved array of plain values, of which only touched pages cost memory. Its bytes are zero until written.
struct ReservedArray<Element: BitwiseCopyable>: ~Copyable {
  private let buffer: ReservedBuffer
  /// All of it. Its indices are checked in debug builds, where tests and fuzzers run; those of `pointer` in firmware as well.
  let base: UnsafeMutableBufferPointer<Element>
  let capacity: Int

  init(capacity: Int) throws(Errno) {
    buffer = try ReservedBuffer(capacity: capacity * MemoryLayout<Element>.stride)
    base = UnsafeMutableRawBufferPointer(buffer.bytes).bindMemory(to: Element.self)
    self.capacity = capacity
  }

  /// Where the element at an index is, which is checked in every build.
  func pointer(_ index: Int) -> UnsafeMutablePointer<Element> {
    precondition(index >= 0 && index < base.count)
    return base.baseAddress! + index
  }

  /// Gives the memory back; everything is zero again.
  func release() { buffer.release() }
}
