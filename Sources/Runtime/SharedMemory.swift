import CLinux

/// Memory that this process shares with one that it does not trust, or the other way round: a file in memory, mapped by both, whose size
/// is sealed. What stands there may be anything, and may change while it is read.
public final class SharedMemory {
  /// Valid as long as the memory is.
  public private(set) var bytes: UnsafeMutableRawBufferPointer
  private var file: Descriptor?
  /// The largest page of any kernel that Talon runs on (arm64 with CONFIG_ARM64_64K_PAGES); what is mapped begins at one.
  private static let pageBytes = 65_536

  /// Zeroed memory; pages cost when they are touched.
  public init(capacity: Int) throws(Errno) {
    let file = Descriptor(Int32(try check(tl_shared_memory(numericCast(capacity)))))
    do throws(Errno) { bytes = try Syscall.map(file, count: capacity) } catch {
      file.close()
      throw error
    }
    self.file = file
  }

  /// The memory that another process made and this one inherited.
  public init(inherited file: Descriptor) throws(Errno) {
    let size = try Syscall.status(file).size
    guard size > 0, size <= Int64(Int32.max) else { throw .invalidArgument }
    bytes = try Syscall.map(file, count: Int(size))
  }

  deinit {
    file?.close()
    Syscall.unmap(bytes)
  }

  /// What another process is given. Not after `keep`.
  public var descriptor: Descriptor { file ?? Descriptor(-1) }

  /// Keeps the first `count` bytes, at least: addresses are given back, and nobody else is given it from now on.
  public func keep(_ count: Int) {
    file?.close()
    file = nil
    let kept = (count + Self.pageBytes - 1) / Self.pageBytes * Self.pageBytes
    guard kept > 0, kept < bytes.count else { return }
    Syscall.unmap(UnsafeMutableRawBufferPointer(rebasing: bytes[kept...]))
    bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[..<kept])
  }

  /// One of the numbers at the beginning, of 64 bits each. Read once: the other side may change it afterwards.
  public subscript(word index: Int) -> Int64 {
    get { bytes.load(fromByteOffset: 8 * index, as: Int64.self) }
    set { bytes.storeBytes(of: newValue, toByteOffset: 8 * index, as: Int64.self) }
  }

  /// A part of it as bytes, cut to what is there, whatever the numbers say.
  public func part(at start: Int, count: Int64) -> UnsafeMutableBufferPointer<UInt8> {
    let count = min(max(Int(clamping: count), 0), bytes.count - start)
    return UnsafeMutableBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[start..<start + count])
  }
}
