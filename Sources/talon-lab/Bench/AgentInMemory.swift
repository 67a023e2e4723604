import Agent
import Board
import CAllocationCounter
import Camera
import Codec
import Device
import Foundation
import Gateway
import Location
import Pictures
import Runtime
import ScreenPart
import Simulated

/// A whole agent whose gateway is a buffer: what remains is Talon's own work.
final class AgentInMemory {
  let clock = VirtualClock()
  let runner = SplitRunner()
  let transport = MemoryTransport(capacity: 64 * 1024)
  let gateway: LoopbackGateway
  let agent: Agent
  private let camera = PhotoInMemory()
  private let nodeID: String
  private var frames: [[UInt8]] = []
  /// Invokes so far. The last digits are the key of the next one: of the same key the answer alone is repeated.
  private var number = 0
  private static let keyDigits = 8

  /// `desk`: the line of the operator connection.
  init(screen: CanvasParts? = nil, desk: (any Transport)? = nil) throws {
    let cryptography = OpenSSLCryptography()
    let random = SeededRandom(seed: 1)
    let store = MemoryStore()
    gateway = LoopbackGateway(transport: transport, cryptography: cryptography)
    let url = try GatewayURL("ws://localhost:18789")
    let identity = try NodeIdentity.load(from: store, random: random, cryptography: cryptography).identity
    nodeID = identity.id.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    var devices = Devices(
      camera: CameraStream(source: camera.source, cameraSettings: CameraSettingsTable(), clock: clock),
      tools: CameraTools(jpeg: try TurboJPEG(), encoder: OpenH264(), clips: ClipSegment()), position: nil,
      readings: FixedReadings())
    devices.face = screen
    agent = try Agent(
      configuration: SessionConfiguration(urls: [url], displayName: "Bench", version: "1"),
      settings: Agent.Settings(), identity: identity,
      record: GatewayRecord(url: url, cryptography: cryptography),
      deviceIdentity: DeviceIdentity(
        name: DeviceText(cutting: "Bench"), appVersion: DeviceText(), appBuild: DeviceText()),
      devices: devices,
      world: World(
        clock: clock, random: random, cryptography: cryptography, transport: transport,
        runner: runner, store: store, outboxStore: MemoryStore(), fixStore: MemoryStore(), motionStore: MemoryStore(),
        sensing: runner, holdStore: MemoryStore(), date: FixedDate(),
        boot: LastFix.Boot(), operatorTransport: desk, log: Log(level: .error, output: nil)))
    connect()
    let commands = [
      "device.info", "device.status", "device.health", "device.permissions", "camera.list", "camera.snap",
      "system.notify",
      "location.get", "no.such",
    ]
    frames = commands.map { frame($0, #"{"title":"t","maxWidth":1280}"#) }
  }

  private func connect() {
    agent.start()
    gateway.accept()
    gateway.pump()
    gateway.send(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1}}"#)
    _ = gateway.take()
    gateway.send(
      #"{"type":"res","id":"connect","ok":true,"payload":{"type":"hello-ok","policy":{"tickIntervalMs":86400000}}}"#
    )
    runner.runAll()
  }

  /// An invoke as its bytes come from the gateway.
  func frame(_ command: String, _ parameters: String) -> [UInt8] {
    let key = String(repeating: "0", count: Self.keyDigits)
    let quoted = parameters.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#)
    let text = """
      {"type":"event","event":"node.invoke.request","payload":{"id":"5f2c1a77-2f39-4f7e-bb54-7c0b5b0d7a01",\
      "nodeId":"\(nodeID)","command":"\(command)","paramsJSON":"\(quoted)",\
      "timeoutMs":30000,"idempotencyKey":"\(key)"}}
      """
    var frame = LoopbackGateway.frame(0x81, Array(text.utf8))
    renew(&frame)
    return frame
  }

  /// Writes the next key into an invoke, in place.
  private func renew(_ frame: inout [UInt8]) {
    number += 1
    var rest = number
    // Before `"}}`.
    for index in (frame.count - 3 - Self.keyDigits..<frame.count - 3).reversed() {
      frame[index] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
  }

  /// Runs mixed invokes from frame to frame; how many allocations they made after the first round.
  func invoke(_ count: Int) -> UInt64 {
    camera.size = 20_000
    var allocations: UInt64 = 0
    for round in 0..<count {
      renew(&frames[round % frames.count])
      frames[round % frames.count].withUnsafeBufferPointer { bytes in
        tl_count_allocations()
        transport.deliver(bytes)
        runner.runAll()
        agent.advance()
        let counted = tl_counted_allocations()
        if round >= frames.count { allocations += counted }
      }
      transport.drain { _ in }
      runner.runAll()
    }
    return allocations
  }

  /// Does only the JSON of the same frames, with Foundation.
  func decodeAndEncode(_ count: Int) throws {
    let texts = frames.map { Data($0.dropFirst($0[1] == 126 ? 4 : 2)) }
    for round in 0..<count {
      let frame = try JSONSerialization.jsonObject(with: texts[round % texts.count])
      _ = try JSONSerialization.data(withJSONObject: frame)
    }
  }

  /// Takes and sends the largest photo; the most anonymous memory that this touched at any time, in bytes, less the
  /// JPEG itself. For an agent that has not sent a photo before: later ones find their pages touched. Throws when the
  /// photo was not sent whole, for then nothing was measured.
  func photoMemory() throws -> Int {
    camera.size = Budget.photoBytes
    let snap = frame("camera.snap", #"{"maxWidth":1280}"#)
    let before = Self.anonymousBytes()
    snap.withUnsafeBufferPointer { transport.deliver($0) }
    runner.runAll()
    var (most, sent) = (Self.anonymousBytes(), 0)
    transport.drain { bytes in
      most = max(most, Self.anonymousBytes())
      sent += bytes.count
    }
    guard sent > Base64.standard.encodedLength(of: camera.count) else {
      throw BenchError("of a photo of \(camera.count) bytes \(sent) were sent")
    }
    return most - before - camera.count
  }

  private static func anonymousBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n") where line.hasPrefix("Anonymous:") {
      return (Int(line.split(separator: " ")[1]) ?? 0) * 1024
    }
    return 0
  }
}

/// One JPEG of any size: a small picture, and a comment segment that fills it up.
private final class PhotoInMemory {
  private var bytes: [UInt8] = []
  private static let picture: [UInt8] = {
    var storage = [UInt8](repeating: 128, count: 64 * 64)
    var output = [UInt8](repeating: 0, count: 16_384)
    let count = storage.withUnsafeMutableBufferPointer { bytes in
      output.withUnsafeMutableBufferPointer { buffer in
        let image = PlanarImage(in: bytes, width: 64, height: 64, chroma: .gray)!
        return try! TurboJPEG().encode(image, quality: 90, into: buffer)
      }
    }
    return Array(output[..<count])
  }()

  /// Bytes that the photo has: as many as were asked for, or a few less.
  var count: Int { bytes.count }

  /// Bytes that are asked for.
  var size = 0 {
    didSet {
      var photo = Array(Self.picture[..<2])
      // Comment segments (ITU-T T.81 B.2.4.5) of up to 65,533 bytes each.
      var left = size - Self.picture.count
      while left > 4 {
        let body = min(left - 4, 65_533)
        photo += [0xFF, 0xFE, UInt8((body + 2) >> 8), UInt8((body + 2) & 255)]
        photo += [UInt8](repeating: 0x20, count: body)
        left -= body + 4
      }
      bytes = photo + Self.picture[2...]
    }
  }

  /// The camera.
  var source: FrameSource {
    FrameSource {
      self.bytes.withUnsafeBufferPointer { bytes in
        RawFrame(format: .mjpeg, width: 0, height: 0, rowBytes: 0, isFullRange: true, bytes: bytes)
      }
    }
  }
}
