import Agent
import Board
import Camera
import Device
import Gateway
import Location
import Motion
import Runtime
import Simulated
import Sound
import Talk

/// Builds an agent and its devices from a configuration.
struct Wiring {
  let configuration: Configuration
  let loop: Loop
  let workers: WorkerPool
  /// The motion sensor's own worker, where there is one.
  let sensing: WorkerPool?
  let clock: SystemClock
  let log: Log
  #if TALON_SCRIPT
    var scripts: ScriptThread?
  #endif
  #if TALON_SOUND
    /// What it wakes to phrases with, on a worker of its own; nil: it does not.
    var wake: WakeParts?
  #endif

  /// Opens the state folder and puts everything together.
  func agent() throws(Failure) -> Agent {
    let store = try StateFolder.open(configuration.stateDirectory)
    let outboxStore = try StateFolder.open(
      configuration.stateDirectory, recordBytes: Budget.outboxRecordBytes)
    let fixStore = try StateFolder.open(configuration.stateDirectory, recordBytes: Budget.fixRecordBytes)
    let motionStore = try StateFolder.open(configuration.stateDirectory)
    let holdStore = try StateFolder.open(configuration.stateDirectory, recordBytes: Budget.holdRecordBytes)
    let cryptography = OpenSSLCryptography()
    let random = SystemRandom()
    let identity = try StateFolder.identity(store, random, cryptography, log)
    // Without a gateway the agent waits for talon pair, which tells it to start over.
    let record =
      try StateFolder.knownRecord(store, configuration, cryptography, log)
      ?? GatewayRecord(key: "", cryptography: cryptography)
    let id = try configuration.gatewayID()
    do throws(Errno) {
      let snapshot = try startupSnapshot()
      var session = SessionConfiguration(
        urls: configuration.urls, sharedToken: configuration.token,
        password: configuration.password, pin: configuration.pin, displayName: name(snapshot), version: Version.number,
        model: Self.string(snapshot.model), locale: Self.string(snapshot.locale),
        permissions: permissions, pairingPoll: configuration.pairingPoll * 1000)
      session.pinning = configuration.pinning
      session.learntURLs = record.urls.filter(configuration.allows)
      let agent = try Agent(
        configuration: session, settings: settings,
        identity: identity, record: record, deviceIdentity: deviceIdentity(snapshot),
        devices: devices(),
        world: World(
          clock: clock, random: random, cryptography: cryptography,
          transport: NetworkTransport(loop: loop, clock: clock), runner: workers,
          store: store, outboxStore: outboxStore,
          fixStore: fixStore, motionStore: motionStore, sensing: sensing ?? workers, holdStore: holdStore, date: SystemDate(),
          boot: Self.boot(),
          operatorTransport: configuration.operatorEnabled ? NetworkTransport(loop: loop, clock: clock) : nil,
          log: log))
      agent.session.finder = finder(id)
      return agent
    } catch {
      throw Failure(.system, "the agent could not be set up: \(String(error.text))")
    }
  }

  private func finder(_ id: GatewayID?) -> (any EndpointFinder)? {
    guard let id else { return nil }
    return NamedGatewayFinder(id, allowsPlaintext: configuration.allowPlaintext, loop: loop, clock: clock)
  }

  private var settings: Agent.Settings {
    var location = configuration.location
    // The dates of a recording are those of the day when it was made.
    if configuration.locationDriver == .simulated { location.setsClock = false }
    var settings = Agent.Settings(
      camera: configuration.camera, location: location, motion: motionSettings, jolts: configuration.jolts,
      operatorScopes: configuration.operatorScopes)
    #if TALON_SOUND
      settings.talk = talkSettings
    #endif
    return settings
  }

  #if TALON_SOUND
    private var talkSettings: TalkSettings {
      let chosen = configuration.talk
      var settings = TalkSettings()
      settings.isEnabled = chosen.isEnabled
      settings.toneVolume = Double(chosen.chimeVolume) / 100
      settings.tonesWhenListening = chosen.chime == .both || chosen.chime == .wake
      settings.tonesWhenSent = chosen.chime == .both || chosen.chime == .sent
      settings.speaksReplies = chosen.speaks
      settings.hearsInterruptions = chosen.hearsInterruptions
      settings.turnSilence = chosen.silence
      settings.sendsRequests = chosen.sendsRequests
      settings.converses = chosen.mode == .realtime
      settings.wakeTalks = chosen.wake == .talk
      settings.idle = chosen.idle * 1000
      settings.leastConfidence = Float(chosen.confidence) / 100
      return settings
    }
  #endif

