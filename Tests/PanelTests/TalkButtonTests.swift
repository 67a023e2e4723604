import Runtime
import Simulated
import Testing

@testable import Panel

@Suite struct TalkButtonTests {
  private final class Talker: TalkButtonDelegate {
    var told: [String] = []
    func talkButtonPressed() { told.append("down") }
    func talkButtonReleased(after milliseconds: Int64) { told.append("up after \(milliseconds)") }
  }

  private let clock = VirtualClock()
  private let contact: ScriptedButton
  private let button: TalkButton
  private let talker = Talker()

  init() {
    contact = ScriptedButton(clock: clock)
    button = TalkButton(contact, clock: clock, log: Log(level: .debug, output: nil))
  }

  private func pass(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    while let next = button.nextDeadline, next <= end {
      clock.advance(max(next - clock.monotonic, 0))
      button.advance(to: clock.monotonic)
    }
    clock.advance(end - clock.monotonic)
  }

  @Test func `A press is told as soon as it is sure, and how long it was by its edges`() {
    button.start(talker)
    contact.set(true)
    pass(Budget.buttonDebounce - 1)
    #expect(talker.told == [])
    pass(1)
    #expect(talker.told == ["down"])
    pass(970)
    contact.set(false)
    pass(Budget.buttonDebounce)
    #expect(talker.told == ["down", "up after 1000"])
    #expect(button.nextDeadline == nil)
  }

  @Test func `A contact that bounces is one press`() {
    button.start(talker)
    for _ in 0..<5 {
      contact.set(true)
      pass(3)
      contact.set(false)
      pass(2)
    }
    contact.set(true)
    pass(500)
    contact.set(false)
    pass(4)
    contact.set(true)
    pass(4)
    contact.set(false)
    pass(100)
    #expect(talker.told == ["down", "up after 508"])
  }

  @Test func `A button that is down at the start means nothing until it was released`() {
    contact.set(true)
    button.start(talker)
    pass(1_000)
    contact.set(false)
    pass(100)
    #expect(talker.told == [])
    contact.set(true)
    pass(100)
    #expect(talker.told == ["down"])
  }

  @Test func `Edges that were lost end a press`() {
    contact.room = 1
    contact.holdsEdges = true
    button.start(talker)
    contact.set(true)
    contact.deliver()
    pass(100)
    contact.set(false)
    contact.set(true)
    contact.set(false)
    contact.set(true)
    contact.set(false)
    contact.deliver()
    pass(100)
    #expect(talker.told.first == "down" && talker.told.count == 2)
  }

  @Test func `A chip that goes away ends a press, and is tried again`() {
    button.start(talker)
    contact.set(true)
    pass(100)
    contact.fail(.noSuchDevice)
    #expect(talker.told == ["down", "up after 100"] && button.fault == .noSuchDevice)
    contact.set(false)
    contact.fault = nil
    pass(Budget.panelRetry.lowerBound)
    #expect(button.fault == nil && contact.isStarted)
    button.stop()
    #expect(!contact.isStarted && button.nextDeadline == nil)
  }
}
