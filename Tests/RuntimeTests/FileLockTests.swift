import Glibc
import Runtime
import Testing

@Suite("Locks") struct FileLockTests {
  private let folder = TemporaryFolder()

  @Test("a link, a folder or a pipe in the place of a lock is refused, and not waited for")
  func foreign() throws {
    let path = folder.file("lock")
    for plant in [{ symlink(self.folder.file("made"), path) }, { mkdir(path, 0o777) }, { mkfifo(path, 0o666) }] {
      #expect(plant() == 0)
      let lock = try FileLock(path)
      try #require(throws: Errno.self) { try lock.take(milliseconds: 0) }
      if unlink(path) != 0 { rmdir(path) }
    }
    #expect(access(folder.file("made"), F_OK) != 0)
  }
}
