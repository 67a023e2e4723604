import Board
import Camera
import Codec
import Consent
import ConsentPart
import Device
import FilesPart
import Foundation
import Gateway
import Hands
import Location
import MCPPart
import Motion
import OwnAgent
import OwnAgentPart
import Panel
import RunPart
import Runtime
import Simulated
import ToolsPart
@testable import Agent
@testable import CameraPart
@testable import Node
@testable import ScreenPart
@testable import SensePart
@testable import VoicePart

/// A camera that shows one picture, or fails as it is told to.
final class StillCamera: CameraSource {
  let kind: StaticString = "simulated"
  var picture: [UInt8]
  var failure: CameraError?
  var captures = 0
  private(set) var orders: [StreamOrder] = []
  private(set) var isStreaming = false
  private(set) var listings = 0
  var axes = CameraAxes()
  /// Microseconds from frame to frame; 0: frames have no time.
  var step: Int64 = 0
  /// An axis that does not move.
  var stuck: CameraAxis?
  /// How far an axis goes from one look to the next; 0: it is there at once.
  var speed = 0
  /// True when axes are refused without a stream.
  var needsStream = false
  private var targets = PerAxis<Int>()
  /// False for a camera that warms up, during which `whenAsked` lets time pass.
  var isSteady = true
  var whenAsked: (() -> Void)?

  init(width: Int, height: Int) throws { picture = try Self.jpeg(width: width, height: height) }

  func enumerate(into list: inout CameraList) throws(CameraError) {
    listings += 1
    list.removeAll()
    if failure == nil {
      list.append(CameraEntry(id: CameraText(cutting: "still"), name: CameraText(cutting: "Still")))
    }
  }

  func start(_ order: StreamOrder) throws(CameraError) -> StreamFacts {
    orders.append(order)
    if let failure { throw failure }
    isStreaming = true
    var facts = StreamFacts(
      camera: CameraEntry(id: CameraText(cutting: "still"), name: CameraText(cutting: "Still")), format: .mjpeg,
      width: 0, height: 0, rate: 30_000)
    facts.isSteady = isSteady
    return facts
  }

  func next(within milliseconds: Int64) throws(CameraError) -> RawFrame? {
    captures += 1
    whenAsked?()
    if let failure { throw failure }
    let time = step == 0 ? 0 : 1_000_000_000 + Int64(captures) * step
    return picture.withUnsafeBufferPointer { bytes in
      RawFrame(format: .mjpeg, width: 0, height: 0, rowBytes: 0, isFullRange: true, bytes: bytes, time: time)
    }
  }

  func stop() { isStreaming = false }

  func expose(_ setting: ExposureSetting) {}

  func axes(of device: CameraText) throws(CameraError) -> CameraAxes {
    guard device == CameraText(cutting: "still") else { throw .unknownDevice(device) }
    defer {
      for axis in CameraAxis.allCases {
        guard let target = targets[axis], let value = axes[axis]?.value else { continue }
        axes[axis]?.value = value + min(max(target - value, -speed), speed)
      }
    }
    return axes
  }

  func move(_ axis: CameraAxis, of device: CameraText, to value: Int) throws(CameraError) {
    if axis == stuck { throw .io(.inputOutput) }
    if needsStream, !isStreaming { throw .io(.brokenPipe) }
    if speed == 0 { axes[axis]?.value = value } else { targets[axis] = value }
  }

  /// A gray ramp, or one gray.
  static func jpeg(width: Int, height: Int, gray: UInt8? = nil) throws -> [UInt8] {
    var storage = [UInt8](repeating: gray ?? 0, count: width * height)
    if gray == nil {
      for index in storage.indices { storage[index] = UInt8(truncatingIfNeeded: index &* 7 >> 3) }
    }
    var output = [UInt8](repeating: 0, count: width * height * 3 + 4096)
    let codec = try TurboJPEG()
    let count = try storage.withUnsafeMutableBufferPointer { bytes in
      let image = PlanarImage(in: bytes, width: width, height: height, chroma: .gray)!
      return try output.withUnsafeMutableBufferPointer { try codec.encode(image, quality: 90, into: $0) }
    }
    return Array(output[..<count])
  }
}

