import A2UI
import Board
import Canvas
import Codec
import Fetch
import Foundation
import Gateway
import Graphics
import Runtime
import ScreenPart
import Simulated

/// An agent with a screen of 800x480, whose loop is turned step by step.
final class TurnAgent {
  /// The longest turn in seconds of processor time, and how many there were.
  struct Turns {
    var longest = 0.0
    var count = 0
  }

  /// More than any page takes (`Budget.arrangedTurns`): a loop that never rests.
  private static let mostTurns = 100_000
  /// What the socket gives at most in one turn.
  private static let readBytes = NetworkTransport.recordsPerTurn * Budget.linkReadBytes
  /// Milliseconds that pass at most, for what comes later by itself.
  private static let milliseconds: Int64 = 2_000

  private let memory: AgentInMemory
  private let display: MemoryDisplay
  private let input = ScriptedInput()
  /// The operator connection, and the gateway's end of it.
  private let line = MemoryTransport(capacity: 64 * 1024)
  private let desk: LoopbackGateway

  init() throws {
    let size = Size(800, 480)
    guard let layout = PanelLayout(format: .xrgb8888, size: size, stride: Int(size.width) * 4) else {
      throw BenchError("no panel")
    }
    display = MemoryDisplay(layout, pages: 2)
    let nothing = NoFetching()
    var screen = CanvasParts(
      display: display, input: input, painter: SoftwarePainter(glyphs: try FontShelf()), measurer: try FontShelf(),
      snapshots: ScreenSnapshots(), codes: QRCodes(),
      fetching: FetchParts(
        documents: nothing, pages: nothing, videos: nothing, pictures: nothing, allowed: AllowList()), size: size)
    screen.hasChat = true
    memory = try AgentInMemory(screen: screen, desk: line)
    desk = LoopbackGateway(transport: line, cryptography: OpenSSLCryptography())
    _ = try turns(while: [], on: memory.transport)
  }

  /// The turns while an invoke comes, until the page is shown and the agent rests. Throws when it is refused.
  func receive(_ page: TurnPage) throws -> Turns {
    _ = memory.gateway.take()
    let turns = try turns(while: memory.frame(page.command, page.parameters), on: memory.transport)
    let answer = memory.gateway.take().lazy.map { String(decoding: $0, as: UTF8.self) }
      .last { $0.contains("node.invoke.result") }
    guard let answer, answer.contains(#""ok":true"#) else {
      throw BenchError("\(page.name): not shown: \(answer?.prefix(400) ?? "no answer")")
    }
    return turns
  }

  /// The turns while the answer to `chat.history` comes: messages of as many bytes each.
  func receiveHistory(messages: Int, bytes: Int) throws -> Turns {
    try connectDesk()
    input.press(.chat, at: memory.clock.monotonic)
    _ = try turns(while: [], on: line)
    let text = String(repeating: "Some *words* to read, and more. ", count: bytes / 32)
    let history = (0..<messages).map {
      #"{"role":"\#($0 % 2 == 0 ? "user" : "assistant")","timestamp":\#(1_780_000_000_000 + $0 * 1000),"#
        + #""content":[{"type":"text","text":"\#($0) \#(text)"}]}"#
    }
    let request = try self.request("chat.history")
    return try turns(
      while: LoopbackGateway.frame(
        0x81,
        Array(
          (#"{"type":"res","id":"\#(request)","ok":true,"payload":{"messages":["#
            + history.joined(separator: ",") + "]}}").utf8)), on: line)
  }

  // MARK: The operator connection

  private func connectDesk() throws {
    while !line.isOpen, let next = memory.agent.deadline {
      memory.clock.advance(max(next - memory.clock.monotonic, 0))
      memory.agent.advance()
    }
    desk.accept()
    desk.pump()
    desk.send(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1}}"#)
    _ = desk.take()
    desk.send(
      #"{"type":"res","id":"connect","ok":true,"payload":{"type":"hello-ok","protocol":4,"#
        + #""snapshot":{"sessionDefaults":{"mainSessionKey":"agent:main:main"}},"#
        + #""policy":{"tickIntervalMs":86400000}}}"#)
    _ = try turns(while: [], on: line)
  }

  /// The id of the last request of this kind.
  private func request(_ method: String) throws -> String {
    for message in desk.take().reversed() {
      let frame = try JSONSerialization.jsonObject(with: Data(message)) as? [String: Any]
      if frame?["method"] as? String == method, let id = frame?["id"] as? String { return id }
    }
    throw BenchError("the agent did not ask for \(method)")
  }

  // MARK: Turns

  /// Delivers bytes as a socket does, and turns the loop until it rests.
  private func turns(while bytes: [UInt8], on transport: MemoryTransport) throws -> Turns {
    var turns = Turns()
    for start in stride(from: 0, to: bytes.count, by: Self.readBytes) {
      let piece = bytes[start..<min(start + Self.readBytes, bytes.count)]
      turn(&turns) { piece.withUnsafeBufferPointer { transport.deliver($0) } }
      try rest(&turns, transport, passing: false)
    }
    try rest(&turns, transport, passing: true)
    return turns
  }

  /// What the loop does in one go, and what all its parts do before it sleeps. What a worker does does not count.
  private func turn(_ turns: inout Turns, _ work: () -> Void) {
    let seconds = Stopwatch.bestOfThread(of: 1) {
      work()
      memory.agent.advance()
    }
    turns.longest = max(turns.longest, seconds)
    turns.count += 1
  }

  /// True when the agent took more of what it had let wait.
  private func resumes(_ turns: inout Turns, _ transport: MemoryTransport) -> Bool {
    var hasTaken = false
    turn(&turns) { hasTaken = transport.deliverHeld() }
    return hasTaken
  }

  /// Turns the loop until nothing is left to do at this moment, or for a while.
  private func rest(_ turns: inout Turns, _ transport: MemoryTransport, passing: Bool) throws {
    let end = memory.clock.monotonic + (passing ? Self.milliseconds : 0)
    while turns.count < Self.mostTurns {
      if transport.heldCount > 0, resumes(&turns, transport) {
        // The agent had asked to wait.
      } else if memory.runner.isBusy {
        memory.runner.work()
        turn(&turns) { memory.runner.finish() }
      } else if display.isBusy {
        turn(&turns) { display.takeFrame() }
      } else if let next = memory.agent.deadline, next <= end {
        memory.clock.advance(max(next - memory.clock.monotonic, 0))
        turn(&turns) {}
      } else {
        return
      }
      memory.gateway.pump()
      desk.pump()
    }
    throw BenchError("the loop does not rest")
  }
}

/// Nothing can be fetched, and nothing is a picture.
private final class NoFetching: FetchTransport, PictureCodec {
  func open(_ url: GatewayURL, trust: FetchTrust, judge: any AddressPolicy, _ delegate: any TransportDelegate) {}
  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int { 0 }
  func resumeReading() {}
  func close() {}
  func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ kind: ContentKind, _ limit: PictureLimit
  ) throws(PictureFault) -> DecodedPicture? { nil }
}
