@testable import Agent
import Board
import Camera
import Codec
import Device
import Foundation
import Gateway
import Location
import Runtime
import Simulated

nonisolated(unsafe) private let cryptography = OpenSSLCryptography()

// One for all inputs, each with a connection of its own: an agent lives as long as its process.
nonisolated(unsafe) private let node = try? NodeInMemory()

/// A whole agent online, and a gateway that says anything: one message a line, and a line "\u{1}MS" lets time pass.
/// What the agent sends is JSON, and no invoke is answered more often than it was asked.
func checkFrames(_ bytes: [UInt8]) {
  guard let node else { return expect(false, "no node") }
  node.connect()
  var asked: [String: Int] = [:]
  for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(50) {
    if line.first == 1 {
      node.pass(Int64(String(decoding: line.dropFirst(), as: UTF8.self)) ?? 1_000)
      continue
    }
    if let id = invokeID(Array(line)) { asked[id, default: 0] += 1 }
    node.deliver(Array(line))
  }
  node.pass(60_000)
  var answered: [String: Int] = [:]
  for message in node.sent {
    guard let frame = try? JSONSerialization.jsonObject(with: Data(message)) as? [String: Any] else {
      expect(false, "sent no JSON: \(String(decoding: message, as: UTF8.self))")
      return
    }
    guard frame["method"] as? String == "node.invoke.result" else { continue }
    guard let parameters = frame["params"] as? [String: Any], let id = parameters["id"] as? String else {
      return expect(false, "a result without an id")
    }
    answered[id, default: 0] += 1
  }
  for (id, count) in answered { expect(count <= asked[id, default: 0], "\(id) answered \(count) times") }
}

/// The id of an invoke, as Foundation reads the message; nil when this is none.
private func invokeID(_ line: [UInt8]) -> String? {
  guard let frame = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
    let payload = frame["payload"] as? [String: Any]
  else { return nil }
  return payload["id"] as? String
}

/// An agent without hardware, online at a gateway in memory.
private final class NodeInMemory {
  private let clock = VirtualClock()
  private let runner = DeferredRunner()
  private let transport = MemoryTransport(capacity: 64 * 1024)
  private let gateway: LoopbackGateway
  private let agent: Agent
  private(set) var sent: [[UInt8]] = []

  init() throws {
    let random = SeededRandom(seed: 1)
    let store = MemoryStore()
    gateway = LoopbackGateway(transport: transport, cryptography: cryptography)
    let url = try GatewayURL("ws://localhost:18789")
    agent = try Agent(
      configuration: SessionConfiguration(urls: [url], displayName: "Fuzz", version: "1"),
      settings: Agent.Settings(),
      identity: NodeIdentity.load(from: store, random: random, cryptography: cryptography).identity,
      record: GatewayRecord(url: url, cryptography: cryptography),
      deviceIdentity: DeviceIdentity(
        name: DeviceText(cutting: "Fuzz"), appVersion: DeviceText(), appBuild: DeviceText()),
      devices: Devices(
        camera: CameraStream(source: NoCamera(), cameraSettings: CameraSettingsTable(), clock: clock),
        tools: CameraTools(jpeg: try TurboJPEG(), encoder: OpenH264(), clips: ClipSegment()), position: nil,
        readings: FixedReadings()),
      world: World(
        clock: clock, random: random, cryptography: cryptography, transport: transport, runner: runner,
        store: store, outboxStore: MemoryStore(), fixStore: MemoryStore(), motionStore: MemoryStore(), sensing: runner,
        holdStore: MemoryStore(), date: FixedDate(),
        boot: LastFix.Boot(), log: Log(level: .error, output: nil)))
    agent.start()
  }

  /// Begins a new connection, and gets online.
  func connect() {
    let opens = transport.opens
    transport.fail(TransportFailure(.broken))
    for _ in 0..<1_000 where transport.opens == opens {
      guard let next = agent.deadline else { break }
      clock.advance(max(next - clock.monotonic, 0))
      settle()
    }
    expect(transport.opens > opens, "no new connection")
    sent = []
    gateway.accept()
    gateway.pump()
    gateway.send(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1}}"#)
    _ = gateway.take()
    gateway.send(#"{"type":"res","id":"connect","ok":true,"payload":{"type":"hello-ok"}}"#)
    settle()
    expect(agent.session.state == .online, "not online")
  }

  func deliver(_ message: [UInt8]) {
    gateway.sendFrame(0x81, message)
    settle()
  }

  /// Lets time pass in the steps that the agent asks for; a connection that it opens meanwhile stays without answer.
  func pass(_ milliseconds: Int64) {
    let end = clock.monotonic + min(max(milliseconds, 0), 300_000)
    for _ in 0..<1_000 {
      guard let next = agent.deadline, next <= end else { break }
      clock.advance(max(next - clock.monotonic, 0))
      agent.advance()
      settle()
    }
    clock.advance(max(end - clock.monotonic, 0))
  }

  private func settle() {
    for _ in 0..<4 {
      runner.runAll()
      agent.advance()
      sent += gateway.take()
      _ = transport.deliverHeld()
    }
  }
}
