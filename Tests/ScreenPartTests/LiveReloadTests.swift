import Board
import Codec
import Foundation
import Gateway
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import CameraPart
@testable import Node
@testable import ScreenPart
@testable import SensePart
@testable import VoicePart

/// A page that the gateway hosts, and the gateway's side of its news.
private final class NewsBench: LiveReloadDelegate {
  let content: ContentBench
  let transport = MemoryTransport()
  private(set) var live: LiveReload! = nil
  var showsHosted = true
  var isBusy = false
  private(set) var reloads = 0

  init() throws {
    content = try ContentBench(hello: ContentBench.plugin)
    live = try LiveReload(
      transport, host: content.host, clock: content.agent.clock, random: SeededRandom(seed: 3),
      cryptography: OpenSSLCryptography(), log: Log(level: .error, output: nil), delegate: self)
    turn()
  }

  func reload() -> Bool {
    if isBusy { return false }
    reloads += 1
    return true
  }

  func turn() { live.advance(to: content.agent.clock.monotonic) }

  func pass(_ milliseconds: Int64) {
    let clock = content.agent.clock
    let end = clock.monotonic + milliseconds
    while let next = live.nextDeadline, next <= end {
      clock.advance(max(next - clock.monotonic, 0))
      turn()
    }
    clock.advance(end - clock.monotonic)
    turn()
  }

  /// Waits until the board tries again: so many milliseconds.
  func untilOpen() -> Int64 {
    let clock = content.agent.clock
    let start = clock.monotonic
    while !transport.isOpen, let next = live.nextDeadline { pass(next - clock.monotonic) }
    return clock.monotonic - start
  }

  /// What the board has sent.
  func sent() -> String {
    var text = ""
    transport.drain { text += String(decoding: $0, as: UTF8.self) }
    return text
  }

  func deliver(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { transport.deliver($0) } }

