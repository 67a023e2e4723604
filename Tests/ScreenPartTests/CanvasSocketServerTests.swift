import Codec
import Foundation
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import ScreenPart

/// Keeps what was sent to one client.
private final class OneClient: LineServer {
  private(set) var lines: [String] = []
  var isGone = false

  func send(to client: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int?) -> Bool {
    guard !isGone else { return false }
    let buffer = FixedBuffer(capacity: 1 << 20)
    guard let count = write(buffer.bytes) else { return false }
    lines.append(String(decoding: buffer.bytes[..<count], as: UTF8.self))
    return true
  }

  func hangUp(_ client: Int) {}

  func take() -> [[String: Any]] {
    defer { lines.removeAll() }
    return lines.map { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any] ?? [:] }
  }
}

@Suite("The screen for another node at this board")
struct CanvasSocketServerTests {
  private let bench: CanvasBench
  private let server = OneClient()
  private let canvasSocket: CanvasSocketServer

  init() throws {
    bench = try CanvasBench()
    canvasSocket = try bench.commands.openCanvasSocket(server, clock: bench.clock, random: SeededRandom(seed: 7))
  }

  private func say(_ line: String, from client: Int = 0) {
    canvasSocket.lineReceived(line.utf8.span, from: client)
    bench.settle()
  }

