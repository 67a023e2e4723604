import Agent
import Board
import CameraPart
import Canvas
import Gateway
import Hands
import Location
import Node
import Runtime
import SensePart
import Sound

/// `talon run`: the agent, until SIGTERM or SIGINT.
enum RunCommand {
  /// The environment variable with the folder of the text that the run before has checked.
  static let checkedVariable: StaticString = "TALON_CHECKED_CONFIGURATION"

  static func run(configurationPath path: String) throws(Failure) -> ExitCode {
    let checked = Process.environment(checkedVariable)
    Process.forgetEnvironment(checkedVariable)
    let start = try StartConfiguration.read(path, checked: checked) {
      let usual = Configuration()
      makeFolder(usual.runtimeDirectory, like: usual.stateDirectory)
    }
    let configuration = start.configuration
    let log = Log(level: configuration.logLevel, clock: SystemClock())
    makeFolder(configuration.runtimeDirectory, like: configuration.stateDirectory)
    try ConfigCommand.become(configuration)
    // Made private before anything is stored in it.
    _ = try StateFolder.open(configuration.stateDirectory)
    try StateFolder.lock(configuration.stateDirectory)
    if try StateReset.resume(configuration.stateDirectory) {
      log.write(.warning, "talon", "a factory reset that was interrupted has been finished")
    }
    let trouble = trouble(start, log)
    let supervisor: Supervisor
    do throws(Errno) {
      supervisor = try Supervisor(configurationPath: path, start, trouble, log)
    } catch {
      throw Failure(.system, "the event loop could not be set up: \(String(error.text))")
    }
    return try supervisor.run()
  }

  /// What is wrong, although the agent serves; it is told in the log once.
  private static func trouble(_ start: StartConfiguration, _ log: Log) -> StartTrouble {
    var trouble = StartTrouble()
    if !start.trouble.isEmpty {
      trouble.configuration = start.trouble
      log.write(.error, "talon") { line in
        line.add("the configuration with which the agent last served is used, until the file is right: ")
        line.add(start.trouble)
      }
    }
    if let reason = StateFolder.trouble(start.configuration.stateDirectory) {
      trouble.storage = "\(start.configuration.stateDirectory) cannot be written: \(String(reason.text))"
      log.write(.error, "state") { line in
        line.add(trouble.storage)
        line.add("; the agent serves, and what is new is lost at the next start")
      }
    }
    return trouble
  }

  /// Makes a missing folder for the agent's user; an error shows when it is used.
  private static func makeFolder(_ path: String, like state: String) {
    do throws(Errno) {
      // In another user's folder it is made by that user.
      if Process.user == 0, try Privileges.owner(onTheWayTo: path) != nil { return }
      try Syscall.makeFolder(Path(path), permissions: 0o755)
      guard Process.user == 0, let owner = try Privileges.owner(onTheWayTo: state) else { return }
      try Privileges.give(Path(path), to: owner)
    } catch {}
  }
}

