import Agent
import Board
import CameraPart
import Canvas
import Device
import Fetch
import Gateway
import Graphics
import Locales
import MCP
import MCPPart
import Node
import OwnAgentPart
import Programs
import RunPart
import Runtime
import ScreenPart
import Talk
import VoicePart

/// Sound, screen and scripts: their threads, devices and settings, and the socket for another program that uses the
/// screen. A lean build has another file with this name.
final class Media {
  private let configuration: Configuration
  private let loop: Loop
  private let clock: any Clock
  private let log: Log
  /// The thread of wake phrases; nil without them.
  private let waking: WorkerPool?
  /// The thread of scripts; nil without them.
  private let scripts: Scripts?
  private var wake: WakeParts?
  /// The socket for another program that uses the screen; nil when not allowed.
  private var canvasSocket: ControlSocket?

  /// Starts the configured threads. After `Signals`, so that no thread ever gets a signal.
  init(_ configuration: Configuration, loop: Loop, clock: any Clock, log: Log) throws(Errno) {
    self.configuration = configuration
    self.loop = loop
    self.clock = clock
    self.log = log
    waking =
      configuration.wake.isEnabled && configuration.sound.microphoneDriver != .none
      ? try WorkerPool(loop: loop, threads: Budget.wakeThreads, queue: Budget.wakeQueue) : nil
    scripts = try Scripts(configuration.canvas, loop: loop)
  }

  /// Reads the files of wake phrases. Without them the agent serves, and detects none.
  func load() {
    do throws(Failure) {
      wake = try SoundWiring.wake(configuration.wake, waking, state: configuration.stateDirectory)
    } catch {
      log.write(.error, "wake") { line in
        line.add("no phrase is detected: ")
        line.add(error.text)
      }
    }
  }

  /// True when a job hangs.
  var isStuck: Bool { waking?.isStuck() == true }

  /// Joins the threads.
  func stop() {
    canvasSocket?.close()
    waking?.stop()
    scripts?.stop()
  }

  // MARK: Devices

  func connect(_ devices: inout Devices, _ runner: any JobRunner) throws(Errno) {
    try SoundWiring(configuration: configuration.sound, loop: loop, clock: clock)
      .connect(&devices.voice, runner, log)
    devices.voice.talk?.recognizer = recognizer()
    devices.voice.talk?.button = PanelWiring.button(configuration.talk.button, loop: loop, clock: clock, log: log)
    devices.voice.wake = wake
    // Phrases of another language that were learned as English would stay so.
    if configuration.wake.learns, wake?.modelTrouble.isEmpty == true {
      let (espeak, model) = (configuration.wake.espeak, configuration.wake.model)
      devices.voice.wake?.teacher = SpellingTeacher(espeak: espeak, model: model, loop: loop, clock: clock, log: log)
    }
    try connectPrograms(&devices)
    for server in configuration.servers {
      devices.servers.append(MCPEntry(server, try link(to: server)))
    }
    let links = configuration.links
    if !links.scanner.isEmpty {
      devices.scanner = EvdevScanner(links.scanner, layout: links.scannerKeyboard, loop: loop, clock: clock, log: log)
    }
    guard
      var screen = try ScreenWiring(
        configuration: configuration.canvas, route: configuration.route, scanner: links.scanner, loop: loop,
        clock: clock, log: log
      ).parts()
    else { return }
    try scripts?.connect(&screen)
    devices.face = screen
  }

  /// The recognizer for speech that the gateway does not transcribe; nil without one. A missing model is only logged,
  /// because it may be installed later.
  private func recognizer() -> (any LocalRecognizer)? {
    let folder = configuration.talk.recognizer
    guard !folder.isEmpty else { return nil }
    do throws(SphinxModelError) { _ = try SphinxModel(folder: folder) } catch {
      log.write(.warning, "talk") { line in
        line.add("the board's own recognizer has no model: ")
        line.add(error.text)
      }
    }
    return SphinxRecognizer(folder: folder, loop: loop, clock: clock, log: log)
  }

