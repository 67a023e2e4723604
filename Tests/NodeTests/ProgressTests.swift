import Foundation
import Gateway
import Runtime
import Testing
@testable import Agent
@testable import Benches

@Suite("Progress")
struct ProgressTests {
  private let bench: RouterBench
  private let channel = FakeChannel()
  init() throws { bench = try RouterBench() }

  private var chunks: [String] { channel.asked.compactMap { $0.params["chunk"] as? String } }

  @Test("messages of progress carry the invoke's id and count from 0, each invoke by itself")
  func numbers() {
    bench.router.online(channel, acceptsProgress: true)
    bench.invoke("1", "read")
    bench.invoke("2", "read")
    bench.router.progress(bench.begun[0], "a".utf8.span)
    bench.router.progress(bench.begun[0], "b".utf8.span)
    bench.router.progress(bench.begun[1], "c".utf8.span)
    #expect(channel.asked.allSatisfy { $0.method == "node.invoke.progress" })
    #expect(channel.asked.map { $0.params["invokeId"] as? String } == ["1", "1", "2"])
    #expect(channel.asked.map { $0.params["seq"] as? Int } == [0, 1, 0])
    #expect(Set(channel.asked[0].params.keys) == ["invokeId", "nodeId", "seq", "chunk"])
  }

  @Test("nothing is sent to a gateway that does not advertise it, over a lost link, or after the answer")
  func unwanted() {
    bench.invoke("1", "read")
    bench.router.progress(bench.begun[0], "a".utf8.span)
    bench.router.online(channel, acceptsProgress: false)
    bench.router.progress(bench.begun[0], "a".utf8.span)
    bench.router.online(channel, acceptsProgress: true)
    bench.succeed()
    bench.router.progress(bench.begun[0], "a".utf8.span)
    bench.invoke("2", "read")
    bench.router.cancelAll()
    bench.router.progress(bench.begun[1], "a".utf8.span)
    #expect(channel.asked.isEmpty)
  }

  @Test("long text goes in chunks that are cut between characters")
  func chunked() {
    bench.router.online(channel, acceptsProgress: true)
    bench.invoke("1", "read")
    let text = String(repeating: "x", count: Budget.progressBytes - 1) + String(repeating: "é\u{1}", count: 900)
    bench.router.progress(bench.begun[0], text.utf8.span)
    #expect(chunks.joined() == text)
    #expect(chunks.count > 2)
    #expect(chunks.allSatisfy { $0.utf8.count <= Budget.progressBytes })
    #expect(channel.asked.map { $0.params["seq"] as? Int } == Array(0..<chunks.count))
  }

  @Test("what the link had no room for takes no number")
  func noRoom() {
    bench.router.online(channel, acceptsProgress: true)
    bench.invoke("1", "read")
    channel.hasRoom = false
    bench.router.progress(bench.begun[0], "a".utf8.span)
    channel.hasRoom = true
    bench.router.progress(bench.begun[0], "b".utf8.span)
    #expect(channel.asked.map { $0.params["seq"] as? Int } == [0])
  }

  @Test("a gateway that refuses it gets no more of it")
  func refused() {
    bench.router.online(channel, acceptsProgress: true)
    bench.invoke("1", "read")
    bench.router.progress(bench.begun[0], "a".utf8.span)
    channel.fail("node.invoke.progress", .refused, code: "INVALID_REQUEST")
    bench.router.progress(bench.begun[0], "b".utf8.span)
    #expect(chunks == ["a"])
    bench.succeed()
    #expect(bench.take() == ["1: \"done\""])
  }

  @Test("location.get tells once that it waits for a fix, and not when it has one")
  func location() throws {
    let bench = try AgentBench()
    bench.replaceChannel(channel, acceptsProgress: true)
    bench.gateway.send(bench.frame("1", "location.get"))
    #expect(chunks == ["waiting for a fix"])
    bench.receiver.feed(AgentBench.epoch(), at: bench.clock.monotonic)
    bench.gateway.send(bench.frame("2", "location.get", params: #"{"maxAgeMs":60000}"#))
    #expect(try bench.settle().count == 2)
    #expect(chunks == ["waiting for a fix"])
  }
}
