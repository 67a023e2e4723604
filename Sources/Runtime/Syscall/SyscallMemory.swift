import CLinux

/// Files in memory, and mappings.
extension Syscall {
  /// `memfd_create(2)`: a file without a name that ends when it is closed. Its pages count as the process's memory once
  /// they are mapped and touched.
  public static func memoryFile() throws(Errno) -> Descriptor { Descriptor(Int32(try check(tl_memfd()))) }

  /// `pread(2)` from `offset` until `bytes` is full or the file ends: the count read.
  public static func readAll(
    _ file: Descriptor, into bytes: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(Errno) -> Int {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let count = Int(try check(tl_pread(file.number, rest.baseAddress, rest.count, offset + Int64(done))))
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// `pwrite(2)` until everything is written at `offset`.
  public static func writeAll(
    _ file: Descriptor, _ bytes: UnsafeRawBufferPointer, at offset: Int64
  ) throws(Errno) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = Int(try check(tl_pwrite(file.number, rest.baseAddress, rest.count, offset + Int64(done))))
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

  /// `mmap(2)`: a whole file of less than 2 GiB, for reading; of it the pages that are read are taken, and no more.
  /// Valid until `unmap`.
  public static func mapFile(_ path: Path) throws(Errno) -> UnsafeMutableRawBufferPointer {
    let file = try open(path.cString, [.read, .nonBlocking])
    defer { file.close() }
    let status = try status(file)
    guard status.isPlain, status.size > 0, status.size < Int64(Int32.max) else { throw .invalidArgument }
    var address: UnsafeMutableRawPointer?
    try check(tl_mmap_read(file.number, numericCast(status.size), &address))
    return UnsafeMutableRawBufferPointer(start: address, count: Int(status.size))
  }

  /// `madvise(2)`: pages of a mapped file that begin in `bytes` no longer count as the process's memory until they are
  /// touched again. The file keeps their contents.
  public static func forget(_ bytes: UnsafeMutableRawBufferPointer) {
    if let address = bytes.baseAddress { tl_release_pages(address, bytes.count) }
  }

  /// `munmap(2)`.
  public static func unmap(_ bytes: UnsafeMutableRawBufferPointer) {
    if let address = bytes.baseAddress { tl_munmap(address, bytes.count) }
  }
}
