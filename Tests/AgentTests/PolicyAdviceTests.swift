import Codec
import Runtime
import Testing

@testable import Agent

@Suite("What a person is told when commands do not get through")
struct PolicyAdviceTests {
  private static let commands: [StaticString] = ["camera.list", "camera.snap", "location.get", "system.notify"]

  private func advice(
    _ row: String?, release: String = "2026.8.3", commands: [StaticString] = Self.commands, hasBeenInvoked: Bool = false
  ) -> PolicyAdvice {
    var policy = CommandPolicy()
    if let row {
      let bytes = Array(row.utf8)
      _ = policy.read(JSONView(bytes.span), declared: commands)
    }
    return PolicyAdvice(
      policy, commands: commands, serverVersion: release.utf8.span, hasBeenInvoked: hasBeenInvoked)
  }

  private func sentence(_ advice: PolicyAdvice) -> String {
    let buffer = FixedBuffer(capacity: 256)
    var line = LogLine(buffer.bytes)
    advice.writeSentence(to: &line)
    return String(decoding: buffer.bytes[..<line.count], as: UTF8.self)
  }

  private func steps(_ advice: PolicyAdvice) -> [String] {
    var lines: [String] = []
    advice.forEachStep { line in
      line.withUnsafeBufferPointer { lines.append(String(decoding: $0, as: UTF8.self)) }
    }
    return lines
  }

  @Test("commands that are held back are named, with the gateway's configuration and both commands to type")
  func withheld() {
    let advice = advice(#"{"commands":["system.notify"],"approvalState":"approved"}"#)
    #expect(
      sentence(advice)
        == "connected, but the gateway allows none of these commands: camera.list, camera.snap, location.get")
    #expect(
      steps(advice) == [
        "1. add these to the gateway's configuration:",
        "   { gateway: { nodes: { commands: { allow: [",
        #"     "camera.list", "camera.snap", "location.get","#,
        "   ] } } } }",
        "2. connect anew, on this board: systemctl reload talon",
        "3. on the gateway's machine: openclaw nodes pending, then openclaw nodes approve <id>",
      ])
  }

  @Test("a request that waits is named")
  func pending() {
    let advice = advice(#"{"commands":[],"approvalState":"pending-approval","pendingRequestId":"p-7"}"#)
    #expect(
      steps(advice).last
        == "3. on the gateway's machine: openclaw nodes approve p-7 (openclaw nodes pending shows a newer one)")
  }

  @Test(
    "the configuration is spelled as this release spells it, and both ways when nobody knows",
    arguments: [
      ("2026.1.5", [false, true]), ("2026.4.12", [false, true]), ("2026.6.8", [false, true]),
      ("2026.6.9", [true, true]), ("2026.7.1", [true, true]), ("2026.8.0", [true, false]), ("2027.1", [true, false]),
      ("2026.8.1-beta.2", [true, false]), ("", [true, true]), ("dev", [true, true]), ("2026", [true, true]),
      ("2026.13.1", [true, true]), ("99999999999999999999.8.1", [true, true]), ("2026..1", [true, true]),
    ])
  func spelling(release: String, expected: [Bool]) {
    let text = steps(advice(#"{"commands":[]}"#, release: release)).joined(separator: "\n")
    #expect([text.contains("commands: { allow: ["), text.contains("nodes: { allowCommands: [")] == expected)
  }

  @Test("the lines hold each name once, however many there are, and fit a console")
  func manyCommands() {
    let names: [StaticString] = [
      "camera.list", "camera.snap", "camera.clip", "canvas.present", "canvas.hide", "canvas.navigate",
      "canvas.snapshot", "canvas.a2ui.push", "canvas.a2ui.pushJSONL", "canvas.a2ui.reset", "device.info",
      "device.status", "device.health", "device.permissions", "location.get", "motion.activity", "motion.pedometer",
    ]
    let advice = advice(#"{"commands":[]}"#, release: "2026.8.0", commands: names)
    let lines = steps(advice)
    #expect(lines.allSatisfy { $0.utf8.count <= 100 })
    let text = lines.filter { $0.hasPrefix("   ") }.joined(separator: "\n")
    let quoted = text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    #expect(quoted.filter { $0.offset % 2 == 1 }.map { String($0.element) } == names.map(\.description))
    for (open, close) in ["{}", "[]"].map({ ($0.first!, $0.last!) }) {
      #expect(text.count { $0 == open } == text.count { $0 == close })
    }
    #expect(sentence(advice).hasSuffix("camera.list, camera.snap, camera.clip, canvas.present and 13 more"))
  }

  @Test("without an operator connection a node that nobody asks says where to look; one that is asked does not")
  func unknown() {
    #expect(advice(nil).finding == .silent)
    #expect(steps(advice(nil)).contains(#"     "camera.list", "camera.snap", "location.get","#))
    #expect(advice(nil, hasBeenInvoked: true).finding == .served)
    #expect(sentence(advice(nil, hasBeenInvoked: true)) == "connected, and commands arrive")
    #expect(steps(advice(nil, hasBeenInvoked: true)).isEmpty)
  }

  @Test("when all get through there is nothing to do")
  func allowed() {
    let advice = advice(#"{"commands":["camera.list","camera.snap","location.get","system.notify"]}"#)
    #expect(advice.finding == .served)
    #expect(sentence(advice) == "connected, and the gateway allows every command")
    #expect(steps(advice).isEmpty)
  }
}
