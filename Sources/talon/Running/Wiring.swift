import Agent
import Board
import Camera
import CameraPart
import Codec
import ConsentPart
import Device
import Gateway
import Hands
import Location
import MetricsPart
import Motion
import Runtime
import SensePart
import Simulated
import Sound
import Talk
import ToolsPart
import UpdatePart

/// Builds an agent and its devices from a configuration.
struct Wiring {
  let configuration: Configuration
  let loop: Loop
  let workers: WorkerPool
  /// The motion sensor's own worker; nil without one.
  let sensing: WorkerPool?
  let readings: WorkerPool?
  let programs: WorkerPool?
  let clock: SystemClock
  let log: Log
  /// What a lean build does not have.
  let media: Media
  /// The configuration's file, for reports that this program makes as another process.
  let path: String
  let trouble: StartTrouble

  /// Opens the state folder, and builds the agent.
  func agent() throws(Failure) -> Agent {
    let store = try StateFolder.open(configuration.stateDirectory)
    let outboxStore = try StateFolder.open(
      configuration.stateDirectory, recordBytes: Budget.outboxRecordBytes)
    let fixStore = try StateFolder.open(configuration.stateDirectory, recordBytes: Budget.fixRecordBytes)
    let trackStore =
      configuration.location.track == nil
      ? nil : try StateFolder.open(configuration.stateDirectory, recordBytes: Budget.trackRecordBytes)
    if trackStore == nil { TrackFiles.remove(from: configuration.stateDirectory, log) }
    let motionStore = try StateFolder.open(configuration.stateDirectory)
    // A camera that is simulated is always there.
    let cameraStore =
      configuration.cameraDriver == .v4l2
      ? try StateFolder.open(configuration.stateDirectory, recordBytes: Budget.cameraRecordBytes) : nil
    let holdStore = try StateFolder.open(configuration.stateDirectory, recordBytes: Budget.holdRecordBytes)
    let handStore =
      configuration.hands.isEmpty
      ? nil : try StateFolder.open(configuration.stateDirectory, recordBytes: Budget.handRecordRoom)
    let recoveryStore =
      SystemReadings.hasRecovery
      ? try StateFolder.open(configuration.stateDirectory, recordBytes: Budget.recoveryRecordBytes) : nil
    let consent = try consentStorage()
    let linkStore = try StateFolder.open(configuration.stateDirectory, recordBytes: Budget.linkKeyRecordBytes)
    let agentStore =
      configuration.agent.isEnabled
      ? try StateFolder.open(configuration.stateDirectory, recordBytes: Budget.ownAgentRecordBytes) : nil
    let cryptography = OpenSSLCryptography()
    let random = SystemRandom()
    let identity = try StateFolder.identity(store, random, cryptography, log)
    PublicIdentity.refresh(identity, log)
    hideSecretsOfTheWay()
    JoinCommand.finish(configuration, log)
    // Without a gateway the agent waits for talon connect, which restarts it.
    let record =
      try StateFolder.knownRecord(store, configuration, cryptography, log)
      ?? GatewayRecord(key: "", cryptography: cryptography)
    StateFolder.bind(record, configuration, store, cryptography, log)
    let id = try configuration.gatewayID()
    let snapshot: DeviceSnapshot
    do throws(Errno) {
      snapshot = try startupSnapshot()
    } catch {
      throw Failure(.system, "the board cannot be read: \(String(error.text))")
    }
    let updates = UpdateWiring(configuration: configuration, loop: loop, clock: clock)
    let updateBoard = try updates.board(serial: snapshot.serial)
    let metricsBoard = try MetricsWiring(configuration: configuration, loop: loop, clock: clock).board()
    do throws(Errno) {
      var session = SessionConfiguration(
        urls: configuration.urls, sharedToken: configuration.token,
        password: configuration.password, displayName: name(snapshot), version: Version.number,
        model: Self.string(snapshot.model), locale: Self.string(snapshot.locale),
        pairingPoll: configuration.pairingPoll * 1000)
      session.trust = configuration.trust
      session.access = configuration.access
      session.learnedURLs = record.urls.filter(configuration.allows)
      var settings = settings
      settings.tellsOfDevices = configuration.tellsOfDevices
      settings.metrics = configuration.metrics
      settings.consent = configuration.consent
      settings.updates = updates.settings(name: name(snapshot), serial: snapshot.serial, node: identity.id)
      var world = World(
        clock: clock, random: random, cryptography: cryptography,
        transport: gatewayTransport(), runner: workers,
        store: store, outboxStore: outboxStore,
        fixStore: fixStore, motionStore: motionStore, sensing: sensing ?? workers, holdStore: holdStore,
        handStore: handStore, readings: readings, programs: programs, updates: updateBoard, date: SystemDate(),
        boot: Self.boot(),
        operatorTransport: configuration.operatorEnabled ? gatewayTransport() : nil,
        log: log)
      let (loop, clock, route) = (loop, clock, configuration.route)
      world.moreTransports = { _ in NetworkTransport(loop: loop, clock: clock, route: route) }
      world.trouble = trouble
      world.trackStore = trackStore
      world.recoveryStore = recoveryStore
      world.cameraStore = cameraStore
      world.consent = consent
      world.linkStore = linkStore
      world.syslog = syslog()
      world.metrics = metricsBoard
      world.photos = try PhotoWiring(configuration: configuration, log: log).board()
      world.files = FileWiring(configuration: configuration, log: log).folders()
      try media.connect(&settings, &world, store: agentStore, snapshot, name: name(snapshot))
      let agent = try Agent(
        configuration: session, settings: settings,
        identity: identity, record: record, deviceIdentity: deviceIdentity(snapshot),
        devices: devices(snapshot), world: world)
      agent.session.finder = finder(id)
      if metricsBoard != nil { agent.counters = LoopCounters(loop) }
      return agent
    } catch {
      throw Failure(.system, "the agent could not be set up: \(String(error.text))")
    }
  }