/// A receiver that says what the test feeds it.
final class FedReceiver: PositionSource {
  var state = PositionSourceState.absent
  var language: PositionLanguage { .receiver }
  var line: (any ReceiverLine)? { nil }
  private var sink: (any PositionSourceDelegate)?
  func start(_ sink: any PositionSourceDelegate) {
    self.sink = sink
    state = .open
    sink.positionSourceOpened()
  }
  func retry() {}
  func stop() { sink = nil }
  func lose() {
    state = .absent
    sink?.positionSourceLost(.noSuchDevice)
  }
  func reopen() {
    state = .open
    sink?.positionSourceOpened()
  }
  func feed(_ text: String, at now: Int64) {
    sink?.positionSourceReceived(text.utf8.span, at: now)
  }
}

/// A whole agent in memory, online.
final class AgentBench {
  let clock = VirtualClock()
  let runner: DeferredRunner
  let transport: MemoryTransport
  let gateway: LoopbackGateway
  let camera: StillCamera
  let receiver = FedReceiver()
  let date = FixedDate()
  static let boot = "01234567-89ab-cdef-0123-456789abcdef"
  let log = Log(level: .info, output: nil)
  let agent: Agent
  private let nodeID: String
  private let identity: NodeIdentity
  private let event = FixedBuffer(capacity: 512)

