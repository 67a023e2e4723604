import Glibc
import Runtime
import Testing

@Suite("Who owns the way to a folder", .enabled(if: geteuid() == 0))
struct PrivilegesTests {
  private let folder = TemporaryFolder()
  private let nobody: uid_t = 65534

  private func make(_ name: String, _ owner: uid_t) -> String {
    let path = folder.file(name)
    mkdir(path, 0o755)
    chown(path, owner, owner)
    return path
  }

  private func owner(_ path: String) throws -> UInt32? { try Privileges.owner(onTheWayTo: path)?.user }

  @Test("the owner is root when the whole path is root's or does not exist")
  func roots() throws {
    let path = make("a", 0)
    #expect(try owner(path) == nil)
    #expect(try owner(path + "/missing/deeper") == nil)
    #expect(try owner("/") == nil)
    #expect(try owner("/dev/../dev/./null/") == nil)
  }

  @Test("the first that is not root's decides, be it above or the folder itself")
  func foreign() throws {
    let path = make("a", 1234)
    mkdir(path + "/b", 0o755)
    chown(path + "/b", nobody, nobody)
    #expect(try owner(path) == 1234)
    #expect(try owner(path + "/b") == 1234)
    #expect(try owner(path + "/missing") == 1234)
    #expect(try owner(path + "/../a") == 1234)
    #expect(try Privileges.owner(onTheWayTo: path)?.group == 1234)
  }

  @Test("links of root's are followed, with all that is on their way; others' lead nowhere")
  func links() throws {
    let mine = make("mine", 0)
    let theirs = make("theirs", nobody)
    symlink("theirs", folder.file("to-theirs"))
    #expect(try owner(folder.file("to-theirs")) == nobody)
    // Root's link, through a folder of somebody's, to a folder of root's.
    symlink(mine, theirs + "/back")
    symlink(theirs + "/back", folder.file("through"))
    #expect(try owner(folder.file("through")) == nobody)
    symlink(mine, folder.file("planted"))
    lchown(folder.file("planted"), nobody, nobody)
    #expect(try owner(folder.file("planted")) == nobody)
    symlink(folder.file("loop"), folder.file("loop"))
    #expect(throws: Errno.tooManyLinks) { try owner(folder.file("loop")) }
  }

  @Test("what is given away is never what a link points to")
  func giving() throws {
    let path = make("a", 0)
    symlink(path, folder.file("link"))
    let somebody = try Privileges.owner(onTheWayTo: make("b", nobody))
    try Privileges.give(try Path(folder.file("link")), to: try #require(somebody))
    var status = stat()
    lstat(path, &status)
    #expect(status.st_uid == 0)
    lstat(folder.file("link"), &status)
    #expect(status.st_uid == nobody)
  }
}
