import Camera
import Runtime

/// Photos as files (0600) of one folder (0700).
///
/// A photo is written as `NAME.new`, fsynced, renamed, and the folder is fsynced, so that its name says that all of it
/// is there. What has that ending is removed when the folder is listed.
public final class PhotoFolder: PhotoFiles {
  private static let unfinished: StaticString = ".new"

  private let folder: Path
  private let target = Path()
  private let other = Path()
  /// Entries of the folder, as the kernel tells them.
  private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)

  /// A folder that is made with the first photo; its parent must exist.
  @export(interface)
  public init(folder: String) throws(Errno) { self.folder = try Path(folder) }

  deinit { scratch.deallocate() }

  public func list(_ body: (KeptPhoto) -> Void) throws(Errno) {
    let open: Descriptor
    do throws(Errno) {
      open = try Syscall.open(folder, [.read, .directory, .noFollow])
    } catch {
      if error == .noSuchFile { return }
      throw error
    }
    defer { open.close() }
    try Syscall.entries(of: open, scratch: scratch) { name in
      do throws(Errno) { try self.found(name, body) } catch {}
    }
  }

  private func found(_ name: UnsafePointer<CChar>, _ body: (KeptPhoto) -> Void) throws(Errno) {
    var count = 0
    while name[count] != 0 { count += 1 }
    let bytes = UnsafeBufferPointer(
      start: UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self), count: count)
    let ending = Self.unfinished.bytes
    try point(target, bytes)
    if count > ending.count, UnsafeBufferPointer(rebasing: bytes[(count - ending.count)...]).elementsEqual(ending) {
      return try Syscall.unlink(target)
    }
    guard var photo = KeptPhoto(name: Span(_unsafeElements: bytes)) else { return }
    let status = try Syscall.linkStatus(target)
    guard status.isPlain else { return }
    photo.bytes = Int(clamping: status.size)
    body(photo)
  }

  public func write(_ photo: KeptPhoto, _ bytes: UnsafeBufferPointer<UInt8>) throws(Errno) {
    try point(target, photo)
    try point(other, photo)
    try other.append(Self.unfinished)
    let bytes = UnsafeRawBufferPointer(bytes)
    do throws(Errno) {
      try FreshFile.write(other, bytes)
    } catch {
      guard error == .noSuchFile else { throw error }
      try makeFolder()
      try point(target, photo)
      try FreshFile.write(other, bytes)
    }
    do throws(Errno) {
      try FreshFile.place(other, at: target, in: folder)
    } catch {
      // A photo of which the caller knows nothing would take room that nobody counts.
      do throws(Errno) { try Syscall.unlink(target) } catch {}
      throw error
    }
  }

  private func makeFolder() throws(Errno) {
    try Syscall.makeFolder(folder, permissions: 0o700)
    // The new folder must itself survive a power cut.
    target.truncate()
    try target.append(cString: folder.cString)
    try target.append("/..")
    try FreshFile.sync(folder: target)
  }

  public func read(_ photo: KeptPhoto, into bytes: UnsafeMutableBufferPointer<UInt8>) throws(Errno) -> Int {
    try point(target, photo)
    let file = try Syscall.openPlain(target, .read)
    defer { file.close() }
    return try Syscall.readAll(file, into: UnsafeMutableRawBufferPointer(bytes))
  }

  public func rename(_ photo: KeptPhoto, to name: KeptPhoto) throws(Errno) {
    try point(target, photo)
    try point(other, name)
    try Syscall.rename(target, to: other)
  }

  public func remove(_ photo: KeptPhoto) throws(Errno) {
    try point(target, photo)
    do throws(Errno) {
      try Syscall.unlink(target)
    } catch {
      // Somebody else has removed it: it is gone, as it should be.
      if error != .noSuchFile { throw error }
    }
  }

  public func sync() throws(Errno) {
    do throws(Errno) { try FreshFile.sync(folder: folder) } catch { if error != .noSuchFile { throw error } }
  }

  public func removeAll() throws(Errno) -> Int {
    var gone = 0
    while true {
      var failure: Errno?
      let before = gone
      try list { photo in
        do throws(Errno) {
          try self.remove(photo)
          gone += 1
        } catch {
          failure = error
        }
      }
      try sync()
      if let failure { throw failure }
      // A folder that changes while it is read may leave some out.
      if gone == before { return gone }
    }
  }

  private func point(_ path: Path, _ photo: KeptPhoto) throws(Errno) {
    let name = photo.name
    try name.span.withUnsafeBufferPointer { (bytes) throws(Errno) in try point(path, bytes) }
  }

  private func point(_ path: Path, _ name: UnsafeBufferPointer<UInt8>) throws(Errno) {
    path.truncate()
    try path.append(cString: folder.cString)
    try path.append("/")
    try path.append(name)
  }
}
