import Foundation
import Testing

@testable import talon_gateway

/// The second gate, row by row of the table in section 5.8.
@Suite(.timeLimit(.minutes(1))) struct SurfaceTests {
  private struct Bench {
    let folder: StateFolder
    let store: SurfaceStore
    var now: Int64 = 0

    init(_ era: Era) throws {
      folder = try TestGateway.temporaryFolder()
      store = try SurfaceStore(folder: folder, generation: Generation(era))
    }

    func remove() { try? FileManager.default.removeItem(at: folder.url) }

    /// Connects; returns the commands that are live then.
    func connect(_ surface: Surface, automatically: Bool = false) throws -> Set<String> {
      let claim = DeviceClaim(
        deviceID: "d", displayName: "Board", platform: "linux", deviceFamily: "Linux", role: "node",
        scopes: [])
      try store.reconcile(surface, of: claim, nowMilliseconds: now, automatically: automatically)
      return store.live(surface, of: "d").commands
    }

    var pendingID: String? { store.request(of: "d", nowMilliseconds: now)?.requestID }

    func approve() throws {
      guard let id = pendingID else { throw GatewayFailure("nothing is waiting") }
      _ = try store.approve(id, nowMilliseconds: now)
    }
  }

  private static func surface(_ commands: Set<String>, caps: Set<String> = ["camera"]) -> Surface {
    Surface(caps: caps, commands: commands, permissions: ["camera"])
  }

  @Test("before any approval: live up to M, nothing from J on; a request from A on", arguments: Era.allCases)
  func neverApproved(era: Era) throws {
    let bench = try Bench(era)
    defer { bench.remove() }
    #expect(try bench.connect(Self.surface(["a", "b"])) == (era < .june ? ["a", "b"] : []))
    #expect((bench.pendingID != nil) == (era >= .april))
  }

  @Test(
    "more than approved: the old set goes on, and the new one waits",
    arguments: [Era.april, .may, .june, .newest])
  func wider(era: Era) throws {
    let bench = try Bench(era)
    defer { bench.remove() }
    _ = try bench.connect(Self.surface(["a"]))
    try bench.approve()
    #expect(try bench.connect(Self.surface(["a"])) == ["a"])
    #expect(bench.pendingID == nil)
    #expect(try bench.connect(Self.surface(["a", "b"])) == ["a"])
    #expect(bench.store.state(of: "d", nowMilliseconds: 0) == .pendingReapproval)
    try bench.approve()
    #expect(bench.store.live(Self.surface(["a", "b"]), of: "d").commands == ["a", "b"])
    #expect(bench.store.state(of: "d", nowMilliseconds: 0) == .approved)
  }

  @Test("fewer caps ask again at J only; fewer commands never do", arguments: [Era.may, .june, .july, .newest])
  func narrower(era: Era) throws {
    let bench = try Bench(era)
    defer { bench.remove() }
    _ = try bench.connect(Self.surface(["a", "b"], caps: ["camera", "location"]))
    try bench.approve()
    #expect(try bench.connect(Self.surface(["a"], caps: ["camera", "location"])) == ["a"])
    #expect(bench.pendingID == nil)
    _ = try bench.connect(Self.surface(["a", "b"], caps: ["camera"]))
    #expect((bench.pendingID != nil) == (era == .june))
  }

  @Test(
    "an unchanged request keeps its id; at N every reconnect prolongs it; at S it never ends",
    arguments: [Era.june, .july, .september])
  func identity(era: Era) throws {
    var bench = try Bench(era)
    defer { bench.remove() }
    _ = try bench.connect(Self.surface(["a"]))
    let first = bench.pendingID
    bench.now = 200_000
    _ = try bench.connect(Self.surface(["a"]))
    #expect(bench.pendingID == first)
    bench.now = 400_000
    #expect((bench.pendingID == first) == (era >= .july))
    bench.now = 86_400_000
    #expect((bench.pendingID == first) == (era >= .september))
    _ = try bench.connect(Self.surface(["a", "b"]))
    #expect(bench.pendingID != first)
  }

  @Test(
    "a first surface may be approved with the device; approvals survive a restart; removal takes them back")
  func automatic() throws {
    let bench = try Bench(.newest)
    defer { bench.remove() }
    #expect(try bench.connect(Self.surface(["a"]), automatically: true) == ["a"])
    let again = try SurfaceStore(folder: bench.folder)
    #expect(again.live(Self.surface(["a"]), of: "d").commands == ["a"])
    try again.remove("d")
    #expect(again.live(Self.surface(["a"]), of: "d").commands == [])
  }

  @Test("approving takes effect on the live connection; rejecting and removing too")
  func live() async throws {
    try await TestGateway.run(change: { $0.surfaceApproval = .manual }) { gateway in
      let node = TestNode()
      let client = try await gateway.paired(node)
      func row() async throws -> JSON? { try await gateway.control("nodes.status")["nodes"]?.array?.first }
      let refusal = await #expect(throws: GatewayError.self) {
        _ = try await gateway.control("nodes.invoke", ["node": "test board", "command": "bench.echo"])
      }
      #expect(refusal?.details?["reason"] == "node did not declare commands")
      #expect(try await row()?["approvalState"] == "pending-approval")
      let id = try #require(await gateway.control("nodes.pending")["pending"]?.array?.first?["requestId"])
      #expect(try await row()?["pendingRequestId"] == id)
      _ = try await gateway.control("nodes.approve", ["requestId": id])
      #expect(try await row()?["approvalState"] == "approved")
      #expect(try await row()?["commands"]?.strings == node.commands.sorted())
      _ = try await gateway.control("nodes.remove", ["node": "test board"])
      #expect(await client.closed() == .closed(code: 4001, reason: "device removed"))
      #expect(try await gateway.control("devices.list")["paired"] == [])
    }
  }
}
