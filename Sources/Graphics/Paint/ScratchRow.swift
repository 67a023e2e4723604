import Runtime

/// A row buffer of a painter. Callers get a run of it once per row, whose bounds are checked in every build; subscripts
/// of unsafe buffers are not checked in firmware. Guard pages on both sides (`ReservedBuffer`) stop the program at any
/// write beyond the row.
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
  public func run(_ first: Int, _ count: Int) -> UnsafeMutableBufferPointer {
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
