import Camera
import Device
import Gateway
import Location
import Motion
import Panel
import Runtime
import Sound

#if TALON_SOUND
  import Talk
#endif

/// The devices of one board, real or simulated, as the configuration chose them.
public struct Devices {
  public var camera: CameraStream
  public var tools: CameraTools
  public var position: (any PositionSource)?
  /// The inertial sensor; nil: none is configured.
  public var motion: (any MotionSource)?
  public var readings: any DeviceReadings
  /// The status light and the button; nil: there is none.
  public var light: (any Light)?
  public var button: (any Button)?
  #if TALON_SOUND
    /// The one owner of the microphone, and what clips hear by it; nil: there is none.
    public var microphone: Microphone?
    public var ear: ClipEar?
    /// The one owner of the speaker; nil: there is none.
    public var speaker: Speaker?
    /// What the board hears and speaks with, by way of these; nil: no microphone is configured.
    public var talk: TalkParts?
    /// The button that is held to talk; nil: there is none.
    public var talkButton: (any Button)?
    /// Says what people and programs at the board want said; nil: nobody does.
    public var voice: (any LocalVoice)?
    /// What it wakes to phrases with; nil: it does not.
    public var wake: WakeParts?
  #endif
  #if TALON_CANVAS
    /// The screen and what draws on it; nil: there is no canvas.
    public var face: CanvasParts?
  #endif

  /// The board shows pages.
  var hasScreen: Bool {
    #if TALON_CANVAS
      return face != nil
    #else
      return false
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

/// What the agent needs of the world beside its devices.
public struct World {
  public var clock: any Clock
  public var random: any RandomSource
  public var cryptography: any Cryptography
  public var transport: any Transport
  public var runner: any JobRunner
  public var store: any RecordStore
  /// Where the outbox keeps its record of `Budget.outboxRecordBytes`: a store of its own, because a worker writes there.
  public var outboxStore: any RecordStore
  /// Where the last fix is kept: a store of its own, because a worker writes there.
  public var fixStore: any RecordStore
  /// Where steps and the sensor's calibration are kept, alike; and what runs the drains of the sensor, and nothing that takes long.
  public var motionStore: any RecordStore
  public var sensing: any JobRunner
  /// Where the panic button's state is kept, alike.
  public var holdStore: any RecordStore
  /// The board's date, and this run of its kernel (`/proc/sys/kernel/random/boot_id`); empty when it has no name.
  public var date: any DateSetter
  public var boot: LastFix.Boot
  /// The operator connection's own; nil when there shall be none.
  public var operatorTransport: (any Transport)?
  public var log: Log

  /// The world; see the properties.
  public init(
    clock: any Clock, random: any RandomSource, cryptography: any Cryptography,
    transport: any Transport, runner: any JobRunner, store: any RecordStore, outboxStore: any RecordStore,
    fixStore: any RecordStore, motionStore: any RecordStore, sensing: any JobRunner, holdStore: any RecordStore,
    date: any DateSetter, boot: LastFix.Boot, operatorTransport: (any Transport)? = nil, log: Log
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
    self.date = date
    self.boot = boot
    self.operatorTransport = operatorTransport
    self.log = log
  }
}
