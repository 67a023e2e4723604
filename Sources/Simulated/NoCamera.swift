import Camera

/// A board without a camera: the commands are declared, and answer that there is none.
public final class NoCamera: CameraSource {
  public let kind: StaticString = "none"

  @export(interface)
  public init() {}

  public func enumerate(into list: inout CameraList) { list.removeAll() }

  public func start(_ order: StreamOrder) throws(CameraError) -> StreamFacts { throw .noDevice }

  public func next(within milliseconds: Int64) throws(CameraError) -> RawFrame? { throw .disconnected }

  public func expose(_ setting: ExposureSetting) {}

  public func stop() {}

  public func axes(of device: CameraText) throws(CameraError) -> CameraAxes { throw .unknownDevice(device) }

  public func move(_ axis: CameraAxis, of device: CameraText, to value: Int) throws(CameraError) {
    throw .unknownDevice(device)
  }
}
