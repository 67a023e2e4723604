import Camera
import Runtime

/// A camera that shows one frame over and over, for benches and tests. Its memory is that of whoever made it.
public final class FrameSource: CameraSource {
  public let kind: StaticString = "simulated"
  /// What is shown; nil: nothing is plugged in.
  public var frame: (() -> RawFrame)?
  private static let entry = CameraEntry(
    id: CameraText(cutting: "memory"), name: CameraText(cutting: "Memory"))

  /// A camera that shows what `frame` gives, whose bytes stay where they are.
  public init(_ frame: (() -> RawFrame)? = nil) { self.frame = frame }

  public func enumerate(into list: inout CameraList) {
    list.removeAll()
    // Compared with nil, the closure would be copied to the heap, and count as an allocation of who asks.
    if case .some = frame { list.append(Self.entry) }
  }

  public func start(_ order: StreamOrder) throws(CameraError) -> StreamFacts {
    guard let shown = frame?() else { throw .noDevice }
    var facts = StreamFacts(
      camera: Self.entry, format: shown.format, width: shown.width, height: shown.height, rate: 30_000)
    facts.isSteady = true
    return facts
  }

  public func next(within milliseconds: Int64) throws(CameraError) -> RawFrame? { frame?() }

  public func stop() {}

  public func expose(_ setting: ExposureSetting) {}

  public func axes(of device: CameraText) -> CameraAxes { CameraAxes() }

  public func move(_ axis: CameraAxis, of device: CameraText, to value: Int) throws(CameraError) { throw .noAxis(axis) }
}
