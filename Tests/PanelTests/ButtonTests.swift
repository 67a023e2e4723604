import Runtime
import Simulated
import Testing

@testable import Panel

@Suite struct ButtonTests {
  @Test(arguments: [Budget.buttonDebounce, 200, 2_999]) func `A short press acknowledges when it ends`(length: Int64) {
    let bench = Bench()
    bench.button.set(true)
    bench.pass(length)
    #expect(bench.told() == [])
    bench.button.set(false)
    bench.pass(Budget.buttonDebounce)
    #expect(bench.told() == [.acknowledge])
    bench.pass(100_000)
    #expect(bench.told() == [])
    #expect(bench.panel.nextDeadline == nil)
  }

  @Test func `What is shorter than a contact's bounce is nothing`() {
    let bench = Bench()
    bench.press(Budget.buttonDebounce - 1)
    #expect(bench.told() == [])
    // A glitch in a long press does not end it.
    bench.button.set(true)
    bench.pass(2_000)
    bench.button.set(false)
    bench.pass(Budget.buttonDebounce - 1)
    bench.button.set(true)
    bench.pass(971)
    #expect(bench.told() == [.panic])
  }

  @Test func `A contact that bounces is one press`() {
    let bench = Bench()
    for _ in 0..<8 {
      bench.press(3, then: 2)
    }
    bench.button.set(true)
    bench.pass(500)
    for _ in 0..<8 {
      bench.button.set(false)
      bench.pass(4)
      bench.button.set(true)
      bench.pass(1)
    }
    bench.button.set(false)
    bench.pass(100)
    #expect(bench.told() == [.acknowledge])
  }

  @Test func `A press is held from 1 s on, once, whatever follows`() {
    let bench = Bench()
    bench.press(Budget.buttonHeld - 1)
    #expect(bench.everythingTold() == [.acknowledge])
    bench.press(Budget.buttonHeld)
    #expect(bench.everythingTold() == [.held, .acknowledge])
    bench.press(Budget.buttonPanic)
    #expect(bench.everythingTold() == [.held, .panic, .letGo])
  }

  @Test func `Panic comes 3 s after the press, while the button is still down`() {
    let bench = Bench()
    bench.button.set(true)
    bench.pass(Budget.buttonPanic - 1)
    #expect(bench.told() == [])
    bench.pass(1)
    #expect(bench.told() == [.panic])
    bench.button.set(false)
    bench.pass(60_000)
    #expect(bench.told() == [.letGo])
  }

  @Test func `After 10 s a reset is offered, which one more press confirms`() {
    let bench = Bench()
    bench.button.set(true)
    bench.pass(Budget.buttonReset - 1)
    #expect(bench.told() == [.panic])
    bench.pass(1)
    #expect(bench.told() == [.offerReset])
    bench.button.set(false)
    bench.pass(2_000)
    #expect(bench.told() == [])
    bench.press(200)
    #expect(bench.told() == [.confirmReset])
    bench.pass(100_000)
    #expect(bench.told() == [])
  }

  @Test func `Without confirmation the offer ends after 30 s, and a press is a press again`() {
    let bench = Bench()
    bench.press(11_000, then: Budget.buttonOffer - 1_001)
    #expect(bench.told() == [.panic, .offerReset])
    bench.pass(1)
    #expect(bench.told() == [.withdrawReset])
    bench.press(200)
    #expect(bench.told() == [.acknowledge])
  }

  @Test func `The offer lapses too while the button is held on`() {
    let bench = Bench()
    bench.press(45_000)
    #expect(bench.told() == [.panic, .offerReset, .withdrawReset])
  }

  @Test func `A long press takes the offer back, and is no panic`() {
    let bench = Bench()
    bench.press(10_500, then: 1_500)
    _ = bench.told()
    bench.press(12_000)
    #expect(bench.told() == [.withdrawReset])
  }

  @Test func `A press that begins before the offer lapses confirms, when it ends after`() {
    let bench = Bench()
    bench.press(10_500, then: Budget.buttonOffer - 600)
    _ = bench.told()
    bench.press(500)
    #expect(bench.told() == [.confirmReset])
  }

