import Camera
import Codec
import Device
import Gateway
import Location
import Motion
import Panel
import Runtime

/// The node as a whole: the session, the router and one handler per capability, on one thread. It performs no I/O:
/// it runs the same on a board and in a simulation.
public final class Agent {
  let router: Router
  let location: LocationService
  private let follower: LocationFollower
  /// What the board feels of its motion; nil where no sensor is configured, for its history has 100 KB.
  public let motion: MotionService?
  let camera: CameraCommands
  private let position: (any PositionSource)?
  let pending: PendingWork
  /// Events that wait for the gateway.
  public let outbox: Outbox
  /// Tells the gateway that the node is alive.
  public let beacon: PresenceBeacon
  let hostStats: HostStats
  /// The canvas that the gateway hosts.
  public let canvas: CanvasSurface
  private let commands: [StaticString]
  let clock: any Clock
  let log: Log
  var hasSaidSilent = false
  /// The light and the button.
  let panel: FrontPanel
  /// What wants a person at the board.
  public let notices: NoticeBoard
  let hold: PanicHold
  let deviceCommands: DeviceCommands
  #if TALON_SOUND
    /// The one owner of the microphone; nil where none is configured.
    public let microphone: Microphone?
    /// Who lends it to a program that teaches a phrase; nil without one.
    let lender: PhraseLender?
    let speaker: Speaker?
    /// Nil where there is no speaker.
    let announcer: Announcer?
  #endif
  #if TALON_CANVAS
    /// The screen; nil where none is configured.
    let screen: CanvasCommands?
    let displayName: InlineText<64>
    /// What people at the screen and the agent say; nil where they cannot.
    var conversation: Conversation?
    let random: any RandomSource
    /// The message of a press while it is written.
    let pressLine = FixedBuffer(capacity: Budget.a2uiActionCharacters)
  #endif
  #if TALON_SOUND
    /// Who listens to people and speaks to them; nil where there is no microphone.
    public let talk: TalkService?
    /// The button that is held to talk; nil: there is none.
    let talkButton: TalkButton?
    /// Who waits for a phrase; nil where nobody does.
    public let wake: WakeService?
  #endif
  private(set) var selfTest: SelfTest! = nil
  /// The next end of a press lets the board go.
  var isLettingGo = false
  var isResetOffered = false
  /// Between `start` and `stop`.
  private(set) var isServing = false
  /// False when the kernel knows no network that leads out of the board. Whoever does not know says nothing.
  public var hasNetwork = true
  /// Bytes of memory that this process has; nil where nobody can tell.
  public var residentBytes: (() -> UInt64?)?
  /// What it may have, as the service manager sees to.
  public var memoryLimitBytes = UInt64(Budget.serviceMemoryBytes)
  private(set) var startedAt: Int64 = 0
  /// Who resets the board. Lives as long as the agent.
  public unowned(unsafe) var owner: (any AgentOwner)?
  private let keeper: RecordKeeper
  /// The connection to the gateway.
  public private(set) var session: Session! = nil
  /// The connection on which people at the board talk to the gateway.
  public private(set) var desk: OperatorDesk?

