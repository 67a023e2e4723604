import Camera
import Runtime

/// Told how a photo for the board itself ended.
protocol BoardSnapOwner: AnyObject {
  /// There is a photo, and a file if one was wanted.
  func snapTaken(_ snap: BoardSnap)
  func snapFailed(_ error: CameraError)
}

/// A photo that a person at the board asked for: it goes into a file, or nowhere when only the camera is to be proved.
final class BoardSnap: Job {
  private let path = Path()
  private let fresh = Path()
  private var photo: UnsafeBufferPointer<UInt8>?
  /// What was taken.
  private(set) var (width, height, count) = (0, 0, 0)
  /// Why the file could not be written.
  private(set) var failure: Errno?
  /// Told of the end, once; nil also when nobody waits for it any more.
  var owner: (any BoardSnapOwner)?
  /// Told that the photo's memory is free.
  unowned(unsafe) var commands: CameraCommands?

  /// Sets where the next photo goes: an absolute path, or empty for nowhere. Throws `.nameTooLong`.
  func aim(at path: UnsafeBufferPointer<UInt8>) throws(Errno) {
    self.path.truncate()
    fresh.truncate()
    if path.isEmpty { return }
    try self.path.append(path)
    try fresh.append(path)
    try fresh.append(".new")
  }

  /// Sets what to write. Not while pending.
  func take(_ photo: Photo) {
    self.photo = photo.bytes
    (width, height, count) = (photo.width, photo.height, photo.bytes.count)
  }

  /// There is no photo.
  func fail(_ error: CameraError) {
    let owner = self.owner
    self.owner = nil
    owner?.snapFailed(error)
  }

  override func run() {
    failure = nil
    guard let photo, path.length > 0 else { return }
    do throws(Errno) { try write(photo) } catch { failure = error }
  }

  /// Whole or not at all: the name appears when the bytes are on flash.
  private func write(_ photo: UnsafeBufferPointer<UInt8>) throws(Errno) {
    let file = try Syscall.open(fresh, [.write, .create, .truncate], permissions: 0o640)
    do throws(Errno) {
      defer { file.close() }
      try Syscall.writeAll(file, UnsafeRawBufferPointer(photo))
      try Syscall.fsync(file)
    } catch {
      do throws(Errno) { try Syscall.unlink(fresh) } catch {}
      throw error
    }
    try Syscall.rename(fresh, to: path)
  }

  override func finish() {
    photo = nil
    commands?.snapWritten()
    let owner = self.owner
    self.owner = nil
    owner?.snapTaken(self)
  }
}