  @Test func `A worn contact does not confirm what it has offered`() {
    let bench = Bench()
    bench.press(10_500, then: Budget.buttonConfirmPause - 1)
    _ = bench.told()
    bench.press(100)
    #expect(bench.told() == [])
    bench.pass(Budget.buttonConfirmPause)
    bench.press(100)
    #expect(bench.told() == [.confirmReset])
  }

  // MARK: Stamps

  @Test func `A press of before counts by its stamps, however late it is reported`() {
    let bench = Bench()
    bench.button.holdsEdges = true
    bench.press(1_000, then: 20_000)
    bench.button.deliver()
    bench.pass(100)
    #expect(bench.told() == [.acknowledge])

    bench.press(4_000, then: 20_000)
    bench.button.deliver()
    bench.pass(100)
    #expect(bench.told() == [.panic, .letGo])

    bench.press(12_000, then: 5_000)
    bench.press(300, then: 5_000)
    bench.press(300, then: 5_000)
    bench.button.deliver()
    bench.pass(100)
    #expect(bench.told() == [.panic, .offerReset, .confirmReset, .acknowledge])
  }

  @Test func `Time is not judged before what the kernel has kept`() {
    let bench = Bench()
    bench.button.set(true)
    bench.button.holdsEdges = true
    bench.clock.advance(500)
    bench.button.set(false)
    bench.clock.advance(10_000)
    // The program was busy for ten seconds; its timers come first.
    bench.panel.advance(to: bench.clock.monotonic)
    #expect(bench.told() == [.acknowledge])
  }

  @Test(arguments: [16, 17]) func `Edges that the kernel could not keep leave no button pressed, and no panic`(
    room: Int
  ) {
    let bench = Bench()
    bench.show(.connected)
    bench.button.room = room
    bench.button.holdsEdges = true
    for _ in 0..<20 {
      bench.button.set(true)
      bench.clock.advance(40)
      bench.button.set(false)
      bench.clock.advance(40)
    }
    bench.clock.advance(5_000)
    bench.button.deliver()
    bench.pass(60_000)
    #expect(bench.told() == Array(repeating: .acknowledge, count: 8))
    #expect(bench.panel.shown == .connected)
    // And one that is down when its press was lost means nothing until it comes up.
    bench.button.room = 0
    bench.button.set(true)
    bench.button.catchUp()
    bench.button.room = .max
    bench.button.holdsEdges = false
    bench.pass(20_000)
    bench.button.set(false)
    bench.pass(1_000)
    #expect(bench.told() == [])
    bench.press(100)
    #expect(bench.told() == [.acknowledge])
  }

  @Test func `Stamps of the future and out of order are taken for now`() {
    let bench = Bench()
    let now = bench.clock.monotonic
    let delegate = ButtonReader(bench.button, clock: bench.clock, log: bench.log)
    delegate.start(bench.panel, bench)
    delegate.buttonChanged(isPressed: true, at: now + 1_000_000)
    #expect(delegate.nextDeadline == now + Budget.buttonDebounce)
    bench.clock.advance(200)
    delegate.buttonChanged(isPressed: false, at: now - 1_000_000)
    bench.clock.advance(200)
    delegate.advance(to: bench.clock.monotonic)
    #expect(bench.told() == [])
    delegate.stop()
  }

  // MARK: Light

  @Test func `The light goes dark while the button is pressed, until it is long enough`() {
    let bench = Bench()
    bench.show(.connected)
    bench.button.set(true)
    bench.pass(Budget.buttonDebounce)
    #expect(bench.panel.shown == .pressed)
    #expect(bench.light.color == .dark)
    bench.pass(Budget.buttonPanic)
    #expect(bench.panel.shown == .connected)
    bench.button.set(false)
    bench.pass(100)
    bench.press(100)
    #expect(bench.panel.shown == .connected)
  }

  @Test func `A camera that is on is shown whoever presses`() {
    let bench = Bench()
    bench.show(.live)
    bench.button.set(true)
    bench.pass(1_000)
    #expect(bench.panel.shown == .live)
  }

  // MARK: Stuck

