import Codec
import Foundation
import Runtime
import Testing
@testable import Benches
@testable import Node

@Suite("Requests of the gateway that wait for a person")
struct ApprovalTests {
  private func open(
    _ scopes: [String] = ["operator.read", "operator.write", "operator.approvals", "operator.pairing"]
  ) throws -> DeskBench {
    let bench = try DeskBench(approves: true)
    try bench.connect(scopes: scopes)
    return bench
  }

  private func program(_ id: String = "a", _ command: String = "rm -r /srv/old", seconds: Int = 60) -> String {
    #"{"id":"\#(id)","request":{"command":"\#(command)","cwd":"/srv","host":"gateway","agentId":"main","sessionKey":null},"#
      + #""createdAtMs":1000,"expiresAtMs":\#(1000 + seconds * 1000)}"#
  }

  private func subjects(_ bench: DeskBench) -> [String] {
    (0..<bench.desk.approvals.count).map { NotingListener.text(bench.desk.approvals[$0].subject.span) }
  }

  @Test("without the key nothing is asked for, and nothing is shown")
  func unwanted() throws {
    let bench = try DeskBench()
    let frame = try bench.connect(scopes: ["operator.read", "operator.write", "operator.approvals"])
    #expect((frame["params"] as? [String: Any])?["scopes"] as? [String] == ["operator.read", "operator.write"])
    bench.event("exec.approval.requested", program())
    #expect(bench.desk.approvals.count == 0)
    #expect(try !bench.requests().contains { $0.method.contains("approval") || $0.method.contains("pair") })
  }