  /// The way to one of the owner's MCP servers: its address, or the service that runs its program.
  private func link(to server: MCPSettings) throws(Errno) -> any MCPLink {
    guard !server.url.isEmpty, let url = try? WebURL(server.url.utf8.span) else {
      return try MCPSocket(server.name, loop: loop)
    }
    let (loop, clock) = (loop, clock)
    let authorities = CertificateAuthorities(path: CertificateAuthorities.usualPath)
    return try MCPEndpoint(url, clock: clock) { FetchLink(loop: loop, clock: clock, authorities: authorities) }
  }

  /// What the gateway may run; nothing where the owner allows none.
  private func connectPrograms(_ devices: inout Devices) throws(Errno) {
    let run = configuration.run
    if run.programs.isEmpty { return }
    var links: [any ProgramLink] = []
    for _ in 0..<Budget.runsAtOnce { links.append(try ProgramSocket(loop: loop)) }
    devices.programs = RunBoard(
      list: ProgramList(run.programs), milliseconds: run.timeout, outputBytes: run.output, links: links)
  }

  /// The way to the board's own agent, where that is switched on. `store`: its record's; nil where it is not.
  func connect(
    _ settings: inout Agent.Settings, _ world: inout World, store: (any RecordStore)?, _ snapshot: DeviceSnapshot,
    name: String
  ) throws(Errno) {
    let agent = configuration.agent
    guard agent.isEnabled, let store else { return }
    settings.ownAgent.isEnabled = true
    (settings.ownAgent.answersAlways, settings.ownAgent.patience) = (agent.answersAlways, agent.patience)
    if !agent.channel.isEmpty {
      settings.ownAgent.route = GatewayRoute(
        channel: InlineText(cutting: agent.channel), recipient: InlineText(cutting: agent.recipient))
    }
    let hasCamera = configuration.cameraDriver != .none && configuration.camera.isEnabled
    world.ownAgent = OwnAgentBoard(
      link: try AgentSocket(loop: loop), store: store, name: InlineText(cutting: name), language: language(snapshot),
      release: InlineText(cutting: Version.number), hasCamera: hasCamera, offset: SystemClock.localOffset)
  }

  /// The screen's language, or where its owner has chosen none, that of the system.
  private func language(_ snapshot: DeviceSnapshot) -> InlineText<32> {
    let tag = configuration.canvas.locale.tag
    if tag.isEmpty || tag[0] == UInt8(ascii: "-") { return InlineText(cutting: snapshot.locale.span) }
    return InlineText(cutting: tag)
  }

  // MARK: The screen

  /// Untrusted content is decoded behind a filter of system calls, if the kernel has one.
  func warnOfKernel() {
    if Confinement.hasFilter { return }
    if case .none = configuration.canvas.screen.output { return }
    log.write(
      .warning, "canvas",
      "this kernel has no seccomp: pictures and scripts from elsewhere have processes that it does not filter")
  }

  /// Where the stock node looks for the socket: beside the other sockets of this user (canvas reference 2.8).
  private static var canvasSocketPath: String {
    if let folder = Process.environment("XDG_RUNTIME_DIR"), !folder.isEmpty { return "\(folder)/openclaw-canvas.sock" }
    return "/tmp/openclaw-canvas-\(Process.user).sock"
  }

  /// Opens the socket for another program on this board, if configured. Before the agent starts.
  func openCanvasSocket(_ agent: Agent) {
    guard configuration.canvas.hasSocket, let screen = agent.screen else { return }
    do throws(Errno) {
      let canvasSocket = try ControlSocket(.canvas, loop: loop, clock: clock)
      canvasSocket.delegate = try screen.openCanvasSocket(canvasSocket)
      self.canvasSocket = canvasSocket
      try canvasSocket.open(path: Self.canvasSocketPath)
    } catch {
      log.write(.warning, "canvas") { line in
        line.add("the socket for other programs cannot be opened yet: ")
        line.add(error)
      }
    }
  }
}
