import OwnAgent
import Runtime

extension SQLiteMemory {
  /// The path with `suffix` after it.
  private func path(_ suffix: StaticString) throws(MemoryFault) -> Path {
    do throws(Errno) {
      let other = Path()
      try other.append(cString: path.cString)
      withExtendedLifetime(path) {}
      try other.append(suffix)
      return other
    } catch { throw MemoryFault(.system, error) }
  }

  private func remove(_ suffix: StaticString) throws(MemoryFault) {
    let path = try path(suffix)
    do throws(Errno) { try Syscall.unlink(path) } catch {
      if error != .noSuchFile { throw MemoryFault(.system, error) }
    }
  }

  private func rename(_ from: StaticString, to: StaticString) throws(MemoryFault) {
    let source = try path(from), target = try path(to)
    do throws(Errno) { try Syscall.rename(source, to: target) } catch { throw MemoryFault(.system, error) }
  }

  private func exists(_ suffix: StaticString) throws(MemoryFault) -> Bool {
    let path = try path(suffix)
    do throws(Errno) {
      _ = try Syscall.linkStatus(path)
      return true
    } catch {
      if error == .noSuchFile { return false }
      throw MemoryFault(.system, error)
    }
  }

  /// Makes renames survive a power cut.
  private func syncFolder() throws(MemoryFault) {
    do throws(Errno) {
      let folder = Path()
      let whole = UnsafeBufferPointer(
        start: UnsafeRawPointer(path.cString).assumingMemoryBound(to: UInt8.self), count: path.length)
      var end = whole.count
      while end > 0, whole[end - 1] != UInt8(ascii: "/") { end -= 1 }
      try folder.append(end > 0 ? UnsafeBufferPointer(rebasing: whole[..<end]) : ("." as StaticString).bytes)
      withExtendedLifetime(path) {}
      let opened = try Syscall.open(folder.cString, [.read, .directory])
      withExtendedLifetime(folder) {}
      defer { opened.close() }
      try Syscall.fsync(opened)
    } catch { throw MemoryFault(.system, error) }
  }

  /// What a wipe left that had no time to end.
  func removeLeftovers() {
    do throws(MemoryFault) {
      try remove(".new")
      try remove(".new-journal")
    } catch {}
  }

  /// Keeps a damaged file, with its log, as `NAME.damaged`, in the place of one before it.
  func setAside() throws(MemoryFault) {
    try remove(".damaged-wal")
    // The log first: beside a new file it would be taken for that file's.
    if try exists("-wal") { try rename("-wal", to: ".damaged-wal") }
    try rename("", to: ".damaged")
    try remove("-journal")
    try syncFolder()
  }

  /// Merges the index of words into one, some pages at a time, so that it never needs much more room than it has: only
  /// then is what was removed gone from it (https://www.sqlite.org/fts5.html, 6.8).
  public func compact() throws(MemoryFault) {
    let (database, statements) = try use()
    // The first call makes one merge of all parts, the others go on with it; two changed rows mean that it has ended.
    for pages: Int64 in [-32, 32] {
      var before: Int32
      repeat {
        before = database.changes
        try run(statements.merge, pages)
      } while pages > 0 && database.changes &- before >= 2
    }
  }

  /// The rest of a page may still have bytes of what has moved to another page, and SQLite's index forgets words only
  /// when it is merged. So the index is made again from what is left, and what is left is written into a new file that
  /// takes the place of this one.
  public func wipe() throws(MemoryFault) {
    try use().database.run("INSERT INTO words(words) VALUES('rebuild')")
    removeLeftovers()
    try writeNew()
    close()
    // When it is still there, not all of it is in the file, for the file system has refused something.
    guard try !exists("-wal") else {
      try reopen()
      throw MemoryFault(.system, detail: "the write-ahead log could not be ended")
    }
    try rename(".new", to: "")
    try syncFolder()
    try reopen()
    try run(use().statements.setWiping, 0)
  }

  /// Writes everything into `NAME.new`, which is on flash afterwards.
  private func writeNew() throws(MemoryFault) {
    let new = try path(".new")
    let vacuum = try use().database.prepare("VACUUM INTO ?1")
    vacuum.bind(
      1,
      text: UnsafeBufferPointer(
        start: UnsafeRawPointer(new.cString).assumingMemoryBound(to: UInt8.self), count: new.length))
    do throws(MemoryFault) { try vacuum.run() } catch {
      removeLeftovers()
      throw error
    }
    do throws(Errno) {
      let file = try Syscall.openPlain(new, .readWrite)
      defer { file.close() }
      try Syscall.fsync(file)
    } catch { throw MemoryFault(.system, error) }
  }
}
