import Camera
import ConsentPart
import CameraPart
import Device
import FilesPart
import Gateway
import Hands
import Location
import MetricsPart
import Motion
import Panel
import Runtime
import SensePart
import UpdatePart

#if !TALON_LEAN
  import MCPPart
  import OwnAgentPart
  import RunPart
  import ScreenPart
  import VoicePart
#endif

/// The devices of one board, real or simulated, as the configuration chose them.
public struct Devices {
  public var camera: CameraStream
  public var tools: CameraTools
  public var position: (any PositionSource)?
  /// The motion sensor; nil without a configured one.
  public var motion: (any MotionSource)?
  public var readings: any DeviceReadings
  /// The status light and the button; nil without one.
  public var light: (any Light)?
  public var button: (any Button)?
  /// What recovery needs; nil where root's side is not there, or is not to be asked.
  public var recovery: RecoveryDevices?
  /// What a Wi-Fi network by a code in front of the camera needs; nil where the card does not allow it.
  public var wifi: (any WiFiBoard)?
  /// Why the board was last restarted; nil when that is not known.
  public var restart: RestartReading?
  /// Makes reports of this board for the gateway; nil where that is not allowed.
  public var inspector: (any Inspector)?
  /// The owner's own tools.
  public var hands: [HandEntry] = []
  /// What scans links; nil without one.
  public var scanner: (any CodeScanner)?
  #if !TALON_LEAN
    /// The microphone and the speaker.
    public var voice = VoiceDevices()
    /// The screen and what draws on it; nil without one.
    public var face: CanvasParts?
    /// The programs that the gateway may run; nil without any.
    public var programs: RunBoard?
    /// The owner's MCP servers, and the ways to them.
    public var servers: [MCPEntry] = []
  #endif

  /// True when the board has a screen.
  var hasScreen: Bool {
    #if TALON_LEAN
      false
    #else
      face != nil
    #endif
  }

  /// True when clips can have sound.
  var hasSound: Bool {
    #if TALON_LEAN
      false
    #else
      voice.clipSound != nil
    #endif
  }

  /// The devices; see the properties.
  public init(
    camera: CameraStream, tools: CameraTools, position: (any PositionSource)?,
    motion: (any MotionSource)? = nil, readings: any DeviceReadings, light: (any Light)? = nil,
    button: (any Button)? = nil
  ) {
    self.camera = camera
    self.tools = tools
    self.position = position
    self.motion = motion
    self.readings = readings
    self.light = light
    self.button = button
  }
}

/// What the agent needs besides its devices.
public struct World {
  public var clock: any Clock
  public var random: any RandomSource
  public var cryptography: any Cryptography
  public var transport: any Transport
  public var runner: any JobRunner
  public var store: any RecordStore
  /// The store of the outbox's record of `Budget.outboxRecordBytes`. It must not be shared, because a worker writes
  /// there.
  public var outboxStore: any RecordStore
  /// The store of the last fix. It must not be shared, because a worker writes there.
  public var fixStore: any RecordStore
  /// The store of the track. It must not be shared, because a worker writes there. Nil: no track is kept.
  public var trackStore: (any RecordStore)?
  /// The store of steps and the sensor's calibration; and the runner for reading the sensor, on which nothing slow may
  /// run.
  public var motionStore: any RecordStore
  public var sensing: any JobRunner
  /// The store of the panic state.
  public var holdStore: any RecordStore
  /// Remembers that this board had a camera; nil: its commands are always declared.
  public var cameraStore: (any RecordStore)?
  /// The store of what hands count. It must not be shared, because a worker writes there. Nil only without hands.
  public var handStore: (any RecordStore)?
  /// The store of the steps of recovery. It must not be shared, because a worker writes there. Nil only without
  /// recovery.
  public var recoveryStore: (any RecordStore)?
  /// The workers of hands that wait for sensors and lines, and of programs; nil: `runner`.
  public var readings: (any JobRunner)?
  public var programs: (any JobRunner)?
  /// What updates need of the board; nil where nothing is configured and the board has one system only.
  public var updates: UpdateBoard?
  /// The store of the board's own key for links. It must not be shared, because a worker writes there. Nil: no key.
  public var linkStore: (any RecordStore)?
  /// Where grants and the journal of uses are kept; nil: everything is allowed, and no journal is kept.
  public var consent: ConsentStorage?
  /// What metrics need; nil where none are configured.
  public var metrics: MetricsBoard?
  /// Where photos are kept; nil where none are.
  public var photos: PhotosBoard?
  /// The folders that the gateway's agent may use; nil: none.
  public var files: SharedFolders?
  #if !TALON_LEAN
    /// The way to the board's own agent, and what that is told of the board; nil: it has none.
    public var ownAgent: OwnAgentBoard?
  #endif
  /// The board's date, and the boot id of its kernel (`/proc/sys/kernel/random/boot_id`); empty without one.
  public var date: any DateSetter
  public var boot: LastFix.Boot
  /// The transport of the operator connection; nil without one.
  public var operatorTransport: (any Transport)?
  /// Makes transports for attempts at several addresses of the gateway that overlap; nil: one after the other.
  public var moreTransports: ((Role) -> any Transport)?
  /// What was wrong at the start.
  public var trouble = StartTrouble()
  /// A syslog server and the transport to it; nil without one.
  public var syslog: (server: GatewayURL, transport: any Transport)?
  public var log: Log

  /// The world; see the properties.
  public init(
    clock: any Clock, random: any RandomSource, cryptography: any Cryptography,
    transport: any Transport, runner: any JobRunner, store: any RecordStore, outboxStore: any RecordStore,
    fixStore: any RecordStore, motionStore: any RecordStore, sensing: any JobRunner, holdStore: any RecordStore,
    handStore: (any RecordStore)? = nil, readings: (any JobRunner)? = nil, programs: (any JobRunner)? = nil,
    updates: UpdateBoard? = nil, date: any DateSetter, boot: LastFix.Boot,
    operatorTransport: (any Transport)? = nil, log: Log
  ) {
    self.clock = clock
    self.random = random
    self.cryptography = cryptography
    self.transport = transport
    self.runner = runner
    self.store = store
    self.outboxStore = outboxStore
    self.fixStore = fixStore
    self.motionStore = motionStore
    self.sensing = sensing
    self.holdStore = holdStore
    self.handStore = handStore
    self.readings = readings
    self.programs = programs
    self.updates = updates
    self.date = date
    self.boot = boot
    self.operatorTransport = operatorTransport
    self.log = log
  }
}
