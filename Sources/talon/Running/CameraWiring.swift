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
