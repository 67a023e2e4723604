import Codec
import Foundation
import Runtime
import Testing

@testable import Agent
@testable import Benches

@Suite("Refreshing the canvas's address")
struct CanvasSurfaceTests {
  private func surface(_ bench: AgentBench) -> String {
    bench.agent.surface.url.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// The last request of a method: its id and parameters.
  private func request(_ bench: AgentBench, _ method: String) throws -> (id: String, params: [String: Any])? {
    let frames = try bench.gateway.take().map(AgentBench.object).filter { $0["method"] as? String == method }
    guard let last = frames.last else { return nil }
    return (last["id"] as? String ?? "", last["params"] as? [String: Any] ?? [:])
  }

  @Test(
    "it is refreshed at 80 % of its life by the call that fits where it stood, and a refusal ends that",
    arguments: [
      (
        #""canvasHostUrl":"http://127.0.0.1:18789/cap/1""#, "node.canvas.capability.refresh",
        #"{"canvasCapability":"2","canvasHostUrl":"http://127.0.0.1:18789/cap/2"}"#
      ),
      (
        #""pluginSurfaceUrls":{"canvas":"http://127.0.0.1:18789/cap/1"}"#, "node.pluginSurface.refresh",
        #"{"surface":"canvas","pluginSurfaceUrls":{"canvas":"http://127.0.0.1:18789/cap/2"}}"#
      ),
    ])
  func refresh(member: String, method: String, answer: String) throws {
    let bench = try AgentBench(hello: member)
    #expect(surface(bench) == "http://127.0.0.1:18789/cap/1")
    bench.passAlive(479_999)
    #expect(try request(bench, method) == nil)
    bench.passAlive(1)
    let first = try #require(try request(bench, method))
    #expect(first.params.keys.sorted() == (method.contains("plugin") ? ["surface"] : []))
    bench.gateway.send(#"{"type":"res","id":"\#(first.id)","ok":true,"payload":\#(answer)}"#)
    #expect(surface(bench) == "http://127.0.0.1:18789/cap/2")
    bench.passAlive(480_000)
    let second = try #require(try request(bench, method))
    bench.gateway.send(#"{"type":"res","id":"\#(second.id)","ok":false,"error":{"code":"UNAVAILABLE","message":"m"}}"#)
    #expect(surface(bench) == "")
    bench.passAlive(3_600_000)
    #expect(try request(bench, method) == nil)
  }

  @Test("with the connection the address is gone")
  func lost() throws {
    let bench = try AgentBench(hello: #""canvasHostUrl":"http://127.0.0.1:18789/cap/1""#)
    bench.transport.fail(.init(.broken))
    #expect(surface(bench) == "")
  }
}
