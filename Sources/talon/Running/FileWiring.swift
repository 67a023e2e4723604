import FilesPart
import Runtime

/// The folders that the gateway's agent may use.
struct FileWiring {
  let configuration: Configuration
  let log: Log

  /// What is shared; nil where nothing is. The inbox in the state folder is made where it is missing, for nobody else
  /// may make it; any other folder is its owner's.
  func folders() -> SharedFolders? {
    if configuration.files.isEmpty { return nil }
    let inbox = configuration.stateDirectory + "/" + SharedFolders.inbox
    for folder in configuration.files where folder.path == inbox { make(inbox) }
    return SharedFolders(configuration.files, stateFolder: configuration.stateDirectory)
  }

  private func make(_ path: String) {
    do throws(Errno) { try Syscall.makeFolder(Path(path), permissions: 0o700) } catch {
      if error == .exists { return }
      log.write(.warning, "files") { line in
        line.add("the folder ")
        line.add(path)
        line.add(" of [files] cannot be made: ")
        line.add(error)
      }
    }
  }
}
