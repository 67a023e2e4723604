import Agent
import Board
import Canvas
import Gateway
import Location
import Runtime
import Sound

/// `talon run`: the agent, until TERM or INT.
enum RunCommand {
  static func run(configurationPath path: String) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(path, as: .caller)
    let log = Log(level: configuration.logLevel, clock: SystemClock())
    makeFolder(configuration.runtimeDirectory, like: configuration.stateDirectory)
    try ConfigCommand.become(configuration)
    // Made private before anything stands in it.
    _ = try StateFolder.open(configuration.stateDirectory)
    try StateFolder.lock(configuration.stateDirectory)
    if try StateReset.resume(configuration.stateDirectory) {
      log.write(.warning, "talon", "a factory reset that was interrupted has been finished")
    }
    let supervisor: Supervisor
    do throws(Errno) {
      supervisor = try Supervisor(configurationPath: path, configuration, log)
    } catch {
      throw Failure(.system, "the event loop could not be set up: \(String(error.text))")
    }
    return try supervisor.run()
  }

  /// Makes a folder that is missing, for whom the agent will be; what cannot be made shows itself when it is used.
  private static func makeFolder(_ path: String, like state: String) {
    do throws(Errno) {
      // In a folder of somebody else's it is made by that user.
      if Process.user == 0, try Privileges.owner(onTheWayTo: path) != nil { return }
      try Syscall.makeFolder(Path(path), permissions: 0o755)
      guard Process.user == 0, let owner = try Privileges.owner(onTheWayTo: state) else { return }
      try Privileges.give(Path(path), to: owner)
    } catch {}
  }
}

/// Owns the loop and the agent on it: passes time, signals and changes of state along.
final class Supervisor: TimerHandler, NetworkWatcherDelegate, UeventWatcherDelegate, AgentOwner {
  private static let wake = TimerID(0)

  private let configurationPath: String
  private let configuration: Configuration
  private let log: Log
  private let clock = SystemClock()
  private let loop: Loop
  private let workers: WorkerPool
  /// A worker of the motion sensor's own: the others may sit in a camera for longer than its memory lasts.
  private let sensing: WorkerPool?
  /// Wake phrases are listened for on a thread of their own; nil: they are not.
  private let waking: WorkerPool?
  #if TALON_SCRIPT
    /// Scripts run on a thread of their own; nil: they are off.
    private let scripts: ScriptThread?
  #endif
  private let watcher: NetworkWatcher
  private let cameraWatcher: UeventWatcher
  private let portWatcher: UeventWatcher
  private let ports = PortNews()
  private let soundWatcher: UeventWatcher
  private let cards = CardNews()
  private let socket: ControlSocket
  /// For another node at this board that uses the screen; nil: nobody may.
  private var door: ControlSocket?
  private let manager: ServiceManager
  private var signals: Signals?
  private var agent: Agent?
  private var connections: UInt64 = 0
  private var isStopping = false
  private var startsOver = false
  private var mustReset = false

  init(configurationPath: String, _ configuration: Configuration, _ log: Log) throws(Errno) {
    self.configurationPath = configurationPath
    self.configuration = configuration
    self.log = log
    loop = try Loop(clock: clock)
    // Signals are blocked before the first worker starts, so that no worker ever takes one.
    let relay = SignalRelay()
    signals = try Signals(loop: loop) { relay.supervisor?.received($0) }
    workers = try WorkerPool(loop: loop)
    sensing =
      configuration.motionDriver == .none
      ? nil : try WorkerPool(loop: loop, threads: Budget.sensingThreads, queue: Budget.sensingQueue)
    waking =
      configuration.wake.isEnabled && configuration.sound.microphoneDriver != .none
      ? try WorkerPool(loop: loop, threads: Budget.wakeThreads, queue: Budget.wakeQueue) : nil
    #if TALON_SCRIPT
      scripts = configuration.canvas.hasScripts ? try ScriptThread(loop: loop) : nil
    #endif
    watcher = NetworkWatcher(loop: loop, clock: clock)
    cameraWatcher = UeventWatcher(subsystem: "video4linux", loop: loop, clock: clock)
    portWatcher = UeventWatcher(subsystem: "tty", loop: loop, clock: clock)
    soundWatcher = UeventWatcher(subsystem: "sound", loop: loop, clock: clock)
    socket = try ControlSocket(loop: loop, clock: clock)
    // A job that hangs for ever is a reason to start anew, and only the service manager can see to that.
    manager = ServiceManager(loop: loop, clock: clock) { [workers, sensing, waking] in
      !workers.isStuck() && sensing?.isStuck() != true && waking?.isStuck() != true
    }
    relay.supervisor = self
  }

