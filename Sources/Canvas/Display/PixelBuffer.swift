import Runtime

/// Pixels in memory that are drawn into: 0xXXRRGGBB in the processor's own byte order, rows without gaps, as a person sees them
/// (rotation happens on the way to the panel). Belongs to one thread at a time.
public final class PixelBuffer {
  public let size: Size
  private let memory: ReservedBuffer

  /// Takes black pixels. Throws when there is no address space left.
  public init(_ size: Size) throws(Errno) {
    self.size = size
    memory = try ReservedBuffer(capacity: max(Int(size.width) * Int(size.height), 1) * 4)
  }

  /// From one row to the next, in bytes.
  public var stride: Int { Int(size.width) * 4 }

  /// All pixels, row by row from the top.
  public var bytes: UnsafeMutableBufferPointer<UInt8> { memory.bytes }

  /// All pixels as numbers.
  public var pixels: UnsafeMutableBufferPointer<UInt32> {
    UnsafeMutableRawBufferPointer(memory.bytes).assumingMemoryBound(to: UInt32.self)
  }
}
