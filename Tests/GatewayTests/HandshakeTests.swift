import Codec
import Foundation
import Gateway
import Runtime
import Testing

@Suite("Connecting")
struct HandshakeTests {
  @Test("the upgrade asks for a plain WebSocket, without Origin, subprotocol or extensions")
  func upgrade() throws {
    let bench = try Bench()
    _ = try bench.reachConnect()
    let request = String(decoding: bench.gateway.upgradeRequest, as: UTF8.self)
    #expect(request.hasPrefix("GET / HTTP/1.1\r\nHost: gateway.test:18789\r\n"))
    for forbidden in [
      "Origin", "Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions", "Authorization", "secret",
    ] {
      #expect(!request.contains(forbidden))
    }
  }

  @Test("connect says what gateways check, with the challenge's nonce and time, and nothing empty")
  func connect() throws {
    let bench = try Bench()
    let frame = try bench.reachConnect()
    #expect(frame["method"] as? String == "connect")
    let params = try #require(frame["params"] as? [String: Any])
    #expect(params["minProtocol"] as? Int == 3)
    #expect(params["maxProtocol"] as? Int == 4)
    #expect(params["role"] as? String == "node")
    #expect((params["scopes"] as? [Any])?.isEmpty == true)
    let client = try #require(params["client"] as? [String: Any])
    #expect(client["id"] as? String == "node-host")
    #expect(client["mode"] as? String == "node")
    #expect(client["platform"] as? String == "linux")
    #expect(client["deviceFamily"] as? String == "Linux")
    #expect(client["modelIdentifier"] == nil)
    let device = try #require(params["device"] as? [String: Any])
    #expect(device["nonce"] as? String == "n-1")
    #expect(device["signedAt"] as? Int == 1_767_225_600_000)
    #expect((params["auth"] as? [String: String]) == ["token": "shared-secret-token"])
  }

