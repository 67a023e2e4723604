// Agent: the node as a whole. It has the table of parts in their order, and what concerns all of them: panic, the
// status light, the status object. It performs no I/O, so that it runs the same on a board and in a simulation. It must
// not know a driver, nor the configuration file.

import Camera
import CameraPart
import Codec
import Consent
import ConsentPart
import Device
import FilesPart
import Gateway
import HandsPart
import Location
import MetricsPart
import Motion
import Node
import Panel
import Runtime
import SensePart
import ToolsPart
import UpdatePart

#if !TALON_LEAN
  import MCPPart
  import OwnAgentPart
  import RunPart
  import ScreenPart
  import VoicePart
#endif

/// The node as a whole: a table of parts on one thread.
public final class Agent {
  /// The parts, in the order in which they start and advance.
  let table = PartTable()
  let router: Router
  let camera: CameraCommands
  let pending: PendingWork
  /// Events that wait for the gateway.
  public let outbox: Outbox
  /// Sends presence beacons.
  public let beacon: PresenceBeacon
  /// The notifications that want attention.
  let notifications: NotificationPart
  let hold: PanicHold
  /// Asks whoever is at the board; nil where nothing is asked and no journal is kept.
  private(set) var consent: ConsentPart?
  /// Links for the gateway's agent.
  let links: LinkDesk
  /// The owner's own tools; nil without any.
  private(set) var hands: HandsPart?
  private var tools: ToolsPart?
  /// Brings the board to a new system; nil where nothing is configured and the board has one system only.
  private(set) var updates: UpdatePart?
  let updateTest = UpdateTest()
  private(set) var device: DevicePart! = nil
  private(set) var location: LocationPart! = nil
  /// Pushes metrics; nil where nothing is configured.
  private(set) var metrics: MetricsPart?
  /// What the program counts; nil: nothing.
  public var counters: (any ProgramCounters)?
  private(set) var panel: PanelPart! = nil
  #if !TALON_LEAN
    /// The microphone and the speaker.
    public private(set) var voice = VoiceParts()
    /// The screen; nil without a configured one.
    public private(set) var screen: Screen?
    /// The board's own agent; nil without one.
    public internal(set) var ownAgent: OwnAgentPart?
    /// The canvas that the gateway hosts.
    private(set) var surface: CanvasSurface! = nil
  #endif
  private var commands: [String] = []
  let clock: any Clock
  let log: Log
  private(set) var selfTest: SelfTest! = nil
  private var hasHintedAtPolicy = false
  /// True when the end of the current press releases the board.
  var isLettingGo = false
  var isResetOffered = false
  /// True when the current press has said no.
  var isRefusing = false
  /// False when the kernel has no route out of the board; true also while that is unknown.
  public var hasNetwork = true
  /// Bytes of memory of this process; nil when unknown.
  public var residentBytes: (() -> UInt64?)?
  /// The limit of its memory, which the service manager enforces.
  public var memoryLimitBytes = UInt64(Budget.serviceMemoryBytes)
  private(set) var startedAt: Int64 = 0
  /// Carries out a factory reset. Lives as long as the agent.
  public unowned(unsafe) var delegate: (any AgentDelegate)?
  /// The connection to the gateway.
  public private(set) var session: Session! = nil
  /// The operator connection, on which people at the board talk to the gateway.
  public private(set) var desk: OperatorDesk?

