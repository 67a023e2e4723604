import Codec
import Foundation
import Programs
import RunPart
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Benches
@testable import Node

@Suite("system.run, from frame to frame") struct RunCommandTests {
  private let first = MemoryPrograms(), second = MemoryPrograms()
  private let bench: AgentBench

  init() throws {
    bench = try AgentBench(
      programs: RunBoard(
        list: ProgramList(["/usr/bin/df", "/bin/sh"]), milliseconds: 20_000, outputBytes: 4096,
        links: [first, second]))
  }

  private func run(_ id: String = "1", _ more: String = "", timeout: Int? = nil) throws -> Answer? {
    try bench.invoke(id, "system.run", params: "{\"command\":[\"df\",\"-h\"]\(more)}", timeout: timeout).first
  }

  private func answer() throws -> Answer { try #require(try bench.settle().first) }

  private static let origin = #","sessionKey":"s","runId":"r""#

  /// Names and payloads of events since the channel was put in place.
  private func events(_ channel: FakeChannel) -> [(name: String, payload: [String: Any])] {
    var told: [(String, [String: Any])] = []
    while let request = channel.waiting.first(where: { $0.method == "node.event" && $0.event.hasPrefix("exec.") }) {
      told.append((request.event, request.payload))
      channel.answer()
    }
    return told
  }

  // MARK: What is declared

  @Test("with programs the commands are declared, without any nothing is")
  func declared() throws {
    let names = ["system.run", "system.run.prepare", "system.which"]
    let commands = try #require(bench.connect["params"].flatMap { ($0 as? [String: Any])?["commands"] as? [String] })
    #expect(names.allSatisfy(commands.contains))
    let other = try AgentBench()
    let declared = try #require(other.connect["params"].flatMap { ($0 as? [String: Any])?["commands"] as? [String] })
    #expect(!names.contains(where: declared.contains))
    #expect(try other.invoke("1", "system.run", params: #"{"command":["df"]}"#).first?.code == "INVALID_REQUEST")
  }

  @Test("plans and names are answered without a run")
  func questions() throws {
    first.installed = ["/usr/bin/df"]
    let plan = try bench.invoke("1", "system.run.prepare", params: #"{"command":["df","a b"]}"#).first
    #expect((plan?.payload["plan"] as? [String: Any])?["commandText"] as? String == #"df "a b""#)
    let found = try bench.invoke("2", "system.which", params: #"{"bins":["df","sh","rm"]}"#).first
    #expect(found?.payload["bins"] as? [String: String] == ["df": "/usr/bin/df"])
    let bad = try bench.invoke("3", "system.which", params: "{}").first
    #expect(bad?.message == "INVALID_REQUEST: bins required: an array of program names")
    let missing = try bench.invoke("4", "system.run.prepare", params: #"{"command":["rm"]}"#).first
    #expect(missing?.message?.contains("allowlist miss") == true)
    #expect(first.begun.isEmpty)
  }

  // MARK: Runs

  @Test("output, errors and status are told; text is safe, and cut pieces make whole characters")
  func ends() throws {
    #expect(try run() == nil)
    #expect(first.begun.count == 1 && first.begun[0].words == ["df", "-h"])
    first.write(Array("caf\u{e9}\n".utf8.prefix(4)))
    first.write([0xA9, 0x0A])
    first.write("\u{1B}[31mno \"disk\"", isError: true)
    bench.clock.advance(1500)
    first.end(.exited(3))
    let payload = try answer().payload
    #expect(payload["exitCode"] as? Int == 3 && payload["timedOut"] as? Bool == false)
    #expect(payload["success"] as? Bool == false && payload["stdout"] as? String == "caf\u{e9}\n")
    let errors = try #require(payload["stderr"] as? String)
    #expect(errors.hasSuffix("[31mno \"disk\"") && !errors.utf8.contains(0x1B))
    #expect(
      payload["error"] is NSNull && payload["truncated"] as? Bool == false && payload["durationMs"] as? Int == 1500)
  }

  @Test("success is an exit with 0 alone; a signal and the end of the time have words")
  func verdicts() throws {
    for (verdict, isOut, words) in [
      (ProgramVerdict.exited(0), false, ""), (.signal(9), false, "ended by signal 9"),
      (.timedOut, true, "took too long"),
    ] {
      _ = try run()
      first.end(verdict)
      let payload = try answer().payload
      #expect(payload["success"] as? Bool == (verdict == .exited(0)) && payload["timedOut"] as? Bool == isOut)
      #expect((payload["exitCode"] == nil) == (verdict != .exited(0)))
      #expect(words.isEmpty || (payload["error"] as? String)?.contains(words) == true)
    }
  }

  @Test("a flood ends at the limit of both outputs together, and fits a message however it is escaped")
  func floods() throws {
    _ = try run()
    for _ in 0..<8 {
      first.write([UInt8](repeating: 0x22, count: 1000))
      first.write([UInt8](repeating: 0x0A, count: 1000), isError: true)
    }
    first.cut()
    first.end(.exited(0))
    let payload = try answer().payload
    let text = try #require(payload["stdout"] as? String), errors = try #require(payload["stderr"] as? String)
    #expect((4096 - 16...4096 + 16).contains(text.utf8.count + errors.utf8.count))
    #expect(!text.isEmpty && !errors.isEmpty && payload["truncated"] as? Bool == true)
  }

  @Test("the time is the least of the owner's, the gateway's for the program, and the call's with room for the answer")
  func times() throws {
    for (more, timeout, expected) in [
      ("", 60_000, 20_000), (#","timeoutMs":1500"#, 60_000, 1500), (#","timeoutMs":99999"#, 60_000, 20_000),
      ("", 5000, 4000), (#","timeoutMs":0"#, 1, 1),
    ] as [(String, Int, Int64)] {
      _ = try run("t\(timeout)\(more.count)", more, timeout: timeout)
      #expect(first.begun.last?.milliseconds == expected)
      first.end(.exited(0))
      _ = try bench.settle()
    }
  }

  @Test("two run at once, a third is refused, and a place is free when its answer was sent")
  func busy() throws {
    _ = try run("1")
    _ = try run("2")
    #expect(first.isRunning && second.isRunning)
    #expect(try run("3")?.message == "UNAVAILABLE: node busy")
    second.end(.exited(0))
    #expect(try answer().id == "2")
    #expect(try run("4") == nil && second.begun.count == 2)
  }

  @Test("a cancel, a lost connection, panic and the time of the call end the program")
  func cancels() throws {
    _ = try run("1")
    bench.cancelInvoke("1")
    #expect(first.cancelled == 1 && !first.isRunning)
    _ = try bench.settle()
    _ = try run("2")
    bench.agent.router.cancelAll()
    #expect(first.cancelled == 2)
    _ = try run("3", timeout: 5000)
    bench.pass(5000)
    #expect(first.cancelled == 3)
    #expect(try bench.settle().first?.message == "UNAVAILABLE: node invoke timed out")
    _ = try run("4")
    bench.agent.table.hold()
    #expect(first.cancelled == 4)
  }

  private func saysService() throws -> Bool? {
    let buffer = FixedBuffer(capacity: 65_536)
    var writer = JSONWriter(into: buffer.bytes)
    bench.agent.writeStatus(to: &writer)
    let status = try AgentBench.object(Array(buffer.bytes[..<writer.count]))
    return (status["programs"] as? [String: Any])?["hasService"] as? Bool
  }

  @Test("the status says that there is a service only where there is one, asked or not")
  func serviceInStatus() throws {
    #expect(try saysService() == true)
    first.isThere = false
    #expect(try saysService() == false)
    _ = try run()
    #expect(try saysService() == false)
    first.isThere = true
    #expect(try saysService() == false, "it has failed, whatever stands in its place")
    _ = try run("2")
    #expect(try saysService() == true)
  }

  @Test("without the service, and when it refuses or dies, the sentence says what to do")
  func service() throws {
    first.isThere = false
    #expect(try run()?.message?.hasSuffix("systemctl enable --now talon-run.socket") == true)
    first.isThere = true
    _ = try run()
    first.refuse("/usr/bin/df is not root's alone: others may change it")
    #expect(
      try answer().message?.hasSuffix("refused it: /usr/bin/df is not root's alone: others may change it") == true)
    _ = try run()
    first.write("half")
    first.end(.lost)
    #expect(try answer().message?.contains("ended before the program did") == true)
    #expect(try run() == nil)
  }

  @Test("bad parameters leave nothing running")
  func bad() throws {
    for params in [#"{"command":"df"}"#, "[]", "{}", #"{"command":["df"],"env":{"LD_PRELOAD":"x"}}"#] {
      #expect(try bench.invoke("1", "system.run", params: params).first?.isOK == false)
    }
    #expect(first.begun.isEmpty)
  }

  // MARK: Progress and events

  @Test("output is progress as it comes, then silence is an empty chunk each 5 s, until the end")
  func progress() throws {
    let channel = FakeChannel()
    bench.replaceChannel(channel, acceptsProgress: true)
    func chunks() -> [String] { channel.asked("node.invoke.progress").compactMap { $0.params["chunk"] as? String } }
    bench.hand(#""node.invoke.request""#, payload: ("1", "system.run", #"{"command":["df"]}"#))
    bench.pass(6000)
    #expect(chunks().isEmpty)
    first.write("one\n")
    first.write("err", isError: true)
    first.write([0xE2])
    first.write([0x82, 0xAC])
    #expect(chunks() == ["one\n", "\u{20ac}"])
    bench.pass(11_000)
    #expect(chunks() == ["one\n", "\u{20ac}", "", ""])
    first.end(.exited(0))
    bench.pass(11_000)
    #expect(chunks().count == 4)
  }

  @Test("a run that names its session and run is told of: begun, ended with the end of its output, denied")
  func told() throws {
    let channel = FakeChannel()
    bench.agent.outbox.online(channel)
    _ = try run("1", Self.origin + #","suppressNotifyOnExit":true"#)
    first.write(String(repeating: "a", count: 900) + "\u{e9}end")
    first.end(.exited(4))
    _ = try run("2", Self.origin)
    bench.cancelInvoke("2")
    _ = try bench.invoke("3", "system.run", params: "{\"command\":[\"rm\",\"x\"]\(Self.origin)}")
    let told = events(channel)
    #expect(told.map(\.name) == ["exec.started", "exec.finished", "exec.started", "exec.finished", "exec.denied"])
    #expect(told.allSatisfy { $0.payload["sessionKey"] as? String == "s" && $0.payload["runId"] as? String == "r" })
    #expect(told.allSatisfy { $0.payload["host"] as? String == "node" && $0.payload["eventId"] == nil })
    #expect(told.map { $0.payload["command"] as? String } == ["df -h", "df -h", "df -h", "df -h", "rm x"])
    let end = told[1].payload
    #expect(end["exitCode"] as? Int == 4 && end["success"] as? Bool == false && end["timedOut"] as? Bool == false)
    #expect(end["suppressNotifyOnExit"] as? Bool == true)
    let output = try #require(end["output"] as? String)
    #expect(output.utf8.count <= Budget.runTailBytes && output.hasSuffix("aaa\u{e9}end"))
    #expect(told[3].payload["exitCode"] == nil && told[3].payload["success"] as? Bool == false)
    #expect((told[4].payload["reason"] as? String)?.contains("allowlist miss") == true)
  }

  @Test("a run that names none is told to nobody, and neither is a request that is only wrong")
  func untold() throws {
    let channel = FakeChannel()
    bench.agent.outbox.online(channel)
    _ = try run("1", #","runId":"r""#)
    first.end(.exited(0))
    _ = try bench.invoke("2", "system.run", params: "{\"command\":[]\(Self.origin)}")
    #expect(events(channel).isEmpty)
  }

  @Test("the longest texts that a gateway may send fit an event")
  func longest() throws {
    let channel = FakeChannel()
    bench.agent.outbox.online(channel)
    let (session, id) = (String(repeating: #"\""#, count: 256), String(repeating: #"\""#, count: 128))
    let word = String(repeating: #"\""#, count: 4000)
    _ = try bench.invoke(
      "1", "system.run",
      params: "{\"command\":[\"df\",\"\(word)\"],\"sessionKey\":\"\(session)\",\"runId\":\"\(id)\"}")
    first.write(String(repeating: "\"", count: 1000))
    first.end(.exited(0))
    #expect(events(channel).map(\.name) == ["exec.started", "exec.finished"])
  }
}

extension AgentBench {
  /// Hands an invoke to the agent beside the session, whose place another channel has.
  fileprivate func hand(_ name: StaticString, payload: (id: String, command: String, params: String)) {
    let whole = frame(payload.id, payload.command, params: payload.params)
    let start = whole.range(of: #""payload":"#)!.upperBound
    let text = Array(whole[start...].dropLast().utf8)
    text.withUnsafeBufferPointer { hand(name, $0) }
  }
}