/// Owns the loop and the agent on it: passes time, signals and changes on.
final class Supervisor: TimerHandler, NetworkWatcherDelegate, UeventWatcherDelegate, FileWatcherDelegate,
  AgentDelegate
{
  private static let wake = TimerID(0)
  private static let reloadTimer = TimerID(1)
  private static let fileTimer = TimerID(2)
  private static let settleTimer = TimerID(3)

  private let configurationPath: String
  private let configuration: Configuration
  /// The text of the file that is in use, or was checked to be used next; nil while the last one of an earlier run is.
  private var text: [UInt8]?
  private let isHandedOver: Bool
  private let trouble: StartTrouble
  private let log: Log
  private let clock = SystemClock()
  private let loop: Loop
  private let workers: WorkerPool
  /// A worker only for the motion sensor: other jobs may block in a camera for longer than the sensor's memory lasts.
  private let sensing: WorkerPool?
  /// The workers of hands that wait; nil where none is configured.
  private let readings: WorkerPool?
  private let programs: WorkerPool?
  private let media: Media
  private let watcher: NetworkWatcher
  private let cameraWatcher: UeventWatcher
  private let portWatcher: UeventWatcher
  private let ports = PortNews()
  private let soundWatcher: UeventWatcher
  private let cards = CardNews()
  /// Follows the configuration file; nil unless it says so.
  private var follower: FileWatcher?
  private let socket: ControlSocket
  private let manager: ServiceManager
  private var signals: Signals?
  private var agent: Agent?
  private var connections: UInt64 = 0
  private var hasPushed = false
  private var isStopping = false
  private var startsOver = false
  private var mustReset = false

  init(
    configurationPath: String, _ start: StartConfiguration, _ trouble: StartTrouble, _ log: Log
  ) throws(Errno) {
    self.configurationPath = configurationPath
    configuration = start.configuration
    text = start.text
    isHandedOver = start.isHandedOver
    self.trouble = trouble
    self.log = log
    loop = try Loop(clock: clock)
    // Signals are blocked before the first worker starts, so that no worker gets one.
    let relay = SignalRelay()
    signals = try Signals(loop: loop) { relay.supervisor?.received($0) }
    workers = try WorkerPool(loop: loop)
    sensing =
      configuration.motionDriver == .none
      ? nil : try WorkerPool(loop: loop, threads: Budget.sensingThreads, queue: Budget.sensingQueue)
    readings = try Self.worker(loop, configuration, [.sensor, .serial])
    programs = try Self.worker(loop, configuration, [.program])
    media = try Media(configuration, loop: loop, clock: clock, log: log)
    watcher = NetworkWatcher(loop: loop, clock: clock)
    cameraWatcher = UeventWatcher(subsystem: "video4linux", loop: loop, clock: clock)
    portWatcher = UeventWatcher(subsystem: "tty", loop: loop, clock: clock)
    soundWatcher = UeventWatcher(subsystem: "sound", loop: loop, clock: clock)
    socket = try ControlSocket(loop: loop, clock: clock)
    // A job that hangs for ever requires a restart, which only the service manager can do.
    manager = ServiceManager(loop: loop, clock: clock) { [workers, sensing, readings, programs, media] in
      !workers.isStuck() && sensing?.isStuck() != true && readings?.isStuck() != true && programs?.isStuck() != true
        && !media.isStuck
    }
    relay.supervisor = self
  }

  /// A worker for hands of these kinds; nil when there are none.
  private static func worker(
    _ loop: Loop, _ configuration: Configuration, _ kinds: [HandKind]
  ) throws(Errno) -> WorkerPool? {
    for hand in configuration.hands {
      guard let kind = hand.kind, kinds.contains(kind) else { continue }
      return try WorkerPool(loop: loop, threads: 1, queue: Budget.hands)
    }
    return nil
  }

  /// Runs until it is told to stop.
  func run() throws(Failure) -> ExitCode {
    media.load()
    let wiring = Wiring(
      configuration: configuration, loop: loop, workers: workers, sensing: sensing, readings: readings,
      programs: programs, clock: clock, log: log, media: media, path: configurationPath,
      trouble: trouble)
    let agent = try wiring.agent()
    self.agent = agent
    do throws(Errno) {
      _ = try Syscall.status(Path(configurationPath))
    } catch {
      // Another reason: the folder of the file is closed to this user, and root has read it.
      if error == .noSuchFile, trouble.configuration.isEmpty {
        log.write(.warning, "talon") { line in
          line.add("there is no ")
          line.add(configurationPath)
          line.add(": all settings are the usual ones")
        }
      }
    }
    for warning in IdleSettings.warnings(configuration) {
      log.write(.warning, "talon") { $0.add(warning.utf8.span) }
    }
    log.write(.info, "talon") { line in
      line.add("version ")
      line.add(Version.number)
      line.add(", node ")
      line.add(agent.session.identity.id.span)
    }
    agent.delegate = self
    agent.residentBytes = { Process.residentBytes }
    if let bytes = Process.boardBytes { agent.memoryLimitBytes = Budget.serviceMemoryBytes(ofBoard: bytes) }
    media.warnOfKernel()
    watchNetwork()
    watchCameras()
    watchPorts(agent)
    watchSound(agent)
    follow()
    media.openCanvasSocket(agent)
    agent.start()
    openSocket(agent)
    keepText()
    if !trouble.configuration.isEmpty || isHandedOver { lookAtFileLater() }
    do throws(Errno) {
      try loop.run { self.beforeSleep(agent) }
    } catch {
      throw Failure(.system, "waiting for events failed: \(String(error.text))")
    }
    socket.close(comesBack: startsOver)
    workers.stop()
    sensing?.stop()
    readings?.stop()
    programs?.stop()
    media.stop()
    // What was checked is what counts, whatever the file holds by now.
    if startsOver, !mustReset { keepText() }
    if mustReset {
      LastConfiguration.forget(configuration.runtimeDirectory)
      try StateReset.erase(configuration.stateDirectory)
    }
    log.write(.info, "talon", startsOver ? "starting over with the new configuration" : "stopped")
    if !startsOver { return .ok }
    let error = Process.startOver(RunCommand.checkedVariable, mustReset ? nil : keptFolder)
    throw Failure(.system, "starting over failed: \(String(error.text))")
  }

  /// Stores the text with which the agent serves, for a start at which the file is wrong.
  private func keepText() {
    guard let text else { return }
    let failure = LastConfiguration.save(
      text, state: configuration.stateDirectory, runtime: configuration.runtimeDirectory)
    guard let failure else { return }
    log.write(.warning, "state") { line in
      line.add("the configuration in use cannot be kept: ")
      line.add(StateFolder.text(failure))
    }
  }

  /// Where the text is that the next run gets; nil when it could not be kept.
  private var keptFolder: String? {
    guard let text else { return nil }
    return LastConfiguration.folder(
      of: text, state: configuration.stateDirectory, runtime: configuration.runtimeDirectory)
  }

  /// A file that was wrong at the start, or that was still being written when it was checked, is used when it is right.
  private func lookAtFileLater() {
    loop.setTimer(Self.fileTimer, of: self, at: clock.monotonic + Budget.configurationRetryMilliseconds)
  }

  /// The agent works without the socket, which is for people at the board.
  private func openSocket(_ agent: Agent) {
    socket.delegate = Control(server: socket, node: agent)
    do throws(Errno) {
      try socket.open(folder: configuration.runtimeDirectory)
    } catch {
      log.write(.warning, "talon") { line in
        line.add("the local socket cannot be opened yet, and without it talon status and the like do not work: ")
        line.add(error)
      }
    }
  }

  /// Lets the agent do what is due, then sleeps until its next deadline.
  private func beforeSleep(_ agent: Agent) {
    if let hasNetwork = watcher.hasNetwork { agent.hasNetwork = hasNetwork }
    agent.advance()
    if isStopping, agent.isStopped { return loop.stop() }
    if !isStopping { manager.report(agent.session.explanation.span) }
    if agent.session.connections != connections || agent.hasPushedMetrics != hasPushed {
      (connections, hasPushed) = (agent.session.connections, agent.hasPushedMetrics)
      loop.setTimer(Self.settleTimer, of: self, at: clock.monotonic + Budget.settleMilliseconds)
    }
    if let deadline = agent.deadline {
      loop.setTimer(Self.wake, of: self, at: deadline)
    } else {
      loop.cancelTimer(Self.wake, of: self)
    }
  }

  /// Without network events Talon still connects again, only later.
  private func watchNetwork() {
    do throws(Errno) {
      try watcher.start(self)
    } catch {
      log.write(.warning, "talon") { line in
        line.add("the network cannot be watched for changes: ")
        line.add(error)
      }
    }
  }

  func networkChanged() { agent?.boardChanged(.network) }

  /// Without these events cameras are still found by the next command.
  private func watchCameras() {
    guard configuration.cameraDriver == .v4l2, configuration.camera.isEnabled else { return }
    do throws(Errno) {
      try cameraWatcher.start(self)
    } catch {
      log.write(.warning, "talon") { line in
        line.add("cameras cannot be watched for changes: ")
        line.add(error)
      }
    }
  }

  func devicesChanged() { agent?.boardChanged(.cameras) }

  /// Without these events the file is read again when somebody asks for that, as always.
  private func follow() {
    guard configuration.followsFile else { return }
    let follower = FileWatcher(loop: loop, clock: clock)
    self.follower = follower
    do throws(Errno) {
      try follower.start(configurationPath, self)
    } catch {
      log.write(.warning, "talon") { line in
        line.add("the configuration file cannot be followed: ")
        line.add(error)
      }
    }
  }

  /// As HUP: a wrong file is reported, and the agent goes on.
  func fileChanged() { received(.reload) }

  /// Without these events a new receiver is found a minute later.
  private func watchPorts(_ agent: Agent) {
    guard configuration.locationDriver == .serial, configuration.location.isEnabled else { return }
    ports.agent = agent
    do throws(Errno) {
      try portWatcher.start(ports)
    } catch {
      log.write(.warning, "talon") { line in
        line.add("serial ports cannot be watched for changes: ")
        line.add(error)
      }
    }
  }

  /// Without these events a new sound card is found a minute later.
  private func watchSound(_ agent: Agent) {
    guard configuration.sound.microphoneDriver == .alsa, configuration.sound.microphone.isEnabled else { return }
    cards.agent = agent
    do throws(Errno) {
      try soundWatcher.start(cards)
    } catch {
      log.write(.warning, "talon") { line in
        line.add("sound cards cannot be watched for changes: ")
        line.add(error)
      }
    }
  }

  /// Waking the loop is the first timer's only purpose.
  func timerFired(_ id: TimerID) {
    if id == Self.reloadTimer { return isStopping ? () : stop(toStartOver: true) }
    if id == Self.settleTimer { return Process.trim() }
    guard id == Self.fileTimer, !isStopping, !hasTextOfFile else { return }
    mayReload(isTold: false) ? received(.reload) : lookAtFileLater()
  }

  fileprivate func received(_ signal: ProcessSignal) {
    guard !isStopping, signal != .reload || mayReload() else { return }
    stop(toStartOver: signal == .reload)
  }

  private func stop(toStartOver: Bool) {
    startsOver = toStartOver
    isStopping = true
    startsOver ? manager.reloading() : manager.stopping()
    log.write(.info, "talon", startsOver ? "reading the configuration again" : "told to stop")
    agent?.stop()
  }

  func agentWantsReload() -> Bool {
    guard mayReload() else { return false }
    // After the answer has gone out.
    loop.setTimer(Self.reloadTimer, of: self, at: clock.monotonic + 100)
    return true
  }

  func agentWantsReset() {
    guard let agent, !isStopping else { return }
    isStopping = true
    startsOver = true
    mustReset = true
    agent.stop()
  }

  /// True when the file holds what is in use.
  private var hasTextOfFile: Bool {
    guard let text else { return false }
    do throws(ConfigurationError) {
      return try ConfigurationFile.text(configurationPath) == text
    } catch {
      return false
    }
  }

  /// True when the file is right: its text is then what the next run gets.
  private func mayReload(isTold: Bool = true) -> Bool {
    let check = ReloadCheck(path: configurationPath, running: configuration, log: log)
    guard let text = check.text(isTold: isTold) else { return false }
    self.text = text
    return true
  }
}

/// Gets serial ports that are added and removed.
private final class PortNews: UeventWatcherDelegate {
  var agent: Agent?
  func devicesChanged() { agent?.boardChanged(.serialPorts) }
}

/// Gets sound cards that are added and removed.
private final class CardNews: UeventWatcherDelegate {
  var agent: Agent?
  func devicesChanged() { agent?.boardChanged(.soundCards) }
}

/// Breaks the reference cycle between the signals, which must exist first, and the supervisor.
private final class SignalRelay {
  var supervisor: Supervisor?
}
