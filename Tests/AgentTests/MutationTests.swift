import Codec
import Foundation
import Gateway
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches

/// Frames that a broken or hostile gateway might send: the node survives all, and serves the next good one.
@Suite("Mutated frames")
struct MutationTests {
  private static let commands = [
    "device.info", "camera.snap", "camera.list", "location.get", "system.notify", "x",
  ]

  @Test("frames with bytes changed, cut, doubled and spliced never stop the node", arguments: 1...8)
  func mutated(seed: UInt64) throws {
    let random = SeededRandom(seed: seed)
    let bench = try AgentBench()
    let good = Self.commands.map {
      Array(
        bench.frame("i", $0, params: #"{"maxWidth":64,"title":"t","timeoutMs":1000,"deviceId":"\u00e9"}"#, key: "k")
          .utf8)
    }
    for round in 0..<400 {
      let frame = Self.mutate(good[Int(random.next() % 6)], with: good[Int(random.next() % 6)], random)
      bench.gateway.sendFrame(0x81, frame)
      bench.runner.runAll()
      _ = bench.gateway.take()
      if round % 20 == 0 { try expectService(bench, "\(seed)-\(round)") }
    }
  }

  @Test("answers and events with bytes changed, cut and spliced never stop the node", arguments: 1...8)
  func mutatedAnswers(seed: UInt64) throws {
    let random = SeededRandom(seed: seed)
    let bench = try AgentBench()
    let channel = FakeChannel()
    bench.replaceChannel(channel, acceptsProgress: true)
    let good = [
      #"{"nodeId":"n","actions":[{"id":"a","command":"system.notify","paramsJSON":"{\"title\":\"t\"}"}]}"#,
      #"{"actions":[{"id":"b","command":"location.get","paramsJSON":null},{"id":"c","command":"x"}]}"#,
      #"{"ackedIds":["a"],"remainingCount":0}"#, #"{"ok":true,"event":"e","handled":true,"reason":"persisted"}"#,
      #"{"ok":true,"handled":false,"reason":"persist_failed"}"#, #"{"invokeId":"i","nodeId":"n"}"#,
    ].map { Array($0.utf8) }
    let methods = ["node.event", "node.pending.pull", "node.pending.ack", "node.invoke.progress"]
    for round in 0..<400 {
      let count = UInt64(good.count)
      let text = Self.mutate(good[Int(random.next() % count)], with: good[Int(random.next() % count)], random)
      // What is no JSON never gets past the session.
      guard (try? JSONValidator.check(text.span, depthLimit: Budget.jsonDepth)) != nil else { continue }
      _ = bench.agent.outbox.post("test.event", ageLimit: 60_000) { _ in }
      bench.gateway.send(bench.frame("i", "location.get"))
      text.withUnsafeBufferPointer { bench.hand(#""node.invoke.cancel""#, $0) }
      channel.answer(methods[Int(random.next() % 4)], String(decoding: text, as: UTF8.self))
      bench.pass(Int64(random.next() % 9_000))
      bench.runner.runAll()
      _ = bench.gateway.take()
      if random.next() % 8 == 0 {
        bench.replaceChannel(channel, acceptsProgress: true)
      }
      if round % 40 == 0 { try expectService(bench, "\(seed)-\(round)") }
    }
  }

  @Test("bytes that are no frames at all end the link, never the node", arguments: 1...8)
  func noise(seed: UInt64) throws {
    let random = SeededRandom(seed: seed)
    let bench = try AgentBench()
    for round in 0..<40 {
      let noise = (0..<Int(random.next() % 300)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      noise.withUnsafeBufferPointer { bench.transport.deliver($0) }
      // What came may be the head of a frame that takes all that follows: only another link tells.
      bench.transport.fail(.init(.broken))
      try expectService(bench, "\(seed)-\(round)")
    }
  }

  /// One to four changes to a good frame.
  private static func mutate(_ good: [UInt8], with other: [UInt8], _ random: SeededRandom) -> [UInt8] {
    var bytes = good
    for _ in 0...(random.next() % 4) {
      let at = Int(random.next() % UInt64(max(bytes.count, 1)))
      switch random.next() % 5 {
      case 0 where !bytes.isEmpty: bytes[at] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes.removeLast(min(bytes.count, at))
      case 2: bytes.insert(contentsOf: bytes[min(at, bytes.count)...], at: at)
      case 3: bytes = bytes[..<min(at, bytes.count)] + other.suffix(at)
      default: bytes.insert(Array("\"\\{}[],:0e-".utf8)[Int(random.next() % 11)], at: at)
      }
    }
    return bytes
  }

  /// Connects again if the link is gone, and gets an answer to a good invoke.
  private func expectService(_ bench: AgentBench, _ context: String) throws {
    // What the mutations left running gets its time to end, and a broken link its close handshake.
    bench.pass(70_000)
    if bench.agent.session.state != .online {
      while !bench.transport.isOpen { bench.pass(1_000) }
      bench.gateway.accept()
      bench.gateway.pump()
      bench.gateway.send(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1}}"#)
      _ = bench.gateway.take()
      bench.gateway.send(
        #"{"type":"res","id":"connect","ok":true,"payload":{"type":"hello-ok","policy":{"tickIntervalMs":86400000}}}"#
      )
      bench.runner.runAll()
    }
    _ = bench.gateway.take()
    let answers = try bench.invoke("good", "device.info")
    #expect(answers.contains { $0.id == "good" && $0.isOK }, "\(context)")
  }
}