  /// Runs until told to stop.
  func run() throws(Failure) -> ExitCode {
    var wiring = Wiring(
      configuration: configuration, loop: loop, workers: workers, sensing: sensing, clock: clock, log: log)
    #if TALON_SCRIPT
      wiring.scripts = scripts
    #endif
    #if TALON_SOUND
      wiring.wake = try SoundWiring.wake(configuration.wake, waking, state: configuration.stateDirectory)
    #endif
    let agent = try wiring.agent()
    self.agent = agent
    log.write(.info, "talon") { line in
      line.add("version ")
      line.add(Version.number)
      line.add(", node ")
      line.add(agent.session.identity.id.span)
    }
    agent.owner = self
    agent.residentBytes = { Process.residentBytes }
    if let bytes = Process.boardBytes { agent.memoryLimitBytes = Budget.serviceMemoryBytes(ofBoard: bytes) }
    warnOfKernel()
    watchNetwork()
    watchCameras()
    watchPorts(agent)
    watchSound(agent)
    openDoor(agent)
    agent.start()
    openSocket(agent)
    do throws(Errno) {
      try loop.run { self.beforeSleep(agent) }
    } catch {
      throw Failure(.system, "waiting for events failed: \(String(error.text))")
    }
    socket.close(comesBack: startsOver)
    door?.close()
    workers.stop()
    sensing?.stop()
    waking?.stop()
    #if TALON_SCRIPT
      scripts?.stop()
    #endif
    if mustReset { try StateReset.erase(configuration.stateDirectory) }
    log.write(.info, "talon", startsOver ? "starting over with the new configuration" : "stopped")
    if !startsOver { return .ok }
    throw Failure(.system, "starting over failed: \(String(Process.startOver().text))")
  }

  /// What strangers made is decoded behind a filter of system calls, where the kernel has one.
  private func warnOfKernel() {
    #if TALON_CANVAS
      if Confinement.hasFilter { return }
      if case .none = configuration.canvas.screen.output { return }
      log.write(.warning, "canvas", "this kernel has no seccomp: pictures and scripts from elsewhere have processes that it does not filter")
    #endif
  }

  /// The agent serves without it: it is for people at the board.
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

  /// Where the stock node looks for it: beside the other sockets of this user (canvas reference 2.8).
  private static var doorPath: String {
    if let folder = Process.environment("XDG_RUNTIME_DIR"), !folder.isEmpty { return "\(folder)/openclaw-canvas.sock" }
    return "/tmp/openclaw-canvas-\(Process.user).sock"
  }

  /// The screen for another node at this board.
  private func openDoor(_ agent: Agent) {
    #if TALON_CANVAS
      guard configuration.canvas.hasSocket else { return }
      do throws(Errno) {
        let door = try ControlSocket(.canvas, loop: loop, clock: clock)
        guard let delegate = try agent.openDoor(door) else { return }
        door.delegate = delegate
        self.door = door
        try door.open(path: Self.doorPath)
      } catch {
        log.write(.warning, "canvas") { line in
          line.add("the socket for other programs cannot be opened yet: ")
          line.add(error)
        }
      }
    #endif
  }