  /// Makes the node. Adds its commands, capabilities and permissions to `configuration`.
  @export(interface)
  public init(
    configuration: SessionConfiguration, settings: Settings, identity: NodeIdentity,
    record: GatewayRecord, deviceIdentity: DeviceIdentity, devices: Devices, world: World
  ) throws(Errno) {
    clock = world.clock
    log = world.log
    let hasScreen = devices.hasScreen
    // Documents for a screen are the largest parameters, and files that are written.
    let hasLargeParameters = hasScreen || world.files?.areWritable == true
    router = try Router(
      nodeID: identity.id, messageBytes: hasLargeParameters ? Budget.canvasMessageBytes : Budget.inboundMessageBytes,
      parameterBytes: hasLargeParameters ? Budget.canvasParameterBytes : Budget.invokeParameterBytes,
      runner: world.runner, clock: world.clock, log: world.log)
    outbox = try Outbox(
      store: world.outboxStore, runner: world.runner, clock: world.clock, random: world.random, log: world.log)
    links = try LinkDesk(
      store: world.linkStore, outbox: outbox, runner: world.runner, clock: world.clock, random: world.random,
      log: world.log)
    beacon = PresenceBeacon(card: .init(configuration), clock: world.clock, log: world.log)
    pending = PendingWork(router: router, clock: world.clock, log: world.log)
    camera = try CameraCommands(
      stream: devices.camera, tools: devices.tools, policy: settings.camera, router: router, runner: world.runner,
      clock: world.clock, log: world.log)
    notifications = NotificationPart(router: router, clock: world.clock, log: world.log)
    hold = PanicHold(store: world.holdStore, runner: world.runner, clock: world.clock, log: world.log)
    let keeper = RecordKeeper(
      record: record, store: world.store, runner: world.runner, clock: world.clock, log: world.log)
    var configuration = configuration
    if let transport = world.operatorTransport {
      desk = try OperatorDesk(
        configuration: configuration, scopes: settings.operatorScopes, approves: settings.approves,
        identity: identity, keeper: keeper,
        transport: transport, clock: world.clock, random: world.random, cryptography: world.cryptography,
        log: world.log)
    }
    if hasLargeParameters { configuration.messageBytes = Budget.canvasMessageBytes }
    session = try Session(
      configuration: configuration, identity: identity, keeper: keeper, transport: world.transport,
      clock: world.clock, random: world.random, cryptography: world.cryptography, log: world.log, delegate: self)
    if let more = world.moreTransports {
      session.moreTransports = { more(.node) }
      desk?.session.moreTransports = { more(.operator) }
    }
    router.replies = session
    desk?.delegate = table
    try makeParts(configuration, settings, deviceIdentity, devices, world, keeper)
    declare(settings)
    router.declarationChanged = { [unowned(unsafe) self] in self.declareAnew() }
    selfTest = SelfTest(self)
  }

  /// Makes the parts in their order.
  private func makeParts(
    _ configuration: SessionConfiguration, _ settings: Settings, _ identity: DeviceIdentity, _ devices: Devices,
    _ world: World, _ keeper: RecordKeeper
  ) throws(Errno) {
    table.add(hold)
    try addConsent(settings, devices, world)
    // Before the router: they answer their own timeouts, with more specific errors than the router's.
    let place = LocationPart.Board(
      position: devices.position, store: world.fixStore, trackStore: world.trackStore, date: world.date,
      boot: world.boot)
    location = LocationPart(
      place, settings: settings.location, router: router, beacon: beacon, runner: world.runner, clock: clock, log: log)
    table.add(location)
    if let sensor = devices.motion {
      let service = MotionService(
        source: sensor, settings: settings.motion, store: world.motionStore, sensing: world.sensing,
        runner: world.runner, clock: clock, log: log)
      let motion = try MotionPart(
        service, router: router, outbox: outbox, news: settings.jolts, panic: self, clock: clock)
      table.add(motion)
    }
    table.add(router)
    table.add(pending)
    table.add(beacon)
    device = DevicePart(
      readings: devices.readings, identity: identity, parts: table, router: router, runner: world.runner, clock: clock)
    device.restart = devices.restart
    table.add(device)
    if !world.trouble.isEmpty { table.add(StartTroublePart(world.trouble)) }
    if let recovery = devices.recovery, let store = world.recoveryStore {
      table.add(RecoveryPart(recovery, store: store, runner: world.runner, clock: clock, log: log))
    }
    if let wifi = devices.wifi {
      table.add(
        WiFiPart(wifi, runner: world.runner, clock: clock, log: log) { [unowned(unsafe) self] in self.hasNetwork })
    }
    table.add(outbox)
    table.add(links)
    if let scanner = devices.scanner { table.add(LinkScanner(scanner, desk: links, clock: clock, log: log)) }
    table.add(camera)
    if let store = world.cameraStore, settings.camera.hasDriver {
      table.add(
        CameraMemory(of: camera, router: router, store: store, runner: world.runner, clock: clock, log: log))
    }
    desk?.setPhotographer(settings.camera.isEnabled && settings.camera.hasDriver ? camera : nil)
    if let board = world.photos {
      let photos = try PhotosPart(board, router: router, runner: world.runner, clock: clock, log: log)
      camera.photos = photos
      table.add(photos)
    }
    table.add(notifications)
    try addFiles(world)
    addHands(devices, world)
    addDiagnosis(settings, devices, world)
    if let (server, transport) = world.syslog {
      table.add(
        SyslogPart(
          server: server, host: configuration.displayName, transport: transport, clock: clock, log: log))
    }
    #if !TALON_LEAN
      voice = try VoiceParts(
        devices.voice, settings: settings.talk, table: table, outbox: outbox, desk: desk, runner: world.runner,
        clock: clock, random: world.random, log: log)
      camera.clipSound = devices.voice.clipSound
      if let programs = devices.programs {
        table.add(try RunPart(programs, router: router, outbox: outbox, clock: clock, log: log))
      }
    #endif
    try addUpdates(identity, settings, world)
    try addMetrics(identity, settings, world)
    table.add(GatewayConnection(session, keeper: keeper))
    if let desk { table.add(desk) }
    #if !TALON_LEAN
      try addScreen(configuration, devices, world)
    #endif
    try addTools(configuration, settings, devices, world)
    // Last: the light shows the state after all others have advanced.
    panel = PanelPart(light: devices.light, button: devices.button, agent: self)
    table.add(panel)
  }

