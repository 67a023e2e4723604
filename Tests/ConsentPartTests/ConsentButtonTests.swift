import Consent
import Panel
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Benches
@testable import ConsentPart

/// A whole agent whose file asks about cameras and the place and lets a press answer what nobody can read, with a
/// button: from its contact to what the gateway is answered.
@Suite struct ConsentButtonTests {
  private let bench: AgentBench
  private let button: ScriptedButton

  init() throws {
    var settings = ConsentSettings()
    (settings.rules[.camera], settings.rules[.location]) = (.ask, .ask)
    settings.hasBlindButton = true
    var made: ScriptedButton?
    bench = try AgentBench(
      button: { clock in
        made = ScriptedButton(clock: clock)
        return made
      }, consent: settings)
    button = try #require(made)
  }

  private var question: ConsentQuestion? { bench.agent.consent?.question }

  /// Asks for a photo, and lets somebody read the question.
  private func ask(_ id: String = "1") throws {
    #expect(try bench.invoke(id, "camera.snap", params: #"{"maxWidth":64}"#).isEmpty)
    #expect(question != nil)
    bench.pass(Budget.consentArmMilliseconds)
  }

  private func press(_ milliseconds: Int64) throws -> [Answer] {
    button.set(true)
    bench.pass(milliseconds)
    button.set(false)
    bench.pass(200)
    return try bench.settle()
  }

  @Test func `A short press is yes, for one use`() throws {
    try ask()
    #expect(try press(200).map(\.isOK) == [true])
    #expect(bench.camera.captures > 0)
    let use = try #require(bench.agent.consent?.use(back: 0))
    #expect(use.basis == .grant(.once, .button))
    #expect(bench.agent.consent?.granted == [])
    try ask("2")
  }

  @Test func `Holding it for a second is no, and letting go is not yes to what is asked next`() throws {
    try ask()
    #expect(bench.agent.signals.first == .consent)
    button.set(true)
    bench.pass(Budget.buttonHeld - 100)
    #expect(question != nil)
    bench.pass(200)
    let answer = try #require(try bench.settle().first)
    #expect(answer.code == "CAMERA_PERMISSION_REQUIRED")
    #expect(answer.message?.contains("retryAfterMs: 300000") == true)
    #expect(bench.camera.captures == 0)
    // Another question comes while the finger is still on it.
    #expect(try bench.invoke("2", "location.get").isEmpty)
    #expect(question?.permissions == [.location])
    bench.pass(Budget.consentArmMilliseconds)
    button.set(false)
    bench.pass(200)
    #expect(!bench.agent.isHeld && question?.permissions == [.location])
    #expect(bench.agent.consent?.granted == [])
  }

  @Test func `Holding on for three seconds is no, and then panic`() throws {
    try ask()
    button.set(true)
    bench.pass(Budget.buttonPanic + 100)
    #expect(bench.agent.isHeld)
    button.set(false)
    bench.pass(200)
    #expect(bench.agent.isHeld && bench.camera.captures == 0)
    #expect(try bench.takeAnswers().map(\.code) == ["CAMERA_PERMISSION_REQUIRED"])
  }

  @Test func `A press before anybody can have read the question is none`() throws {
    #expect(try bench.invoke("1", "camera.snap").isEmpty)
    #expect(try press(200).isEmpty)
    #expect(question != nil && bench.camera.captures == 0)
    bench.pass(Budget.consentArmMilliseconds)
    #expect(try press(200).map(\.isOK) == [true])
  }

  @Test func `A press that began on another question answers none`() throws {
    try ask()
    #expect(try bench.invoke("2", "location.get").isEmpty)
    button.set(true)
    bench.pass(100)
    // The question that was read is taken back; the other one is there for long enough before the finger is lifted.
    bench.cancelInvoke("1")
    bench.pass(Budget.consentArmMilliseconds + 100)
    #expect(question?.permissions == [.location])
    button.set(false)
    bench.pass(200)
    #expect(question?.permissions == [.location] && bench.agent.consent?.granted == [])
    #expect(bench.camera.captures == 0)
  }
}
