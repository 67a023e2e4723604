import Consent
import Graphics
import Panel
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Benches
@testable import ConsentPart
@testable import Node

/// A press of the button is yes to what its finger's owner can have read: on the screen, or at a console.
@Suite struct ReadQuestionTests {
  /// Where the question can be read.
  enum Reading: CaseIterable {
    case nowhere, blindly, console, screen, memoryOnly, darkScreen, consoleTooLate
  }

  private func bench(_ reading: Reading) throws -> (AgentBench, ScriptedButton, MemoryDisplay?) {
    var settings = ConsentSettings()
    settings.rules[.location] = .ask
    settings.hasBlindButton = reading == .blindly
    let size = Size(480, 320)
    let layout = PanelLayout(format: .xrgb8888, size: size, stride: Int(size.width) * 4)!
    let display: MemoryDisplay? = [.screen, .memoryOnly, .darkScreen].contains(reading) ? MemoryDisplay(layout) : nil
    display?.isVirtual = reading == .memoryOnly
    display?.isTaken = reading == .darkScreen
    var made: ScriptedButton?
    let bench = try AgentBench(
      button: { clock in
        made = ScriptedButton(clock: clock)
        return made
      }, face: display.map { CanvasBench.parts(display: $0, size) }, consent: settings)
    return (bench, try #require(made), display)
  }

  private func pass(_ bench: AgentBench, _ display: MemoryDisplay?, _ milliseconds: Int64) throws {
    for _ in 0..<4 {
      _ = try bench.settle()
      if display?.isBusy == true { display?.takeFrame() }
    }
    bench.pass(milliseconds)
  }

  private func list(_ bench: AgentBench) {
    let line = #"{"op":"grants","id":1}"#
    let server = NotingServer()
    withExtendedLifetime(server) {
      Control(server: server, node: bench.agent).lineReceived(line.utf8.span, from: 1)
    }
  }

  @Test(arguments: Reading.allCases)
  func `A short press is yes to what could be read, a long one no to all`(reading: Reading) throws {
    for isLong in [false, true] {
      let (bench, button, display) = try bench(reading)
      #expect(try bench.invoke("1", "location.get").isEmpty)
      try pass(bench, display, 10)
      if reading == .console { list(bench) }
      try pass(bench, display, Budget.consentArmMilliseconds)
      if reading == .consoleTooLate { list(bench) }
      let part = try #require(bench.agent.consent)
      #expect(part.question != nil)
      button.set(true)
      bench.pass(isLong ? Budget.buttonHeld + 100 : 200)
      button.set(false)
      bench.pass(200)
      let isRead = [.blindly, .console, .screen].contains(reading)
      #expect((part.question == nil) == (isRead || isLong), "\(isLong)")
      #expect(part.granted == [])
      if isLong { #expect(try bench.settle().first?.code == "LOCATION_PERMISSION_REQUIRED") }
    }
  }
}