  /// After all parts that have commands, those of MCP servers among them; the board's own agent, which has all tools,
  /// after them and the desk.
  private func addTools(
    _ configuration: SessionConfiguration, _ settings: Settings, _ devices: Devices, _ world: World
  ) throws(Errno) {
    #if !TALON_LEAN
      let servers =
        !devices.servers.isEmpty
        ? try MCPPart(devices.servers, version: configuration.version, router: router, clock: clock, log: log) : nil
      if let servers { table.add(servers) }
    #endif
    let lends = hasOwnAgent(settings, world)
    let name = InlineText<128>(cutting: configuration.displayName)
    let tools = try ToolsPart(
      settings: settings.tools, tools: Tool.all + (hands?.tools ?? []).map { Tool($0) }, lends: lends,
      displayName: name, router: router, clock: clock, log: log)
    table.add(tools)
    self.tools = tools
    #if !TALON_LEAN
      try addOwnAgent(tools, settings, world)
      if let servers { connect(servers, to: tools) }
    #endif
  }

  #if !TALON_LEAN
    /// Tools of servers come and go: those who have tools hear of it. The table keeps both parts.
    private func connect(_ servers: MCPPart, to tools: ToolsPart) {
      servers.isOwnTool = { [unowned(unsafe) tools] in tools.hasOwnTool($0) }
      servers.publishAgain = { [unowned(unsafe) tools, unowned(unsafe) servers] in
        tools.replaceServerTools(servers.tools.map { Tool($0) })
      }
      tools.writeServers = { [unowned(unsafe) servers] in servers.writeServers(to: &$0) }
      if let ownAgent { tools.toolsChanged = { [unowned(unsafe) ownAgent] in ownAgent.toolsChanged() } }
    }
  #endif

  /// Before the router, whose timeout says less than its own.
  private func addConsent(_ settings: Settings, _ devices: Devices, _ world: World) throws(Errno) {
    guard let storage = world.consent else { return }
    let cameras = devices.camera.cameraSettings
    let surroundings = ConsentSurroundings(hasSound: devices.hasSound) { cameras.side($0) }
    let consent = try ConsentPart(
      settings.consent, surroundings, storage: storage, parts: table, router: router, outbox: outbox,
      runner: world.runner, clock: clock, cryptography: world.cryptography, log: log)
    self.consent = consent
    table.add(consent)
  }

