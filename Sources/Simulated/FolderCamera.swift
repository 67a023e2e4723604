import Camera
import Runtime

/// A simulated camera from the JPEG files of a folder: one file for each frame, in the order of their names, repeated
/// from the first. The folder may appear, change and disappear at any time.
public final class FolderCamera: CameraSource {
  /// Its id.
  public static let id: StaticString = "simulated"
  /// Milliseconds from one picture to the next.
  private static let interval: Int64 = 40

  private let folder: Path
  private let clock: any Clock
  /// The path of the current picture.
  private let file: Path
  private let contents: ReservedBuffer
  /// The name of the last file.
  private var last = FileName()
  private var isStreaming = false
  /// When the next picture is due.
  private var nextTime: Int64 = 0

  private static var entry: CameraEntry {
    CameraEntry(id: CameraText(cutting: id), name: CameraText(cutting: "Simulated camera"))
  }

  /// - Parameter folder: path of the folder; it need not exist yet.
  @export(interface)
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
    list.append(Self.entry)
  }

  /// See `CameraSource`. Pictures keep the size that they have.
  public func start(_ order: StreamOrder) throws(CameraError) -> StreamFacts {
    if let id = order.device, id != Self.entry.id { throw .unknownDevice(id) }
    guard try nextOrFirst() != nil else { throw .noDevice }
    nextTime = clock.monotonic
    isStreaming = true
    var facts = StreamFacts(
      camera: Self.entry, format: .mjpeg, width: 0, height: 0, rate: 1_000_000 / Int(Self.interval))
    facts.isSteady = true
    return facts
  }

  /// See `CameraSource`: one picture after the other, at the pace of a camera.
  public func next(within milliseconds: Int64) throws(CameraError) -> RawFrame? {
    guard isStreaming, let name = try nextOrFirst() else { throw .disconnected }
    let pause = nextTime - clock.monotonic
    if pause > 0 { Syscall.pause(milliseconds: Int32(clamping: min(pause, milliseconds))) }
    if pause > milliseconds { return nil }
    nextTime = max(nextTime, clock.monotonic) + Self.interval
    last = name
    guard let bytes = try read(name) else { return nil }
    return RawFrame(
      format: .mjpeg, width: 0, height: 0, rowBytes: 0, isFullRange: true, bytes: bytes, time: clock.monotonic * 1000)
  }

  /// See `CameraSource`.
  public func stop() {
    isStreaming = false
    contents.release()
  }

  /// Has no exposure.
  public func expose(_ setting: ExposureSetting) {}

  /// Has no axes.
  public func axes(of device: CameraText) throws(CameraError) -> CameraAxes {
    guard device == Self.entry.id else { throw .unknownDevice(device) }
    return CameraAxes()
  }

  /// Has no axes.
  public func move(_ axis: CameraAxis, of device: CameraText, to value: Int) throws(CameraError) { throw .noAxis(axis) }

  private func nextOrFirst() throws(CameraError) -> FileName? {
    if let name = try next(after: last) { return name }
    return try next(after: FileName())
  }

  /// The first picture after `name` in the order of names; nil when there is none, or no folder.
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

  /// The contents of a picture; nil when it is too large or has disappeared.
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
