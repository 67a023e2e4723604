import Runtime

/// A factory reset: erases everything in the state folder, whose lock the caller holds. A power cut in the middle is
/// handled by the next start: a reset that was begun is completed before anything is read.
enum StateReset {
  private static let marker = "reset-begun"
  /// Depth of folders; Talon makes no deeper ones, and they are reported.
  private static let depthMost = 16

  /// Erases what the folder holds.
  static func erase(_ folder: String) throws(Failure) {
    do throws(Errno) {
      let file = try Syscall.openPlain(Path(folder + "/" + marker), [.write, .create])
      file.close()
      try FreshFile.sync(folder: Path(folder))
      try finish(folder)
    } catch {
      throw failure(folder, error)
    }
  }

  /// Completes a reset that a power cut interrupted. True when there was one.
  static func resume(_ folder: String) throws(Failure) -> Bool {
    do throws(Errno) {
      _ = try Syscall.linkStatus(Path(folder + "/" + marker))
    } catch {
      return false
    }
    do throws(Errno) { try finish(folder) } catch { throw failure(folder, error) }
    return true
  }

  private static func failure(_ folder: String, _ error: Errno) -> Failure {
    Failure(.cannotCreate, "what is kept in \(folder) cannot be erased: \(String(error.text))")
  }

  /// The marker is removed last, when everything else is off the flash.
  private static func finish(_ folder: String) throws(Errno) {
    for name in try names(folder) where name != marker { try remove(folder + "/" + name, depth: 1) }
    try FreshFile.sync(folder: Path(folder))
    try Syscall.unlink(Path(folder + "/" + marker))
    try FreshFile.sync(folder: Path(folder))
  }

  /// A file, or a folder with its contents. A link itself is removed, not its target.
  private static func remove(_ path: String, depth: Int) throws(Errno) {
    guard try Syscall.linkStatus(Path(path)).isFolder else { return try Syscall.unlink(Path(path)) }
    guard depth < depthMost else { throw Errno(36) }
    for name in try names(path) { try remove(path + "/" + name, depth: depth + 1) }
    try Syscall.removeFolder(Path(path))
  }

  private static func names(_ folder: String) throws(Errno) -> [String] {
    let open = try Syscall.open(Path(folder), [.read, .directory])
    defer { open.close() }
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    defer { scratch.deallocate() }
    var names: [String] = []
    try Syscall.entries(of: open, scratch: scratch) { names.append(String(cString: $0)) }
    return names
  }
}