  func accept() throws {
    transport.secure()
    let request = sent()
    #expect(request.hasPrefix("GET /__openclaw__/cap/"))
    let line = try #require(request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key: ") })
    let input = Array((line.dropFirst(19) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    let digest = OpenSSLCryptography().sha1(input.span)
    let hash = Data((0..<20).map { digest[$0] }).base64EncodedString()
    deliver(
      Array("HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(hash)\r\n\r\n".utf8)
    )
  }

  func refuse(_ status: Int) {
    transport.secure()
    _ = sent()
    deliver(Array("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n".utf8))
    turn()
  }

  func say(_ text: String, opcode: UInt8 = 0x81) { deliver([opcode, UInt8(text.utf8.count)] + Array(text.utf8)) }
}

@Suite("Pages that follow what the gateway hosts")
struct LiveReloadTests {
  @Test("reload is heard with the capability of today, and what comes meanwhile is one")
  func reloads() throws {
    let bench = try NewsBench()
    #expect(bench.transport.url?.path == "/__openclaw__/cap/first/__openclaw__/ws")
    try bench.accept()
    #expect(bench.live.nextDeadline == nil)
    for _ in 0..<50 { bench.say("reload") }
    bench.pass(Budget.reloadDelayMilliseconds - 1)
    #expect(bench.reloads == 0)
    bench.pass(1)
    #expect(bench.reloads == 1)
    #expect(bench.live.nextDeadline == nil)
    bench.say("reload")
    bench.pass(Budget.reloadSpacingMilliseconds - 1)
    #expect(bench.reloads == 1)
    bench.pass(1)
    #expect(bench.reloads == 2)
  }

  @Test("a word in pieces is a word, and other words are nothing")
  func words() throws {
    let bench = try NewsBench()
    try bench.accept()
    for text in ["reloads", "reloa", "", "Reload", " reload", #"{"type":"event"}"#] { bench.say(text) }
    bench.say("reload", opcode: 0x82)
    bench.pass(5_000)
    #expect(bench.reloads == 0)
    bench.say("rel", opcode: 0x01)
    bench.say("", opcode: 0x00)
    bench.say("oad", opcode: 0x80)
    bench.pass(5_000)
    #expect(bench.reloads == 1)
  }

  @Test("while something is loaded, the page is fetched afterwards")
  func busy() throws {
    let bench = try NewsBench()
    try bench.accept()
    bench.isBusy = true
    bench.say("reload")
    bench.pass(3_000)
    #expect(bench.reloads == 0)
    bench.isBusy = false
    bench.pass(Budget.reloadDelayMilliseconds)
    #expect(bench.reloads == 1)
  }

  @Test("only while such a page is seen; when it is seen again it is fetched again")
  func onlyWhileSeen() throws {
    let bench = try NewsBench()
    try bench.accept()
    bench.showsHosted = false
    bench.turn()
    #expect(!bench.transport.isOpen && bench.live.nextDeadline == nil)
    bench.pass(600_000)
    #expect(bench.transport.opens == 1)
    bench.showsHosted = true
    bench.pass(0)
    try bench.accept()
    bench.pass(Budget.reloadDelayMilliseconds)
    #expect(bench.transport.opens == 2 && bench.reloads == 1)
  }

  @Test("another page is not fetched twice")
  func anotherPage() throws {
    let bench = try NewsBench()
    try bench.accept()
    bench.showsHosted = false
    bench.turn()
    bench.showsHosted = true
    bench.live.pageArrived()
    bench.pass(0)
    try bench.accept()
    bench.pass(5_000)
    #expect(bench.reloads == 0)
  }

  @Test("a connection that breaks is made again, later each time, and the page is fetched when it stands")
  func breaks() throws {
    let bench = try NewsBench()
    try bench.accept()
    bench.transport.fail(TransportFailure(.broken))
    #expect(!bench.transport.isOpen)
    var pauses: [Int64] = []
    for attempt in 2...9 {
      pauses.append(bench.untilOpen())
      #expect(bench.transport.opens == attempt && bench.transport.isOpen)
      bench.transport.fail(TransportFailure(.connect))
    }
    #expect(pauses[0] <= Backoff.first && pauses[7] >= Backoff.limit / 2 && pauses.allSatisfy { $0 <= Backoff.limit })
    _ = bench.untilOpen()
    try bench.accept()
    bench.pass(Budget.reloadDelayMilliseconds)
    #expect(bench.reloads == 1)
  }

  @Test("one that is never answered is given up, and tried again")
  func silent() throws {
    let bench = try NewsBench()
    bench.pass(Budget.reloadOpenMilliseconds)
    #expect(!bench.transport.isOpen)
    bench.pass(Backoff.first)
    #expect(bench.transport.opens == 2)
  }

  @Test(
    "a gateway that has no such path is asked for a new address once, and then left alone", arguments: [401, 403, 404])
  func refused(status: Int) throws {
    let bench = try NewsBench()
    bench.refuse(status)
    let request = try #require(try bench.content.requests("node.pluginSurface.refresh").first)
    #expect(bench.transport.opens == 1)
    bench.content.refreshed(request, "second")
    bench.turn()
    #expect(bench.transport.url?.path == "/__openclaw__/cap/second/__openclaw__/ws")
    bench.refuse(status)
    #expect(try bench.content.requests("node.pluginSurface.refresh").isEmpty)
    #expect(bench.live.nextDeadline == nil)
    bench.pass(3_600_000)
    #expect(bench.transport.opens == 2)
  }

  @Test("a capability that ran out meanwhile is refreshed again")
  func refreshedAgain() throws {
    let bench = try NewsBench()
    for name in ["second", "third"] {
      bench.refuse(401)
      bench.content.refreshed(try #require(try bench.content.requests("node.pluginSurface.refresh").first), name)
      bench.turn()
      #expect(bench.transport.url?.path == "/__openclaw__/cap/\(name)/__openclaw__/ws")
      try bench.accept()
      bench.transport.fail(TransportFailure(.broken))
      _ = bench.untilOpen()
    }
    #expect(bench.transport.isOpen)
  }

  @Test("what answers otherwise is left alone, or tried again where that may help")
  func otherAnswers() throws {
    for status in [200, 301, 400, 426] {
      let bench = try NewsBench()
      bench.refuse(status)
      bench.pass(3_600_000)
      #expect(bench.transport.opens == 1)
    }
    for status in [429, 500, 503] {
      let bench = try NewsBench()
      bench.refuse(status)
      bench.pass(Backoff.first)
      #expect(bench.transport.opens == 2)
    }
  }

  @Test("who takes it for something else closes it, and is left alone")
  func policy() throws {
    let bench = try NewsBench()
    try bench.accept()
    bench.deliver([0x88, 2, 0x03, 0xF0])
    bench.pass(3_600_000)
    #expect(bench.transport.opens == 1)
  }

  @Test("without a gateway nothing is listened to")
  func offline() throws {
    let bench = try NewsBench()
    try bench.accept()
    bench.content.agent.agent.surface.offline()
    bench.turn()
    #expect(!bench.transport.isOpen && bench.live.nextDeadline == nil)
  }
}
