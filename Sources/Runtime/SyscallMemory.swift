import CLinux

/// A file in memory.
extension Syscall {
  /// `memfd_create(2)`: a file without a name, gone when it is closed. Its pages are not the program's own until they
  /// are mapped and touched.
  public static func memoryFile() throws(Errno) -> Descriptor { Descriptor(Int32(try check(tl_memfd()))) }

  /// `pwrite(2)` until everything is written at `offset`.
  public static func writeAll(
    _ file: Descriptor, _ bytes: UnsafeRawBufferPointer, at offset: Int
  ) throws(Errno) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = Int(try check(tl_pwrite(file.number, rest.baseAddress, rest.count, Int64(offset + done))))
      guard count > 0 else { throw .inputOutput }
      done += count
    }
  }

  /// `mmap(2)`: the first `count` bytes of a file, shared with it. Valid until `unmap`.
  public static func map(_ file: Descriptor, count: Int) throws(Errno) -> UnsafeMutableRawBufferPointer {
    var address: UnsafeMutableRawPointer?
    try check(tl_mmap(file.number, count, 0, &address))
    return UnsafeMutableRawBufferPointer(start: address, count: count)
  }

  /// `madvise(2)`: pages of a mapped file that begin in `bytes` are not the program's until they are touched again.
  /// Their contents stay in the file.
  public static func forget(_ bytes: UnsafeMutableRawBufferPointer) {
    if let address = bytes.baseAddress { tl_release_pages(address, bytes.count) }
  }

  /// `munmap(2)`.
  public static func unmap(_ bytes: UnsafeMutableRawBufferPointer) {
    if let address = bytes.baseAddress { tl_munmap(address, bytes.count) }
  }
}