  /// Puts the node together. `configuration` gets its commands and capabilities here.
  public init(
    configuration: SessionConfiguration, settings: Settings, identity: NodeIdentity,
    record: GatewayRecord, deviceIdentity: DeviceIdentity, devices: Devices, world: World
  ) throws(Errno) {
    clock = world.clock
    log = world.log
    position = devices.position
    // Documents for a screen are larger than anything else.
    let hasScreen = devices.hasScreen
    let router = try Router(
      nodeID: identity.id, parameterBytes: hasScreen ? Budget.canvasParameterBytes : Budget.invokeParameterBytes,
      clock: world.clock, log: world.log)
    let location = LocationService(settings: settings.location, clock: world.clock, log: world.log)
    let camera = try CameraCommands(
      stream: devices.camera, tools: devices.tools, policy: settings.camera, router: router, runner: world.runner,
      clock: world.clock, log: world.log)
    let device = DeviceService(
      readings: devices.readings, identity: deviceIdentity, runner: world.runner)
    self.router = router
    self.location = location
    self.camera = camera
    pending = PendingWork(router: router, clock: world.clock, log: world.log)
    outbox = try Outbox(
      store: world.outboxStore, runner: world.runner, clock: world.clock, random: world.random, log: world.log)
    beacon = PresenceBeacon(
      card: PresenceBeacon.Card(
        displayName: InlineText(cutting: configuration.displayName),
        version: InlineText(cutting: configuration.version), model: InlineText(cutting: configuration.model)),
      clock: world.clock, log: world.log)
    let follower = LocationFollower(
      settings: settings.location,
      keeper: FixKeeper(store: world.fixStore, runner: world.runner, boot: world.boot, log: world.log),
      date: world.date, boot: world.boot, beacon: beacon, clock: world.clock, log: world.log)
    self.follower = follower
    location.observer = follower
    location.restored = { follower.restored($0) }
    motion = devices.motion.map { sensor in
      MotionService(
        source: sensor, settings: settings.motion, store: world.motionStore, sensing: world.sensing,
        runner: world.runner, clock: world.clock, log: world.log)
    }
    panel = FrontPanel(light: devices.light, button: devices.button, clock: world.clock, log: world.log)
    notices = NoticeBoard(clock: world.clock, log: world.log)
    hold = PanicHold(store: world.holdStore, runner: world.runner, clock: world.clock, log: world.log)
    hostStats = HostStats(device: device, clock: world.clock)
    canvas = CanvasSurface(clock: world.clock, log: world.log)
    router.add(CameraCommands.rows, capability: "camera", camera)
    router.add(
      LocationCommands.rows, capability: "location",
      LocationCommands(service: location, router: router, clock: world.clock))
    deviceCommands = DeviceCommands(service: device, router: router)
    router.add(DeviceCommands.rows, capability: "device", deviceCommands)
    // A board without a sensor declares no such commands (node-commands 11).
    if let motion {
      router.add(
        MotionCommands.rows, capability: "motion",
        try MotionCommands(
          service: motion, router: router, outbox: outbox, news: settings.jolts, clock: world.clock))
    }
    router.add(
      NotifyCommands.rows, capability: "system",
      NotifyCommands(notifier: notices, router: router))
    #if TALON_SOUND
      microphone = devices.microphone
      if let microphone = devices.microphone { lender = try PhraseLender(microphone) } else { lender = nil }
      speaker = devices.speaker
      if let speaker = devices.speaker, let voice = devices.voice {
        announcer = try Announcer(speaker: speaker, local: voice)
      } else {
        announcer = nil
      }
      camera.ear = devices.ear
    #endif
    #if TALON_CANVAS
      displayName = InlineText(cutting: configuration.displayName)
      random = world.random
      if let face = devices.face {
        let screen = try CanvasCommands(
          face, surface: canvas, router: router, runner: world.runner, clock: world.clock, log: world.log)
        router.add(CanvasCommands.rows, capability: "canvas", screen)
        router.add(SnapshotCommands.rows, capability: "screen", screen.snapshots)
        let recordings = try RecordCommands(
          screen.face, camera: camera, tools: devices.tools, router: router, runner: world.runner, clock: world.clock)
        router.add(RecordCommands.rows, capability: "screen", recordings)
        screen.recordings = recordings
        if let changes = face.fetching.changes {
          try screen.follow(
            changes, clock: world.clock, random: world.random, cryptography: world.cryptography, log: world.log)
        }
        #if TALON_SCRIPT
          if let scripts = screen.scripts { router.add(EvalCommands.rows, capability: "canvas", scripts) }
        #endif
        self.screen = screen
      } else {
        screen = nil
      }
    #endif
    #if TALON_SOUND
      if let parts = devices.talk {
        let talk = try TalkService(
          parts, settings: settings.talk, outbox: outbox, clock: world.clock, random: world.random, log: world.log)
        router.add(TalkCommands.rows, capability: "talk", TalkCommands(service: talk, router: router))
        talk.announcer = announcer
        self.talk = talk
        talkButton = devices.talkButton.map { TalkButton($0, clock: world.clock, log: world.log) }
        wake = devices.microphone.flatMap { ear in
          devices.wake.map {
            WakeService($0, microphone: ear, runner: world.runner, clock: world.clock, log: world.log)
          }
        }
        wake?.owner = talk
        microphone?.words = talk.words
      } else {
        (talk, talkButton, wake) = (nil, nil, nil)
      }
    #endif
    var configuration = configuration
    commands = router.names
    configuration.commands = commands
    configuration.capabilities = router.capabilities
    #if TALON_SOUND
      // It claims only what it can do (node-commands 6.4).
      if wake?.canListen == true { configuration.capabilities.append("voiceWake") }
    #endif
    if hasScreen { configuration.messageBytes = Budget.canvasMessageBytes }
    keeper = RecordKeeper(record: record, store: world.store, runner: world.runner)
    session = try Session(
      configuration: configuration, identity: identity, keeper: keeper, transport: world.transport,
      clock: world.clock, random: world.random, cryptography: world.cryptography, log: world.log, delegate: self)
    router.replies = session
    deviceCommands.agent = self
    selfTest = SelfTest(self)
    guard let transport = world.operatorTransport else { return }
    configuration.messageBytes = nil
    desk = try OperatorDesk(
      configuration: configuration, scopes: settings.operatorScopes, identity: identity, keeper: keeper,
      transport: transport, clock: world.clock, random: world.random, cryptography: world.cryptography, log: world.log)
    #if TALON_SOUND
      if let desk { try talk?.connect(desk) }
      desk?.wake = wake
    #endif
  }