  private func addUpdates(_ identity: DeviceIdentity, _ settings: Settings, _ world: World) throws(Errno) {
    guard let board = world.updates else { return }
    let surroundings = UpdateSurroundings(
      board, router: router, runner: world.runner, clock: clock, random: world.random, log: log)
    let updates = try UpdatePart(
      settings.updates, version: InlineText(cutting: identity.appVersion.span), surroundings: surroundings)
    updates.host = self
    self.updates = updates
    table.add(updates)
  }

  private func addDiagnosis(_ settings: Settings, _ devices: Devices, _ world: World) {
    if let inspector = devices.inspector {
      table.add(DiagnosisPart(inspector, router: router, runner: world.runner, clock: clock, log: log))
    }
    if settings.tellsOfDevices {
      table.add(DeviceNews(parts: table, outbox: outbox, clock: clock, log: log))
    }
  }

  private func addMetrics(_ identity: DeviceIdentity, _ settings: Settings, _ world: World) throws(Errno) {
    guard let board = world.metrics else { return }
    let surroundings = MetricsSurroundings(board, runner: world.runner, clock: clock, random: world.random, log: log)
    let metrics = try MetricsPart(
      settings.metrics, board: InlineText(cutting: identity.name.span),
      instance: InlineText(cutting: session.identity.id.span.extracting(0..<12)),
      place: InlineText(cutting: identity.place.span), tags: InlineText(cutting: identity.tags.span),
      version: InlineText(cutting: identity.appVersion.span), surroundings: surroundings)
    metrics.host = self
    self.metrics = metrics
    table.add(metrics)
  }

  private func addFiles(_ world: World) throws(Errno) {
    guard let folders = world.files, !folders.folders.isEmpty else { return }
    table.add(
      try FilesPart(
        folders, router: router, runner: world.runner, cryptography: world.cryptography, clock: clock, log: log))
  }

  private func addHands(_ devices: Devices, _ world: World) {
    guard !devices.hands.isEmpty, let store = world.handStore else { return }
    let surroundings = HandSurroundings(
      router: router, outbox: outbox, store: store, runner: world.runner, readings: world.readings,
      programs: world.programs, clock: clock, log: log)
    let hands = HandsPart(devices.hands, surroundings: surroundings)
    self.hands = hands
    table.add(hands)
  }

  #if !TALON_LEAN
    /// After the connections, whose state it shows.
    private func addScreen(
      _ configuration: SessionConfiguration, _ devices: Devices, _ world: World
    ) throws(Errno) {
      let surface = CanvasSurface(clock: clock, log: log)
      self.surface = surface
      table.add(surface)
      guard let face = devices.face else { return }
      var surroundings = Screen.Surroundings(
        displayName: InlineText(cutting: configuration.displayName), session: session, desk: desk, surface: surface,
        encoder: camera, tools: devices.tools, notices: notifications.notices, table: table, panic: self,
        router: router, runner: world.runner, clock: clock, random: world.random, cryptography: world.cryptography,
        log: log)
      surroundings.consent = consent
      surroundings.links = links
      surroundings.voice = voice.talk
      let screen = try Screen(face, surroundings)
      table.add(screen)
      self.screen = screen
      if let scripts = try face.scripts?(screen, router) { table.add(scripts) }
    }
  #endif

  /// Declares the parts' commands, capabilities and permissions to the gateway.
  private func declare(_ settings: Settings) {
    table.addCommands(to: router)
    for name in router.declareOnly(settings.commands, publishes: settings.tools.choice != .none) {
      log.write(.warning, "agent") { line in
        line.add("[node] commands names \"")
        line.add(name)
        line.add("\", for which this board has no device or no section")
      }
    }
    _ = learnRelease()
    declareCommands()
  }

  /// The gateway has said which release it is; true when it knows more commands than the one before, or fewer.
  private func learnRelease() -> Bool { router.declareKnown { ReleaseCommands.isKnown($0, at: session) } }

