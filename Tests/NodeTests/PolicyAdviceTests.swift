import Codec
import Foundation
import Runtime
import TestSupport
import Testing
@testable import Agent
@testable import Benches
@testable import Node

@Suite("What a person is told when commands do not get through")
struct PolicyAdviceTests {
  private static let commands: [String] = ["camera.list", "camera.snap", "location.get", "system.notify"]

  private func advice(
    _ row: String?, release: String = "2026.8.3", commands: [String] = Self.commands, hasBeenInvoked: Bool = false
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

  @Test("when no command gets through all are named, with what is to be added and both commands to type")
  func withheld() {
    let advice = advice(#"{"commands":[],"approvalState":"approved"}"#, commands: Array(Self.commands.prefix(3)))
    #expect(advice.finding == .withheld)
    #expect(
      sentence(advice)
        == "connected, but the gateway allows none of these commands: camera.list, camera.snap, location.get")
    #expect(
      steps(advice) == [
        "1. add these to the list gateway.nodes.commands.allow of the gateway's configuration",
        "   (up to July 2026 gateway.nodes.allowCommands), beside what is there:",
        #"     "camera.list", "camera.snap", "location.get","#,
        "2. connect anew, on this board: talon reload",
        "3. on the gateway's machine: openclaw nodes pending",
        "   and with its id in the place of ID, on the gateway's machine: openclaw nodes approve ID",
      ])
  }

  @Test("a command that an owner's list leaves out is a remark, and no fault of a board that is served")
  func partial() {
    for (allowed, left) in [
      (["system.notify"], "camera.list, camera.snap, location.get"), (Array(Self.commands.dropFirst()), "camera.list"),
    ] {
      let list = allowed.map { "\"\($0)\"" }.joined(separator: ",")
      let advice = advice("{\"commands\":[\(list)],\"approvalState\":\"approved\"}")
      #expect(advice.finding == .partial)
      #expect(
        sentence(advice)
          == "connected, and commands arrive, but for those that the gateway's list leaves out: \(left)")
      #expect(steps(advice).last == "or leave them out, on this board: [node] commands names what is declared")
    }
    // While a person has to approve, something is to be done.
    let awaited = advice(
      #"{"commands":["system.notify"],"approvalState":"pending-reapproval","pendingRequestId":"p-7"}"#)
    #expect(awaited.finding == .withheld)
  }

