import Agent
import Board
import Camera
import Codec
import Device
import Gateway
import Location
import Node
import Panel
import Runtime
import Simulated

/// The board: the real agent on a clock, a flash and devices that are simulated. It starts, loses power, starts again.
final class SimulatedBoard: Actor {
  private enum Step: Int { case boot, powerBack, clockSet, fix, stopped }

  unowned(unsafe) let life: Life
  let flash: Flash
  private let random: SeededRandom
  private let jpeg: TurboJPEG
  private let urls: [GatewayURL]

  /// The clock of this start.
  private(set) var clock = VirtualClock()
  private(set) var agent: Agent?
  private var record: GatewayRecord?
  private(set) var log = Log(level: .debug, output: nil)
  /// The node's connection and the operator's, then those for attempts that overlap.
  private var transports: [SimulatedTransport]
  /// What programs on the board speak to.
  private var control: Control?
  let receiver = SimulatedReceiver()
  private(set) var runner: SimulatedRunner
  /// What it hears and speaks with; the light is the board's, and outlasts a program.
  var sound: SoundParts?
  let indicator: SimulatedIndicator?
  /// Counts starts, so that what was planned before one finds nothing to do.
  private var generation: Int64 = 0
  private var isPowered = false
  private var isStopping = false
  private var hasPaired = false
  private var mustForgetPin = false
  /// When this start began.
  private(set) var bootedAt: Int64 = 0
  /// Advances at one instant.
  private var advances = 0
  private var lastAdvance: Int64 = -1

  init(_ life: Life, random: SeededRandom) {
    self.life = life
    self.random = random
    flash = Flash(life, folder: Life.scratch(life.seed))
    transports = [SimulatedTransport(life, role: .node), SimulatedTransport(life, role: .operator)]
    runner = SimulatedRunner(life)
    indicator = life.scenario.hasMicrophone && life.scenario.hasLight ? SimulatedIndicator(life) : nil
    let scheme = life.scenario.isSecure ? "wss" : "ws"
    do {
      jpeg = try TurboJPEG()
      urls = try (0..<life.scenario.addresses).map { try GatewayURL("\(scheme)://gateway\($0).example:\(18_789 + $0)") }
    } catch {
      preconditionFailure("a board cannot be simulated here: \(error)")
    }
  }

  /// Plugs it in.
  func begin() { boot() }

  // MARK: Start

  private func boot() {
    generation += 1
    isPowered = true
    clock = VirtualClock(
      monotonic: 3_000 + life.random(below: 20_000),
      wall: life.scenario.hasClock ? life.wall + life.random(below: 4_000) - 2_000 : life.random(below: 60_000))
    log = Log(level: .debug, output: nil)
    life.invariants.logBegins(log)
    runner = SimulatedRunner(life)
    transports = [SimulatedTransport(life, role: .node), SimulatedTransport(life, role: .operator)]
    bootedAt = life.now
    isStopping = false
    life.report.boots += 1
    life.trace.note(life.now, "board starts", generation)
    do throws(StoreError) {
      try start()
    } catch {
      // Systemd starts it again.
      life.trace.note(life.now, "start failed", generation)
      if flash.wasCut { return losePower() }
      if flash.mood == .good { life.invariants.violated("the board cannot start on a good flash: \(error)") }
      agent = nil
      life.schedule.add(self, Step.boot.rawValue, generation, at: life.now + 5_000)
    }
    if !life.scenario.hasClock {
      life.schedule.add(self, Step.clockSet.rawValue, generation, at: life.now + 30_000)
    }
    life.schedule.add(self, Step.fix.rawValue, generation, at: life.now + 20_000)
    life.invariants.conditionsChanged()
  }