  /// The board has other commands than it had: the gateway hears of them with the next connection, which follows at
  /// once.
  private func declareAnew() {
    declareCommands()
    session.connectAnew()
  }

  /// False for a permission whose commands the owner keeps from the gateway ([node] commands), and tools as well.
  private func isOffered(_ permission: StaticString) -> Bool {
    !router.keepsBack(permission) || tools?.needsPermissions == true
  }

  private func declareCommands() {
    commands = router.names
    var permissions = table.permissions.map { (name: $0.name, isGranted: $0.isGranted && isOffered($0.name)) }
    // A board without a sensor declares that, too (gateway reference 3.7).
    if !permissions.contains(where: { $0.name.bytes.elementsEqual(("motion" as StaticString).bytes) }) {
      permissions.append(("motion", false))
    }
    session.declare(
      capabilities: router.capabilities + table.capabilities, commands: commands, permissions: permissions)
    desk?.declare(commands: commands)
  }

  // MARK: Life

  /// Opens the devices and begins to connect.
  public func start() {
    startedAt = clock.monotonic
    // Before anything opens.
    hold.load()
    if hold.isHeld {
      log.write(.warning, "panel", "a person held this board before it started (panic)")
      table.hold()
    }
    table.start()
  }

  /// Ends the connections and all work; `isStopped` becomes true.
  public func stop() { table.stop() }

  /// True when every connection has ended, and nothing is being written to flash.
  public var isStopped: Bool { table.isStopped }

  /// Something outside the agent changed.
  public func boardChanged(_ change: BoardChange) { table.boardChanged(change) }

  /// When `advance` is to be called, in milliseconds of `Clock.monotonic`.
  public var deadline: Int64? { table.nextDeadline }

  /// Does what is due.
  public func advance() { table.advance(to: clock.monotonic) }

  /// The monotonic time.
  var now: Int64 { clock.monotonic }

  /// Invokes answered since start: with a result, and with an error.
  public var answers: (succeeded: UInt64, failed: UInt64) { (router.succeeded, router.failed) }

  /// What a person has to do for the node's commands to get through; nil while the node is not online.
  public var advice: PolicyAdvice? {
    guard session.state == .online else { return nil }
    return PolicyAdvice(
      desk?.policy ?? CommandPolicy(), commands: commands, serverVersion: session.hello.serverVersion.span,
      hasBeenInvoked: session.wasInvoked)
  }
}

/// The agent's reactions to the node connection.
extension Agent: SessionDelegate {
  public func sessionOpened() {
    if learnRelease() { declareCommands() }
    table.online(session)
    hintAtPolicy()
  }

  /// A board whose commands are all held back looks like one that is not used, so the log says once where to look.
  private func hintAtPolicy() {
    guard desk == nil, !hasHintedAtPolicy, let advice, advice.finding == .silent else { return }
    hasHintedAtPolicy = true
    log.write(.notice, "agent") { line in
      advice.writeSentence(to: &line)
      line.add(": talon status shows how")
    }
  }

  public func sessionReceived(_ event: borrowing JSONView, _ payload: borrowing JSONView) {
    table.received(event, payload)
    if event.equals("node.invoke.request") { session.noteInvoked() }
  }

  public func sessionReceivedInvoke(in buffer: inout ReservedBuffer, count: Int) -> Bool {
    guard router.open(in: &buffer, count: count) else { return false }
    session.noteInvoked()
    return true
  }

  public func sessionLost() { table.offline() }

  public var repliesDue: Int { router.count }

  public var isOccupied: Bool { router.isOccupied }
}

extension Tool {
  /// A hand as a tool.
  fileprivate init(_ hand: HandTool) {
    self.init(
      name: hand.name, command: hand.command, description: hand.description, parameters: hand.parameters,
      sentence: hand.sentence, isSafe: hand.isReadOnly)
  }

  #if !TALON_LEAN
    fileprivate init(_ tool: MCPPublished) {
      self.init(
        name: tool.name, command: tool.command, description: tool.description, parameters: tool.parameters,
        isSafe: tool.isSafe, server: tool.server)
    }
  #endif
}
