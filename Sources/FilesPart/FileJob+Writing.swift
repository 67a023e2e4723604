import Codec
import Runtime

/// `file.write` and `file.create`: the file is there whole, or as it was before.
extension FileJob {
  /// The name under which a file is written before it gets its own. One of before a power cut is replaced.
  static var ownName: StaticString { ".talon-new" }

  /// True for that name, of which no listing tells.
  static func isOwn(_ name: UnsafePointer<CChar>) -> Bool {
    let own = ownName
    for index in 0..<own.utf8CodeUnitCount where UInt8(bitPattern: name[index]) != own.utf8Start[index] { return false }
    return name[own.utf8CodeUnitCount] == 0
  }

  func write() throws(FileFault) {
    let content = try content()
    setDigest(content)
    size = Int64(content.count)
    for index in 0..<request.expected.count
    where request.expected.span[index].asciiLowercased != digest.span[index] {
      throw FileFault(.integrity, "the content has another SHA-256 than expectedSha256")
    }
    guard folders.folders[request.folder].isWritable else {
      throw FileFault(.permissionDenied, "the owner shares this folder for reading alone")
    }
    if isTop { throw FileFault(.isDirectory, "it is a folder") }
    let folder: Descriptor
    // A question makes no folders.
    do throws(FileFault) { folder = try openParent(makes: request.makesParents && !request.isPreflight) } catch {
      if error.code == .parentNotFound, request.isPreflight, request.makesParents { return }
      throw error
    }
    defer { folder.close() }
    hasOverwritten = try lookForOther(in: folder)
    try checkRoom(folder, bytes: content.count)
    if request.isPreflight { return }
    let fresh = walk.fresh
    do throws(Errno) { try removeRest(fresh, in: folder) } catch { throw FileFault.writing(error) }
    do throws(FileFault) {
      try write(content, to: fresh, in: folder)
      try place(fresh, in: folder)
    } catch {
      do throws(Errno) { try Syscall.unlink(fresh, in: folder) } catch {}
      throw error
    }
    // The name is there; on flash it is when the folder is.
    try sync(folder)
  }

  /// The content, decoded in place.
  private func content() throws(FileFault) -> UnsafeMutableBufferPointer<UInt8> {
    guard let incoming else {
      throw FileFault(.permissionDenied, "the owner shares no folder for writing")
    }
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(incoming.bytes)[..<request.textCount])
    let count: Int
    do throws(Base64Error) {
      // Each four characters are read before the three bytes are written that they mean.
      count = try Base64Decoder.decode(
        Span(_unsafeElements: text), .standard, padding: .optional, into: incoming.bytes)
    } catch {
      throw FileFault(
        .invalidBase64, "contentBase64 is no base64, at which character of how many", Int64(clamping: error.offset),
        Int64(request.textCount))
    }
    return UnsafeMutableBufferPointer(rebasing: incoming.bytes[..<count])
  }

  /// True when there is a file that is to be replaced.
  private func lookForOther(in folder: Descriptor) throws(FileFault) -> Bool {
    let status: Syscall.Status
    do throws(FileFault) { status = try look(in: folder) } catch {
      if error.code == .notFound { return false }
      throw error
    }
    if status.isFolder { throw FileFault(.isDirectory, "there is a folder of that name") }
    guard status.isPlain else {
      throw FileFault(.writeError, "there is a pipe, a socket or a device of that name")
    }
    guard request.overwrites else { throw FileFault.writing(.exists) }
    return true
  }

  private func checkRoom(_ folder: Descriptor, bytes: Int) throws(FileFault) {
    do throws(Errno) {
      let space = try Syscall.space(of: folder)
      if space.isReadOnly { throw .readOnlyFileSystem }
      let reserve = min(Budget.fileReserveBytes, space.total / 8)
      guard space.free >= reserve, space.free - reserve >= UInt64(bytes) else { throw .noSpace }
    } catch {
      throw FileFault.writing(error)
    }
  }

  /// Removes what a power cut has left.
  private func removeRest(_ fresh: Path, in folder: Descriptor) throws(Errno) {
    do throws(Errno) { try Syscall.unlink(fresh, in: folder) } catch {
      guard error == .noSuchFile else { throw error }
    }
  }

  private func write(
    _ content: UnsafeMutableBufferPointer<UInt8>, to fresh: Path, in folder: Descriptor
  ) throws(FileFault) {
    let file: Descriptor
    do throws(Errno) {
      file = try Syscall.openBeneath(fresh, in: folder, [.write, .create, .exclusive], permissions: 0o666)
    } catch {
      throw FileFault.writing(error)
    }
    defer { file.close() }
    var done = 0
    while done < content.count {
      try check()
      let end = min(done + Budget.fileStepBytes, content.count)
      let step = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: content[done..<end]))
      do throws(Errno) { try Syscall.writeAll(file, step) } catch { throw FileFault.writing(error) }
      done = end
    }
    do throws(Errno) { try Syscall.fsync(file) } catch { throw FileFault.writing(error) }
    try check()
  }

  /// Gives the new file its name.
  private func place(_ fresh: Path, in folder: Descriptor) throws(FileFault) {
    do throws(Errno) {
      try Syscall.rename(fresh, to: walk.name, in: folder, replaces: request.overwrites)
    } catch {
      throw FileFault.writing(error)
    }
  }

  private func sync(_ folder: Descriptor) throws(FileFault) {
    do throws(Errno) {
      try walk.setName(("." as StaticString).bytes)
      let opened = try Syscall.openBeneath(walk.name, in: folder, [.read, .directory])
      defer { opened.close() }
      try Syscall.fsync(opened)
    } catch {
      // A folder that may be written and not read, as a drop box: its file is there all the same.
      if error == .accessDenied { return }
      throw FileFault(.writeError, "the file is written, but the disk has not confirmed its name", error)
    }
  }
}
