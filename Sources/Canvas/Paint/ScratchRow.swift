import Runtime

/// One row of values that a painter works in, at most as long as its memory: whoever needs some of it asks for a run, once for each row, and
/// that is checked in every build. The subscript of an unsafe buffer is not checked in firmware. There are guard pages on both sides
/// (`ReservedBuffer`): what is written beyond the row in spite of it stops the program and overwrites nothing.
struct ScratchRow<Element: BitwiseCopyable> {
  private let memory: ReservedBuffer
  /// All of it.
  let values: UnsafeMutableBufferPointer<Element>

  /// Takes room for `count` values, all of them 0.
  init(_ count: Int) {
    do throws(Errno) {
      memory = try ReservedBuffer(capacity: count * MemoryLayout<Element>.stride, isGuarded: true)
    } catch {
      Process.endWithoutMemory()
    }
    values = UnsafeMutableRawBufferPointer(memory.bytes).assumingMemoryBound(to: Element.self)
  }

  /// `count` values from `first` on.
  @inline(__always)
  func run(_ first: Int, _ count: Int) -> UnsafeMutableBufferPointer<Element> { values.run(first, count) }
}

extension UnsafeMutableBufferPointer {
  /// `count` elements from `first` on; that they are there is checked in firmware too.
  @inline(__always)
  func run(_ first: Int, _ count: Int) -> UnsafeMutableBufferPointer {
    precondition(first >= 0 && count >= 0 && first <= self.count && count <= self.count - first)
    return UnsafeMutableBufferPointer(start: baseAddress.map { $0 + first }, count: count)
  }
}

extension UnsafeBufferPointer {
  /// `count` elements from `first` on; that they are there is checked in firmware too.
  @inline(__always)
  func run(_ first: Int, _ count: Int) -> UnsafeBufferPointer {
    precondition(first >= 0 && count >= 0 && first <= self.count && count <= self.count - first)
    return UnsafeBufferPointer(start: baseAddress.map { $0 + first }, count: count)
  }
}