  /// `hello`: a member of `hello-ok` beside its policy.
  init(
    width: Int = 64, height: Int = 48, capacity: Int = 1 << 20, outboxStore: any RecordStore = MemoryStore(),
    fixStore: any RecordStore = MemoryStore(), trackStore: (any RecordStore)? = nil,
    motionStore: any RecordStore = MemoryStore(), holdStore: any RecordStore = MemoryStore(),
    panelLight: (any Light)? = nil, button: (VirtualClock) -> (any Button)? = { _ in nil },
    motion: (any MotionSource)? = nil,
    jolts: JoltNews = .none, shake: ShakeThresholds? = nil,
    photos: PhotosBoard? = nil, location: LocationSettings = LocationSettings(),
    hello: String? = nil, policy: CameraPolicy = CameraPolicy(),
    cameraSettings: CameraSettingsTable = CameraSettingsTable(),
    light: (any Indicator)? = nil, newestJobFirst: Bool = false,
    connects: Bool = true, microphone: Microphone? = nil, face: CanvasParts? = nil,
    store: any RecordStore = MemoryStore(), tools: ToolChoice = .none,
    inspector: (any Inspector)? = nil, programs: RunBoard? = nil, servers: [MCPEntry] = [],
    files: SharedFolders? = nil,
    consent: ConsentSettings? = nil, grantStore: any RecordStore = MemoryStore(),
    useStore: any RecordStore = MemoryStore(), boot: String = AgentBench.boot,
    handStore: any RecordStore = MemoryStore(), hands: (VirtualClock) -> [HandEntry] = { _ in [] },
    ownAgent: (any AgentLink)? = nil, operatorTransport: (any Transport)? = nil,
    commands: CommandChoice = .all, vouching: Vouching? = nil
  ) throws {
    runner = DeferredRunner(newestFirst: newestJobFirst)
    let cryptography = OpenSSLCryptography()
    let random = SeededRandom(seed: 11)
    transport = MemoryTransport(capacity: capacity)
    gateway = LoopbackGateway(transport: transport, cryptography: cryptography)
    camera = try StillCamera(width: width, height: height)
    let url = try GatewayURL(vouching == nil ? "ws://localhost:18789" : "wss://gateway.test")
    let identity = try NodeIdentity.load(from: store, random: random, cryptography: cryptography).identity
    self.identity = identity
    nodeID = identity.id.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    var devices = Devices(
      camera: CameraStream(
        source: camera, cameraSettings: cameraSettings, indicator: light, privacy: .lit, clock: clock),
      tools: CameraTools(jpeg: try TurboJPEG(), encoder: OpenH264(), clips: ClipSegment()),
      position: receiver, motion: motion, readings: FixedReadings(),
      light: panelLight, button: button(clock))
    devices.voice.microphone = microphone
    devices.face = face
    devices.inspector = inspector
    devices.programs = programs
    devices.servers = servers
    devices.hands = hands(clock)
    let record = GatewayRecord(url: url, cryptography: cryptography)
    _ = try record.load(from: store)
    var settings = Agent.Settings(camera: policy, location: location, jolts: jolts)
    settings.motion.configuration.shake = shake
    settings.tools.choice = tools
    settings.commands = commands
    if let consent { settings.consent = consent }
    let storage = ConsentStorage(
      grants: grantStore, uses: useStore, boot: GrantRecord.Boot(cutting: boot), isDateRight: { true },
      offset: { _ in 0 })
    settings.tools.about = "the greenhouse \"north\""
    var world = World(
      clock: clock, random: random, cryptography: cryptography, transport: transport,
      runner: runner, store: store, outboxStore: outboxStore, fixStore: fixStore, motionStore: motionStore,
      sensing: runner,
      holdStore: holdStore, handStore: handStore, date: date,
      boot: LastFix.Boot(cutting: Self.boot), log: log)
    if consent != nil { world.consent = storage }
    world.trackStore = trackStore
    world.photos = photos
    world.files = files
    world.operatorTransport = operatorTransport
    if let ownAgent {
      settings.ownAgent.isEnabled = true
      world.ownAgent = OwnAgentBoard(
        link: ownAgent, store: MemoryStore(), name: InlineText(cutting: "Test"), language: InlineText(),
        release: InlineText(cutting: "1"), hasCamera: true)
    }
    agent = try Agent(
      configuration: SessionConfiguration(urls: [url], displayName: "Test", version: "1"),
      settings: settings, identity: identity,
      record: record,
      deviceIdentity: DeviceIdentity(
        name: DeviceText(cutting: "Test"), appVersion: DeviceText(cutting: "1"),
        appBuild: DeviceText(cutting: "2")),
      devices: devices, world: world)
    agent.start()
    guard connects else { return }
    if let vouching {
      gateway.accept(leaf: Fingerprint(digest: InlineArray(repeating: 7)), vouching: vouching)
      runner.runAll()
    } else {
      gateway.accept()
    }
    gateway.pump()
    gateway.send(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1}}"#)
    connect = try Self.object(gateway.take().first ?? [])
    let more = hello.map { "," + $0 } ?? ""
    gateway.send(
      #"{"type":"res","id":"connect","ok":true,"payload":{"type":"hello-ok","policy":{"tickIntervalMs":86400000}\#(more)}}"#
    )
    runner.runAll()
  }

  /// How the node said goodbye: the code and the reason of its close frame.
  var goodbye: (code: Int, reason: String)? {
    gateway.pump()
    guard let close = gateway.controls.first(where: { $0.opcode == 8 }), close.payload.count >= 2 else { return nil }
    return (
      Int(close.payload[0]) << 8 | Int(close.payload[1]), String(decoding: close.payload[2...], as: UTF8.self)
    )
  }

  /// The connect frame.
  private(set) var connect: [String: Any] = [:]

  func frame(
    _ id: String, _ command: String, params: String? = nil, timeout: Int? = nil, key: String? = nil
  ) -> String {
    let quoted = params.map { text in
      String(decoding: try! JSONEncoder().encode(text), as: UTF8.self)
    }
    let limit = timeout.map { #","timeoutMs":\#($0)"# } ?? ""
    let key = key.map { #","idempotencyKey":"\#($0)""# } ?? ""
    return """
      {"type":"event","event":"node.invoke.request","payload":{"id":"\(id)","nodeId":"\(nodeID)",\
      "command":"\(command)","paramsJSON":\(quoted ?? "null")\(limit)\(key)}}
      """
  }

  /// Invokes and lets everything run that needs no time: the answers.
  func invoke(_ id: String, _ command: String, params: String? = nil, timeout: Int? = nil) throws -> [Answer] {
    gateway.send(frame(id, command, params: params, timeout: timeout))
    return try settle()
  }

  /// The gateway's `node.invoke.cancel`, as the session hands it on.
  func cancelInvoke(_ id: StaticString) {
    var writer = JSONWriter(into: event.bytes)
    writer.beginObject()
    writer.key("invokeId")
    writer.string(id)
    writer.key("nodeId")
    writer.string(identity.id.span)
    writer.endObject()
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(event.bytes)[..<writer.count])
    hand(#""node.invoke.cancel""#, text)
  }

  /// Hands an event to the agent: its name in quotes, its payload checked.
  func hand(_ name: StaticString, _ payload: UnsafeBufferPointer<UInt8>) {
    agent.sessionReceived(
      JSONView(Span(_unsafeElements: name.bytes)), JSONView(Span(_unsafeElements: payload)))
  }

  func settle() throws -> [Answer] {
    runner.runAll()
    var answers = try takeAnswers()
    runner.runAll()
    answers += try takeAnswers()
    return answers
  }

  /// The answers to invokes so far, without the requests of the node's own.
  func takeAnswers() throws -> [Answer] {
    try gateway.take().map { try Self.object($0) }
      .filter { $0["method"] as? String == "node.invoke.result" }.map { try Answer($0) }
  }

  /// Puts `channel` in place of the session for the requests of the node's own.
  func replaceChannel(_ channel: any RequestChannel, acceptsProgress: Bool = false) {
    agent.sessionLost()
    agent.router.online(channel, acceptsProgress: acceptsProgress)
    agent.pending.online(channel, release: agent.session.hello.serverVersion)
    agent.beacon.online(channel)
    let parts = agent.table.parts
    for index in 0..<parts.count { (parts[index] as? DevicePart)?.stats.online(channel) }
    agent.outbox.online(channel)
  }

  /// Lets time pass, step by step.
  func pass(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    while let next = agent.deadline, next <= end {
      clock.advance(max(next - clock.monotonic, 0))
      agent.advance()
    }
    clock.advance(end - clock.monotonic)
    agent.advance()
  }

  /// Lets time pass over a link that stays alive: the gateway says something every 10 s.
  func passAlive(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    while clock.monotonic < end {
      gateway.send(#"{"type":"event","event":"tick","payload":{"ts":1}}"#)
      pass(min(10_000, end - clock.monotonic))
      runner.runAll()
    }
  }

  static func object(_ bytes: [UInt8]) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
  }

  /// NMEA of one second, with checksums.
  static func epoch(_ time: String = "120000.00", latitude: String = "4807.0380") -> String {
    sentence("GPRMC,\(time),A,\(latitude),N,01131.0000,E,10.0,84.4,211126,,,A")
      + sentence("GPGGA,\(time),\(latitude),N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,")
  }

  private static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(UInt8(0), ^)
    return "$\(body)*\(String(format: "%02X", sum))\r\n"
  }
}

/// What the node said to one invoke.
struct Answer {
  let id: String
  let isOK: Bool
  let payload: [String: Any]
  let code: String?
  /// As the caller reads it: gateways write the code before it.
  let message: String?

  init(_ frame: [String: Any]) throws {
    let params = frame["params"] as? [String: Any] ?? [:]
    id = params["id"] as? String ?? ""
    isOK = params["ok"] as? Bool ?? false
    payload = params["payload"] as? [String: Any] ?? [:]
    let error = params["error"] as? [String: Any]
    code = error?["code"] as? String
    let sentence = error?["message"] as? String
    message = code.flatMap { code in sentence.map { "\(code): \($0)" } }
  }
}
