import Runtime

/// A reserved array of plain values, of which only touched pages cost memory. Its bytes are zero until written.
struct ReservedArray<Element: BitwiseCopyable>: ~Copyable {
  private let buffer: ReservedBuffer
  /// All elements. Indices are checked only in debug builds, as in tests and fuzzers; those of `pointer` in firmware
  /// too.
  let base: UnsafeMutableBufferPointer<Element>
  let capacity: Int

  init(capacity: Int) throws(Errno) {
    buffer = try ReservedBuffer(capacity: capacity * MemoryLayout<Element>.stride)
    base = UnsafeMutableRawBufferPointer(buffer.bytes).bindMemory(to: Element.self)
    self.capacity = capacity
  }

  /// A pointer to an element; the index is checked in every build.
  func pointer(_ index: Int) -> UnsafeMutablePointer<Element> {
    precondition(index >= 0 && index < base.count)
    return base.baseAddress! + index
  }

  /// Releases the memory; all elements are zero again.
  func release() { buffer.release() }
}
