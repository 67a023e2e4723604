import CLinux
import Camera
import Codec
import Runtime

/// Cameras of the kernel: Video4Linux2, streaming into mapped buffers, one picture at a time. Nothing stays
/// open between pictures, so that the camera rests and others may use it.
public final class V4L2Camera: CameraDevice {
  /// How often a waiting capture looks whether it was cancelled, in milliseconds.
  private static let slice: Int64 = 50

  private let clock: any Clock

  /// All video devices of the board.
  public init(clock: any Clock) { self.clock = clock }

  /// "v4l2"
  public var kind: StaticString { "v4l2" }

  /// Every `/dev/videoN`, in the order of N, that captures video in a format known here. Throws `.noPermission`
  /// when there are devices and none may be opened.
  public func enumerate(into list: inout CameraList) throws(CameraError) {
    list.removeAll()
    let nodes = try Self.present()
    var isRefused = false
    for number in 0..<V4L2Node.limit where nodes.contains(number) && !list.isFull {
      let node = V4L2Node(number: number)
      do throws(CameraError) {
        let camera = try Self.open(node)
        defer { camera.close() }
        if let name = Self.name(of: camera, node) { list.append(CameraEntry(id: node.id, name: name)) }
      } catch {
        if case .noPermission = error { isRefused = true }
      }
    }
    if list.count == 0, isRefused { throw .noPermission }
  }

  /// See `CameraDevice`.
  public func capture(
    _ request: CaptureRequest, _ visit: (RawFrame) -> FrameVerdict
  ) throws(CameraError) {
    var stream = V4L2Stream(try find(request.device))
    try stream.start(width: request.width)
    let ripe = clock.monotonic + request.warmUp
    while true {
      if request.cancellation.isRequested { throw .cancelled }
      let now = clock.monotonic
      guard now < request.deadline else { throw .timeout }
      let patience = Int32(min(Self.slice, request.deadline - now))
      let verdict = try stream.next(within: patience) { frame in
        clock.monotonic < ripe ? .next : visit(frame)
      }
      if verdict == .done { return }
    }
  }

  /// Opens the camera by this id, or the first one.
  private func find(_ id: CameraText?) throws(CameraError) -> Descriptor {
    let nodes = try Self.present()
    var failure = id.map { CameraError.unknownDevice($0) } ?? .noDevice
    for number in 0..<V4L2Node.limit where nodes.contains(number) {
      let node = V4L2Node(number: number)
      if let id, id != node.id { continue }
      do throws(CameraError) {
        let camera = try Self.open(node)
        if Self.name(of: camera, node) != nil { return camera }
        camera.close()
      } catch {
        // Gone since the folder was read is the same as never there.
        if case .disconnected = error { continue }
        failure = error
      }
    }
    throw failure
  }

  /// What a person calls an open camera; nil when it is none: metadata, output, radio, memory to memory.
  private static func name(of camera: Descriptor, _ node: V4L2Node) -> CameraText? {
    var card = tl_video_card()
    guard tl_video_query(camera.number, &card) >= 0, card.can_capture != 0 else { return nil }
    guard V4L2Mode.best(of: camera, wanted: 0) != nil else { return nil }
    let name = node.kernelName
    if !name.isEmpty { return name }
    return withUnsafeBytes(of: &card.card) { bytes in
      let text = bytes.assumingMemoryBound(to: UInt8.self)
      return CameraText(
        cutting:
          Span(_unsafeElements: UnsafeBufferPointer(rebasing: text[..<(text.firstIndex(of: 0) ?? 0)])))
    }
  }

  private static func present() throws(CameraError) -> V4L2Node.Numbers {
    do throws(Errno) { return try V4L2Node.present() } catch { throw Self.error(error) }
  }

  private static func open(_ node: V4L2Node) throws(CameraError) -> Descriptor {
    do throws(Errno) { return try node.open() } catch { throw Self.error(error) }
  }

  /// Turns a shim's result into a value, or into an error by what to do next.
  @discardableResult
  static func check(_ result: Int64) throws(CameraError) -> Int64 {
    if result < 0 { throw error(Errno(Int32(truncatingIfNeeded: -result))) }
    return result
  }

  /// What a refusal of the kernel means for a camera.
  static func error(_ reason: Errno) -> CameraError {
    switch reason {
    case .noSuchFile, .noSuchDevice, .noSuchDeviceOrAddress, .inputOutput: .disconnected
    case .accessDenied, .notPermitted: .noPermission
    case .busy: .busy
    default: .io(reason)
    }
  }
}
