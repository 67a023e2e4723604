import CAllocationCounter
import Codec
import Device
import Foundation
import Gateway
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches

@Suite("Allocations")
struct AllocationTests {
  @Test("the counter counts: a test that could not fail would prove nothing")
  func counterCounts() {
    tl_count_allocations()
    let buffer = FixedBuffer(capacity: 100)
    #expect(tl_counted_allocations() >= 1)
    withExtendedLifetime(buffer) {}
  }

  @Test("10,000 mixed invokes after start allocate nothing")
  func mixedInvokes() throws {
    let bench = try AgentBench()
    let commands = [
      "device.info", "device.status", "device.health", "device.permissions", "camera.list", "camera.snap",
      "system.notify",
      "location.get", "no.such",
    ]
    let frames = commands.enumerated().map { index, command in
      let params =
        switch command {
        case "system.notify": #"{"title":"a \u00e9 title","body":"b"}"#
        case "device.status": #"{"sections":["os","cpu","memory","disk","battery"]}"#
        default: nil as String?
        }
      return LoopbackGateway.frame(
        0x81, Array(bench.frame("id-\(index)", command, params: params).utf8))
    }
    var allocations: UInt64 = 0
    for round in 0..<10_000 {
      let isWarm = round >= 16
      let second = round / frames.count
      let epoch = AgentBench.epoch(
        String(format: "%02d%02d%02d.00", second / 3600, second / 60 % 60, second % 60))
      frames[round % frames.count].withUnsafeBufferPointer { bytes in
        tl_count_allocations()
        bench.transport.deliver(bytes)
        bench.runner.runAll()
        bench.receiver.feed(epoch, at: bench.clock.monotonic)
        bench.agent.advance()
        let counted = tl_counted_allocations()
        if isWarm { allocations += counted }
      }
      bench.transport.drain { _ in }
      bench.runner.runAll()
      bench.clock.advance(10)
    }
    #expect(bench.agent.answers.succeeded > 8_000)
    #expect(allocations == 0)
  }

  @Test("10,000 calls of tools after start allocate nothing")
  func toolCalls() throws {
    let bench = try AgentBench(hello: #""features":{"methods":["node.pluginTools.update"]}"#, tools: .all)
    let calls = [
      ("photo", "{}"), ("health", "{}"), ("location", "{}"), ("notify", #"{"title":"a \u00e9 title"}"#),
      ("no_such", "{}"),
    ]
    let frames = calls.enumerated().map { index, call in
      let params = #"{"server":"talon","tool":"\#(call.0)","arguments":\#(call.1)}"#
      return LoopbackGateway.frame(
        0x81, Array(bench.frame("id-\(index)", "mcp.tools.call.v1", params: params).utf8))
    }
    var allocations: UInt64 = 0
    for round in 0..<10_000 {
      let epoch = AgentBench.epoch(String(format: "%02d%02d%02d.00", round / 3600, round / 60 % 60, round % 60))
      frames[round % frames.count].withUnsafeBufferPointer { bytes in
        tl_count_allocations()
        bench.transport.deliver(bytes)
        bench.runner.runAll()
        bench.receiver.feed(epoch, at: bench.clock.monotonic)
        bench.agent.advance()
        let counted = tl_counted_allocations()
        if round >= 16 { allocations += counted }
      }
      bench.transport.drain { _ in }
      bench.runner.runAll()
      bench.clock.advance(10)
    }
    #expect(bench.agent.answers.succeeded >= 8_000)
    #expect(allocations == 0)
  }

  @Test("repeats, cancels, progress, pending actions, beacons and the outbox allocate nothing after start")
  func requests() throws {
    let bench = try AgentBench(outboxStore: QuietStore(), fixStore: QuietStore(), motionStore: QuietStore())
    let channel = QuietChannel()
    let invokes = [
      ("system.notify", "k"), ("location.get", "k"), ("system.notify", "other"), ("device.status", "k"),
    ].enumerated().map { index, command in
      bench.frame("id-\(index)", command.0, params: #"{"title":"t"}"#, key: command.1)
    }.map { LoopbackGateway.frame(0x81, Array($0.utf8)) }
    var allocations: UInt64 = 0
    for round in 0..<4_000 {
      // The gateway's actions are new each time; making them is not what is counted.
      channel.actions = Array(
        #"{"actions":[{"id":"a\#(round)","command":"system.notify","paramsJSON":"{\"title\":\"t\"}"}]}"#.utf8)
      channel.isFailing = round % 3 == 0
      tl_count_allocations()
      if round % 8 == 0 {
        bench.replaceChannel(channel, acceptsProgress: true)
      }
      for index in 0..<4 { invokes[index].withUnsafeBufferPointer { bench.transport.deliver($0) } }
      bench.cancelInvoke("id-1")
      _ = bench.agent.outbox.post("voice.transcript", ageLimit: 5_000) { writer in
        writer.key("text")
        writer.string("turn on the light")
      }
      bench.agent.beacon.send(.manual)
      channel.answerAll()
      bench.agent.advance()
      bench.runner.runAll()
      let counted = tl_counted_allocations()
      if round >= 200 { allocations += counted }
      bench.transport.drain { _ in }
      bench.clock.advance(700)
    }
    #expect(allocations == 0)
    #expect(channel.answered > 4_000)
    #expect(bench.agent.outbox.counters.delivered > 400)
    #expect(bench.agent.outbox.counters.writes > 100)
    #expect(bench.agent.outbox.counters.droppedByAge > 10)
    #expect(bench.agent.beacon.recorded > 10)
  }
}

/// One record in memory of its own.
final class QuietStore: RecordStore {
  private let buffer = FixedBuffer(capacity: Budget.outboxRecordBytes)
  private var count = 0

  func load(
    _ name: UnsafePointer<CChar>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(StoreError) -> (count: Int, origin: RecordOrigin)? { nil }

  func save(_ name: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>) throws(StoreError) {
    count = bytes.count
    for index in 0..<count { buffer.bytes[index] = bytes[index] }
  }
}

/// Takes requests into memory of its own, and answers them all alike, without an allocation.
final class QuietChannel: RequestChannel {
  private struct Request {
    let delegate: any RequestDelegate
    let tag: Int
    let isPull: Bool
  }

  private var waiting = BoundedQueue<Request>(capacity: 8)
  private let buffer = FixedBuffer(capacity: Budget.outboundMessageBytes)
  private static let handled = Array(#"{"ok":true,"handled":true}"#.utf8)
  /// What there is to pull.
  var actions: [UInt8] = []
  var isFailing = false
  private(set) var answered = 0

  func request(
    _ method: StaticString, delegate: any RequestDelegate, tag: Int, timeout: Int64,
    _ build: (inout JSONWriter) -> Void
  ) -> Bool {
    if waiting.isFull { return false }
    var writer = JSONWriter(into: buffer.bytes)
    build(&writer)
    // "node.pending.pull" is the only method that ends so.
    let isPull = method.utf8Start[method.utf8CodeUnitCount - 2] == UInt8(ascii: "l")
    return writer.isComplete && waiting.push(Request(delegate: delegate, tag: tag, isPull: isPull))
  }

  /// Answers, or fails, what was asked until now.
  func answerAll() {
    for _ in 0..<waiting.count {
      guard let request = waiting.pop() else { return }
      answered += 1
      if isFailing, !request.isPull {
        request.delegate.requestFailed(request.tag, RequestFailure(.timedOut))
      } else {
        request.delegate.requestSucceeded(
          request.tag, JSONView((request.isPull ? actions : Self.handled).span))
      }
    }
  }
}
