import Codec
import Foundation
import Gateway
import Runtime
import Simulated
import Testing

@Suite("Online")
struct OnlineTests {
  private func invoke(_ id: String, filler: Int = 0) -> String {
    let pad = String(repeating: "x", count: filler)
    return #"{"type":"event","event":"node.invoke.request","payload":{"pad":"\#(pad)","id":"\#(id)"}}"#
  }

  @Test("a result is a closed frame: id, nodeId, ok and payload")
  func result() throws {
    let bench = try Bench()
    try bench.reachOnline()
    bench.gateway.send(invoke("i-1"))
    #expect(bench.invoked.count == 1)
    let isSent = Bench.span("i-1") { bench.session.reply(to: $0) { $0.bool(true) } }
    #expect(isSent)
    let frame = try Bench.object(try #require(bench.gateway.take().last))
    #expect(frame["method"] as? String == "node.invoke.result")
    let params = try #require(frame["params"] as? [String: Any])
    #expect(Set(params.keys) == ["id", "nodeId", "ok", "payload"])
    #expect(params["id"] as? String == "i-1")
  }

  @Test("an error's code stands in its member, and not in the message as well: gateways write it before that")
  func error() throws {
    let bench = try Bench()
    try bench.reachOnline()
    bench.gateway.send(invoke("i-1"))
    for message in ["UNAVAILABLE: node busy", "UNAVAILABLE", "UNAVAILABLES: x", "node UNAVAILABLE: x"] {
      bench.session.replyError(to: "i-1".utf8.span, code: "UNAVAILABLE", message: message.utf8.span)
      let frame = try Bench.object(try #require(bench.gateway.take().last))
      let error = try #require((frame["params"] as? [String: Any])?["error"] as? [String: String])
      #expect(error == ["code": "UNAVAILABLE", "message": message == "UNAVAILABLE: node busy" ? "node busy" : message])
    }
  }

  @Test("a message larger than the inbound buffer is drained, and its invoke answered with an error")
  func drained() throws {
    let bench = try Bench()
    try bench.reachOnline()
    bench.gateway.send(invoke("big-one", filler: Budget.inboundMessageBytes))
    #expect(bench.invoked.isEmpty)
    let frame = try Bench.object(try #require(bench.gateway.take().last))
    let params = try #require(frame["params"] as? [String: Any])
    #expect(params["id"] as? String == "big-one")
    #expect(params["ok"] as? Bool == false)
    bench.gateway.send(invoke("next"))
    #expect(bench.invoked.count == 1)
  }

  @Test("a large event that is no invoke is dropped without an answer")
  func drainedEvent() throws {
    let bench = try Bench()
    try bench.reachOnline()
    let pad = String(repeating: "x", count: 1_000_000)
    bench.gateway.send(#"{"type":"event","event":"health","payload":{"id":"\#(pad)"}}"#)
    #expect(bench.gateway.take().isEmpty)
    #expect(bench.session.state == .online)
  }

  @Test("a result larger than a slot is refused, and the slot is free for the next")
  func slotTooSmall() throws {
    let bench = try Bench()
    try bench.reachOnline()
    let text = String(repeating: "x", count: Budget.outboundMessageBytes)
    for _ in 0..<(2 * Budget.outboundMessages) {
      let isSent = Bench.span("i") { bench.session.reply(to: $0) { $0.string(text) } }
      #expect(!isSent)
    }
    let isSent = Bench.span("i") { bench.session.reply(to: $0) { $0.bool(true) } }
    #expect(isSent)
    #expect(bench.gateway.take().count == 1)
  }

  @Test("a blob is streamed as base64 in frames of one record, and arrives whole")
  func blob() throws {
    final class Owner: BlobDelegate {
      var released = 0
      var read: [Int] = []
      func blobRead(upTo count: Int) { read.append(count) }
      func blobReleased() { released += 1 }
    }
    let bench = try Bench(capacity: 10_000)
    try bench.reachOnline()
    let delegate = Owner()
    let photo = (0..<1_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let message = try photo.withUnsafeBufferPointer { bytes in
      let isSent = Bench.span("p") {
        bench.session.reply(to: $0, blob: bytes, delegate: delegate) {
          $0.key("width"); $0.int(5)
        }
      }
      #expect(isSent)
      #expect(delegate.released == 0)
      return try #require(bench.gateway.take().last)
    }
    #expect(delegate.released == 1)
    // Told as it goes, never too early: what fits a record is 12 KiB of it.
    #expect(delegate.read.last == photo.count && delegate.read.count > 80)
    #expect(zip(delegate.read, delegate.read.dropFirst()).allSatisfy { $1 > $0 && $1 - $0 <= 12_288 })
    let params = try #require(try Bench.object(message)["params"] as? [String: Any])
    let payload = try #require(params["payload"] as? [String: Any])
    #expect(payload["width"] as? Int == 5)
    #expect(Data(base64Encoded: try #require(payload["base64"] as? String)) == Data(photo))
  }

  @Test("the next message may be sent from inside the call that releases a blob")
  func sendsOnRelease() throws {
    final class Owner: BlobDelegate {
      var session: Session?
      func blobRead(upTo count: Int) {}
      func blobReleased() { _ = Bench.span("second") { session!.reply(to: $0) { $0.bool(true) } } }
    }
    let bench = try Bench(capacity: 3_000)
    try bench.reachOnline()
    let delegate = Owner()
    delegate.session = bench.session
    let photo = [UInt8](repeating: 9, count: 50_000)
    let ids = try photo.withUnsafeBufferPointer { bytes in
      _ = Bench.span("first") { bench.session.reply(to: $0, blob: bytes, delegate: delegate) { _ in } }
      return try bench.gateway.take().map { message in
        (try Bench.object(message)["params"] as? [String: Any])?["id"] as? String
      }
    }
    #expect(ids == ["first", "second"])
    delegate.session = nil
  }

  @Test("a pong goes out between the frames of a long message")
  func pongInBetween() throws {
    final class Owner: BlobDelegate {
      func blobRead(upTo count: Int) {}
      func blobReleased() {}
    }
    let bench = try Bench(capacity: 20_000)
    try bench.reachOnline()
    let delegate = Owner()
    let photo = [UInt8](repeating: 1, count: 200_000)
    photo.withUnsafeBufferPointer { bytes in
      _ = Bench.span("p") { bench.session.reply(to: $0, blob: bytes, delegate: delegate) { _ in } }
      bench.gateway.sendFrame(0x89, [1, 2, 3])
      _ = bench.gateway.take()
    }
    #expect(bench.gateway.controls.contains { $0.opcode == 10 && $0.payload == [1, 2, 3] })
  }

  @Test("while replies are due and every slot is taken, reading stops; it goes on when there is room")
  func heldBack() throws {
    let bench = try Bench(capacity: 4_096)
    try bench.reachOnline()
    bench.repliesDue = Budget.outboundMessages
    var frames: [UInt8] = []
    for number in 0..<50 { frames += LoopbackFrames.text(invoke("i\(number)")) }
    frames.withUnsafeBufferPointer { bench.transport.deliver($0) }
    #expect(bench.invoked.isEmpty)
    #expect(bench.transport.heldCount == frames.count)
    bench.repliesDue = 0
    bench.session.replied()
    _ = bench.transport.deliverHeld()
    #expect(bench.invoked.count == 50)
  }

  @Test("while a message is worked on no other is read; they follow in their order")
  func occupied() throws {
    let bench = try Bench(capacity: 4_096)
    try bench.reachOnline()
    bench.isOccupied = true
    var frames: [UInt8] = []
    for number in 0..<3 { frames += LoopbackFrames.text(invoke("i\(number)")) }
    frames.withUnsafeBufferPointer { bench.transport.deliver($0) }
    #expect(bench.invoked.isEmpty && bench.transport.heldCount == frames.count)
    bench.session.replied()
    _ = bench.transport.deliverHeld()
    #expect(bench.invoked.isEmpty)
    bench.isOccupied = false
    bench.session.replied()
    _ = bench.transport.deliverHeld()
    #expect(bench.invoked.count == 3)
  }

  /// Delivers a message as a socket does.
  private func deliver(_ text: String, to bench: Bench) {
    let frame = LoopbackFrames.text(text)
    for start in stride(from: 0, to: frame.count, by: Budget.linkReadBytes) {
      Array(frame[start..<min(start + Budget.linkReadBytes, frame.count)]).withUnsafeBufferPointer {
        bench.transport.deliver($0)
      }
    }
  }

  @Test("a long invoke is given away whole; what follows waits until its work is done")
  func longInvoke() throws {
    let bench = try Bench()
    try bench.reachOnline()
    bench.longInvokes = []
    for number in 0..<3 {
      let text = invoke("long \(number)", filler: Budget.openedAtOnce + number * 100_000)
      deliver(text, to: bench)
      #expect(bench.longInvokes?.last == Array(text.utf8) && bench.longInvokes?.count == number + 1)
      deliver(invoke("next"), to: bench)
      #expect(bench.invoked.count == number)
      bench.isOccupied = false
      bench.session.replied()
      _ = bench.transport.deliverHeld()
      #expect(bench.invoked.count == number + 1)
    }
  }

  @Test("a message that is short, is no invoke or no JSON is not given away, nor one that nobody takes")
  func notGivenAway() throws {
    let bench = try Bench()
    try bench.reachOnline()
    deliver(invoke("nobody takes it", filler: 2 * Budget.openedAtOnce), to: bench)
    #expect(bench.invoked.count == 1)
    bench.longInvokes = []
    let rest = invoke("at the limit").utf8.count
    deliver(invoke("at the limit", filler: Budget.openedAtOnce - rest), to: bench)
    #expect(bench.invoked.count == 2)
    let events = bench.events.count
    let pad = String(repeating: "x", count: 2 * Budget.openedAtOnce)
    deliver(#"{"type":"event","event":"health","payload":{"pad":"\#(pad)"}}"#, to: bench)
    #expect(bench.events.count == events + 1)
    deliver(invoke("broken", filler: 2 * Budget.openedAtOnce) + "}", to: bench)
    #expect(bench.longInvokes == [] && bench.invoked.count == 2 && bench.session.state == .online)
  }

  @Test("without messages for twice the tick interval it closes with 4000, pongs or not, and connects again")
  func watchdog() throws {
    let bench = try Bench()
    try bench.reachOnline()
    bench.passAnsweringPings(59_000)
    bench.gateway.send(#"{"type":"event","event":"tick","payload":{"ts":1},"seq":1}"#)
    bench.passAnsweringPings(59_000)
    #expect(bench.session.state == .online)
    let opens = bench.transport.opens
    bench.passAnsweringPings(1_000)
    #expect(bench.gateway.controls.last?.payload.prefix(2) == [0x0F, 0xA0])
    bench.pass(5_000)
    #expect(bench.transport.opens == opens + 1)
    #expect(bench.lost == 1)
  }

  @Test("silence is asked about after 15 s, and two unanswered pings end the connection at 35 s")
  func pings() throws {
    let bench = try Bench()
    try bench.reachOnline()
    func pings() -> Int { bench.gateway.pump(); return bench.gateway.controls.filter { $0.opcode == 9 }.count }
    bench.pass(14_999)
    #expect(pings() == 0)
    bench.pass(1)
    #expect(pings() == 1)
    #expect(bench.session.counters.roundTrip == nil)
    bench.clock.advance(40)
    bench.gateway.sendFrame(0x8A, [])
    #expect(bench.session.counters.roundTrip == 40)
    #expect(bench.session.onlineMilliseconds == 15_040)
    bench.pass(15_000)
    #expect(pings() == 2)
    bench.pass(10_000)
    #expect(pings() == 3)
    bench.pass(9_999)
    #expect(bench.session.state == .online)
    bench.pass(1)
    #expect(bench.lost == 1)
    #expect(bench.session.counters.silent == 1 && bench.session.counters.network == 0)
    #expect(bench.session.onlineMilliseconds == 0)
  }

  @Test("a change of the network makes it ask at once whether the gateway is still there")
  func doubt() throws {
    let bench = try Bench()
    try bench.reachOnline()
    bench.pass(3_000)
    bench.session.networkChanged()
    bench.pass(0)
    bench.gateway.pump()
    #expect(bench.gateway.controls.filter { $0.opcode == 9 }.count == 1)
    bench.pass(20_000)
    #expect(bench.lost == 1)
  }

  @Test("a change of the network ends a pause, but two attempts are two seconds apart")
  func network() throws {
    let bench = try Bench()
    bench.session.start()
    for _ in 0..<6 {
      bench.transport.fail(TransportFailure(.connect))
      if bench.transport.opens < 6 { bench.passToNextAttempt() }
    }
    let opens = bench.transport.opens
    bench.session.networkChanged()
    bench.pass(1_999)
    #expect(bench.transport.opens == opens)
    bench.pass(1)
    #expect(bench.transport.opens == opens + 1)
  }

  @Test("a gateway that sends one message byte by byte for ever counts as silent")
  func dribble() throws {
    let bench = try Bench()
    try bench.reachOnline()
    let frame = LoopbackGateway.frame(0x81, [UInt8](repeating: 0x20, count: 1000))
    for byte in frame.prefix(100) where bench.session.state == .online {
      [byte].withUnsafeBufferPointer { bench.transport.deliver($0) }
      bench.pass(1_000)
    }
    #expect(bench.lost == 1)
  }

  @Test("a shutdown event with an expected time sets the pause before the next attempt")
  func shutdown() throws {
    let bench = try Bench()
    try bench.reachOnline()
    bench.gateway.send(
      #"{"type":"event","event":"shutdown","payload":{"reason":"restart","restartExpectedMs":1500}}"#)
    bench.gateway.sendFrame(0x88, [0x03, 0xF4])
    bench.gateway.pump()
    #expect(bench.gateway.controls.last?.payload == [0x03, 0xF4])
    bench.transport.fail(TransportFailure(.closedByPeer))
    let opens = bench.transport.opens
    bench.pass(1_499)
    #expect(bench.transport.opens == opens)
    bench.pass(1)
    #expect(bench.transport.opens == opens + 1)
  }

  @Test("the pause doubles to 30 s with jitter, and a long connection resets it")
  func backoff() throws {
    let bench = try Bench()
    try bench.reachOnline()
    var pauses: [Int64] = []
    for _ in 0..<8 {
      bench.transport.fail(TransportFailure(.connect))
      let start = bench.clock.monotonic
      pauses.append(try #require(bench.session.deadline) - start)
      bench.pass(pauses.last!)
    }
    for (index, full) in [1, 2, 4, 8, 16, 30, 30, 30].enumerated() {
      #expect(pauses[index] >= Int64(full) * 500 && pauses[index] <= Int64(full) * 1000)
    }
    _ = try bench.reachConnect()
    bench.gateway.send(Bench.hello)
    bench.runner.runAll()
    bench.pass(10_000)
    bench.transport.fail(TransportFailure(.broken))
    #expect(try #require(bench.session.deadline) - bench.clock.monotonic <= 1_000)
  }

  @Test("an outage is logged once, another reason once more, and the return of the gateway too")
  func quietOutage() throws {
    let bench = try Bench()
    try bench.reachOnline()
    func warnings() -> Int { bench.lines.filter { $0.hasPrefix("<4>") }.count }
    for _ in 0..<20 {
      bench.transport.fail(TransportFailure(.connect, reason: .connectionRefused))
      bench.passToNextAttempt()
    }
    #expect(warnings() == 1)
    bench.transport.fail(TransportFailure(.resolve))
    #expect(warnings() == 2)
    bench.passToNextAttempt()
    let online = bench.lines.filter { $0.contains("online: connected") }.count
    _ = try bench.reachConnect()
    bench.gateway.send(Bench.hello)
    bench.runner.runAll()
    #expect(bench.lines.filter { $0.contains("online: connected") }.count == online + 1)
  }

  @Test("stopping closes with 1000 and ends even without a reply")
  func goodbye() throws {
    let bench = try Bench()
    try bench.reachOnline()
    bench.session.stop()
    bench.gateway.pump()
    #expect(bench.gateway.controls.last?.payload.prefix(2) == [0x03, 0xE8])
    bench.pass(2_000)
    #expect(bench.session.state == .stopped)
    #expect(bench.session.deadline == nil)
  }

  @Test("started again sooner than an attempt may come it waits, and says so, and not that it has stopped")
  func startsAgain() throws {
    let bench = try Bench()
    for _ in 0..<6 {
      bench.session.start()
      bench.session.stop()
    }
    let opens = bench.transport.opens
    bench.session.start()
    #expect(bench.session.state == .waiting && bench.transport.opens == opens)
    let explanation = bench.session.explanation.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    #expect(explanation == "connects again in a moment")
    bench.pass(10_000)
    #expect(bench.transport.opens == opens + 1)
  }

  @Test("text that is not JSON, unknown events and unknown types are survived")
  func garbage() throws {
    let bench = try Bench()
    try bench.reachOnline()
    for text in [
      "", "{", "[]", "42", #"{"type":"event"}"#, #"{"type":"x"}"#,
      #"{"type":"event","event":"new","payload":null}"#,
    ] {
      bench.gateway.send(text)
    }
    #expect(bench.session.state == .online)
  }

  @Test("text that is not UTF-8 closes with 1007", arguments: [[0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80]])
  func notUTF8(bytes: [UInt8]) throws {
    let bench = try Bench()
    try bench.reachOnline()
    bench.gateway.sendFrame(0x81, bytes)
    bench.gateway.pump()
    #expect(bench.gateway.controls.last?.payload.prefix(2) == [0x03, 0xEF])
  }

  @Test("bytes delivered one at a time give the same session")
  func byteByByte() throws {
    let bench = try Bench()
    try bench.reachOnline()
    let frames = LoopbackFrames.text(invoke("a", filler: 500)) + LoopbackFrames.text(invoke("b"))
    for byte in frames { [byte].withUnsafeBufferPointer { bench.transport.deliver($0) } }
    #expect(bench.invoked.count == 2)
  }
}

extension Session {
  /// An object that ends in the blob, as the photo of a camera.
  fileprivate func reply(
    to id: Span<UInt8>, blob: UnsafeBufferPointer<UInt8>, delegate: any BlobDelegate,
    _ members: (inout JSONWriter) -> Void
  ) -> Bool {
    reply(to: id, blob: OutboundBlob(blob, .base64, delegate: delegate)) { writer in
      writer.beginObject()
      members(&writer)
      writer.key("base64")
      writer.string("")
      let split = writer.count - 1
      writer.endObject()
      return split
    }
  }
}
