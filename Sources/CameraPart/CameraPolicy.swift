import Camera
import Runtime

/// What the configuration allows cameras to do.
public struct CameraPolicy: Sendable {
  /// False: every camera command is answered with CAMERA_DISABLED, and no camera is opened.
  public var isEnabled = true
  /// True when the configuration names a driver.
  public var hasDriver = true
  /// Default warm-up in milliseconds.
  public var delay = SnapParameters.protocolDelay
  /// Size limit in bytes of a photo, and the size from which it is coded progressively.
  public var limits = PhotoLimits()
  /// Milliseconds for which a camera stays open after a photo; 0 to close it at once.
  public var idle: Int64 = 3_000
  /// True when the camera is opened at start and stays open.
  public var keepsWarm = false

  /// The protocol's defaults.
  public init() {}
}
