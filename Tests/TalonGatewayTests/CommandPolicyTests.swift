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
    #expect(try CommandPolicy(folder: folder, allowing: []) == CommandPolicy())
    #expect(try CommandPolicy(folder: folder, allowing: ["x"]).allow == ["x"])
    let text = #"{"gateway":{"nodes":{"commands":{"allow":["a"],"deny":["b"]}}}}"#
    try folder.write(CommandPolicy.fileName, Data(text.utf8))
    #expect(
      try CommandPolicy(folder: folder, allowing: ["x"]) == CommandPolicy(allow: ["a", "x"], deny: ["b"]))
  }

  @Test("a gateway.json with a misspelt key is an error that names the file and the place")
  func badConfiguration() throws {
    let folder = try TestGateway.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder.url) }
    try folder.write(CommandPolicy.fileName, Data(#"{"gateway":{"nodes":{"comands":{}}}}"#.utf8))
    let error = #expect(throws: GatewayFailure.self) { try CommandPolicy(folder: folder, allowing: []) }
    #expect(error?.description.contains("gateway.json") == true)
    #expect(error?.description.contains("/gateway/nodes") == true)
  }
}