  @Test("with it the two scopes are asked for, and what waits is read")
  func wanted() throws {
    let bench = try DeskBench(approves: true)
    let frame = try bench.connect(
      scopes: ["operator.read", "operator.write", "operator.approvals", "operator.pairing"])
    #expect(
      (frame["params"] as? [String: Any])?["scopes"] as? [String] == [
        "operator.read", "operator.write", "operator.approvals", "operator.pairing",
      ])
    let requests = try bench.requests()
    let list = try #require(requests.first { $0.method == "exec.approval.list" })
    bench.answer(list, "[\(program())]")
    let devices = try #require(requests.first { $0.method == "device.pair.list" })
    bench.answer(
      devices,
      #"{"pending":[{"requestId":"d","deviceId":"x","displayName":"Phone","platform":"ios","role":"operator","scopes":["operator.read"],"remoteIp":"10.0.0.9"}],"paired":[]}"#
    )
    let nodes = try #require(requests.first { $0.method == "node.pair.list" })
    bench.answer(
      nodes, #"{"pending":[{"requestId":"n","nodeId":"y","commands":["camera.snap"]}],"paired":[]}"#)
    #expect(subjects(bench) == ["rm -r /srv/old", "Phone", "y"])
    let places = (0..<3).map { NotingListener.text(bench.desk.approvals[$0].place.span) }
    #expect(
      places == [
        "on gateway in /srv, agent main", "ios, operator operator.read, from 10.0.0.9", " camera.snap",
      ])
  }

  @Test("a gateway that grants one scope shows what it is for, and the other things are not asked for")
  func partial() throws {
    let bench = try open(["operator.read", "operator.write", "operator.approvals"])
    #expect(bench.desk.approvals.hasPrograms && !bench.desk.approvals.hasDevices)
    bench.event("device.pair.requested", #"{"requestId":"d","deviceId":"x","displayName":"Phone"}"#)
    bench.event("exec.approval.requested", program())
    #expect(subjects(bench) == ["rm -r /srv/old"])
    #expect(try !bench.requests().contains { $0.method.contains("pair") })
  }

  @Test("a console answers by the name of the request that was read, and not before anybody can have read it")
  func names() throws {
    let bench = try open()
    bench.event("exec.approval.requested", program("a"))
    let (node, server) = (BenchNode(), NotingServer())
    node.desk = bench.desk
    let control = Control(server: server, node: node)
    let name = NotingListener.text(bench.desk.approvals[0].name.span)
    func answer(_ name: String) -> String {
      control.lineReceived(#"{"op":"approval-answer","id":1,"name":"\#(name)","allow":true}"#.utf8.span, from: 1)
      return server.lines.last?.text ?? ""
    }
    for wrong in ["1", "", "1-", "2-0000"] { #expect(answer(wrong).contains("NO_APPROVALS")) }
    #expect(answer(name).contains("TOO_SOON") && bench.desk.approvals.count == 1)
    bench.clock.advance(Budget.consentArmMilliseconds)
    #expect(!answer(name).contains("error") && bench.desk.approvals.count == 0)
  }

  @Test("a person allows or refuses it, and the gateway is told; the same request is answered once")
  func answers() throws {
    let bench = try open()
    bench.event("exec.approval.requested", program("a"))
    bench.event("exec.approval.requested", program("b", "ls"))
    bench.event("device.pair.requested", #"{"requestId":"d","deviceId":"x","displayName":"Phone"}"#)
    bench.event("node.pair.requested", #"{"requestId":"n","nodeId":"x","displayName":"Camera"}"#)
    _ = try bench.requests()
    let numbers = (0..<4).map { bench.desk.approvals[$0].number }
    #expect(bench.desk.approvals.answer(numbers[0], allows: true) == nil)
    #expect(bench.desk.approvals.answer(numbers[1], allows: false) == nil)
    #expect(bench.desk.approvals.answer(numbers[2], allows: true) == nil)
    #expect(bench.desk.approvals.answer(numbers[3], allows: false) == nil)
    let requests = try bench.requests()
    #expect(
      requests.map(\.method) == [
        "exec.approval.resolve", "exec.approval.resolve", "device.pair.approve", "node.pair.reject",
      ])
    #expect(requests[0].params["id"] as? String == "a" && requests[0].params["decision"] as? String == "allow-once")
    #expect(requests[1].params["id"] as? String == "b" && requests[1].params["decision"] as? String == "deny")
    #expect(requests[2].params["requestId"] as? String == "d" && requests[2].params.count == 1)
    #expect(bench.desk.approvals.count == 0)
    #expect(bench.desk.approvals.answer(numbers[0], allows: true) != nil)
    bench.refuse(requests[0], #"{"code":"INVALID_REQUEST","message":"unknown or expired approval id"}"#)
    #expect(NotingListener.text(bench.desk.approvals.failure.span).contains("unknown or expired approval id"))
  }

  @Test("answered elsewhere it vanishes, and at its time, and with the connection")
  func vanishes() throws {
    let bench = try open()
    bench.event("exec.approval.requested", program("a"))
    bench.event("exec.approval.requested", program("a"))
    #expect(bench.desk.approvals.count == 1)
    bench.event("exec.approval.resolved", #"{"id":"a","decision":"deny","ts":1}"#)
    #expect(bench.desk.approvals.count == 0)
    bench.event("exec.approval.requested", program("b", seconds: 5))
    bench.pass(4_900)
    #expect(bench.desk.approvals.count == 1)
    bench.pass(200)
    #expect(bench.desk.approvals.count == 0)
    bench.event("device.pair.requested", #"{"requestId":"d","deviceId":"x"}"#)
    bench.pass(600_000)
    #expect(bench.desk.approvals.count == 1)
    bench.event("device.pair.resolved", #"{"requestId":"d","decision":"approved"}"#)
    #expect(bench.desk.approvals.count == 0)
    bench.event("exec.approval.requested", program("c"))
    bench.lose()
    #expect(bench.desk.approvals.count == 0)
  }

  @Test("a command line that is not shown whole cannot be allowed, but refused")
  func cut() throws {
    let bench = try open()
    bench.event("exec.approval.requested", program("a", String(repeating: "x", count: 385)))
    #expect(bench.desk.approvals[0].isCut)
    let number = bench.desk.approvals[0].number
    #expect(bench.desk.approvals.answer(number, allows: true) != nil)
    #expect(bench.desk.approvals.count == 1)
    #expect(bench.desk.approvals.answer(number, allows: false) == nil)
  }

  @Test("more than there is room for are counted, and nonsense is nothing")
  func bounds() throws {
    let bench = try open()
    for index in 0...Budget.approvals { bench.event("exec.approval.requested", program("p\(index)")) }
    #expect(bench.desk.approvals.count == Budget.approvals && bench.desk.approvals.leftOut == 1)
    let other = try open()
    for payload in [
      "7", "{}", #"{"id":"a"}"#, #"{"id":"","request":{"command":"x"}}"#, #"{"id":"a","request":{"command":""}}"#,
      #"{"id":"a","request":{}}"#,
    ] { other.event("exec.approval.requested", payload) }
    #expect(other.desk.approvals.count == 0)
    other.event(
      "exec.approval.requested",
      #"{"id":"a","request":{"command":"x"},"createdAtMs":-9223372036854775808,"expiresAtMs":9223372036854775807}"#)
    #expect(other.desk.approvals.count == 1)
  }

  @Test("a board does not approve itself")
  func own() throws {
    let bench = try open()
    let own = NotingListener.text(bench.desk.session.identity.id.span)
    bench.event("device.pair.requested", #"{"requestId":"d","deviceId":"\#(own)"}"#)
    bench.event("node.pair.requested", #"{"requestId":"n","nodeId":"\#(own)"}"#)
    #expect(bench.desk.approvals.count == 0)
  }

  @Test(
    "a clock that is years away from the gateway's keeps a request no longer than the gateway does",
    arguments: [-30, 30] as [Int64])
  func years(years: Int64) throws {
    let bench = try open()
    let created = bench.clock.wall
    bench.clock.wall = created + years * 365 * 86_400_000
    bench.event(
      "exec.approval.requested",
      #"{"id":"a","request":{"command":"x"},"createdAtMs":\#(created),"expiresAtMs":\#(created + 60_000)}"#)
    let left = bench.desk.approvals[0].until - bench.clock.monotonic
    #expect(left == 60_000)
    bench.clock.wall = created
    bench.pass(60_000)
    #expect(bench.desk.approvals.count == 0)
  }
}