  private func consentStorage() throws(Failure) -> ConsentStorage {
    let date = SystemDate()
    return ConsentStorage(
      grants: try StateFolder.open(configuration.stateDirectory, recordBytes: Budget.grantRecordBytes),
      uses: try StateFolder.open(configuration.stateDirectory, recordBytes: ConsentStorage.useRecordBytes),
      boot: Self.boot(), isDateRight: { date.isKept }, offset: SystemClock.localOffset)
  }

  private func gatewayTransport() -> NetworkTransport {
    NetworkTransport(loop: loop, clock: clock, route: configuration.route)
  }

  private func syslog() -> (server: GatewayURL, transport: any Transport)? {
    guard let server = configuration.syslog else { return nil }
    let path = configuration.syslogAuthorities
    let authorities = CertificateAuthorities(path: path.isEmpty ? CertificateAuthorities.usualPath : path)
    return (server, NetworkTransport(loop: loop, clock: clock, authorities: authorities))
  }

  /// What a proxy or an edge gets to see must not be seen in the log.
  private func hideSecretsOfTheWay() {
    for field in configuration.access?.fields ?? [] { field.value.withBytes { log.hide($0) } }
    guard let proxy = configuration.route.proxy else { return }
    proxy.password.withUnsafeBufferPointer { log.hide($0) }
    proxy.credentials.withBytes { log.hide($0) }
  }

  private func finder(_ id: GatewayID?) -> any EndpointFinder {
    NamedGatewayFinder(id, allowsPlaintext: configuration.allowPlaintext, loop: loop, clock: clock)
  }

  private var settings: Agent.Settings {
    var location = configuration.location
    var camera = configuration.camera
    camera.hasDriver = configuration.cameraDriver != .none
    // The dates in a recording are those of its day.
    if configuration.locationDriver == .simulated { location.setsClock = false }
    var settings = Agent.Settings(
      camera: camera, location: location, motion: motionSettings, jolts: configuration.jolts,
      operatorScopes: configuration.operatorScopes, talk: configuration.talk.settings,
      tools: configuration.tools)
    settings.approves = configuration.approves
    settings.commands = configuration.commands
    return settings
  }

  // MARK: Devices

