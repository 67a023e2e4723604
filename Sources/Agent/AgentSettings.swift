import CameraPart
import Consent
import Gateway
import Location
import Metrics
import Motion
import Node
import SensePart
import Talk
import ToolsPart
import Updates

#if !TALON_LEAN
  import OwnAgentPart
#endif

extension Agent {
  /// The configuration of the agent.
  public struct Settings: Sendable {
    public var camera: CameraPolicy
    public var location: LocationSettings
    public var motion: MotionSettings
    public var jolts: JoltNews
    /// The scopes of the operator connection.
    public var operatorScopes: Scopes
    /// People at the board answer requests of the gateway.
    public var approves = false
    /// Of use where there is a microphone.
    public var talk: TalkSettings
    public var tools: ToolSettings
    /// Which commands are declared to the gateway.
    public var commands = CommandChoice.all
    public var updates = UpdateSettings()
    /// Whether the gateway's agent is told of devices that come, go or fail.
    public var tellsOfDevices = true
    public var metrics = MetricsSettings()
    public var consent = ConsentSettings()
    #if !TALON_LEAN
      /// The board's own agent.
      public var ownAgent = OwnAgentSettings()
    #endif

    /// The protocol's defaults.
    public init(
      camera: CameraPolicy = CameraPolicy(), location: LocationSettings = LocationSettings(),
      motion: MotionSettings = MotionSettings(), jolts: JoltNews = .none, operatorScopes: Scopes = .console,
      talk: TalkSettings = TalkSettings(), tools: ToolSettings = ToolSettings()
    ) {
      self.camera = camera
      self.location = location
      self.motion = motion
      self.jolts = jolts
      self.operatorScopes = operatorScopes
      self.talk = talk
      self.tools = tools
    }
  }
}
