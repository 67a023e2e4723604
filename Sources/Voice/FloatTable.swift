/// Floats of a fixed count, zero at first, aligned for vector loads; allocated once for the life of the owner.
public final class FloatTable {
  /// The floats. Valid as long as the table is.
  public let floats: UnsafeMutablePointer<Float>
  /// Their number.
  public let count: Int

  /// Allocates `count` zeroed floats on the heap.
  @export(interface)
  public init(count: Int) {
    self.count = count
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: max(count, 8) * MemoryLayout<Float>.stride, alignment: 32)
    floats = bytes.bindMemory(to: Float.self, capacity: count)
    floats.initialize(repeating: 0, count: count)
  }

  deinit { UnsafeMutableRawPointer(floats).deallocate() }

  /// Sets all to zero.
  public func clear() { floats.update(repeating: 0, count: count) }
}
