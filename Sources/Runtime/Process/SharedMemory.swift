import CLinux

/// Memory shared by two processes of which one does not trust the other: a memory file (memfd) of sealed size, mapped
/// by both. Its contents are untrusted, and may change while they are read.
public final class SharedMemory {
  /// Valid as long as the memory is.
  public private(set) var bytes: UnsafeMutableRawBufferPointer
  private var file: Descriptor?
  /// The largest page size of the kernels that Talon runs on (arm64 with CONFIG_ARM64_64K_PAGES); mappings begin at a
  /// page boundary.
  private static let pageBytes = 65_536

  /// Zeroed memory; a page costs memory once it is touched.
  @export(interface)
  public init(capacity: Int) throws(Errno) {
    let file = Descriptor(Int32(try check(tl_shared_memory(numericCast(capacity)))))
    do throws(Errno) { bytes = try Syscall.map(file, count: capacity) } catch {
      file.close()
      throw error
    }
    self.file = file
  }

  /// Maps the memory that another process created and this one inherited.
  @export(interface)
  public init(inherited file: Descriptor) throws(Errno) {
    let size = try Syscall.status(file).size
    guard size > 0, size <= Int64(Int32.max) else { throw .invalidArgument }
    bytes = try Syscall.map(file, count: Int(size))
  }

  deinit {
    file?.close()
    Syscall.unmap(bytes)
  }

  /// The descriptor for the other process. Not valid after `keep`.
  public var descriptor: Descriptor { file ?? Descriptor(-1) }

  /// Keeps at least the first `count` bytes, releases the other addresses, and closes the descriptor.
  public func keep(_ count: Int) {
    file?.close()
    file = nil
    let kept = (count + Self.pageBytes - 1) / Self.pageBytes * Self.pageBytes
    guard kept > 0, kept < bytes.count else { return }
    Syscall.unmap(UnsafeMutableRawBufferPointer(rebasing: bytes[kept...]))
    bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[..<kept])
  }

  /// One of the 64-bit numbers at the beginning. Read it once: the other side may change it at any time.
  public subscript(word index: Int) -> Int64 {
    get { bytes.load(fromByteOffset: 8 * index, as: Int64.self) }
    set { bytes.storeBytes(of: newValue, toByteOffset: 8 * index, as: Int64.self) }
  }

  /// A part of it as bytes, clamped to the memory's size.
  public func part(at start: Int, count: Int64) -> UnsafeMutableBufferPointer<UInt8> {
    let count = min(max(Int(clamping: count), 0), bytes.count - start)
    return UnsafeMutableBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[start..<start + count])
  }
}
