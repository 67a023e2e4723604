import Board
import Camera
import Runtime
import Simulated

/// Builds the cameras of a configuration, for the agent and for `talon camera`.
struct CameraWiring {
  let configuration: Configuration
  let clock: any Clock

  /// The one stream of the source, with its light.
  func stream(of source: any CameraSource) throws(Errno) -> CameraStream {
    CameraStream(
      source: source, roster: configuration.roster, indicator: try indicator(), privacy: configuration.privacy,
      clock: clock)
  }

  /// The configured driver.
  func source() throws(Errno) -> any CameraSource {
    switch configuration.cameraDriver {
    case .v4l2: kernel()
    case .simulated: try FolderCamera(folder: configuration.cameraFolder, clock: clock)
    case .none: NoCamera()
    }
  }

  /// The cameras of the board itself.
  func kernel() -> V4L2Camera { V4L2Camera(roster: configuration.roster, clock: clock) }

  private func indicator() throws(Errno) -> (any Indicator)? {
    configuration.indicatorLED.isEmpty ? nil : try LEDIndicator(name: configuration.indicatorLED)
  }
}

/// A board without a camera: the commands stay declared and answer that there is none.
final class NoCamera: CameraSource {
  let kind: StaticString = "none"
  func enumerate(into list: inout CameraList) { list.removeAll() }
  func start(_ order: StreamOrder) throws(CameraError) -> StreamFacts { throw .noDevice }
  func next(within milliseconds: Int64) throws(CameraError) -> RawFrame? { throw .disconnected }
  func expose(_ setting: ExposureSetting) {}
  func stop() {}
  func axes(of device: CameraText) throws(CameraError) -> CameraAxes { throw .unknownDevice(device) }
  func move(_ axis: CameraAxis, of device: CameraText, to value: Int) throws(CameraError) {
    throw .unknownDevice(device)
  }
}
