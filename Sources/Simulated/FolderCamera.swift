import Camera
import Runtime

/// A camera made of the JPEG files of a folder: one file for each capture, in the order of their names, from
/// the first again after the last. The folder may come, change and go at any time.
public final class FolderCamera: CameraDevice {
  /// Its id.
  public static let id: StaticString = "simulated"

  private let folder: Path
  private let clock: any Clock
  /// The path of the picture that is read, in the folder.
  private let file: Path
  private let contents: ReservedBuffer
  /// The name of the file given last.
  private var last = FileName()

  /// - Parameter folder: path of the folder; it need not exist yet.
  public init(folder: String, clock: any Clock) throws(Errno) {
    self.folder = try Path(folder)
    self.clock = clock
    file = try Path(folder + "/")
    contents = try ReservedBuffer(capacity: Budget.cameraFrameBytes)
  }

  /// "simulated"
  public var kind: StaticString { "simulated" }

  /// One camera when there is at least one picture, else none.
  public func enumerate(into list: inout CameraList) throws(CameraError) {
    list.removeAll()
    guard try next(after: FileName()) != nil else { return }
    list.append(CameraEntry(id: CameraText(cutting: Self.id), name: CameraText(cutting: "Simulated camera")))
  }

  /// See `CameraDevice`. Pictures need no warm-up, and keep the size that they have. Throws `.brokenFrame` when
  /// the whole folder was offered in vain: later it would be no better.
  public func capture(
    _ request: CaptureRequest, _ visit: (RawFrame) -> FrameVerdict
  ) throws(CameraError) {
    defer { contents.release() }
    if let id = request.device, id != CameraText(cutting: Self.id) { throw .unknownDevice(id) }
    var begin: FileName?
    while true {
      if request.cancellation.isRequested { throw .cancelled }
      guard clock.monotonic < request.deadline else { throw .timeout }
      guard let name = try nextOrFirst() else { throw .noDevice }
      if let begin, name == begin { throw .brokenFrame }
      begin = begin ?? name
      last = name
      guard let bytes = try read(name) else { continue }
      let frame = RawFrame(
        format: .mjpeg, width: 0, height: 0, rowBytes: 0, isFullRange: true, bytes: bytes)
      if visit(frame) == .done { return }
    }
  }

  private func nextOrFirst() throws(CameraError) -> FileName? {
    if let name = try next(after: last) { return name }
    return try next(after: FileName())
  }

  /// The first picture behind `name` in the order of names; nil when there is none, or no folder.
  private func next(after name: FileName) throws(CameraError) -> FileName? {
    var first: FileName?
    do throws(Errno) {
      let open = try Syscall.open(folder, [.read, .directory])
      defer { open.close() }
      var scratch = InlineArray<256, UInt64>(repeating: 0)
      var span = scratch.mutableSpan
      try span.withUnsafeMutableBufferPointer { scratch throws(Errno) in
        try Syscall.entries(of: open, scratch: UnsafeMutableRawBufferPointer(scratch)) { entry in
          guard let found = FileName(picture: entry), name < found else { return }
          if first.map({ found < $0 }) ?? true { first = found }
        }
      }
    } catch {
      switch error {
      case .noSuchFile, .notDirectory: return nil
      case .accessDenied: throw .noPermission
      default: throw .io(error)
      }
    }
    return first
  }

  /// The contents of a picture; nil when it is too large or went away.
  private func read(_ name: FileName) throws(CameraError) -> UnsafeBufferPointer<UInt8>? {
    file.truncate(to: folder.length + 1)
    do throws(Errno) {
      try name.append(to: file)
      let picture = try Syscall.open(file, .read)
      defer { picture.close() }
      guard try Syscall.status(picture).size <= Int64(contents.bytes.count) else { return nil }
      let count = try Syscall.readAll(picture, into: UnsafeMutableRawBufferPointer(contents.bytes))
      return UnsafeBufferPointer(rebasing: contents.bytes[..<count])
    } catch {
      if error == .noSuchFile { return nil }
      throw .io(error)
    }
  }
}
