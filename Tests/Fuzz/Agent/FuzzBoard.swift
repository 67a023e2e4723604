import Canvas
import Consent
import ConsentPart
import Fetch
import FilesPart
import Gateway
import Glibc
import Graphics
import Hands
import OwnAgentPart
import Programs
import RunPart
import Runtime
import Script
import Simulated
import Sound
import Talk
import Voice

@testable import Node
@testable import VoicePart
@testable import ScreenPart
@testable import Agent
@testable import Board
@testable import Camera
@testable import Device
@testable import Location
@testable import Motion
@testable import Panel

/// The whole agent with all that it can have, in memory: a camera, a receiver, a motion sensor, a light and a button,
/// microphone, speaker and phrases, a screen with input, pictures and scripts, both connections and both sockets.
final class FuzzBoard {
  let clock = VirtualClock()
  let runner = FuzzRunner()
  let cryptography = OpenSSLCryptography()
  let node: FuzzGateway
  let desk: FuzzGateway
  let news: FuzzGateway
  let camera: FuzzCamera
  let receiver = FuzzReceiver()
  let motion = FuzzMotion()
  let capture = FuzzCapture()
  let playback = FuzzPlayback()
  let speech = FuzzSpeech()
  let button: ScriptedButton
  let talkButton: ScriptedButton
  let programs = [FuzzPrograms(), FuzzPrograms()]
  let ownAgent = FuzzOwnAgent()
  let light: MemoryLight
  let display: MemoryDisplay
  let input = ScriptedInput()
  let (documents, pages, videos) = (FuzzWeb(), FuzzWeb(), FuzzWeb())
  let agent: Agent
  private(set) var control: Control! = nil
  private(set) var canvasServer: (any LineServerDelegate)?
  let console = FuzzConsole()
  let canvasSocket = FuzzConsole()
  let nodeID: [UInt8]
  let commands: [String]
  let canvasCommands: [String]
  private(set) var operations: [String] = []

  init() throws {
    let random = SeededRandom(seed: 11)
    let store = MemoryStore()
    let jpeg = try TurboJPEG()
    let log = Log(level: .info, output: nil)
    (node, desk, news) = (FuzzGateway(cryptography), FuzzGateway(cryptography), FuzzGateway(cryptography))
    camera = FuzzCamera(jpeg)
    button = ScriptedButton(clock: clock)
    talkButton = ScriptedButton(clock: clock)
    light = MemoryLight(clock: clock, plays: true)
    let size = Size(160, 120)
    display = MemoryDisplay(PanelLayout(format: .xrgb8888, size: size, stride: Int(size.width) * 4)!)
    let url = try GatewayURL("ws://127.0.0.1:18789")
    let identity = try NodeIdentity.load(from: store, random: random, cryptography: cryptography).identity
    nodeID = identity.id.span.withUnsafeBufferPointer { Array($0) }
    var devices = Devices(
      camera: CameraStream(source: camera, cameraSettings: CameraSettingsTable(), clock: clock),
      tools: CameraTools(jpeg: jpeg, encoder: OpenH264(), clips: ClipSegment()), position: receiver, motion: motion,
      readings: FixedReadings(), light: light, button: button)
    var talk = TalkSettings()
    talk.isEnabled = true
    talk.converses = true
    talk.wakeTalks = true
    talk.hasCommands = true
    let microphone = Microphone(
      capture: capture, intake: SoundIntake(resampler: EvenResampler(), denoiser: nil, gain: .fixed(0), channel: .mix),
      settings: MicrophoneSettings(), indicator: nil, runner: runner, clock: clock, log: log)
    devices.voice.microphone = microphone
    devices.voice.clipSound = try ClipSoundBuffer(microphone, encoder: OpusEncoder(), clock: clock)
    let speaker = Speaker(
      playback: playback, resampler: EvenResampler(), settings: SpeakerSettings(), microphone: microphone,
      runner: runner, clock: clock,
      log: log)
    devices.voice.speaker = speaker
    devices.voice.voice = speech
    devices.voice.talk = TalkParts(
      microphone: TalkMicrophoneAdapter(microphone), speaker: speaker, recognizer: speech, voice: speech)
    devices.voice.talk?.button = talkButton
    if let model = VoiceModel.builtIn {
      devices.voice.wake = WakeParts(
        settings: WakeParts.Settings(), model: model, banks: [PhraseBank.builtIn], runner: runner, store: MemoryStore())
    }
    var allowed = AllowList()
    _ = allowed.add("10.0.0.0/8")
    var face = CanvasParts(
      display: display, input: input, painter: SoftwarePainter(glyphs: try FontShelf()), measurer: try FontShelf(),
      snapshots: ScreenSnapshots(), codes: QRCodes(),
      fetching: FetchParts(
        documents: documents, pages: pages, videos: videos, pictures: ScreenPictures(), allowed: allowed,
        changes: news.transport),
      size: size)
    face.hasChat = true
    face.restsAfter = 600_000
    let scripts = ScriptParts(
      try ScriptEngine(caller: runner, outlines: try FontShelf(), pictures: FuzzPictures()), runner: runner,
      allowsActions: true)
    face.scripts = { (screen, router) throws(Errno) in try EvalCommands(scripts, on: screen, router: router) }
    devices.face = face
    devices.hands = Self.hands(clock)
    devices.programs = RunBoard(list: ProgramList(["/usr/bin/df", "/bin/sh"]), outputBytes: 4096, links: programs)
    var settings = Agent.Settings()
    settings.tools.choice = .all
    settings.talk = talk
    settings.consent.rules[.camera] = .ask
    settings.ownAgent.isEnabled = true
    settings.ownAgent.patience = 1_000
    settings.ownAgent.route = GatewayRoute(
      channel: InlineText(cutting: "telegram"), recipient: InlineText(cutting: "1"))
    var world = World(
      clock: clock, random: random, cryptography: cryptography, transport: node.transport, runner: runner,
      store: store,
      outboxStore: MemoryStore(), fixStore: MemoryStore(), motionStore: MemoryStore(), sensing: runner,
      holdStore: MemoryStore(), handStore: MemoryStore(),
      date: FixedDate(), boot: LastFix.Boot(), operatorTransport: desk.transport, log: log)
    world.ownAgent = OwnAgentBoard(
      link: ownAgent, store: MemoryStore(), name: InlineText(cutting: "Fuzz"), language: InlineText(cutting: "en"),
      release: InlineText(cutting: "1"), hasCamera: true)
    // Folders that are not there: parameters, contents and paths are looked at, and nothing is written.
    world.files = SharedFolders(
      [SharedFolder("/nowhere/ro", isWritable: false), SharedFolder("/nowhere/rw", isWritable: true)],
      stateFolder: "/nowhere/state")
    world.consent = ConsentStorage(
      grants: MemoryStore(), uses: MemoryStore(), boot: GrantRecord.Boot(), isDateRight: { true }, offset: { _ in 0 })
    agent = try Agent(
      configuration: SessionConfiguration(urls: [url], displayName: "Fuzz", version: "1"), settings: settings,
      identity: identity,
      record: GatewayRecord(url: url, cryptography: cryptography),
      deviceIdentity: DeviceIdentity(
        name: DeviceText(cutting: "Fuzz"), appVersion: DeviceText(cutting: "1"), appBuild: DeviceText()),
      devices: devices, world: world)
    commands = agent.router.names.map { "\($0)" }
    canvasCommands = commands.filter { $0.hasPrefix("canvas.") }
    console.name = "control"
    control = Control(server: console, node: agent)
    console.delegate = control
    operations = control.rows.map { "\($0.name)" }
    canvasServer = try agent.screen?.openCanvasSocket(canvasSocket)
    canvasSocket.delegate = canvasServer
    agent.start()
    input.attach(hasTouch: true, hasKeyboard: true, hasKeys: true)
  }

