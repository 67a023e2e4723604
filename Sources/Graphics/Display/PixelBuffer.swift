import Runtime

/// Pixels in memory that are drawn into: 0xXXRRGGBB in the processor's own byte order, rows without gaps, as a person
/// sees them (rotation happens on the way to the panel). Belongs to one thread at a time.
public final class PixelBuffer {
  public let size: Size
  /// All pixels, row by row from the top.
  public let bytes: UnsafeMutableBufferPointer<UInt8>
  /// What the pixels stand in: one of these.
  private let reserved: ReservedBuffer?
  private let shared: SharedMemory?

  /// Takes black pixels. Throws when there is no address space left.
  @export(interface)
  public init(_ size: Size) throws(Errno) {
    self.size = size
    let memory = try ReservedBuffer(capacity: max(Int(size.width) * Int(size.height), 1) * 4)
    bytes = memory.bytes
    (reserved, shared) = (memory, nil)
  }

  /// The pixels at the beginning of memory that another process draws in; nil: it does not hold as many.
  @export(interface)
  public init?(_ size: Size, in memory: SharedMemory) {
    guard size.width > 0, size.height > 0 else { return nil }
    let count = Int64(size.width) * Int64(size.height) * 4
    guard count <= Int64(memory.bytes.count) else { return nil }
    self.size = size
    bytes = memory.part(at: 0, count: count)
    (reserved, shared) = (nil, memory)
  }

  /// From one row to the next, in bytes.
  public var stride: Int { Int(size.width) * 4 }

  /// All pixels as numbers.
  public var pixels: UnsafeMutableBufferPointer<UInt32> {
    UnsafeMutableRawBufferPointer(bytes).assumingMemoryBound(to: UInt32.self)
  }
}
