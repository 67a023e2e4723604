import Runtime

/// A reserved array of plain values, of which only touched pages cost memory. Its bytes are zero until written.
struct ReservedArray<Element: BitwiseCopyable>: ~Copyable {
  private let buffer: ReservedBuffer
  let base: UnsafeMutablePointer<Element>
  let capacity: Int

  init(capacity: Int) throws(Errno) {
    buffer = try ReservedBuffer(capacity: capacity * MemoryLayout<Element>.stride)
    base = UnsafeMutableRawPointer(buffer.bytes.baseAddress!).bindMemory(to: Element.self, capacity: capacity)
    self.capacity = capacity
  }

  /// Gives the memory back; everything is zero again.
  func release() { buffer.release() }
}