  private func start() throws(StoreError) {
    let store = try flash.open()
    let outboxStore = try flash.open(recordBytes: Budget.outboxRecordBytes)
    let motionStore = try flash.open(recordBytes: Budget.storeRecordBytes)
    let fixStore = try flash.open(recordBytes: Budget.fixRecordBytes)
    let holdStore = try flash.open(recordBytes: Budget.holdRecordBytes)
    let wakeStore = try flash.open(recordBytes: Budget.wakeRecordBytes)
    let recoveryStore = try flash.open(recordBytes: Budget.recoveryRecordBytes)
    plant()
    life.phrases.boardStarts()
    try life.events.boardStarts(outboxStore)
    let identity = try NodeIdentity.load(from: store, random: random, cryptography: life.cryptography).identity
    life.invariants.started(identity)
    nodeID = identity.id.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    let record = GatewayRecord(url: urls[0], cryptography: life.cryptography)
    self.record = record
    let origin = try record.load(from: store)
    life.invariants.started(record, wasFound: origin != nil)
    if mustForgetPin {
      record.setPin(nil)
      try record.save(to: store)
      life.invariants.forgetPin()
      mustForgetPin = false
    }
    if !hasPaired { try pair(record, store) }
    do throws(Errno) {
      var settings = Agent.Settings()
      // The invariants count what the world around the agent gives the outbox.
      settings.tellsOfDevices = false
      settings.talk = talkSettings
      settings.tools.choice = life.scenario.tools
      var devices = Devices(
        camera: CameraStream(
          source: SimulatedCamera(life, runner), cameraSettings: CameraSettingsTable(), clock: clock),
        tools: CameraTools(jpeg: jpeg, encoder: OpenH264(), clips: ClipSegment()), position: receiver,
        readings: FixedReadings())
      devices.recovery = life.root.devices
      devices.restart = life.root.told
      connectSound(&devices, wakeStore)
      var world = World(
        clock: clock, random: random, cryptography: life.cryptography, transport: transports[0], runner: runner,
        store: store, outboxStore: outboxStore, fixStore: fixStore, motionStore: motionStore, sensing: runner,
        holdStore: holdStore, date: FixedDate(), boot: LastFix.Boot(),
        operatorTransport: life.scenario.hasOperator ? transports[1] : nil,
        log: log)
      if life.scenario.addresses > 1 {
        world.moreTransports = { [unowned(unsafe) self] role in
          let transport = SimulatedTransport(life, role: role)
          transports.append(transport)
          return transport
        }
      }
      world.recoveryStore = recoveryStore
      agent = try Agent(
        configuration: configuration(), settings: settings, identity: identity, record: record,
        deviceIdentity: DeviceIdentity(
          name: DeviceText(cutting: "Simulated"), appVersion: DeviceText(cutting: "1"), appBuild: DeviceText()),
        devices: devices, world: world)
    } catch {
      preconditionFailure("this machine has no address space left: \(error.text)")
    }
    guard let agent else { return }
    watchWake()
    life.ledger.boardStarted()
    agent.start()
    life.invariants.startedHeld(agent.isHeld)
    life.events.boardStarted(agent)
    let control = Control(server: life.console, node: agent)
    self.control = control
    life.console.boardStarted(control)
  }

  private func configuration() -> SessionConfiguration {
    var configuration = SessionConfiguration(
      urls: urls, sharedToken: life.scenario.credential == .token ? GatewayModel.sharedSecret : "",
      password: life.scenario.credential == .password ? GatewayModel.sharedSecret : "",
      pin: life.scenario.isPinConfigured ? life.person.configuredPin : nil,
      displayName: "Simulated board", version: "1.0.0", model: "Simulated Pi",
      permissions: [("camera", true), ("location", true)])
    configuration.trust.pinning = life.scenario.pinsKey ? .key : .certificate
    return configuration
  }

  /// What a person did at first, and does again when the gateway has forgotten the board: `talon connect CODE`.
  private func pair(_ record: GatewayRecord, _ store: FlashStore) throws(StoreError) {
    guard life.scenario.credential == .setupCode else { return hasPaired = true }
    let text = life.gateway.setupCode(url: urls[0].text)
    guard let code = try? SetupCode(text.utf8.span) else {
      return life.invariants.violated("a setup code was refused")
    }
    code.adopt(into: record)
    try record.save(to: store)
    hasPaired = true
  }

  private func plant() {
    guard life.now > 0 else { return }
    if life.options.plant == .losesIdentity { flash.lose("identity") }
    if life.options.plant == .losesToken, let name = life.invariants.recordName { flash.lose(name) }
    if life.options.plant == .losesEvents { flash.lose("outbox") }
  }

  // MARK: End

  /// The power goes at this moment, and comes back later, or after so many milliseconds.
  func losePower(for milliseconds: Int64? = nil) {
    guard isPowered else { return }
    isPowered = false
    life.trace.note(life.now, "power lost")
    off()
    life.root.powerLost()
    indicator?.powerLost()
    for transport in transports { transport.powerLost() }
    if let milliseconds {
      return life.schedule.add(self, Step.powerBack.rawValue, generation, at: life.now + milliseconds)
    }
    let pause = life.chance(1, in: 20) ? life.interval(1_800_000) : 2_000 + life.interval(15_000)
    life.schedule.add(self, Step.powerBack.rawValue, generation, at: life.now + pause)
  }

  /// The program hangs, and is killed for that: nothing of it is heard any more.
  func stopAtOnce() {
    life.trace.note(life.now, "board hangs")
    off()
    isStopping = false
    for transport in transports { transport.powerLost() }
  }

