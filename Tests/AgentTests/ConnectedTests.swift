import Foundation
import Gateway
import Node
import Runtime
import Simulated
import Testing
import ToolsPart
@testable import Agent
@testable import Benches

/// What the node says by itself, through its own session.
@Suite("After hello-ok")
struct ConnectedTests {
  @Test("pending work is pulled, the beacon and the host's figures are sent, over the session itself")
  func requests() throws {
    let bench = try AgentBench()
    let frames = try bench.gateway.take().map { try AgentBench.object($0) }
    let params = frames.map { $0["params"] as? [String: Any] ?? [:] }
    #expect(frames.allSatisfy { $0["type"] as? String == "req" })
    #expect(frames.compactMap { $0["method"] as? String } == ["node.pending.pull", "node.event", "node.event"])
    #expect(params[0].isEmpty)
    #expect(params.compactMap { $0["event"] as? String } == ["node.presence.alive", "node.host.stats"])
  }

  @Test("an event of the outbox goes out, and its acknowledgement takes it off")
  func outbox() throws {
    let bench = try AgentBench()
    _ = bench.gateway.take()
    _ = bench.agent.outbox.post("agent.request", ageLimit: 60_000) { writer in
      writer.key("message")
      writer.string("hello")
    }
    let frame = try #require(try bench.gateway.take().map { try AgentBench.object($0) }.first)
    let id = try #require(frame["id"] as? String)
    bench.gateway.send(#"{"type":"res","id":"\#(id)","ok":true,"payload":{"ok":true}}"#)
    #expect(bench.agent.outbox.counters.delivered == 1)
    #expect(bench.agent.outbox.count == 0)
  }

  @Test("a node that stops is done only when its events are on flash")
  func stop() throws {
    let bench = try AgentBench()
    _ = bench.agent.outbox.post("agent.request", ageLimit: 60_000) { writer in
      writer.key("message")
      writer.string("hello")
    }
    bench.agent.stop()
    bench.clock.advance(60_000)
    bench.agent.advance()
    #expect(bench.agent.session.state == .stopped)
    #expect(!bench.agent.isStopped)
    bench.runner.runAll()
    #expect(bench.agent.isStopped)
  }

  /// One life of a board: what it declares, and the connection's state after this release has answered.
  private func declaration(
    _ store: MemoryStore, release: String
  ) throws -> (caps: [String], commands: [String], isOnline: Bool) {
    let bench = try AgentBench(hello: #""server":{"version":"\#(release)","connId":"c"}"#, store: store)
    let params = try #require(bench.connect["params"] as? [String: Any])
    return (
      try #require(params["caps"] as? [String]), try #require(params["commands"] as? [String]),
      bench.goodbye == nil && bench.agent.session.state == .online
    )
  }

  @Test("what is declared is what the owner names, with its capabilities and permissions, and tools that are published")
  func chosen() throws {
    func declared(
      _ commands: CommandChoice, _ tools: ToolChoice = .none
    ) throws -> (commands: [String], caps: [String], permissions: [String]) {
      let bench = try AgentBench(tools: tools, commands: commands)
      let params = try #require(bench.connect["params"] as? [String: Any])
      let permissions = try #require(params["permissions"] as? [String: Bool])
      return (
        try #require(params["commands"] as? [String]), try #require(params["caps"] as? [String]),
        permissions.filter { $0.value }.map { $0.key }.sorted()
      )
    }
    let all = try declared(.all)
    #expect(all.commands.contains("mcp.tools.call.v1") && all.permissions == ["camera", "location"])
    let one = try declared(.only(["device.info"]))
    #expect(one == (["device.info"], ["device"], []))
    let some = try declared(.only(["location.get", "device.info"]))
    #expect(Set(some.commands) == ["location.get", "device.info"] && some.permissions == ["location"])
    #expect(Set(some.caps) == ["location", "device"])
    let blind = try declared(.without(all.commands.filter { $0.hasPrefix("camera.") }))
    #expect(blind.commands == all.commands.filter { !$0.hasPrefix("camera.") } && blind.permissions == ["location"])
    #expect(blind.caps == all.caps.filter { $0 != "camera" })
    let safe = try declared(.only(["device.info"]), .safe)
    #expect(safe == (["device.info", "mcp.tools.call.v1"], ["device", "mcp"], []))
    // A tool may take photos, whatever the commands are.
    #expect(try declared(.only(["device.info"]), .named(["photo"])).permissions == ["camera", "location"])
  }

  @Test("what the connected release does not know is not declared, and declared again when the gateway is newer")
  func release() throws {
    let store = MemoryStore()
    // Nothing is known of the gateway.
    let first = try declaration(store, release: "2026.6.11")
    #expect(first.commands.contains("mcp.tools.call.v1") && first.caps.contains("mcp"))
    #expect(first.isOnline, "what was declared in vain is no reason to connect anew")
    let second = try declaration(store, release: "2026.6.11")
    #expect(second.commands == first.commands.filter { $0 != "mcp.tools.call.v1" })
    #expect(second.caps == first.caps.filter { $0 != "mcp" })
    // The gateway was upgraded meanwhile.
    let third = try declaration(store, release: "2026.9.7")
    #expect(third.commands == second.commands)
    #expect(!third.isOnline, "it connects anew to declare more")
    let fourth = try declaration(store, release: "2026.9.7")
    #expect(fourth.commands == first.commands && fourth.caps == first.caps && fourth.isOnline)
  }
}