  /// One hand of each kind, with limits.
  private static func hands(_ clock: VirtualClock) -> [HandEntry] {
    func settings(_ name: String, _ kind: HandKind, _ change: (inout HandSettings) -> Void = { _ in }) -> HandSettings {
      var settings = HandSettings(name: name)
      settings.kind = kind
      change(&settings)
      return settings
    }
    let heater = settings("heater", .gpio) {
      $0.gpio.direction = .output
      ($0.gpio.neverWith, $0.gpio.minOff, $0.gpio.maxOn) = (["fan"], 1_000, 60_000)
      ($0.gpio.maxOnPerDay, $0.gpio.maxSwitchesPerDay) = (600_000, 50)
    }
    let door = settings("door", .gpio) { ($0.gpio.direction, $0.gpio.events) = (.input, .both) }
    return [
      HandEntry(heater, .output(MemoryOutput())), HandEntry(door, .input(MemoryInput(clock: clock))),
      HandEntry(settings("fan", .pwm), .pwm(MemoryPWM())),
      HandEntry(settings("water", .counter), .counter(MemoryInput(clock: clock))),
    ]
  }

  /// Everything that needs no time, until nothing moves.
  func settle() {
    for _ in 0..<40 {
      var isMoving = runner.runAll()
      if display.isBusy {
        display.takeFrame()
        isMoving = true
      }
      for gateway in [node, desk, news] {
        if gateway.pump() { isMoving = true }
        if gateway.transport.deliverHeld() { isMoving = true }
        gateway.follow()
      }
      if !isMoving { break }
    }
    agent.advance()
    light.forget()
  }

  /// Lets time pass in the steps that the agent asks for; after 200 of them, at once.
  func pass(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    var steps = 0
    while let next = agent.deadline, next <= end, steps < 200 {
      steps += 1
      clock.advance(max(next - clock.monotonic, 0))
      agent.advance()
      _ = runner.runAll()
      if display.isBusy { display.takeFrame() }
      _ = node.pump()
      _ = desk.pump()
    }
    clock.advance(max(end - clock.monotonic, 0))
    settle()
  }
}

/// Programs that speak to one of the agent's sockets. What they are told must be JSON.
final class FuzzConsole: LineServer {
  var name = "door"
  weak var delegate: (any LineServerDelegate)?
  private let buffer = FixedBuffer(capacity: Budget.controlOutputBytes)
  private(set) var lines = 0

  func send(to client: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int?) -> Bool {
    guard let count = write(buffer.bytes) else { return false }
    lines += 1
    checkLine(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count]), name)
    return true
  }

  func hangUp(_ client: Int) {}

  func say(_ line: [UInt8], from client: Int) {
    if line.count > Budget.controlLineBytes {
      delegate?.lineTooLong(from: client)
      delegate?.lineClientDisconnected(client)
    } else {
      delegate?.lineReceived(line.span, from: client)
    }
  }
}
