import Foundation
import Testing

@testable import talon_gateway

@Suite struct CommandPolicyTests {
  @Test("refusals use the reasons of real gateways")
  func reasons() {
    let open = CommandPolicy()
    #expect(open.refusalReason("", declared: ["a"]) == "command required")
    #expect(open.refusalReason("a", declared: []) == "node did not declare commands")
    #expect(open.refusalReason("b", declared: ["a"]) == "command not declared by node")
    #expect(open.refusalReason("a", declared: ["a"]) == nil)
    let narrow = CommandPolicy(allow: ["a", "b"], deny: ["b"])
    #expect(narrow.refusalReason("c", declared: ["c"]) == "command not allowlisted")
    #expect(narrow.refusalReason("b", declared: ["b"]) == "command not allowlisted")
    #expect(narrow.refusalReason("a", declared: ["a"]) == nil)
  }

  @Test("gateway.json and the command line together make the list")
  func configuration() throws {
    let folder = try TestGateway.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder.url) }
    #expect(try CommandPolicy(folder: folder) == CommandPolicy())
    #expect(try CommandPolicy(folder: folder, PolicyOptions(allowing: ["x"])).allow == ["x"])
    let text = #"{"gateway":{"nodes":{"commands":{"allow":["a"],"deny":["b"]}}}}"#
    try folder.write(CommandPolicy.fileName, Data(text.utf8))
    #expect(
      try CommandPolicy(folder: folder, PolicyOptions(allowing: ["x"]))
        == CommandPolicy(allow: ["a", "x"], deny: ["b"]))
  }

  @Test("the defaults of a Linux node need no entry, a list adds to them, and deny wins")
  func defaults() throws {
    let folder = try TestGateway.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder.url) }
    let text = #"{"gateway":{"nodes":{"commands":{"allow":["camera.snap"],"deny":["system.notify"]}}}}"#
    try folder.write(CommandPolicy.fileName, Data(text.utf8))
    let policy = try CommandPolicy(folder: folder, PolicyOptions(defaults: .linux), era: .september)
    for command in ["mcp.tools.call.v1", "screen.snapshot", "camera.snap", "desktop.stream"] {
      #expect(policy.allows(command), "\(command)")
    }
    for command in ["system.notify", "camera.list", "device.apps"] { #expect(!policy.allows(command), "\(command)") }
    #expect(CommandPolicy.linuxDefaults(.june).contains("mcp.tools.call.v1") == false)
    #expect(CommandPolicy.linuxDefaults(.next).contains("device.apps"))
    let talk = ["start", "stop", "cancel", "once"].map { "talk.ptt." + $0 }
    #expect(
      CommandPolicy.linuxDefaults(.autumn)
        == Set(
          talk + [
            "system.notify", "computer.act", "device.apps", "system.run", "system.run.prepare", "system.which",
            "browser.proxy", "mcp.tools.call.v1", "screen.snapshot", "desktop.stream",
          ]))
  }

  @Test("a family whose commands are all withheld loses its cap; one that is not declared keeps it")
  func caps() {
    let policy = CommandPolicy(allow: ["camera.list"])
    let surface = Surface(commands: ["camera.list", "camera.snap", "location.get", "canvas.present"])
    #expect(policy.withheldCaps(of: surface) == ["location"])
  }

  @Test("a gateway.json with a misspelt key is an error that names the file and the place")
  func badConfiguration() throws {
    let folder = try TestGateway.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder.url) }
    try folder.write(CommandPolicy.fileName, Data(#"{"gateway":{"nodes":{"comands":{}}}}"#.utf8))
    let error = #expect(throws: GatewayFailure.self) { try CommandPolicy(folder: folder) }
    #expect(error?.description.contains("gateway.json") == true)
    #expect(error?.description.contains("/gateway/nodes") == true)
  }
}
