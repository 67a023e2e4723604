import Camera
import Gateway
import Location
import Motion

extension Agent {
  /// What a person may choose.
  public struct Settings: Sendable {
    public var camera: CameraPolicy
    public var location: LocationSettings
    public var motion: MotionSettings
    public var jolts: JoltNews
    /// What the operator connection may do.
    public var operatorScopes: Scopes
    #if TALON_SOUND
      public var talk = TalkSettings()
    #endif

    /// The protocol's own choice, unless named.
    public init(
      camera: CameraPolicy = CameraPolicy(), location: LocationSettings = LocationSettings(),
      motion: MotionSettings = MotionSettings(), jolts: JoltNews = .none, operatorScopes: Scopes = .console
    ) {
      self.camera = camera
      self.location = location
      self.motion = motion
      self.jolts = jolts
      self.operatorScopes = operatorScopes
    }
  }
}