  @Test func `A button that is down at the start does no harm, is reported, and works once it is released`() {
    let bench = Bench(isPressed: true)
    #expect(bench.panel.isButtonStuck && bench.panel.buttonFault == .busy)
    bench.show(.connected)
    bench.pass(120_000)
    #expect(bench.panel.shown == .connected)
    #expect(bench.wakeups == 0)
    bench.button.set(false)
    bench.pass(1_000)
    #expect(bench.told() == [])
    #expect(!bench.panel.isButtonStuck && bench.panel.buttonFault == nil)
    #expect(bench.logSays("the button is down, and is ignored until it is released") == 1)
    #expect(bench.logSays("the button is released") == 1)
    bench.press(3_500)
    #expect(bench.told() == [.panic, .letGo])
  }

  @Test func `A button that gets stuck gives panic once, loses its offer, and is reported`() {
    let bench = Bench()
    bench.button.set(true)
    bench.pass(Budget.buttonStuck - 1)
    #expect(!bench.panel.isButtonStuck)
    bench.pass(1)
    #expect(bench.panel.isButtonStuck)
    #expect(bench.told() == [.panic, .offerReset, .withdrawReset])
    bench.pass(24 * 3_600_000)
    #expect(bench.told() == [])
    #expect(bench.panel.nextDeadline == nil)
    bench.button.set(false)
    bench.pass(100)
    #expect(bench.told() == [] && !bench.panel.isButtonStuck)
  }

  @Test func `A line that hums is never a press`() {
    let bench = Bench()
    bench.show(.connected)
    for _ in 0..<3_000 { bench.press(10, then: 10) }
    bench.pass(1_000)
    #expect(bench.told() == [])
    #expect(bench.panel.shown == .connected)
  }

  // MARK: Faults

  @Test func `A button that is not there yet is reported once and started when it comes`() {
    let bench = Bench(startsNow: false)
    bench.button.fault = .noSuchFile
    bench.panel.start(bench)
    bench.pass(600_000)
    #expect(bench.panel.buttonFault == .noSuchFile)
    #expect(bench.logSays("the button does not work: this line, or its chip, is not there; compare chip") == 1)
    bench.button.fault = nil
    bench.pass(Budget.panelRetry.upperBound)
    #expect(bench.panel.buttonFault == nil && bench.button.isStarted)
    bench.press(100)
    #expect(bench.told() == [.acknowledge])
  }

  @Test func `A chip that goes while the button is down gives nothing, and is looked for`() {
    let bench = Bench()
    bench.button.set(true)
    bench.pass(1_000)
    bench.button.fail(.noSuchDevice)
    #expect(bench.panel.shown != .pressed)
    bench.pass(30_000)
    #expect(bench.told() == [])
    #expect(bench.panel.buttonFault == .noSuchDevice)
    bench.button.set(false)
    bench.button.fault = nil
    bench.pass(Budget.panelRetry.upperBound)
    #expect(bench.panel.buttonFault == nil)
  }

  @Test func `After the end nothing is reported`() {
    let bench = Bench()
    bench.button.set(true)
    bench.pass(100)
    bench.panel.stop()
    #expect(!bench.button.isStarted && bench.panel.nextDeadline == nil)
    bench.pass(10_000)
    #expect(bench.told() == [])
  }

  // MARK: Anything

  @Test(arguments: 1...40)
  func `Whatever the contact does, gestures follow each other as they should and no timer spins`(seed: UInt64) {
    let random = SeededRandom(seed: seed)
    func below(_ bound: UInt32) -> Int64 { Int64(randomNumber(below: bound, random)) }
    let bench = Bench()
    bench.show(.connected)
    for _ in 0..<400 {
      bench.button.holdsEdges = below(4) == 0
      bench.button.set(below(2) == 0)
      let pause = [below(40), below(1_000), 2_900 + below(200), 9_000 + below(3_000), below(40_000)][Int(below(5))]
      // A busy program wakes late.
      if below(8) == 0 { bench.clock.advance(pause) } else { bench.pass(pause) }
      bench.panel.advance(to: bench.clock.monotonic)
      if let deadline = bench.panel.nextDeadline { #expect(deadline > bench.clock.monotonic) }
    }
    var before: Gesture?
    var isOffered = false
    for gesture in bench.told() {
      switch gesture {
      case .held: break
      case .acknowledge: #expect(!isOffered)
      case .panic: #expect(!isOffered)
      case .letGo: #expect(before == .panic)
      case .offerReset:
        #expect(before == .panic)
        isOffered = true
      case .confirmReset, .withdrawReset:
        #expect(isOffered)
        isOffered = false
      }
      before = gesture
    }
  }
}
