import Codec
import Device
import Foundation
import Location
import Motion
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import Node
@testable import SensePart

/// Nobody shakes this board.
private final class NoPanic: PanicSwitch {
  func toggle(_ who: StaticString) {}

  func holdStill(_ who: StaticString) {}
}

@Suite("The local socket's operations")
struct ControlTests {
  private let server = NotingServer()
  private let node: BenchNode
  private let sensor = StillSensor()
  private let service: MotionService
  private let control: Control
  private let bench: DeskBench
  private let panic = NoPanic()

  init() throws {
    bench = try DeskBench()
    service = MotionService(
      source: sensor, settings: MotionSettings(), store: MemoryStore(), sensing: bench.runner, runner: bench.runner,
      clock: bench.clock, log: bench.log)
    let router = try Router(nodeID: InlineArray(repeating: 0), clock: bench.clock, log: bench.log)
    let outbox = try Outbox(
      store: MemoryStore(), runner: bench.runner, clock: bench.clock, random: SeededRandom(seed: 1), log: bench.log)
    let beacon = PresenceBeacon(
      card: PresenceBeacon.Card(displayName: InlineText(), version: InlineText(), model: InlineText()),
      clock: bench.clock, log: bench.log)
    let place = LocationPart.Board(position: nil, store: MemoryStore(), date: FixedDate(), boot: LastFix.Boot())
    node = BenchNode(
      try MotionPart(service, router: router, outbox: outbox, news: .none, panic: panic, clock: bench.clock),
      LocationPart(
        place, settings: LocationSettings(), router: router, beacon: beacon, runner: bench.runner, clock: bench.clock,
        log: bench.log))
    control = Control(server: server, node: node)
    node.desk = bench.desk
  }

  private func say(_ line: String, from client: Int = 0) {
    control.lineReceived(line.utf8.span, from: client)
  }

  /// What was sent since the last call.
  private func heard() -> [String] {
    defer { server.lines.removeAll() }
    return server.lines.map(\.text)
  }

  private func error(_ line: String) throws -> String? {
    let object = try AgentBench.object(Array(line.utf8))
    return object["type"] as? String == "error" ? object["code"] as? String : nil
  }