  /// Lets the agent act on what happened, then sleeps until its next deadline.
  private func beforeSleep(_ agent: Agent) {
    if let hasNetwork = watcher.hasNetwork { agent.hasNetwork = hasNetwork }
    agent.advance()
    if isStopping, agent.isStopped { return loop.stop() }
    if !isStopping { manager.report(agent.session.explanation.span) }
    if agent.session.connections != connections {
      connections = agent.session.connections
      Process.releaseCode()
    }
    if let deadline = agent.deadline {
      loop.setTimer(Self.wake, of: self, at: deadline)
    } else {
      loop.cancelTimer(Self.wake, of: self)
    }
  }

  /// Without news of the network Talon still connects again, only later.
  private func watchNetwork() {
    do throws(Errno) {
      try watcher.start(self)
    } catch {
      log.write(.warning, "talon") { line in
        line.add("changes of the network cannot be watched: ")
        line.add(error)
      }
    }
  }

  func networkChanged() { agent?.networkChanged() }

  /// Without news of cameras they are still found when somebody asks.
  private func watchCameras() {
    guard configuration.cameraDriver == .v4l2, configuration.camera.isEnabled else { return }
    do throws(Errno) {
      try cameraWatcher.start(self)
    } catch {
      log.write(.warning, "talon") { line in
        line.add("cameras that come and go cannot be watched: ")
        line.add(error)
      }
    }
  }

  func devicesChanged() { agent?.camerasChanged() }

  /// Without news of serial ports a receiver that was plugged in is found a minute later.
  private func watchPorts(_ agent: Agent) {
    guard configuration.locationDriver == .serial, configuration.location.isEnabled else { return }
    ports.agent = agent
    do throws(Errno) {
      try portWatcher.start(ports)
    } catch {
      log.write(.warning, "talon") { line in
        line.add("serial ports that come and go cannot be watched: ")
        line.add(error)
      }
    }
  }

  /// Without news of sound cards one that was plugged in is found a minute later.
  private func watchSound(_ agent: Agent) {
    guard configuration.sound.microphoneDriver == .alsa, configuration.sound.microphone.isEnabled else { return }
    cards.agent = agent
    do throws(Errno) {
      try soundWatcher.start(cards)
    } catch {
      log.write(.warning, "talon") { line in
        line.add("sound cards that come and go cannot be watched: ")
        line.add(error)
      }
    }
  }

  /// The loop is awake, which is all that the timer is for.
  func timerFired(_ id: TimerID) {}

  fileprivate func received(_ signal: ProcessSignal) {
    guard let agent, !isStopping else { return }
    if signal == .reload {
      guard isReadable() else { return }
      startsOver = true
    }
    isStopping = true
    startsOver ? manager.reloading() : manager.stopping()
    log.write(.info, "talon", startsOver ? "reading the configuration again" : "told to stop")
    agent.stop()
  }

  func agentWantsReset() {
    guard let agent, !isStopping else { return }
    isStopping = true
    startsOver = true
    mustReset = true
    agent.stop()
  }

  /// A wrong configuration must not take a running agent down: it is reported, and the old one stays.
  private func isReadable() -> Bool {
    do throws(Failure) {
      _ = try ConfigCommand.read(configurationPath)
      return true
    } catch {
      log.write(.error, "talon") { line in
        line.add("the new configuration is wrong, so the old one stays: ")
        line.add(error.text)
      }
      return false
    }
  }
}

/// Hears of serial ports that come and go.
private final class PortNews: UeventWatcherDelegate {
  var agent: Agent?
  func devicesChanged() { agent?.portsChanged() }
}

/// Hears of sound cards that come and go.
private final class CardNews: UeventWatcherDelegate {
  var agent: Agent?
  func devicesChanged() { agent?.soundCardsChanged() }
}

/// Breaks the circle between the signals, which must exist first, and the supervisor.
private final class SignalRelay {
  var supervisor: Supervisor?
}
