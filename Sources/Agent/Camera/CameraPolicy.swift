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

/// What makes photos and clips of a camera's frames.
public struct CameraTools {
  public var jpeg: any JPEGCodec
  public var encoder: any H264Encoder
  /// Where a clip is kept until it was sent.
  public var clips: any ClipStore

  /// The tools; see the properties.
  public init(jpeg: any JPEGCodec, encoder: any H264Encoder, clips: any ClipStore) {
    self.jpeg = jpeg
    self.encoder = encoder
    self.clips = clips
  }
}
