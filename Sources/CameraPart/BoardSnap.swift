import Camera
import Node
import Runtime

/// Gets the end of a photo for the board itself.
public protocol BoardSnapDelegate: AnyObject {
  /// There is a photo, and a file if one was requested.
  func snapTaken(_ snap: BoardSnap)
  func snapFailed(_ error: CameraError)
}

/// A photo for a person at the board: it is written to a file, or to none when only the camera is to be tested.
public final class BoardSnap: Job {
  private let path = Path()
  private let fresh = Path()
  private var photo: UnsafeBufferPointer<UInt8>?
  /// The size of the photo.
  private(set) var (width, height, count) = (0, 0, 0)
  /// Why the file could not be written.
  private(set) var failure: Errno?
  /// Gets the end, once; nil also when the caller has disconnected.
  var delegate: (any BoardSnapDelegate)?
  /// Called when the photo's memory is free.
  unowned(unsafe) var commands: CameraCommands?

  /// Sets the path of the next photo: absolute, or empty for no file. Throws `.nameTooLong`.
  func aim(at path: UnsafeBufferPointer<UInt8>) throws(Errno) {
    self.path.truncate()
    fresh.truncate()
    if path.isEmpty { return }
    try self.path.append(path)
    try fresh.append(path)
    try fresh.append(".new")
  }

  /// Sets the bytes to write. Not while pending.
  func take(_ photo: Photo) {
    self.photo = photo.bytes
    (width, height, count) = (photo.width, photo.height, photo.bytes.count)
  }

  /// Ends it without a photo.
  func fail(_ error: CameraError) {
    let delegate = self.delegate
    self.delegate = nil
    delegate?.snapFailed(error)
  }

  public override func run() {
    failure = nil
    guard let photo, path.length > 0 else { return }
    do throws(Errno) { try write(photo) } catch { failure = error }
  }

  /// Written to a temporary file and renamed, so that the file is complete when its name appears.
  private func write(_ photo: UnsafeBufferPointer<UInt8>) throws(Errno) {
    do throws(Errno) {
      let file = try Syscall.open(fresh, [.write, .create, .truncate], permissions: 0o640)
      defer { file.close() }
      try Syscall.writeAll(file, UnsafeRawBufferPointer(photo))
      try Syscall.fsync(file)
      try Syscall.rename(fresh, to: path)
    } catch {
      do throws(Errno) { try Syscall.unlink(fresh) } catch {}
      throw error
    }
  }

  public override func finish() {
    photo = nil
    commands?.snapWritten()
    let delegate = self.delegate
    self.delegate = nil
    delegate?.snapTaken(self)
  }
}
