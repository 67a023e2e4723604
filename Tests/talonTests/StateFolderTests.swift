import Glibc
import Runtime
import Testing

@testable import talon

@Suite("The state folder") struct StateFolderTests {
  private let folder = TemporaryFolder()

  @Test("a link, a folder or a pipe in the place of its lock is refused, and not waited for")
  func lock() throws {
    let path = folder.path + "/lock"
    for plant in [{ symlink(self.folder.path + "/made", path) }, { mkdir(path, 0o777) }, { mkfifo(path, 0o666) }] {
      #expect(plant() == 0)
      try #require(throws: Failure.self) { try StateFolder.lock(self.folder.path) }
      if unlink(path) != 0 { rmdir(path) }
    }
    #expect(access(folder.path + "/made", F_OK) != 0)
  }
}
