import Codec
import Consent
import Gateway
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Benches
@testable import ConsentPart
@testable import Node

/// A whole agent whose file asks about cameras, and whatever else a test says.
@Suite struct ConsentTests {
  static func bench(
    _ rules: [(Permission, ConsentRule)] = [(.camera, .ask)], grants: MemoryStore = MemoryStore(),
    uses: MemoryStore = MemoryStore(), boot: String = AgentBench.boot
  ) throws -> AgentBench {
    var settings = ConsentSettings()
    for (permission, rule) in rules { settings.rules[permission] = rule }
    return try AgentBench(consent: settings, grantStore: grants, useStore: uses, boot: boot)
  }

  static func part(_ bench: AgentBench) throws -> ConsentPart { try #require(bench.agent.consent) }

  /// A person reads the question, and answers it.
  static func answer(_ answer: ConsentAnswer, _ bench: AgentBench, by source: Grant.Source = .screen) throws {
    let part = try part(bench)
    bench.passAlive(Budget.consentArmMilliseconds)
    part.answer(answer, to: try #require(part.question).number, by: source)
  }

  private func text(_ span: Span<UInt8>) -> String {
    span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `What the file allows is not asked about`() throws {
    let bench = try Self.bench([])
    #expect(try bench.invoke("1", "camera.snap").first?.isOK == true)
    #expect(try Self.part(bench).question == nil)
  }

  @Test func `What the file denies is refused with the protocol's code`() throws {
    let bench = try Self.bench([(.camera, .deny), (.location, .deny), (.tools, .deny)])
    let photo = try #require(try bench.invoke("1", "camera.snap").first)
    #expect(!photo.isOK && photo.code == "CAMERA_PERMISSION_REQUIRED")
    #expect(photo.message?.contains("retryable: false") == true)
    #expect(try bench.invoke("2", "location.get").first?.code == "LOCATION_PERMISSION_REQUIRED")
    #expect(bench.camera.captures == 0)
  }

  @Test func `A photo waits for a yes, and once is for one photo`() throws {
    let bench = try Self.bench()
    let params = #"{"maxWidth":64,"purpose":"to see the parcel"}"#
    #expect(try bench.invoke("1", "camera.snap", params: params).isEmpty)
    #expect(bench.camera.captures == 0)
    let question = try #require(try Self.part(bench).question)
    #expect(text(question.what.span) == "take a photo")
    #expect(text(question.purpose.span) == "to see the parcel")
    #expect(question.permissions == [.camera])
    try Self.answer(.once, bench)
    #expect(try bench.settle().map(\.isOK) == [true])
    #expect(try Self.part(bench).question == nil)
    #expect(try bench.invoke("2", "camera.snap").isEmpty)
    #expect(try Self.part(bench).question != nil)
  }

  @Test func `A yes for a minute serves all photos of that minute, and no later one`() throws {
    let bench = try Self.bench()
    _ = try bench.invoke("1", "camera.snap")
    try Self.answer(.minute, bench)
    _ = try bench.settle()
    bench.passAlive(59_000)
    #expect(try bench.invoke("2", "camera.snap").first?.isOK == true)
    bench.passAlive(1_000)
    #expect(try bench.invoke("3", "camera.snap").isEmpty)
  }

  @Test func `A no is the answer to all that waits, and nobody is asked again for a while`() throws {
    let bench = try Self.bench()
    _ = try bench.invoke("1", "camera.snap")
    _ = try bench.invoke("2", "camera.snap")
    try Self.answer(.no, bench, by: .button)
    let answers = try bench.settle()
    #expect(answers.map(\.id) == ["1", "2"])
    #expect(answers.allSatisfy { $0.code == "CAMERA_PERMISSION_REQUIRED" })
    let third = try #require(try bench.invoke("3", "camera.snap").first)
    #expect(third.message?.contains("retryable: true, retryAfterMs: 300000") == true)
    bench.passAlive(ConsentSettings().refusal)
    #expect(try bench.invoke("4", "camera.snap").isEmpty)
  }

  @Test func `Without an answer the request is refused within its time, and the agent is told how to ask`() throws {
    let bench = try Self.bench()
    _ = try bench.invoke("1", "camera.snap", timeout: 20_000)
    bench.passAlive(20_000)
    let answer = try #require(try bench.takeAnswers().first)
    #expect(answer.code == "CAMERA_PERMISSION_REQUIRED")
    #expect(answer.message?.contains("nobody at the board has answered") == true)
    #expect(answer.message?.contains("talon grants give camera") == true)
    // An empty room is not asked again at once.
    #expect(try bench.invoke("2", "camera.snap").first?.isOK == false)
  }

  @Test func `A request without the time for a question is refused at once`() throws {
    let bench = try Self.bench()
    let answer = try #require(try bench.invoke("1", "camera.snap", timeout: 4_000).first)
    #expect(answer.message?.contains("timeoutMs") == true)
    #expect(try Self.part(bench).question == nil)
  }

  @Test func `A grant for the session ends with the connection`() throws {
    let bench = try Self.bench()
    _ = try bench.invoke("1", "camera.snap")
    try Self.answer(.session, bench)
    _ = try bench.settle()
    #expect(try Self.part(bench).granted == [.camera])
    bench.agent.sessionLost()
    #expect(try Self.part(bench).granted.isEmpty)
  }

  @Test func `Panic ends all grants and all that waits`() throws {
    let bench = try Self.bench([(.camera, .ask), (.location, .ask)])
    try Self.part(bench).give([.location], .today, by: .console)
    _ = try bench.invoke("1", "camera.snap")
    bench.agent.holdStill("in a test")
    #expect(try Self.part(bench).granted.isEmpty)
    #expect(try Self.part(bench).question == nil)
    bench.agent.letGo("in a test")
    #expect(try Self.part(bench).granted.isEmpty)
  }

  @Test func `A request that is taken back is asked about no longer`() throws {
    let bench = try Self.bench()
    _ = try bench.invoke("1", "camera.snap")
    bench.cancelInvoke("1")
    #expect(try bench.settle().first?.message?.contains("cancelled") == true)
    #expect(try Self.part(bench).question == nil)
    #expect(bench.camera.captures == 0)
  }

  @Test func `As many requests wait as there is room for, and one more is told`() throws {
    let bench = try Self.bench([(.location, .ask), (.camera, .ask)])
    for index in 0..<Budget.consentQuestions {
      #expect(try bench.invoke("\(index)", index % 2 == 0 ? "location.get" : "camera.snap").isEmpty)
    }
    let one = try #require(try bench.invoke("more", "location.get").first)
    #expect(one.message?.contains("other requests wait") == true)
    try Self.part(bench).give([.location, .camera], .minute, by: .console)
    var answers = try bench.settle()
    bench.passAlive(30_000)
    answers += try bench.settle()
    #expect(answers.count == Budget.consentQuestions)
    #expect(!answers.contains { $0.code == "CAMERA_PERMISSION_REQUIRED" || $0.code == "LOCATION_PERMISSION_REQUIRED" })
  }

  @Test func `Parameters that are too large to wait are refused`() throws {
    let bench = try Self.bench()
    let long = String(repeating: "x", count: Budget.consentParameterBytes)
    let answer = try bench.invoke("1", "camera.snap", params: #"{"purpose":"\#(long)"}"#).first
    #expect(answer?.message?.contains("parameters of this size cannot wait") == true)
  }

  @Test func `Only a grant until an instant is there after a restart, and none after one for a session`() throws {
    let (grants, uses) = (MemoryStore(), MemoryStore())
    let bench = try Self.bench([(.camera, .ask), (.location, .ask), (.motion, .ask)], grants: grants, uses: uses)
    try Self.part(bench).give([.camera], .minute, by: .console)
    try Self.part(bench).give([.location], .session, by: .console)
    try Self.part(bench).give([.motion], .once, by: .console)
    bench.runner.runAll()
    let same = try Self.bench([(.camera, .ask)], grants: grants, uses: uses)
    #expect(try Self.part(same).granted == [.camera])
    // The power was cut: the clock of this bench is right, and says that no time has passed.
    let other = try Self.bench([(.camera, .ask)], grants: grants, uses: uses, boot: "another run of the kernel")
    other.pass(6_000)
    #expect(try Self.part(other).granted == [.camera])
    other.pass(60_000)
    #expect(try Self.part(other).granted.isEmpty)
  }

  @Test func `Each use is in the journal, and flash has it`() throws {
    let uses = MemoryStore()
    let bench = try Self.bench([(.camera, .ask)], uses: uses)
    _ = try bench.invoke("1", "camera.snap")
    try Self.answer(.once, bench, by: .button)
    _ = try bench.settle()
    _ = try bench.invoke("2", "location.get", timeout: 1_000)
    bench.passAlive(10_000)
    let journal = try #require(try Self.part(bench).journal?.journal)
    #expect(journal.count == 2)
    let photo = try #require(journal.use(back: 1))
    #expect(photo.permissions == [.camera] && photo.basis == .grant(.once, .button))
    #expect(journal.use(back: 0)?.basis == .file)
    bench.agent.stop()
    bench.runner.runAll()
    let later = try Self.bench([(.camera, .ask)], uses: uses)
    #expect(try Self.part(later).journal?.journal.count == 2)
  }

  @Test func `The gateway hears of each change in the agent's session`() throws {
    let bench = try Self.bench()
    let channel = FakeChannel()
    bench.replaceChannel(channel)
    try Self.part(bench).give([.camera], .minute, by: .console)
    bench.runner.runAll()
    let event = try #require(channel.asked("node.event").first { $0.event == "notifications.changed" })
    #expect(event.payload["key"] as? String == "talon.consent.camera")
    #expect(event.payload["title"] as? String == "Granted for 60 s: camera")
  }

  @Test func `The report of permissions says who decides`() throws {
    let bench = try Self.bench([(.camera, .ask), (.location, .deny), (.run, .ask)])
    func permissions(_ id: String) throws -> [String: [String: Any]] {
      try #require(try bench.invoke(id, "device.permissions").first?.payload["permissions"] as? [String: [String: Any]])
    }
    var all = try permissions("1")
    #expect(all["camera"]?["status"] as? String == "denied" && all["camera"]?["promptable"] as? Bool == true)
    #expect(all["location"]?["status"] as? String == "denied" && all["location"]?["promptable"] as? Bool == false)
    #expect(all["run"]?["promptable"] as? Bool == true)
    #expect(all["tools"] == nil)
    try Self.part(bench).give([.camera], .session, by: .console)
    all = try permissions("2")
    #expect(all["camera"]?["status"] as? String == "granted")
  }
}