  @Test("the state is told without asking the gateway")
  func status() {
    say(#"{"op":"status","id":3}"#)
    #expect(heard() == [#"{"id":3,"type":"result","result":{"state":"online"}}"#])
  }

  @Test("what the receiver says is told without asking the gateway")
  func location() throws {
    say(#"{"op":"gps","id":4}"#)
    let lines = heard()
    #expect(lines.count == 1)
    let answer = try AgentBench.object(Array(lines[0].utf8))
    #expect(answer["type"] as? String == "result")
    #expect((answer["result"] as? [String: Any])?["state"] as? String == "absent")
  }

  /// Lets the sensor be drained for so many milliseconds.
  private func feel(_ milliseconds: Int64) {
    for _ in 0..<(milliseconds / 500) {
      bench.clock.advance(500)
      service.advance(to: bench.clock.monotonic)
      bench.runner.runAll()
    }
  }

  @Test("what the sensor feels is told without asking the gateway")
  func motion() throws {
    service.start()
    bench.runner.runAll()
    feel(2_000)
    say(#"{"op":"imu","id":5}"#)
    let object = try AgentBench.object(Array(heard()[0].utf8))
    let report = try #require(object["result"] as? [String: Any])
    #expect(report["state"] as? String == "open" && report["sensor"] as? String == "Test sensor")
    #expect(report["acceleration"] as? [Double] == [0, 0, 1] && report["pitch"] as? Double == 0)
    #expect(report["samples"] as? Int == 125 && report["steps"] as? Int == 0)
    #expect((report["calibration"] as? [String: [Double]])?["scale"] == [1, 1, 1])
    #expect(report["positions"] == nil && report["gaps"] as? Int == 0)
  }

  private func step(_ step: String) throws -> String? {
    say(#"{"op":"imu-calibrate","id":6,"step":"\#(step)"}"#)
    let line = try #require(heard().first)
    let object = try AgentBench.object(Array(line.utf8))
    guard let result = object["result"] as? [String: Any] else { return object["code"] as? String }
    return "\(result["positions"] as? Int ?? -1) \(result["face"] as? String ?? "")"
  }

  @Test("a calibration: six sides, each once and still, and what comes out is applied")
  func calibrate() throws {
    #expect(try step("begin") == "UNAVAILABLE")
    #expect(try step("take") == "NOT_BEGUN")
    service.start()
    bench.runner.runAll()
    #expect(try step("begin") == "0 ")
    #expect(try step("take") == "TOO_FEW")
    sensor.jitter = 0.2
    feel(2_000)
    #expect(try step("take") == "NOT_STILL")
    sensor.jitter = 0
    sensor.up = Vector3(0.7, 0.7, 0)
    feel(2_000)
    #expect(try step("take") == "ASKEW")
    // A sensor that says 0.05 g too much along x, and 2 % too much along z.
    let sides: [(Vector3, String)] = [
      (Vector3(0.05, 0, 1.02), "1 z up"), (Vector3(0.05, 0, -1.02), "2 z down"), (Vector3(1.05, 0, 0), "3 x up"),
      (Vector3(-0.95, 0, 0), "4 x down"), (Vector3(0.05, 1, 0), "5 y up"), (Vector3(0.05, -1, 0), "6 y down"),
    ]
    for (index, side) in sides.enumerated() {
      sensor.up = side.0
      #expect(try step("restart") == "\(index) ")
      feel(2_000)
      #expect(try step("take") == side.1)
      guard index == 0 else { continue }
      feel(2_000)
      #expect(try step("take") == "AGAIN")
    }
    #expect(try step("take") == "NOT_BEGUN")
    sensor.up = Vector3(0.05, 0, 1.02)
    feel(2_000)
    say(#"{"op":"imu","id":7}"#)
    let object = try AgentBench.object(Array(heard()[0].utf8))
    let acceleration = try #require((object["result"] as? [String: Any])?["acceleration"] as? [Double])
    #expect(abs(acceleration[0]) < 0.01 && abs(acceleration[2] - 1) < 0.01)
  }

  @Test("a calibration that is given up, and steps that are none")
  func calibrateNot() throws {
    service.start()
    bench.runner.runAll()
    #expect(try step("begin") == "0 ")
    #expect(try step("cancel") == "0 ")
    #expect(try step("take") == "NOT_BEGUN")
    #expect(try step("begin") == "0 ")
    #expect(try step("dance") == "INVALID_REQUEST")
    say(#"{"op":"imu-calibrate","id":8,"step":1}"#)
    #expect(try error(heard()[0]) == "INVALID_REQUEST")
  }

  @Test("a conversation: started, text, end")
  func chat() throws {
    try bench.connect()
    say(#"{"op":"chat","id":7,"text":"hello"}"#)
    #expect(control.isAwaited(by: 0))
    let request = try bench.request("chat.send")
    bench.answer(request, #"{"runId":"\#(request.run)"}"#)
    bench.event("chat", #"{"runId":"\#(request.run)","seq":1,"state":"delta","message":"a\nb"}"#)
    bench.event("chat", #"{"runId":"\#(request.run)","seq":2,"state":"delta","message":"c"}"#)
    bench.event("chat", #"{"runId":"\#(request.run)","seq":3,"state":"final"}"#)
    #expect(
      heard() == [
        #"{"id":7,"type":"started"}"#, #"{"id":7,"type":"text","text":"a\nb"}"#,
        #"{"id":7,"type":"replacement","text":"c"}"#, #"{"id":7,"type":"end","state":"final"}"#,
      ])
    #expect(!control.isAwaited(by: 0))
  }

  @Test("stopping: only the own call, by its id")
  func abort() throws {
    try bench.connect()
    say(#"{"op":"chat","id":1,"text":"hello"}"#)
    let run = try bench.request("chat.send").run
    say(#"{"op":"chat-abort","id":2,"chat":1}"#, from: 1)
    say(#"{"op":"chat-abort","id":2,"chat":2}"#)
    #expect(try heard().map { try error($0) } == ["INVALID_REQUEST", "INVALID_REQUEST"])
    say(#"{"op":"chat-abort","id":2,"chat":1}"#)
    let abort = try bench.request("chat.abort")
    #expect(abort.params["runId"] as? String == run)
    bench.answer(abort, #"{"ok":true}"#)
    bench.event("chat", #"{"runId":"\#(run)","seq":1,"state":"aborted"}"#)
    #expect(
      heard() == [#"{"id":2,"type":"result","result":{"ok":true}}"#, #"{"id":1,"type":"end","state":"aborted"}"#])
    say(#"{"op":"chat-abort","session":"s"}"#)
    #expect(try bench.request("chat.abort").params as? [String: String] == ["sessionKey": "s"])
  }

  @Test(
    "every other operation asks the gateway what it says",
    arguments: [
      (#""op":"chat-history","limit":5"#, "chat.history", #"{"limit":5,"sessionKey":"agent:main:main"}"#),
      (#""op":"chat-history","session":"s""#, "chat.history", #"{"limit":20,"sessionKey":"s"}"#),
      (#""op":"sessions""#, "sessions.list", #"{"limit":50}"#), (#""op":"voicewake-get""#, "voicewake.get", "{}"),
      (#""op":"voicewake-set","phrases":["a","\u00e9"]"#, "voicewake.set", #"{"triggers":["a","é"]}"#),
      (#""op":"speak","text":"hi""#, "talk.speak", #"{"text":"hi"}"#),
      (#""op":"gateway-identity""#, "gateway.identity.get", "{}"),
    ])
  func asks(members: String, method: String, params: String) throws {
    try bench.connect()
    _ = try bench.requests()
    say("{\(members)}")
    let request = try bench.request(method)
    let sent = try JSONSerialization.data(withJSONObject: request.params, options: .sortedKeys)
    #expect(String(decoding: sent, as: UTF8.self) == params)
    bench.answer(request, "{\"a\":[\n\r1 ]}")
    #expect(heard() == [#"{"id":0,"type":"result","result":{"a":[  1 ]}}"#])
  }

  @Test("what the gateway made of the phrases is what is shown")
  func phrases() throws {
    try bench.connect()
    say(#"{"op":"voicewake-set","phrases":["  One "]}"#)
    bench.answer(try bench.request("voicewake.set"), #"{"triggers":["One"]}"#)
    #expect(bench.desk.wakePhrases.count == 1)
    #expect(String(decoding: bench.desk.wakePhrases[0], as: UTF8.self) == "One")
  }

  @Test("events go to the outbox with their age limits; the beacon to the gateway")
  func events() throws {
    say(#"{"op":"event","id":1,"event":"voice.transcript","payload":{"text":"hi"}}"#)
    say(#"{"op":"event","id":2,"event":"agent.request","payload":{"message":"do"}}"#)
    say(#"{"op":"beacon","id":3}"#)
    #expect(
      heard() == [
        #"{"id":1,"type":"result","result":{"number":1}}"#, #"{"id":2,"type":"result","result":{"number":2}}"#,
        #"{"id":3,"type":"result","result":{"leavesInMs":1500}}"#,
      ])
    #expect(
      node.posted == [
        #"voice.transcript 300000 true {"text":"hi"}"#, #"agent.request 86400000 false {"message":"do"}"#,
      ])
    node.isOnline = false
    node.hasRoom = false
    say(#"{"op":"beacon"}"#)
    say(#"{"op":"event","event":"agent.request","payload":{"message":"do"}}"#)
    #expect(try heard().map { try error($0) } == ["OFFLINE", "TOO_LARGE"])
  }

  @Test(
    "what makes no sense is refused, and asks nobody anything",
    arguments: [
      "", "x", "7", "null", "[]", "{}", #"{"op":7}"#, #"{"op":"fly"}"#, #"{"op":"chat"}"#, #"{"op":"chat","text":7}"#,
      #"{"op":"chat","text":"x","session":7}"#, #"{"op":"chat-abort","chat":"x"}"#, #"{"op":"chat-abort","run":7}"#,
      #"{"op":"chat-history","limit":0}"#, #"{"op":"sessions","limit":1001}"#, #"{"op":"sessions","limit":"5"}"#,
      #"{"op":"voicewake-set"}"#, #"{"op":"voicewake-set","phrases":[7]}"#, #"{"op":"speak"}"#,
      #"{"op":"speak","text":""}"#, #"{"op":"event"}"#, #"{"op":"event","event":"x","payload":{}}"#,
      #"{"op":"event","event":"voice.transcript","payload":{}}"#,
      #"{"op":"event","event":"voice.transcript","payload":{"text":"x","eventId":"y"}}"#,
      #"{"op":"event","event":"agent.request","payload":[]}"#,
    ])
  func nonsense(line: String) throws {
    try bench.connect()
    _ = try bench.requests()
    say(line)
    #expect(try heard().map { try error($0) } == ["INVALID_REQUEST"])
    #expect(try bench.requests().isEmpty)
    #expect(node.posted.isEmpty)
    #expect(!control.isAwaited(by: 0))
  }

  @Test("without an operator connection it says what to do")
  func noDesk() throws {
    node.desk = nil
    for line in [
      #"{"op":"chat","text":"x"}"#, #"{"op":"sessions"}"#, #"{"op":"chat-history"}"#, #"{"op":"gateway-identity"}"#,
      #"{"op":"voicewake-get"}"#, #"{"op":"voicewake-set","phrases":[]}"#, #"{"op":"speak","text":"x"}"#,
      #"{"op":"chat-abort"}"#,
    ] { say(line) }
    let lines = heard()
    #expect(lines.count == 8)
    #expect(lines.allSatisfy { $0.contains("NO_OPERATOR") && $0.contains("enabled = yes in [operator]") })
  }

  @Test("a client that goes takes its calls along; the slots come back")
  func gone() throws {
    try bench.connect()
    _ = try bench.requests()
    for id in 0..<Budget.controlCalls {
      say(#"{"op":"event","id":\#(id),"event":"voice.transcript","payload":{"text":"x"}}"#)
    }
    _ = heard()
    for id in 0..<6 { say(#"{"op":"sessions","id":\#(id)}"#, from: 2) }
    say(#"{"op":"chat","text":"x"}"#, from: 3)
    control.lineClientDisconnected(2)
    #expect(!control.isAwaited(by: 2))
    #expect(control.isAwaited(by: 3))
    for request in try bench.requests() where request.method == "sessions.list" { bench.answer(request, "{}") }
    #expect(heard().isEmpty)
  }

  @Test("more calls than slots are refused")
  func full() throws {
    try bench.connect()
    for id in 0..<30 { say(#"{"op":"sessions","id":\#(id)}"#) }
    let busy = try heard().filter { try error($0) == "BUSY" }
    #expect(busy.count >= 30 - Budget.controlCalls)
    #expect(busy.count < 30)
  }

  @Test("an answer that does not fit is an error, and a line that is too long is told")
  func tooLarge() throws {
    try bench.connect()
    say(#"{"op":"sessions","id":5}"#)
    server.capacity = 200
    bench.answer(try bench.request("sessions.list"), "[\(String(repeating: "1,", count: 200))1]")
    control.lineTooLong(from: 0)
    #expect(try heard().map { try error($0) } == ["TOO_LARGE", "INVALID_REQUEST"])
  }

  @Test("20,000 mutilated lines do no harm")
  func mutilated() throws {
    try bench.connect()
    let random = SeededRandom(seed: 12)
    let seeds = [
      #"{"op":"chat","id":7,"text":"hello","session":"s"}"#, #"{"op":"chat-abort","id":2,"chat":7}"#,
      #"{"op":"voicewake-set","phrases":["a","\ud83d\ude00"]}"#, #"{"op":"chat-history","limit":5e0}"#,
      #"{"op":"event","event":"voice.transcript","payload":{"text":"hi","a":[1,{"b":null}]}}"#,
      #"{"op":"speak","text":"hi"}"#,
    ].map { Array($0.utf8) }
    var answered = 0
    for round in 0..<20_000 {
      var bytes = seeds[Int(random.next() % UInt64(seeds.count))]
      for _ in 0..<Int(random.next() % 5) {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 3 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int(random.next() % UInt64(bytes.count))], at: place)
        }
      }
      control.lineReceived(bytes.span, from: Int(random.next() % 4))
      if round % 8 == 7 {
        for client in 0..<4 { control.lineClientDisconnected(client) }
        for request in try bench.requests() { bench.answer(request, #"{"runId":"x"}"#) }
      }
      answered += heard().count
    }
    #expect(answered > 5_000)
    #expect(!control.isAwaited(by: 0))
  }
}