  private func devices(_ snapshot: DeviceSnapshot) throws(Errno) -> Devices {
    let cameras = CameraWiring(configuration: configuration, clock: clock)
    let panel = PanelWiring(configuration: configuration)
    var devices = Devices(
      camera: try cameras.stream(of: try cameras.source()),
      tools: CameraTools(jpeg: try TurboJPEG(), encoder: BoardEncoder(clock: clock), clips: ClipSegment()),
      position: try position(), motion: try motion(),
      readings: try SystemReadings(stateFolder: configuration.stateDirectory, clock: clock),
      light: try panel.light(), button: panel.button(loop: loop, clock: clock, log: log))
    devices.restart = snapshot.restart
    if configuration.hasDebugCommands { devices.inspector = OwnProgram(configuration: path) }
    if SystemReadings.hasRecovery {
      devices.recovery = RecoveryDevices(
        readings: try SystemReadings(stateFolder: configuration.stateDirectory, clock: clock),
        requests: try RecoveryRequestFile(stateFolder: configuration.stateDirectory))
    }
    devices.wifi = try wifi()
    devices.hands = try HandWiring(configuration: configuration, loop: loop, clock: clock).entries()
    try media.connect(&devices, workers)
    return devices
  }

  /// A Wi-Fi network by a code in front of the camera, where the card allows it.
  private func wifi() throws(Errno) -> (any WiFiBoard)? {
    guard WiFiCodeCamera.isAllowed else { return nil }
    guard configuration.camera.isEnabled, configuration.cameraDriver != .none else {
      log.write(.warning, "wifi", "network.conf has camera = yes, and [camera] of talon.conf has none: no code is seen")
      return nil
    }
    return try WiFiCodeCamera(configuration: path, runtimeFolder: configuration.runtimeDirectory)
  }

  private func position() throws(Errno) -> (any PositionSource)? {
    switch configuration.locationDriver {
    case .serial:
      try SerialPort(
        path: configuration.port, baud: max(configuration.location.receiver.speed, 9600), loop: loop, clock: clock,
        log: log)
    case .gpsd: try GPSDClient(address: configuration.gpsd, loop: loop, clock: clock, log: log)
    case .simulated:
      try ReplayGPS(path: configuration.replay, speed: configuration.speed, clock: clock, loop: loop)
    case .none: nil
    }
  }

  private func motion() throws(Errno) -> (any MotionSource)? {
    switch configuration.motionDriver {
    case .i2c:
      try I2CMotionSource(
        bus: configuration.motionBus, address: configuration.motionAddress, kind: configuration.motionChip,
        mounting: configuration.mounting, clock: clock)
    case .iio: IIOMotionSource(mounting: configuration.mounting, clock: clock)
    case .simulated: try ReplayMotion(path: configuration.motionReplay, clock: clock)
    case .none: nil
    }
  }

  private var motionSettings: MotionSettings {
    var settings = MotionSettings()
    settings.rate = Float(configuration.motionRate)
    settings.configuration.height = Float(configuration.personHeight) / 100
    settings.configuration.shake = configuration.shakes ? configuration.shake : nil
    return settings
  }

  // MARK: Names

  private func startupSnapshot() throws(Errno) -> DeviceSnapshot {
    var snapshot = DeviceSnapshot()
    try SystemReadings(stateFolder: configuration.stateDirectory, clock: clock).read(into: &snapshot)
    return snapshot
  }

  private func name(_ snapshot: DeviceSnapshot) -> String {
    if !configuration.name.isEmpty { return configuration.name }
    return snapshot.hostName.isEmpty ? "Talon" : Self.string(snapshot.hostName)
  }

  private func deviceIdentity(_ snapshot: DeviceSnapshot) -> DeviceIdentity {
    var identity = DeviceIdentity(
      name: DeviceText(cutting: name(snapshot)), appVersion: DeviceText(cutting: Version.number),
      appBuild: DeviceText(cutting: Version.build))
    identity.place = DeviceText(cutting: configuration.place)
    identity.tags = DeviceText(cutting: configuration.tags)
    return identity
  }

  /// The kernel's boot id; empty without one.
  private static func boot() -> LastFix.Boot {
    var boot = LastFix.Boot()
    guard let text = try? TextFile.read("/proc/sys/kernel/random/boot_id", limit: 64) else { return boot }
    boot.set(text.span.trimmed)
    return boot
  }

  private static func string(_ text: DeviceText) -> String {
    text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
