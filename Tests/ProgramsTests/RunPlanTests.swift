import Codec
import Foundation
import Runtime
import Testing

@testable import Programs

@Suite("Plans, and which programs there are") struct RunPlanTests {
  private func question(_ json: String) throws -> ProgramQuestion {
    let bytes = Array(json.utf8)
    return try ProgramQuestion(JSONView(bytes.span), list: list)
  }

  @Test("a plan says the words, the line, and who asked, as the reference's schema has them")
  func plan() throws {
    let words = CommandWords()
    let json = Array(#"{"command":["df","a b"],"sessionKey":"s\"","runId":"r"}"#.utf8)
    _ = try RunRequest(JSONView(json.span), words: words, list: list)
    let origin = RunOrigin(JSONView(json.span))
    let answer = try object { RunPlan.write(words, origin, to: &$0) }
    #expect(
      answer == [
        "plan": [
          "argv": ["df", "a b"], "cwd": NSNull(), "commandText": #"df "a b""#, "agentId": NSNull(), "sessionKey": "s\"",
        ],
        "execPolicy": ["security": "allowlist", "ask": "off"],
      ] as NSDictionary)
  }

  @Test("a plan that comes back is taken, whatever its words are")
  func comesBack() throws {
    for word in ["-h", "a b", "\"", "\\", "é\u{1f600}\n", "'; rm -rf / #", " "] {
      let words = CommandWords()
      let command = "[\"/bin/sh\",\(quoted(word))]"
      _ = try request("{\"command\":\(command)}", words).get()
      let answer = try object { RunPlan.write(words, RunOrigin(), to: &$0) }
      let plan = try #require(answer["plan"])
      let text = String(decoding: try JSONSerialization.data(withJSONObject: plan), as: UTF8.self)
      let raw = try #require((plan as? NSDictionary)?["commandText"] as? String)
      #expect(
        refusal("{\"command\":\(command),\"rawCommand\":\(quoted(raw)),\"systemRunPlan\":\(text)}") == "", "\(word)")
    }
  }

  @Test("names of the list that are installed are answered with their paths; others, and paths, are not")
  func which() throws {
    let found = try question(#"{"bins":["df","uptime","rm","/usr/bin/df","","df"]}"#)
    #expect(
      try object { found.write(list, isInstalled: { _ in true }, to: &$0) } == [
        "bins": ["df": "/usr/bin/df", "uptime": "/usr/bin/uptime"]
      ] as NSDictionary)
    #expect(
      try object { found.write(list, isInstalled: { $0 == 2 }, to: &$0) } == [
        "bins": ["uptime": "/usr/bin/uptime"]
      ] as NSDictionary)
    #expect(
      try object { try! question(#"{"bins":[]}"#).write(list, isInstalled: { _ in true }, to: &$0) } == [
        "bins": [:]
      ] as NSDictionary)
  }

  @Test("what is no list of names is refused, and so are more than the budget allows")
  func badBins() throws {
    for json in ["{}", "[]", #"{"bins":"df"}"#, #"{"bins":[7]}"#, #"{"bins":null}"#] {
      #expect(throws: RunRefusal(.badBins)) { try question(json) }
    }
    let most = (0..<Budget.runBins).map { "\"x\($0)\"" }.joined(separator: ",")
    #expect(try question("{\"bins\":[\(most)]}").found == 0)
    #expect(throws: RunRefusal(.tooManyBins)) { try question("{\"bins\":[\(most),\"df\"]}") }
    #expect(try question("{\"bins\":[\"\(String(repeating: "x", count: 5000))\"]}").found == 0)
  }

  @Test("sentences fit the router's room for a message, whatever they name")
  func sentences() {
    let long = [UInt8](repeating: 0x78, count: 500)
    let reasons: [RunRefusal.Reason] = [.environment, .folder, .listMiss, .planMismatch, .serviceRefused, .noService]
    for reason in reasons {
      let refusal = long.withUnsafeBufferPointer { RunRefusal(reason, $0) }
      #expect(text(refusal).utf8.count < 512)
    }
  }
}