  // MARK: Life

  /// Opens the devices and begins to connect.
  public func start() {
    isServing = true
    startedAt = clock.monotonic
    hold.load()
    outbox.load()
    follower.start()
    if let position { location.start(position) }
    motion?.start()
    if hold.isHeld {
      log.write(.warning, "panel", "a person holds this board since before its start (panic)")
      camera.hold()
      holdSound()
    }
    camera.start()
    startSound()
    panel.show(signals)
    panel.start(self)
    startTalk()
    startScreen()
    connectAgain()
  }

  /// Says goodbye; `isStopped` becomes true.
  public func stop() {
    isServing = false
    panel.stop()
    stopTalk()
    stopScreen()
    outbox.flush()
    keeper.flush()
    follower.stop()
    position?.stop()
    motion?.stop()
    camera.stop()
    stopSound()
    desk?.stop()
    session.stop()
  }

  /// The network changed: a connection that waits tries at once.
  public func networkChanged() {
    session.networkChanged()
    desk?.networkChanged()
  }

  /// A serial port was plugged in or pulled out.
  public func portsChanged() { position?.retry() }

  /// A camera was plugged in or pulled out.
  public func camerasChanged() { camera.look() }

  /// True when nothing is left of any connection, and nothing on its way to flash.
  public var isStopped: Bool {
    session.state == .stopped && desk?.isStopped ?? true && !keeper.isWriting && !outbox.isStoring
      && camera.isStopped && isSoundStopped && !follower.isWriting && motion?.isStopped != false && !hold.isWriting && isScreenStopped
  }

  /// When `advance` wants to be called.
  public var deadline: Int64? {
    var earliest = Int64.max
    if let instant = session.deadline { earliest = min(earliest, instant) }
    if let instant = router.nextDeadline { earliest = min(earliest, instant) }
    if let instant = location.nextDeadline { earliest = min(earliest, instant) }
    if let instant = motion?.nextDeadline { earliest = min(earliest, instant) }
    if let instant = pending.nextDeadline { earliest = min(earliest, instant) }
    if let instant = outbox.nextDeadline { earliest = min(earliest, instant) }
    if let instant = beacon.nextDeadline { earliest = min(earliest, instant) }
    if let instant = hostStats.nextDeadline { earliest = min(earliest, instant) }
    if let instant = camera.nextDeadline { earliest = min(earliest, instant) }
    if let instant = canvas.nextDeadline { earliest = min(earliest, instant) }
    if let instant = keeper.nextDeadline { earliest = min(earliest, instant) }
    if let instant = panel.nextDeadline { earliest = min(earliest, instant) }
    if let instant = notices.nextDeadline { earliest = min(earliest, instant) }
    if let instant = hold.nextDeadline { earliest = min(earliest, instant) }
    if let instant = soundDeadline { earliest = min(earliest, instant) }
    if let instant = screenDeadline { earliest = min(earliest, instant) }
    if let instant = talkDeadline { earliest = min(earliest, instant) }
    if let instant = desk?.deadline { earliest = min(earliest, instant) }
    return earliest == .max ? nil : earliest
  }

  /// Lets time pass. The location room answers its own timeouts first: they say more than the router's.
  public func advance() {
    let now = clock.monotonic
    location.advance(to: now)
    motion?.advance(to: now)
    router.advance(to: now)
    pending.advance(to: now)
    outbox.advance(to: now)
    beacon.advance(to: now)
    hostStats.advance(to: now)
    canvas.advance(to: now)
    camera.advance(to: now)
    advanceSound(to: now)
    session.advance(to: now)
    keeper.advance(to: now)
    desk?.advance(to: now)
    advanceTalk(to: now)
    notices.advance(to: now)
    hold.advance(to: now)
    connectAgain()
    panel.advance(to: now)
    panel.show(signals)
    advanceScreen(to: now)
  }

  /// The monotonic instant.
  var now: Int64 { clock.monotonic }

  /// Invokes answered since start: with a result, and with an error.
  public var answers: (succeeded: UInt64, failed: UInt64) { (router.succeeded, router.failed) }

  /// What a person would have to do for the node's commands to get through; nil while the node is not online.
  public var advice: PolicyAdvice? {
    guard session.state == .online else { return nil }
    return PolicyAdvice(
      desk?.policy ?? CommandPolicy(), commands: commands, serverVersion: session.hello.serverVersion.span,
      hasBeenInvoked: session.wasInvoked)
  }
}
