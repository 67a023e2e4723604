import Testing

@testable import talon_lab

/// What the judge of the torture sees in a run, and what it must say about it.
@Suite struct JudgeTests {
  /// A run in which one call failed and nothing else happened.
  private static let good: RunRecord = {
    var record = RunRecord()
    record.target = "/sys/class/thermal"
    record.questions = ["camera.snap", "location.get"].map { .init(command: $0, answers: [.result]) }
    record.descriptors = ["anon_inode:[eventpoll]", "anon_inode:[eventfd]", "socket:[4711]", "/var/lib/talon/lock"]
    record.warnings = ["<4>gateway: the gateway closed the connection; trying again in 1 s"]
    record.stop = .init(how: .code(0), lastLine: "<6>talon: stopped")
    record.kept = true
    return record
  }()

  private let judge = Judge(usual: good)

  /// What the judge says about a good run after `change`.
  private func outcome(_ change: (inout RunRecord) -> Void) throws -> Outcome {
    var record = Self.good
    change(&record)
    return try judge.verdict(record).outcome
  }

  private func complaint(_ change: (inout RunRecord) -> Void) -> String {
    var record = Self.good
    change(&record)
    do {
      return "survived: \(try judge.verdict(record))"
    } catch {
      return "\(error)"
    }
  }

  @Test("a run like the usual one is a silent recovery; without a failed call it proves nothing")
  func silent() throws {
    #expect(try outcome { _ in } == .unnoticed)
    #expect(try outcome { $0.target = nil } == .notReached)
  }

  @Test("a warning counts when it is none of the usual ones, whatever numbers are in it")
  func warnings() throws {
    let usual = "<4>gateway: the gateway closed the connection; trying again in 2 s"
    #expect(try outcome { $0.warnings = [usual] } == .unnoticed)
    #expect(try outcome { $0.warnings.append("<3>gateway: flash is full") } == .logged)
  }

  @Test("a crash is not survived, in whichever part of the run")
  func crash() {
    let crash = RunRecord.End(how: .signal(11), lastLine: "<6>talon: version 1")
    #expect(complaint { $0.ends = [crash] } == "Talon was killed: signal 11, after: <6>talon: version 1")
    #expect(complaint { $0.stop = crash }.hasPrefix("Talon was killed: signal 11"))
  }

  @Test("an end counts as one with a reason only with both, a code that lets a supervisor try again and a sentence")
  func ends() throws {
    let end = RunRecord.End(how: .code(73), lastLine: "talon: the state folder cannot be used: input/output error")
    #expect(try outcome { $0.ends = [end] } == .ended)
    #expect(try outcome { $0.stop = end } == .ended)
    for code in [0, 1, 64, 78, 128] as [Int32] {
      #expect(complaint { $0.ends = [.init(how: .code(code), lastLine: end.lastLine)] }.contains("without a reason"))
    }
    for line in ["", "talon: ", "<6>talon: stopped", "Fatal error"] {
      #expect(complaint { $0.ends = [.init(how: .code(73), lastLine: line)] }.contains("without a reason"))
    }
    #expect(complaint { $0.ends = [end, end] }.hasPrefix("Talon ended twice"))
  }

  @Test("a leaked descriptor is seen, even when another one is missing")
  func leak() {
    #expect(
      complaint { $0.descriptors.append("socket:[4712]") }
        == "Talon leaks descriptors: 2 of socket:[], usual are 1")
    #expect(
      complaint { $0.descriptors[1] = "/var/lib/talon/identity.new" }
        == "Talon leaks descriptors: 1 of /var/lib/talon/identity.new, usual are 0")
  }

  @Test("fewer descriptors than usual, and sockets with other numbers, are no leak")
  func noLeak() throws {
    #expect(try outcome { $0.descriptors = ["anon_inode:[eventpoll]", "socket:[99]"] } == .unnoticed)
  }

  @Test("a command may be answered with an error until it works; one command, and it must work")
  func answers() throws {
    let refusal = RunRecord.Answer.refusal("UNAVAILABLE: camera failed")
    #expect(try outcome { $0.questions[0].answers = [refusal, refusal, .result] } == .answered)
    #expect(
      complaint { $0.questions[0].answers = [refusal, refusal] }
        == "camera.snap did not work again: UNAVAILABLE: camera failed")
    #expect(complaint { $0.questions[0].answers = [] }.hasPrefix("camera.snap did not work again"))
    #expect(
      complaint {
        $0.questions[0].answers = [refusal, .result]
        $0.questions[1].answers = [refusal, .result]
      } == "one fault failed several commands: camera.snap: UNAVAILABLE: camera failed; "
        + "location.get: UNAVAILABLE: camera failed")
  }

  @Test("a command that nobody answered is not survived, even when it worked later")
  func silence() {
    #expect(complaint { $0.questions[1].answers = [.silence, .result] } == "location.get was never answered")
  }

  @Test("what did not come about in time, a lost token and a shown secret are not survived")
  func losses() {
    #expect(complaint { $0.missing = "was not connected" } == "Talon was not connected")
    #expect(complaint { $0.kept = false }.contains("did not bring it online again"))
    #expect(complaint { $0.shownSecret = "the shared token" } == "the log shows the shared token")
  }

  @Test("the gateway's own deadline is told from an answer of the node")
  func gatewayDeadline() {
    #expect(GatewayControl.Refusal(code: "UNAVAILABLE", message: "TIMEOUT: node invoke timed out").isSilence)
    #expect(!GatewayControl.Refusal(code: "UNAVAILABLE", message: "UNAVAILABLE: node invoke timed out").isSilence)
  }
}