  /// hello-ok with members that no node knows, in so many bytes.
  private func hello(bytes: Int) -> String {
    let tail = #","controlUiTabs":[""#
    let base = Bench.hello.replacing(#","snapshot":{}"#, with: #","snapshot":{}"# + tail + "\"]")
    return base.replacing(tail, with: tail + String(repeating: "x", count: bytes - base.utf8.count))
  }

  @Test(
    "a hello-ok with all that control pages need is read, up to what is kept of a message",
    arguments: [64 * 1024, Budget.inboundMessageBytes])
  func longHello(bytes: Int) throws {
    let bench = try Bench(capacity: 1 << 20)
    _ = try bench.reachConnect()
    bench.gateway.send(hello(bytes: bytes))
    bench.runner.runAll()
    #expect(bench.session.state == .online)
  }

  @Test("a longer one is no hello-ok, and the board tries again")
  func tooLongHello() throws {
    let bench = try Bench(capacity: 1 << 20)
    _ = try bench.reachConnect()
    bench.gateway.send(hello(bytes: Budget.inboundMessageBytes + 1))
    bench.runner.runAll()
    #expect(bench.session.state != .online)
    bench.pass(60_000)
    #expect(bench.session.state != .online && bench.session.state != .stopped)
  }

  @Test("the device token of hello-ok is on flash before anything else happens, and goes first next time")
  func deviceToken() throws {
    let bench = try Bench()
    _ = try bench.reachConnect()
    bench.gateway.send(Bench.hello)
    #expect(bench.session.state == .connecting)
    bench.runner.runAll()
    #expect(bench.session.state == .online)
    let stored = GatewayRecord(
      url: try GatewayURL("wss://gateway.test:18789"), cryptography: bench.cryptography)
    _ = try stored.load(from: bench.store)
    #expect(String(decoding: stored.token(.node), as: UTF8.self) == "device-token-1")
    bench.transport.fail(TransportFailure(.broken))
    bench.pass(1_000)
    let params = try #require(try bench.reachConnect()["params"] as? [String: Any])
    #expect((params["auth"] as? [String: String]) == ["deviceToken": "device-token-1"])
  }

  @Test("events that arrive before hello-ok are served after it, in order")
  func earlyEvents() throws {
    let bench = try Bench()
    _ = try bench.reachConnect()
    for number in 1...3 {
      bench.gateway.send(
        #"{"type":"event","event":"node.invoke.request","payload":{"id":"\#(number)"}}"#)
    }
    #expect(bench.invoked.isEmpty)
    bench.gateway.send(Bench.hello)
    #expect(bench.invoked.isEmpty)
    bench.runner.runAll()
    #expect(bench.invoked == [#"{"id":"1"}"#, #"{"id":"2"}"#, #"{"id":"3"}"#])
  }

  @Test("the thirty-third early event is dropped, and the log says so")
  func tooManyEarlyEvents() throws {
    let bench = try Bench()
    _ = try bench.reachConnect()
    for number in 1...40 {
      bench.gateway.send(#"{"type":"event","event":"node.invoke.request","payload":{"id":"\#(number)"}}"#)
    }
    bench.gateway.send(Bench.hello)
    bench.runner.runAll()
    // Served as long as there is room for replies; here nothing is ever due.
    #expect(bench.invoked.count == 32)
    #expect(bench.lines.contains { $0.contains("one was dropped") })
  }

  @Test("a server that answers the upgrade with a status is told apart from one that is not there")
  func refusedUpgrade() throws {
    let bench = try Bench()
    bench.session.start()
    bench.transport.secure(leaf: Bench.leaf)
    bench.runner.runAll()
    Array("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\n\r\n".utf8).withUnsafeBufferPointer {
      bench.transport.deliver($0)
    }
    bench.pass(1_000)
    #expect(bench.session.state == .waiting)
    #expect(bench.explanation.contains("HTTP 503; trying again in 7 s"))
  }

  @Test("a wrong Sec-WebSocket-Accept ends the attempt")
  func wrongAccept() throws {
    let bench = try Bench()
    bench.session.start()
    bench.transport.secure(leaf: Bench.leaf)
    bench.runner.runAll()
    Array(
      "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n"
        .utf8
    ).withUnsafeBufferPointer { bench.transport.deliver($0) }
    #expect(bench.session.state == .waiting)
    #expect(!bench.transport.isOpen)
  }

  @Test("each step that hears nothing ends in time, and is named", arguments: [0, 1, 2, 3])
  func silence(step: Int) throws {
    let bench = try Bench()
    bench.session.start()
    let words = [
      "no connection", "no answer to the WebSocket upgrade", "no challenge", "no answer to connect",
    ]
    if step == 1 {
      bench.transport.secure(leaf: Bench.leaf)
      bench.runner.runAll()
    }
    if step >= 2 {
      bench.gateway.accept(leaf: Bench.leaf)
      bench.runner.runAll()
      bench.gateway.pump()
    }
    if step == 3 {
      bench.gateway.send(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1}}"#)
    }
    bench.pass(29_000)
    if step >= 2 { #expect(bench.lines.contains { $0.contains(words[step]) }) }
    bench.pass(1_000)
    #expect(bench.lines.contains { $0.contains(words[step]) })
  }

  @Test(
    "a challenge without a nonce, or with one longer than there is room for, is refused",
    arguments: [0, 257, 5_000])
  func badNonce(length: Int) throws {
    let bench = try Bench()
    bench.reachOpen()
    let nonce = String(repeating: "n", count: length)
    bench.gateway.send(
      #"{"type":"event","event":"connect.challenge","payload":{"nonce":"\#(nonce)","ts":1}}"#)
    #expect(bench.gateway.take().isEmpty)
    #expect(bench.gateway.controls.last?.payload.prefix(2) == [0x03, 0xF0])
  }

  @Test(
    "a challenge without a time, or with one that is none, is refused, and nothing is signed",
    arguments: [
      "", #","ts":null"#, #","ts":"1767225600000""#, #","ts":-1"#, #","ts":1.5"#, #","ts":1e400"#, #","ts":[1]"#,
      #","ts":99999999999999999999"#,
    ])
  func badTime(member: String) throws {
    let bench = try Bench()
    bench.reachOpen()
    bench.gateway.send(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n"\#(member)}}"#)
    #expect(bench.gateway.take().isEmpty)
    #expect(bench.gateway.controls.last?.payload.prefix(2) == [0x03, 0xF0])
  }

  @Test("the challenge's time is what is signed, whatever the board's clock says", arguments: [0, 1_767_225_600_000])
  func signsTime(time: Int64) throws {
    let bench = try Bench()
    bench.reachOpen()
    bench.gateway.send(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":\#(time)}}"#)
    let frame = try Bench.object(try #require(bench.gateway.take().first))
    let device = try #require((frame["params"] as? [String: Any])?["device"] as? [String: Any])
    #expect(device["signedAt"] as? Int64 == time)
  }

  @Test("a device token longer than this board can keep is not kept, and the node serves all the same")
  func longToken() throws {
    let bench = try Bench()
    _ = try bench.reachConnect()
    let token = String(repeating: "t", count: 4_097)
    bench.gateway.send(Bench.hello.replacingOccurrences(of: "device-token-1", with: token))
    bench.runner.runAll()
    #expect(bench.session.state == .online)
    #expect(bench.record.token(.node).isEmpty)
    #expect(bench.lines.contains { $0.hasPrefix("<3>") })
  }

  @Test("an answer to the upgrade that never ends is given up at its bound")
  func endlessAnswer() throws {
    let bench = try Bench()
    bench.session.start()
    bench.transport.secure(leaf: Bench.leaf)
    bench.runner.runAll()
    let line = Array("X-Filler: \(String(repeating: "x", count: 100))\r\n".utf8)
    Array("HTTP/1.1 101 Switching Protocols\r\n".utf8).withUnsafeBufferPointer { bench.transport.deliver($0) }
    var sent = 0
    while bench.transport.isOpen, sent < 2 * Budget.upgradeAnswerBytes {
      line.withUnsafeBufferPointer { bench.transport.deliver($0) }
      sent += line.count
    }
    #expect(!bench.transport.isOpen)
    #expect(sent <= Budget.upgradeAnswerBytes + line.count)
  }

  @Test("early events larger than their buffer are dropped, those before them are served")
  func largeEarlyEvents() throws {
    let bench = try Bench()
    _ = try bench.reachConnect()
    let pad = String(repeating: "x", count: Budget.earlyEventBytes / 2)
    for number in 1...3 {
      bench.gateway.send(
        #"{"type":"event","event":"node.invoke.request","payload":{"id":"\#(number)","pad":"\#(pad)"}}"#)
    }
    bench.gateway.send(Bench.hello)
    bench.runner.runAll()
    #expect(bench.invoked.count == 1)
    #expect(bench.lines.contains { $0.contains("one was dropped") })
  }

  @Test("a message before hello-ok that is too large closes with 1009, and the next attempt follows")
  func largeHello() throws {
    let bench = try Bench()
    _ = try bench.reachConnect()
    let pad = String(repeating: "x", count: 2 * Budget.inboundMessageBytes)
    bench.gateway.send(
      #"{"type":"res","id":"connect","ok":true,"payload":{"type":"hello-ok","pad":"\#(pad)"}}"#)
    bench.gateway.pump()
    #expect(bench.gateway.controls.last?.payload.prefix(2) == [0x03, 0xF1])
    bench.pass(4_000)
    #expect(bench.transport.opens == 2)
  }
}