  // MARK: Devices

  private func devices() throws(Errno) -> Devices {
    let cameras = CameraWiring(configuration: configuration, clock: clock)
    let panel = PanelWiring(configuration: configuration)
    var devices = Devices(
      camera: try cameras.stream(of: try cameras.source()),
      tools: CameraTools(jpeg: try TurboJPEG(), encoder: BoardEncoder(clock: clock), clips: ClipSegment()),
      position: try position(), motion: try motion(),
      readings: try SystemReadings(stateFolder: configuration.stateDirectory, clock: clock),
      light: try panel.light(), button: panel.button(loop: loop, clock: clock, log: log))
    #if TALON_SOUND
      try SoundWiring(configuration: configuration.sound, loop: loop, clock: clock).connect(&devices, workers, log)
      devices.talk?.recogniser = recogniser()
      devices.wake = wake
      // Phrases of another language that are learnt as English would stay so.
      if configuration.wake.learns, wake?.modelTrouble.isEmpty == true {
        let (espeak, model) = (configuration.wake.espeak, configuration.wake.model)
        devices.wake?.teacher = SpellingTeacher(espeak: espeak, model: model, loop: loop, clock: clock, log: log)
      }
      devices.talkButton = PanelWiring.button(configuration.talk.button, loop: loop, clock: clock, log: log)
    #endif
    #if TALON_CANVAS
      devices.face = try ScreenWiring(configuration: configuration.canvas, loop: loop, clock: clock, log: log).parts()
      #if TALON_SCRIPT
        if let scripts {
          devices.face?.scripts = try scripts.parts(allowsActions: configuration.canvas.allowsScriptActions)
        }
      #endif
    #endif
    return devices
  }

  #if TALON_SOUND
    /// Who understands speech where the gateway does not; nil: nobody. A model that is missing may be installed later, so it is only told.
    private func recogniser() -> (any LocalRecogniser)? {
      let folder = configuration.talk.recogniser
      guard !folder.isEmpty else { return nil }
      do throws(SphinxModelError) { _ = try SphinxModel(folder: folder) } catch {
        log.write(.warning, "talk") { line in
          line.add("the board's own recogniser has no model: ")
          line.add(error.text)
        }
      }
      return SphinxRecogniser(folder: folder, loop: loop, clock: clock, log: log)
    }
  #endif

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
        bus: configuration.motionBus, address: configuration.motionAddress, mounting: configuration.mounting, clock: clock)
    case .iio: IIOMotionSource(mounting: configuration.mounting, clock: clock)
    case .simulated: try ReplayMotion(path: configuration.motionReplay, clock: clock)
    case .none: nil
    }
  }

  private var motionSettings: MotionSettings {
    var settings = MotionSettings()
    settings.rate = Float(configuration.motionRate)
    settings.configuration.height = Float(configuration.personHeight) / 100
    return settings
  }

  /// Declared once and kept: what changes later is answered by errors, not by another declaration
  /// (gateway reference 3.7).
  private var permissions: [(name: StaticString, isGranted: Bool)] {
    var permissions: [(name: StaticString, isGranted: Bool)] = [
      ("camera", configuration.cameraDriver != .none && configuration.camera.isEnabled),
      ("location", configuration.locationDriver != .none && configuration.location.isEnabled),
      ("motion", configuration.motionDriver != .none),
    ]
    #if TALON_SOUND
      // A board without a microphone says what it has always said.
      if configuration.sound.microphoneDriver != .none {
        permissions.append(("microphone", configuration.sound.microphone.isEnabled))
      }
    #endif
    return permissions
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
    DeviceIdentity(
      name: DeviceText(cutting: name(snapshot)), appVersion: DeviceText(cutting: Version.number),
      appBuild: DeviceText(cutting: Version.build))
  }

  /// This run of the kernel; empty when it does not tell.
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
