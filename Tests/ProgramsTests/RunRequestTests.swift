import Codec
import Runtime
import Testing

@testable import Programs

@Suite("Parameters of system.run") struct RunRequestTests {
  private let denied = "UNAVAILABLE: SYSTEM_RUN_DENIED: "

  @Test("a command of the list is taken, by path or name, with whatever else gateways send")
  func taken() throws {
    let all = """
      {"command":["df","-h"],"rawCommand":"df -h","cwd":null,"env":{},"timeoutMs":2000,"needsScreenRecording":false,
      "agentId":"main","sessionKey":"s","approved":true,"approvalDecision":"allow-always","approvalSource":"x",
      "runId":"r",
      "suppressNotifyOnExit":true,"systemRunPlan":{"argv":["df","-h"],"cwd":null,"commandText":"df -h","agentId":"main",
      "sessionKey":"s","policySnapshot":{"security":"full"}},"anythingNewer":[1]}
      """
    #expect(try request(all).get().milliseconds == 2000)
    #expect(try request(#"{"command":["/usr/bin/uptime"]}"#).get().program == 2)
    #expect(try request(#"{"command":["df"],"rawCommand":"  ","cwd":"/tmp","systemRunPlan":null}"#).get().program == 0)
  }

  @Test(
    "a command that is none is refused in words that say why",
    arguments: [
      ("{}", "command required"), ("null", "command required"), (#"{"command":null}"#, "command required"),
      (#"{"command":[]}"#, "command required"), (#"{"command":"df -h"}"#, "never a line for a shell"),
      (#"{"command":[1]}"#, "array of strings"), (#"{"command":["df",null]}"#, "array of strings"),
      (#"{"command":["df",["-h"]]}"#, "array of strings"), (#"{"command":{"0":"df"}}"#, "array of strings"),
      (#"{"command":[""]}"#, "an empty word"), (#"{"command":["df",""]}"#, "an empty word"),
      (#"{"command":["df","a\u0000b"]}"#, "a zero character"), (#"{"rawCommand":"df"}"#, "rawCommand requires"),
      (#"{"command":["df"],"rawCommand":7}"#, "rawCommand does not match command"),
      (#"{"command":["df","a b"],"rawCommand":"df a b"}"#, "rawCommand does not match command"),
      (#"{"command":["df"],"rawCommand":"df; rm"}"#, "rawCommand does not match command"),
      (#"{"command":["df","-c","x"],"rawCommand":"x"}"#, "rawCommand does not match command"),
      (#"{"command":["sh","-c","x","y"],"rawCommand":"x"}"#, "rawCommand does not match command"),
    ])
  func noCommand(json: String, words: String) {
    let text = refusal(json)
    #expect(text.hasPrefix("INVALID_REQUEST: ") && text.contains(words), "\(text)")
  }

  @Test("what a gateway calls the command is the line, quoted as the reference does, or what a shell is given")
  func raw() {
    for (command, raw) in [
      (#"["df","a b","c\"d"]"#, #"df "a b" "c\"d""#), (#"["df"]"#, " df "), (#"["sh","-lc","df | wc"]"#, "df | wc"),
      (#"["/bin/sh","-c","x"]"#, "/bin/sh -c x"),
    ] {
      #expect(refusal("{\"command\":\(command),\"rawCommand\":\(quoted(raw))}") == "")
    }
  }

  @Test("the limits of words and bytes hold, to one")
  func limits() {
    let most = (1..<Budget.runWords).map { _ in ",\"x\"" }.joined()
    #expect(refusal("{\"command\":[\"df\"\(most)]}") == "")
    #expect(refusal("{\"command\":[\"df\"\(most),\"x\"]}").contains("more than \(Budget.runWords) words"))
    let room = Budget.runCommandBytes - 4
    #expect(refusal("{\"command\":[\"df\",\"\(String(repeating: "x", count: room))\"]}") == "")
    for extra in [1, 2, 5000] {
      let text = refusal("{\"command\":[\"df\",\"\(String(repeating: "x", count: room + extra))\"]}")
      #expect(text.contains("more than \(Budget.runCommandBytes) bytes"))
    }
    // Every byte is escaped in the line.
    let quotes = String(repeating: #"\""#, count: room)
    #expect(refusal("{\"command\":[\"df\",\"\(quotes)\"]}") == "")
  }

  @Test("only the list decides: no approval of a gateway adds to it, and a shell is a program as any other")
  func listed() {
    for command in [#"["rm","-rf"]"#, #"["/bin/df"]"#, #"["./df"]"#, #"["bash","-c","df"]"#, #"["sudo","df"]"#] {
      let text = refusal("{\"command\":\(command),\"approved\":true,\"approvalDecision\":\"allow-always\"}")
      #expect(text.hasPrefix(denied + "allowlist miss: not among the programs of [run]"), "\(text)")
    }
    #expect(refusal(#"{"command":["df"],"approved":false}"#) == "")
    #expect(refusal(#"{"command":["df"],"approvalDecision":"deny"}"#) == denied + "user denied")
  }

  @Test("variables are refused by name; PATH and what only concerns looks are ignored")
  func environment() {
    #expect(refusal(#"{"command":["df"],"env":{"PATH":"/x","LC_ALL":"C","NO_COLOR":"1","TERM":"x"}}"#) == "")
    for name in ["LD_PRELOAD", "NODE_OPTIONS", "X", "LC_", "path", ""] {
      let text = refusal("{\"command\":[\"df\"],\"env\":{\"LANG\":\"C\",\"\(name)\":\"1\"}}")
      #expect(
        text == "INVALID_REQUEST: SYSTEM_RUN_DENIED: environment override rejected (blocked override keys: \(name))")
    }
    #expect(refusal(#"{"command":["df"],"env":[]}"#).contains("env"))
  }

  @Test("the folder is ours; a screen cannot be recorded; texts that are too long are named")
  func others() {
    #expect(refusal(#"{"command":["df"],"cwd":"/root"}"#).contains("cwd must be left out, or be /tmp"))
    #expect(refusal(#"{"command":["df"],"cwd":"/tmp/../root"}"#).hasSuffix("not /tmp/../root"))
    #expect(refusal(#"{"command":["df"],"cwd":7}"#).contains("cwd"))
    #expect(
      refusal(#"{"command":["df"],"needsScreenRecording":true}"#) == "UNAVAILABLE: PERMISSION_MISSING: screenRecording")
    #expect(refusal("{\"command\":[\"df\"],\"runId\":\"\(String(repeating: "r", count: 129))\"}").hasSuffix("runId"))
    #expect(refusal(#"{"command":["df"],"sessionKey":7}"#).hasSuffix("sessionKey"))
  }

  @Test(
    "a time is a time, however odd",
    arguments: [
      ("0", nil), ("-5", nil), ("1", 1), ("1.5e3", 1500), ("\"9\"", nil), ("null", nil), ("1e300", nil),
      ("99999999999999999999", nil),
    ] as [(String, Int64?)])
  func times(text: String, milliseconds: Int64?) throws {
    let request = try request("{\"command\":[\"df\"],\"timeoutMs\":\(text)}").get()
    #expect(request.milliseconds == milliseconds)
  }

  @Test(
    "a plan that people approved must be of this command",
    arguments: [
      (#"{"argv":["df"]}"#, ""), (#"{"argv":["df"],"cwd":"/tmp","mutableFileOperand":null}"#, ""),
      (#"{"argv":["df","-h"]}"#, "execution plan mismatch: argv"), ("{}", "execution plan mismatch: argv"),
      (#"{"argv":"df"}"#, "execution plan mismatch: argv"), ("7", "execution plan mismatch: systemRunPlan"),
      (#"{"argv":[]}"#, "execution plan mismatch: argv"),
      (#"{"argv":["df"],"commandText":"df -h"}"#, "execution plan mismatch: commandText"),
      (#"{"argv":["df"],"agentId":"other"}"#, "execution plan mismatch: agentId"),
      (#"{"argv":["df"],"sessionKey":"other"}"#, "execution plan mismatch: sessionKey"),
      (#"{"argv":["df"],"cwd":"/root"}"#, "approval cwd changed before execution"),
      (
        #"{"argv":["df"],"mutableFileOperand":{"argvIndex":0,"path":"/x","sha256":"0"}}"#,
        "approval script operand changed before execution"
      ),
    ])
  func plans(plan: String, words: String) {
    let text = refusal("{\"command\":[\"df\"],\"agentId\":\"main\",\"sessionKey\":\"s\",\"systemRunPlan\":\(plan)}")
    #expect(text == (words.isEmpty ? "" : denied + words))
  }

  @Test("who asked is known also from what is refused, and is nobody where texts are too long")
  func origin() {
    let json = Array(#"{"sessionKey":"s","runId":"r","agentId":7,"suppressNotifyOnExit":true}"#.utf8)
    let origin = RunOrigin(JSONView(json.span))
    #expect(origin.hasEvents && origin.isQuiet && origin.agentID.isEmpty)
    let long = Array("{\"sessionKey\":\"\(String(repeating: "s", count: 513))\",\"runId\":\"r\"}".utf8)
    #expect(!RunOrigin(JSONView(long.span)).hasEvents)
    #expect(!RunOrigin(JSONView(Array("[]".utf8).span)).hasEvents)
  }

  @Test("words of a command that was refused do not stay")
  func forgets() {
    let words = CommandWords()
    _ = request(#"{"command":["df","-h"]}"#, words)
    #expect(words.count == 2 && words.text.count == 5)
    _ = request(#"{"rawCommand":"x"}"#, words)
    #expect(words.count == 0 && words.text.isEmpty && words.bytes.isEmpty)
  }
}
