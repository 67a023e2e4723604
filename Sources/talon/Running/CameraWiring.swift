import Board
import Camera
import Runtime
import Simulated

/// Builds the cameras of a configuration, for the agent and for `talon camera`.
struct CameraWiring {
  let configuration: Configuration
  let clock: any Clock

  /// The stream of the configured source, with its privacy light.
  func stream(of source: any CameraSource) throws(Errno) -> CameraStream {
    CameraStream(
      source: source, cameraSettings: configuration.cameraSettings, indicator: try indicator(),
      privacy: configuration.privacy,
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
  func kernel() -> V4L2Camera { V4L2Camera(cameraSettings: configuration.cameraSettings, clock: clock) }

  private func indicator() throws(Errno) -> (any Indicator)? {
    configuration.indicatorLED.isEmpty ? nil : try LEDIndicator(name: configuration.indicatorLED)
  }
}
