import Runtime

/// The way from the root of the board to a folder, name by name, each opened in the one before: no link is followed and
/// no mount point below a shared folder is crossed, whoever renames what meanwhile; and the state folder is refused
/// under whatever name it is reached. For one call at a time.
final class FolderWalk {
  private let folders: SharedFolders
  /// The name of the step; afterwards the last name of the path where that was asked for.
  let name = Path()
  /// The state folder; nil while there is none.
  private var state: Syscall.Status?
  /// The shared folder that is the begin of the way.
  private var top: Syscall.Status?

  private let statePath: Path
  /// The name of a file that is being written.
  let fresh = Path()

  init(_ folders: SharedFolders) throws(Errno) {
    self.folders = folders
    statePath = try Path(folders.stateFolder)
    try fresh.append(FileJob.ownName)
  }

  /// Opens a folder for steps in it. The caller closes it.
  /// - Parameters:
  ///   - number: that of the shared folder that has the path.
  ///   - end: bytes of the path that are the way.
  ///   - makes: folders below the shared one that are missing are made.
  func open(
    _ number: Int, _ path: FilePath, to end: Int, makes: Bool = false
  ) throws(FileFault) -> Descriptor {
    (state, top) = (nil, nil)
    do throws(Errno) { state = try Syscall.status(statePath) } catch {}
    let shared = folders.folders[number].path
    let start = shared.utf8.count
    let root: Descriptor
    do throws(Errno) { root = try Syscall.open(Self.board, [.pathOnly, .directory]) } catch {
      throw FileFault.onTheWay(error)
    }
    let folder = try shared.withBytes { (bytes) throws(FileFault) in
      try descend(from: root, bytes, 0..<bytes.count, isShared: false, makes: false)
    }
    do throws(FileFault) { try examine(folder) } catch {
      folder.close()
      throw error
    }
    return try descend(from: folder, path.bytes, start..<max(end, start), isShared: true, makes: makes)
  }

  private static var board: UnsafePointer<CChar> {
    UnsafeRawPointer(("/" as StaticString).utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// Sets `name` to the last name of a path.
  func setLastName(of path: FilePath) throws(FileFault) {
    do throws(Errno) { try setName(UnsafeBufferPointer(rebasing: path.bytes[path.lastName...])) } catch {
      throw FileFault(.invalidPath, "the name is not possible", error)
    }
  }

  func setName(_ text: UnsafeBufferPointer<UInt8>) throws(Errno) {
    name.truncate()
    try name.append(text)
  }

  /// Goes down from an opened folder, which is closed.
  private func descend(
    from start: Descriptor, _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, isShared: Bool, makes: Bool
  ) throws(FileFault) -> Descriptor {
    var folder = start
    var place = range.lowerBound
    while place < range.upperBound {
      if text[place] == UInt8(ascii: "/") {
        place += 1
        continue
      }
      var end = place
      while end < range.upperBound, text[end] != UInt8(ascii: "/") { end += 1 }
      let next: Descriptor
      do throws(FileFault) {
        next = try step(
          in: folder, UnsafeBufferPointer(rebasing: text[place..<end]), isLast: end == text.count, isShared: isShared,
          makes: makes)
      } catch {
        folder.close()
        throw error
      }
      folder.close()
      folder = next
      place = end
    }
    return folder
  }

  private func step(
    in folder: Descriptor, _ text: UnsafeBufferPointer<UInt8>, isLast: Bool, isShared: Bool, makes: Bool
  ) throws(FileFault) -> Descriptor {
    let next: Descriptor
    do throws(Errno) {
      try setName(text)
      next = try open(folder, leavesMount: !isShared, makes: makes)
    } catch {
      switch error {
      // A kernel that does not know the call says of a link that it is no folder.
      case .notDirectory where isLink(in: folder): throw FileFault.link
      case .notDirectory where isLast && isShared: throw FileFault(.isFile, "it is a file and not a folder")
      case .noSuchFile where !isShared: throw FileFault(.notFound, "the folder that the owner shares is not there")
      default: throw makes ? FileFault.makingParents(error) : FileFault.onTheWay(error)
      }
    }
    guard isShared else { return next }
    do throws(FileFault) { try examine(next) } catch {
      next.close()
      throw error
    }
    return next
  }

  private func open(_ folder: Descriptor, leavesMount: Bool, makes: Bool) throws(Errno) -> Descriptor {
    do throws(Errno) {
      return try Syscall.openBeneath(name, in: folder, [.pathOnly, .directory], leavesMount: leavesMount)
    } catch {
      guard makes, error == .noSuchFile else { throw error }
    }
    do throws(Errno) { try Syscall.makeFolder(name, in: folder, permissions: 0o777) } catch {
      // Somebody else was faster.
      guard error == .exists else { throw error }
    }
    return try Syscall.openBeneath(name, in: folder, [.pathOnly, .directory], leavesMount: leavesMount)
  }

  private func isLink(in folder: Descriptor) -> Bool {
    do throws(Errno) { return try Syscall.linkStatus(name, in: folder).isLink } catch { return false }
  }

  /// Throws for the state folder, as which a mount may make a shared one appear, and for a folder of another disk than
  /// the shared one's: systemd's RestrictSUIDSGID= hides `openat2(2)`, which would say so by itself.
  private func examine(_ folder: Descriptor) throws(FileFault) {
    let status: Syscall.Status
    do throws(Errno) { status = try Syscall.status(folder) } catch { throw FileFault.onTheWay(error) }
    if isState(status) {
      throw FileFault(.permissionDenied, "that folder has the board's keys, and is never shared")
    }
    if let top, top.disk != status.disk { throw FileFault.onTheWay(.otherFileSystem) }
    if top == nil { top = status }
  }

  /// True for the state folder, of which no listing tells.
  func isState(_ status: Syscall.Status) -> Bool { state.map { status.isSame(as: $0) } ?? false }
}

extension FileFault {
  /// What the kernel says when folders on the way are made.
  static func makingParents(_ reason: Errno) -> FileFault {
    switch reason {
    case .noSuchFile, .tooManyLinks, .notDirectory, .otherFileSystem: onTheWay(reason)
    default: writing(reason)
    }
  }
}
