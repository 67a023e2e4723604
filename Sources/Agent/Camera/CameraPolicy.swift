import Camera
import Runtime

/// What a person lets cameras do.
public struct CameraPolicy: Sendable {
  /// False: every camera command is answered with CAMERA_DISABLED, and no camera is opened.
  public var isEnabled = true
  /// Warm-up in milliseconds when the caller names none.
  public var delay = SnapParameters.protocolDelay
  /// Most bytes of a photo, and when it is coded in several scans.
  public var limits = PhotoLimits()
  /// Milliseconds for which a camera stays open behind a photo; 0: it is closed at once.
  public var idle: Int64 = 3_000
  /// The camera is opened at start and stays open.
  public var keepsWarm = false

  /// What the protocol says when nobody says anything.
  public init() {}
}

/// What is known of the cameras, for `device.health`, `talon status` and the log.
struct CameraState {
  enum Finding {
    case unknown, present
    case failing(CameraError)
  }

  private(set) var finding = Finding.unknown
  /// Cameras listed last.
  var count = 0
  /// Damaged frames that were left out.
  var damagedFrames = 0

  /// Takes what a command found out; true when that is news.
  mutating func learn(_ error: CameraError?) -> Bool {
    // Errors about the request say nothing of the camera.
    if let error, error.nextStep == nil { return false }
    defer { finding = error.map { .failing($0) } ?? .present }
    switch (finding, error) {
    case (.unknown, _), (.present, .some), (.failing, nil): return true
    case (.present, nil): return false
    case (.failing(let before), .some(let now)): return !before.isLike(now)
    }
  }
}

extension CameraError {
  /// True when both are of one kind.
  func isLike(_ other: CameraError) -> Bool { wire.text.utf8Start == other.wire.text.utf8Start }
}
