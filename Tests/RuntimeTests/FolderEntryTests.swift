import Glibc
import Testing

@testable import Runtime

@Suite("A file by its name in an opened folder") struct FolderEntryTests {
  private let folder = TemporaryFolder()

  private func text(_ text: String, at name: String) { put(Array(text.utf8), at: folder.file(name)) }

  /// The file `way/code`, opened, with its status.
  private func opened() throws -> (FolderEntry, Syscall.Status) {
    mkdir(folder.file("way"), 0o755)
    text("a code", at: "way/code")
    let entry = try FolderEntry(folder.file("way/code"))
    let file = try entry.openPlain(.read)
    defer { file.close() }
    return (entry, try Syscall.status(file))
  }

  @Test("is removed")
  func removed() throws {
    let (entry, status) = try opened()
    try entry.remove(status)
    #expect(entries(of: folder.file("way")).isEmpty)
  }

  @Test("another folder in the place of its own keeps its files")
  func swappedFolder() throws {
    let (entry, status) = try opened()
    mkdir(folder.file("precious"), 0o755)
    text("root's", at: "precious/code")
    rename(folder.file("way"), folder.file("aside"))
    symlink(folder.file("precious"), folder.file("way"))
    try entry.remove(status)
    #expect(contents(of: folder.file("precious/code")) == Array("root's".utf8))
    #expect(entries(of: folder.file("aside")).isEmpty)
  }

  @Test("another file in its place stays")
  func swappedFile() throws {
    let (entry, status) = try opened()
    text("another", at: "way/fresh")
    rename(folder.file("way/fresh"), folder.file("way/code"))
    #expect(throws: Errno.otherFile) { try entry.remove(status) }
    symlink(folder.file("way/code"), folder.file("way/fresh"))
    rename(folder.file("way/fresh"), folder.file("way/code"))
    #expect(throws: Errno.otherFile) { try entry.remove(status) }
    #expect(entries(of: folder.file("way")) == ["code"])
  }

  @Test("a link, a pipe and a folder are not opened, nor is what is not there")
  func notPlain() throws {
    mkdir(folder.file("folder"), 0o755)
    mkfifo(folder.file("pipe"), 0o600)
    symlink(folder.file("pipe"), folder.file("link"))
    for name in ["folder", "pipe", "link", "none"] {
      let entry = try FolderEntry(folder.file(name))
      #expect(throws: Errno.self) { try entry.openPlain(.read) }
    }
    #expect(throws: Errno.self) { try FolderEntry(self.folder.file("none/code")) }
  }

  @Test("root does not follow another user's folder to one that is not that user's", .enabled(if: geteuid() == 0))
  func foreignWay() throws {
    let nobody: uid_t = 65534
    for name in ["theirs", "theirs/deep", "roots"] { mkdir(folder.file(name), 0o755) }
    for name in ["theirs", "theirs/deep"] { chown(folder.file(name), nobody, nobody) }
    symlink(folder.file("roots"), folder.file("theirs/way"))
    for name in ["theirs/code", "theirs/deep/code", "roots/code"] { _ = try FolderEntry(folder.file(name)) }
    #expect(throws: Errno.notPermitted) { try FolderEntry(self.folder.file("theirs/way/code")) }
  }
}
