/// A file by its name in an opened folder. What another user does to the path meanwhile changes nothing: all steps are
/// in the folder that was opened.
public final class FolderEntry {
  private let folder: Descriptor
  private let name: Path

  /// Opens the folder of a file by the absolute path `path`.
  ///
  /// For root: where the way crosses a folder of another user, who may lead it anywhere by a link, the opened folder
  /// has to be that user's as well; `.notPermitted` otherwise.
  @export(interface)
  public init(_ path: String) throws(Errno) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { throw .invalidArgument }
    let place = String(path[..<slash]) + "/"
    name = try Path(String(path[path.utf8.index(after: slash)...]))
    let owner = Process.user == 0 ? try Privileges.owner(onTheWayTo: place) : nil
    folder = try Syscall.open(Path(place), [.pathOnly, .directory])
    guard let owner else { return }
    guard try Syscall.status(folder).user == owner.user else { throw .notPermitted }
  }

  deinit { folder.close() }

  /// Opens it as `Syscall.openPlain` does.
  public func openPlain(_ mode: OpenMode) throws(Errno) -> Descriptor {
    try Syscall.openPlain(name, in: folder, mode)
  }

  /// Removes it if it still is the file of that status; throws `.otherFile` otherwise.
  public func remove(_ status: Syscall.Status) throws(Errno) {
    guard try Syscall.linkStatus(name, in: folder).isSame(as: status) else { throw .otherFile }
    try Syscall.unlink(name, in: folder)
  }
}