  @Test(
    "a request that waits is named, unless its id could do harm in a shell",
    arguments: [
      ("p-7", "openclaw nodes approve p-7"),
      ("x;reboot", "openclaw nodes pending"),
    ])
  func pending(id: String, command: String) {
    let advice = advice(#"{"commands":[],"approvalState":"pending-approval","pendingRequestId":"\#(id)"}"#)
    #expect(steps(advice).contains("3. on the gateway's machine: " + command))
  }

  @Test(
    "gateways before August 2026 forget requests, so a newer one may wait",
    arguments: [("2026.8.1", true), ("2026.8.2", false)])
  func forgetful(release: String, mayBeNewer: Bool) {
    let row = #"{"commands":[],"approvalState":"pending-approval","pendingRequestId":"p-7"}"#
    let lines = steps(advice(row, release: release))
    #expect(lines.contains { $0.hasPrefix("3. on the gateway's machine: openclaw nodes approve p-7") })
    let isSaid = lines.last == "   or, where that one has expired, on the gateway's machine: openclaw nodes pending"
    #expect(isSaid == mayBeNewer)
  }

  @Test("a row that says that a request waits, and not which, leaves the one that was known")
  func lastRequest() {
    var policy = CommandPolicy()
    func read(_ row: String) -> String {
      let bytes = Array(row.utf8)
      _ = policy.read(JSONView(bytes.span), declared: Self.commands)
      return NotingListener.text(policy.pendingRequest.span)
    }
    #expect(read(#"{"commands":[],"approvalState":"pending-approval","pendingRequestId":"p-7"}"#) == "p-7")
    #expect(read(#"{"commands":[],"approvalState":"pending-approval"}"#) == "p-7")
    #expect(read(#"{"commands":[],"approvalState":"pending-reapproval","pendingRequestId":"p-8"}"#) == "p-8")
    #expect(read(#"{"commands":["camera.list"],"approvalState":"approved"}"#) == "")
  }

  @Test("what a gateway allows by itself is not asked of its configuration, only of a person")
  func defaults() {
    let declared: [String] = ["mcp.tools.call.v1", "screen.snapshot", "talk.ptt.start", "system.notify"]
    let row = #"{"commands":[],"approvalState":"pending-approval","pendingRequestId":"p-7"}"#
    #expect(
      steps(advice(row, release: "2026.9.4", commands: declared)) == [
        "on the gateway's machine: openclaw nodes approve p-7"
      ])
    let both = advice(row, release: "2026.9.4", commands: declared + ["camera.snap"])
    #expect(steps(both).contains(#"     "camera.snap","#))
    #expect(sentence(both).hasSuffix("none of these commands: camera.snap"))
    // A gateway of June is told of no tools (ReleaseCommands).
    let june = advice(row, release: "2026.6.8", commands: Array(declared.dropFirst()))
    #expect(steps(june).contains(#"     "screen.snapshot","#))
    // Denied after the approval: then the configuration is the reason.
    let denied = advice(
      #"{"commands":["system.notify"],"approvalState":"approved"}"#, release: "2026.9.4", commands: declared)
    #expect(sentence(denied).hasSuffix("leaves out: mcp.tools.call.v1, screen.snapshot, talk.ptt.start"))
  }

  /// What a board declares, and what of it stood in the pending request of gateways without any entry in their
  /// configuration (docs/protocol/observed.md, and newer-gateways 3 and 12 for the last two).
  private static let declared: [String] = [
    "camera.list", "camera.snap", "camera.clip", "canvas.present", "canvas.snapshot", "debug.logs", "device.info",
    "device.status", "location.get", "mcp.tools.call.v1", "motion.activity", "photos.latest", "screen.record",
    "screen.snapshot", "system.notify", "system.run", "system.run.prepare", "system.which", "talk.ptt.cancel",
    "talk.ptt.once", "talk.ptt.start", "talk.ptt.stop", "update.start",
  ]
  private static let system = ["system.notify", "system.run", "system.run.prepare", "system.which"]
  private static let talk = ["talk.ptt.cancel", "talk.ptt.once", "talk.ptt.start", "talk.ptt.stop"]
  private static let recorded: [(release: String, pending: [String], unknown: [String])] = [
    ("2026.5.7", system, ["mcp.tools.call.v1"]), ("2026.6.11", system + talk, ["mcp.tools.call.v1"]),
    ("2026.9.7", ["mcp.tools.call.v1", "screen.snapshot"] + system + talk, []),
    ("2026.10.2", ["mcp.tools.call.v1", "screen.snapshot"] + system + talk, []),
  ]

  @Test("the table of defaults is what gateways put into a pending request by themselves", arguments: recorded)
  func table(release: String, pending: [String], unknown: [String]) {
    let release = Release(release.utf8.span)
    #expect(Self.declared.filter { ReleaseCommands.isAllowedByDefault($0, release) } == pending)
    #expect(Self.declared.filter { !ReleaseCommands.isKnown($0, release) } == unknown)
    #expect(Self.declared.allSatisfy { ReleaseCommands.isKnown($0, nil) })
  }

  @Test(
    "an owner is asked to list neither what a gateway allows by itself nor what it does not know", arguments: recorded)
  func asked(release: String, pending: [String], unknown: [String]) {
    let commands = Self.declared.filter { !unknown.contains($0) }
    let others = commands.filter { !pending.contains($0) }
    func quoted(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ",") }
    func asked(_ row: String?) -> [String] {
      let lines = steps(advice(row, release: release, commands: commands)).filter { $0.contains("\"") }
      return lines.joined().split(separator: "\"").map(String.init).filter { commands.contains($0) }
    }
    // An operator without operator.pairing does not hear what waits.
    let awaited = #"{"commands":[],"approvalState":"pending-approval","pendingRequestId":"p-7""#
    #expect(asked("\(awaited)}") == others)
    #expect(asked("\(awaited),\"pendingDeclaredCommands\":[\(quoted(pending))]}") == others)
    #expect(asked(nil) == others)
    // The owner has listed some: only the rest is asked.
    let some = pending + ["camera.snap", "device.info"]
    #expect(
      asked("\(awaited),\"pendingDeclaredCommands\":[\(quoted(some))]}")
        == others.filter { !some.contains($0) })
    // All of them: nothing is missing but the approval.
    let all = advice(
      "\(awaited),\"pendingDeclaredCommands\":[\(quoted(commands))]}", release: release, commands: commands)
    #expect(all.needsApprovalOnly && steps(all).allSatisfy { !$0.contains("\"") })
    // Approved: what the release does not know is not missing.
    let approved = advice(
      "{\"commands\":[\(quoted(commands))],\"approvalState\":\"approved\"}", release: release, commands: commands)
    #expect(approved.finding == .served)
  }

  @Test("every command that the steps show is one to the end of its line, and every list can be read")
  func pastes() throws {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    for release in ["", "2026.5.7", "2026.6.11", "2026.7.1", "2026.9.7"] {
      for state in ["approved", "unapproved", "pending-approval", "pending-reapproval", "x"] {
        for id in ["", "p-7", "c38a0d5e-1b7c-4c7e", "$(reboot)", "a b", "-f"] {
          for listed in [#"["camera.list"]"#, "[]", "1"] {
            let row = """
              {"commands":["location.get"],"approvalState":"\(state)","pendingRequestId":"\(id)",\
              "pendingDeclaredCommands":\(listed)}
              """
            let lines = steps(advice(row, release: release))
            for line in lines where line.contains("openclaw") || line.contains("talon ") {
              let command = try #require(ShownCommand.command(in: line), "\(line)")
              #expect(try ShownCommand.isCommand(command), "\(line)")
            }
            let list = lines.filter { $0.contains("\"") }.joined(separator: "\n")
            _ = try decoder.decode([String].self, from: Data("[\(list)]".utf8))
          }
        }
      }
    }
  }

  @Test("caps that went with withheld commands are no finding")
  func caps() {
    let advice = advice(
      #"{"caps":["mcp"],"commands":["camera.list","camera.snap","location.get","system.notify"],"approvalState":"approved"}"#
    )
    #expect(advice.finding == .served)
  }

  @Test("programs read the command that approves, while a request waits")
  func approval() throws {
    func member(_ row: String) throws -> String? {
      let buffer = FixedBuffer(capacity: 4096)
      var writer = JSONWriter(into: buffer.bytes)
      advice(row, release: "2026.9.4").write(to: &writer)
      let object = try JSONSerialization.jsonObject(with: Data(buffer.bytes[..<writer.count])) as? [String: Any]
      return object?["approve"] as? String
    }
    #expect(
      try member(#"{"commands":[],"approvalState":"pending-approval","pendingRequestId":"p-7"}"#)
        == "openclaw nodes approve p-7")
    #expect(try member(#"{"commands":[],"approvalState":"approved"}"#) == nil)
  }

  @Test("where the gateway's list is right and only an approval is missing, nothing else is said")
  func approvalOnly() {
    let row = #""commands":[],"pendingRequestId":"p-7","pendingDeclaredCommands":"#
    let all = #"["camera.list","camera.snap","location.get","system.notify"]"#
    let complete = advice("{\(row)\(all),\"approvalState\":\"pending-approval\"}")
    #expect(complete.finding == .withheld)
    #expect(sentence(complete) == "connected, and the gateway waits for a person to approve this node's commands")
    #expect(
      steps(complete) == [
        "on the gateway's machine: openclaw nodes approve p-7"
      ])
    let partial = advice("{\(row)[\"camera.list\"],\"approvalState\":\"pending-approval\"}")
    #expect(steps(partial).count == 5, "\(steps(partial))")
    // A request that the gateway has forgotten is made anew by a new connection.
    let forgotten = advice("{\(row)\(all),\"approvalState\":\"unapproved\"}")
    #expect(
      steps(forgotten).first == "1. connect anew, on this board: talon reload" && steps(forgotten).count == 2)
    // Once approved, what is still missing is missing from the list.
    let approved = advice(#"{"commands":["camera.list"],"approvalState":"approved"}"#)
    #expect(steps(approved).count == 7)
  }

  @Test(
    "what a gateway answers to an invoke tells whether its list is right",
    arguments: [
      ("command not allowlisted", CommandPolicy.Listing.incomplete), ("command not declared by node", .complete),
      ("node did not declare commands", .complete), ("something else", .unknown), ("", .unknown),
    ])
  func listing(reason: String, expected: CommandPolicy.Listing) {
    var policy = CommandPolicy()
    let bytes = Array(#"{"commands":[],"approvalState":"pending-approval"}"#.utf8)
    let isTold = policy.read(JSONView(bytes.span), declared: Self.commands)
    #expect(isTold)
    #expect(policy.probe(of: Self.commands) == "camera.list")
    #expect(policy.probe(of: ["camera.snap"]) == nil, "what would do something is not tried")
    policy.learn(reason: reason.utf8.span)
    #expect(policy.listing == expected)
  }

  @Test(
    "what stands between two steps is pasted into a list as it is, and the list is named as this release names it",
    arguments: [
      ("2026.1.5", true), ("2026.4.12", true), ("2026.6.8", true), ("2026.6.11", true), ("2026.7.1", true),
      ("2026.7.2-beta.3", true), ("2026.8.0", false), ("2027.1", false), ("2026.8.1-beta.2", false), ("", true),
      ("dev", true),
      ("2026", true), ("2026.13.1", true), ("99999999999999999999.8.1", true), ("2026..1", true),
    ])
  func spelling(release: String, isOld: Bool) throws {
    let steps = steps(advice(#"{"commands":[]}"#, release: release))
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let pasted = steps.filter { $0.contains("\"") }.joined(separator: "\n")
    let list = try decoder.decode([String].self, from: Data("[ \"own\",\n\(pasted)\n]".utf8))
    #expect(list == ["own"] + Self.commands.map(\.description))
    #expect(steps[0].contains(isOld ? " gateway.nodes.allowCommands " : " gateway.nodes.commands.allow "))
    #expect(steps[1].contains(isOld ? "gateway.nodes.commands.allow" : "gateway.nodes.allowCommands"))
  }

  @Test("the lines hold each name once, however many there are, and fit a console")
  func manyCommands() {
    let names: [String] = [
      "camera.list", "camera.snap", "camera.clip", "canvas.present", "canvas.hide", "canvas.navigate",
      "canvas.snapshot", "canvas.a2ui.push", "canvas.a2ui.pushJSONL", "canvas.a2ui.reset", "device.info",
      "device.status", "device.health", "device.permissions", "location.get", "motion.activity", "motion.pedometer",
    ]
    let advice = advice(#"{"commands":[]}"#, release: "2026.8.0", commands: names)
    let lines = steps(advice)
    #expect(lines.allSatisfy { $0.utf8.count <= 100 })
    let text = lines.filter { $0.contains("\"") }.joined(separator: "\n")
    let quoted = text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    #expect(quoted.filter { $0.offset % 2 == 1 }.map { String($0.element) } == names.map(\.description))
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