  /// Systemd starts it again.
  func startAgain(after pause: Int64) {
    life.schedule.add(self, Step.boot.rawValue, generation, at: life.now + pause)
  }

  private func off() {
    life.invariants.endOfRun()
    generation += 1
    runner.stop()
    stopSound()
    receiver.stop()
    control = nil
    agent = nil
    life.console.boardStopped()
    life.events.boardStopped()
    life.invariants.boardStopped()
  }

  /// Ends the program in an orderly way and starts it again: a person changed something.
  func restart() {
    guard let agent, !isStopping else { return }
    life.trace.note(life.now, "board stops")
    isStopping = true
    agent.stop()
    life.schedule.add(self, Step.stopped.rawValue, generation, at: life.now + 2_500)
  }

  /// The run is over.
  func end() {
    off()
    for transport in transports { transport.powerLost() }
    flash.remove()
  }

  /// True while it runs and does not end.
  var isServing: Bool { agent != nil && !isStopping }

  func act(_ what: Int, _ number: Int64) {
    guard number == generation else { return }
    switch Step(rawValue: what)! {
    case .boot: boot()
    case .powerBack:
      flash.powerReturns()
      life.root.powerReturned()
      boot()
    case .clockSet: clock.wall = life.wall
    case .fix:
      receiver.fix(at: clock.monotonic)
      life.schedule.add(self, Step.fix.rawValue, generation, at: life.now + 60_000)
    case .stopped:
      // A worker may sit in a write: the program waits for it, and the write is done.
      off()
      for transport in transports { transport.powerLost() }
      if flash.wasCut { flash.powerReturns() }
      boot()
    }
  }

  // MARK: Time

  /// When the agent wants to act.
  var dueTime: Int64 {
    guard let agent, let deadline = agent.deadline else { return .max }
    if life.options.plant == .staysAway, agent.session.state == .waiting { return .max }
    return life.now + max(deadline - clock.monotonic, 0)
  }

  /// Lets the agent act on what happened, as the program's loop does before it sleeps.
  func advance() {
    guard let agent else { return }
    if life.options.plant != .spins { agent.advance() }
    advances = life.now == lastAdvance ? advances + 1 : 0
    lastAdvance = life.now
    if advances > 200_000 { life.invariants.violated("the board spins: it is due again and again at one instant") }
  }

  /// The gateway's certificate was replaced rightly: a person stops the program, runs `talon trust --replace`, and
  /// starts it again.
  func forgetPin() {
    mustForgetPin = true
    restart()
  }

  /// A new setup code is needed: the program pairs with it when it starts.
  func pairAgain() {
    hasPaired = false
    restart()
  }

  /// The private key's seed as hexadecimal digits, read from flash: what the gateway checks signatures with.
  var seedText: String? {
    guard let record = flash.promised["identity"] else { return nil }
    return record.withUnsafeBufferPointer { bytes in
      guard let label = Search.find(("\"seed\":\"" as StaticString).bytes, in: bytes) else { return nil }
      return String(decoding: bytes[(label + 8)..<(label + 72)], as: UTF8.self)
    }
  }

  /// The node's id; empty while it is off.
  private(set) var nodeID = ""

  // MARK: Panic

  /// A person holds the board still: since when, until they let it go.
  private(set) var heldSince: Int64?

  /// A person presses the button for 3 s.
  func holdStill() {
    guard isServing, heldSince == nil, let agent else { return }
    heldSince = life.now
    agent.gestured(.panic)
    agent.gestured(.letGo)
  }

  /// The same press again. False when there is no power to feel it.
  func letGo() -> Bool {
    if heldSince == nil { return true }
    guard isServing, let agent else { return false }
    heldSince = nil
    if !agent.isHeld { return true }
    agent.gestured(.panic)
    agent.gestured(.letGo)
    life.invariants.conditionsChanged()
    return true
  }

  /// A connection of this role stands, or is being made.
  func isConnecting(_ role: Role) -> Bool { transports.contains { $0.role == role && $0.isOpen } }

  /// When the first attempt of this role's last race began.
  func openedAt(_ role: Role) -> Int64 { transports[role.rawValue].openedAt }

  /// The board's token of this gateway; nil when it has none.
  func knownToken(_ role: Role) -> String? {
    guard let token = record?.token(role), !token.isEmpty else { return nil }
    return String(decoding: token, as: UTF8.self)
  }

  /// The network of the board changed: told by the kernel.
  func networkChanged() { agent?.boardChanged(.network) }

  /// The date is set, to something wrong perhaps.
  func setWall(_ wall: Int64) { clock.wall = wall }
}