  private func ask(_ id: String, _ command: String, _ params: String = "{}") {
    let text = String(decoding: try! JSONEncoder().encode(params), as: UTF8.self)
    say(#"{"id":"\#(id)","command":"\#(command)","paramsJSON":\#(text)}"#)
  }

  /// A page with one button, pushed over the socket.
  private func pushButton() {
    ask(
      "p", "canvas.a2ui.push",
      #"{"messages":[{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"root","component":{"Button":{"child":"t","action":{"name":"go"}}}},"#
        + #"{"id":"t","component":{"Text":{"text":{"literalString":"Go"}}}}]}},{"beginRendering":{"surfaceId":"s","root":"root"}}]}"#
    )
  }

  @Test("a command is answered with its payload as text, when it is seen")
  func answers() {
    pushButton()
    let answer = server.take()
    #expect(answer.count == 1 && answer[0]["id"] as? String == "p" && answer[0]["ok"] as? Bool == true)
    #expect(answer[0]["payloadJSON"] as? String == #"{"ok":true,"surfaces":["s"]}"#)
    #expect(bench.painter.texts.contains("Go"))
    #expect(bench.take().isEmpty)
  }

  @Test("a line longer than any push is answered under its id, and the next is served")
  func longLine() throws {
    let head = #"{"id":"long \u20ac","command":"canvas.a2ui.push","paramsJSON":""#
    say(head + String(repeating: "x", count: Budget.canvasMessageBytes) + #""}"#)
    let answer = server.take()
    #expect(answer.count == 1 && answer[0]["id"] as? String == "long €")
    let error = answer[0]["error"] as? [String: Any]
    #expect(error?["code"] as? String == "INVALID_REQUEST")
    #expect(error?["message"] as? String == "a command may have 12582912 bytes on its line")
    say(String(repeating: "x", count: Budget.canvasMessageBytes + 1))
    #expect(server.take().isEmpty, "no JSON: ignored, as any such line")
    pushButton()
    #expect(server.take().first?["ok"] as? Bool == true)
  }

  @Test("a picture of the screen stands in its payload as base64")
  func picture() throws {
    ask("s", "canvas.snapshot", #"{"format":"png"}"#)
    let text = try #require(server.take().first?["payloadJSON"] as? String)
    let payload = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(payload["format"] as? String == "png")
    #expect(Data(base64Encoded: payload["base64"] as? String ?? "")?.count == 4)
  }

  @Test("what is wrong is answered with a code; other commands than the canvas's are unknown")
  func errors() {
    ask("a", "canvas.navigate", "[]")
    ask("b", "camera.snap")
    ask("c", "canvas.a2ui.pushJSONL", #"{"jsonl":5}"#)
    let codes = server.take().map { ($0["error"] as? [String: Any])?["code"] as? String ?? "none" }
    #expect(codes == ["INVALID_REQUEST", "INVALID_REQUEST", "INVALID_REQUEST"])
  }

  @Test("lines that are no JSON, or no request, are ignored")
  func noise() {
    for line in ["", "hello", "[]", "{}", #"{"id":5}"#, #"{"event":"what"}"#, "\u{0}\u{1}"] { say(line) }
    #expect(server.take().isEmpty)
  }

  @Test("a press goes to the program that shows the page, and fares as that says")
  func presses() throws {
    pushButton()
    _ = server.take()
    bench.tap(40, 40)
    let event = try #require(server.take().first)
    #expect(event["event"] as? String == "a2ui-action")
    let action = try #require(event["action"] as? [String: Any])
    #expect(action["name"] as? String == "go" && action["id"] as? String == event["id"] as? String)
    #expect(bench.press == "waiting")
    say(#"{"event":"a2ui-action-result","id":"other","ok":true}"#)
    #expect(bench.press == "waiting")
    say(#"{"event":"a2ui-action-result","id":"\#(event["id"] as! String)","ok":false,"error":"nobody owns it"}"#)
    #expect(bench.press == "failed" && bench.painter.texts.contains("nobody owns it"))
    #expect(bench.channel.asked.isEmpty)
  }

  @Test("without that program a press has failed at once, and while it does not answer after a while")
  func unanswered() {
    pushButton()
    bench.tap(40, 40)
    bench.pass(Budget.canvasSocketPressTimeoutMilliseconds + 1)
    #expect(bench.painter.texts.contains { $0.hasPrefix("the program that shows") })
    canvasSocket.lineClientDisconnected(0)
    bench.pass(10_000)
    bench.tap(40, 40)
    #expect(bench.painter.texts.contains { $0.hasPrefix("the program that shows") })
  }

  @Test("a page that the gateway pushes takes the presses back")
  func delegate() {
    pushButton()
    bench.pushButton("g", session: "agent:a")
    bench.commands.presses.online(bench.channel)
    bench.tap(40, 40)
    #expect(bench.channel.asked.count == 1)
  }

  @Test("so does a script that the gateway asks for")
  func scriptOwner() {
    pushButton()
    bench.commands.presses.online(bench.channel)
    bench.invoke("g", "canvas.caps")
    bench.commands.setAuthor()
    bench.tap(40, 40)
    #expect(bench.channel.asked.count == 1)
  }

  /// An evaluation for `agent:b` that waits for a page with surfaces: then it sends an action, changes the page, and
  /// sends another.
  private static let watcher = """
    await new Promise(done => {
      const poll = () => {
        if (openclawA2UI.getSurfaces().length === 0) return setTimeout(poll, 0);
        OpenClaw.sendUserAction({ name: 'first', context: { a: 1 } });
        openclawA2UI.applyMessages([{ deleteSurface: { surfaceId: 's' } }]);
        OpenClaw.sendUserAction({ name: 'second', id: 'own' });
        done();
      };
      poll();
    })
    """

  @Test("what a script does in place of a press goes to whoever changed the page last")
  func scriptActions() throws {
    let bench = try CanvasBench(hasScripts: true)
    let canvasSocket = try bench.commands.openCanvasSocket(server, clock: bench.clock, random: SeededRandom(seed: 7))
    let program = String(decoding: try JSONEncoder().encode(Self.watcher), as: UTF8.self)
    bench.invoke("e", "canvas.eval", #"{"javaScript":\#(program)}"#, session: "agent:b")
    bench.settle()
    #expect(bench.actions.isEmpty)
    let push = String(
      decoding: try JSONEncoder().encode(
        #"""
        {"messages":[{"surfaceUpdate":{"surfaceId":"s","components":[
        {"id":"root","component":{"Text":{"text":{"literalString":"Go"}}}}]}},
        {"beginRendering":{"surfaceId":"s","root":"root"}}]}
        """#
      ), as: UTF8.self)
    canvasSocket.lineReceived(#"{"id":"p","command":"canvas.a2ui.push","paramsJSON":\#(push)}"#.utf8.span, from: 0)
    bench.settle()
    // Timers of scripts are due by the clock of the machine, which the bench's follows.
    for _ in 0..<50 where bench.actions.isEmpty {
      bench.pass(max(SystemClock().monotonic - bench.clock.monotonic, 0) + 20)
    }
    let event = try #require(server.take().first { $0["event"] != nil })
    let action = try #require(event["action"] as? [String: Any])
    #expect(event["event"] as? String == "a2ui-action" && action["id"] as? String == event["id"] as? String)
    #expect(action["name"] as? String == "first")
    #expect(
      action["surfaceId"] as? String == "main" && action["context"] as? [String: Int] == ["a": 1]
        && action["timestamp"] is String)
    #expect(bench.actions == [#"agent:b: {"name":"second","id":"own"}"#])
  }

  @Test("work for a connection that is replaced is answered to nobody")
  func replaced() {
    let text = String(decoding: try! JSONEncoder().encode("{}"), as: UTF8.self)
    for number in 0..<2 {
      canvasSocket.lineReceived(
        #"{"id":"s\#(number)","command":"canvas.snapshot","paramsJSON":\#(text)}"#.utf8.span, from: 0)
    }
    say(#"{"id":"new","command":"canvas.hide","paramsJSON":"{}"}"#, from: 1)
    bench.pass(2_000)
    #expect(server.take().map { $0["id"] as? String } == ["new"])
  }

  @Test("the gateway's going ends none of its work, and its going none of the gateway's")
  func apart() {
    bench.invoke("g", "canvas.snapshot")
    canvasSocket.lineReceived(#"{"id":"l","command":"canvas.snapshot","paramsJSON":"{}"}"#.utf8.span, from: 0)
    bench.router.cancelAll()
    bench.pass(2_000)
    #expect(server.take().map { $0["id"] as? String } == ["l"])
    #expect(bench.take().isEmpty)
  }
}
