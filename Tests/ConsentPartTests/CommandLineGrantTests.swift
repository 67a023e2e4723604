import Codec
import Consent
import Node
import Programs
import RunPart
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Benches
@testable import ConsentPart

/// `run = ask`: what is asked is what is done, and a grant is for that alone.
@Suite("Consent to command lines") struct CommandLineGrantTests {
  private let programs = MemoryPrograms()
  private let bench: AgentBench

  init() throws {
    var settings = ConsentSettings()
    settings.rules[.run] = .ask
    bench = try AgentBench(
      programs: RunBoard(list: ProgramList(["/bin/sh", "/usr/bin/df"]), links: [programs]), consent: settings)
  }

  private func run(_ id: String, _ command: String, _ more: String = "") throws {
    _ = try bench.invoke(id, "system.run", params: #"{"command":\#(command)\#(more)}"#, timeout: 60_000)
  }

  private var asks: Bool { bench.agent.consent?.question != nil }

  private func end() throws {
    programs.end(.exited(0))
    _ = try bench.settle()
  }

  @Test(arguments: [ConsentAnswer.minute, .session, .today])
  func `A grant for longer is for the same command line`(answer: ConsentAnswer) throws {
    try run("1", #"["/bin/sh","-c","uptime"]"#)
    #expect(asks && programs.begun.isEmpty)
    try ConsentTests.answer(answer, bench)
    #expect(programs.begun.map(\.words) == [["/bin/sh", "-c", "uptime"]])
    try end()
    try run("2", #"["/bin/sh","-c","uptime"]"#)
    #expect(!asks && programs.begun.count == 2)
    try end()
    for (index, other) in [
      #"["/bin/sh","-c","rm -rf /"]"#, #"["/bin/sh","-c","uptime","x"]"#, #"["/bin/sh","-c"]"#, #"["df"]"#,
      #"["/bin/sh","-c uptime"]"#,
    ].enumerated() {
      try run("other \(index)", other)
      #expect(asks, "\(other)")
      try ConsentTests.part(bench).cancelAll()
    }
    try run("3", #"["/bin/sh","-c","uptime"]"#, #","cwd":"/tmp""#)
    #expect(asks && programs.begun.count == 2)
  }

  @Test func `A line that is too long to be shown whole is allowed once and no longer`() throws {
    let long = #"["/bin/sh","-c","\#(String(repeating: "true;", count: 400)) rm -rf /"]"#
    try run("1", long)
    let question = try #require(bench.agent.consent?.question)
    #expect(question.isOnceOnly && question.subject.unshown > 1_000)
    try ConsentTests.answer(.today, bench)
    #expect(programs.begun.count == 1 && bench.agent.consent?.granted == [])
    try end()
    try run("2", long)
    #expect(asks && programs.begun.count == 1)
  }

  @Test func `A yes once starts the line that was read, and not one that waits behind it`() throws {
    try run("1", #"["df"]"#)
    try run("2", #"["/bin/sh","-c","rm -rf /"]"#)
    try ConsentTests.answer(.once, bench)
    #expect(programs.begun.map(\.words) == [["df"]])
    #expect(asks && bench.agent.consent?.granted == [])
  }

  @Test func `What the console gives before anybody asks is for every line, and ends with panic`() throws {
    try ConsentTests.part(bench).give([.run], .minute, by: .console)
    try run("1", #"["df"]"#)
    #expect(!asks && programs.begun.count == 1)
    bench.agent.holdStill("in a test")
    bench.agent.letGo("in a test")
    #expect(bench.agent.consent?.granted == [])
  }

  @Test func `A grant for one line does not outlive a restart`() throws {
    try run("1", #"["df"]"#)
    try ConsentTests.answer(.today, bench)
    let part = try ConsentTests.part(bench)
    #expect(part.granted == [.run])
    #expect(GrantRecord(part.table, boot: part.keeper.boot, at: bench.clock.monotonic).isEmpty)
  }
}

extension ConsentPart {
  /// Takes back every request that waits, so that the next is asked about.
  fileprivate func cancelAll() {
    while let waiting = queue.first(where: { _ in true }) {
      router.end(queue[waiting].token, code: "UNAVAILABLE") { $0.text("taken back in a test") }
    }
  }
}
