import CAllocationCounter
import Runtime
import Simulated
import Testing

@testable import Panel

@Suite struct LightTests {
  private typealias Event = MemoryLight.Event

  private func isShown(_ event: Event) -> LightColor? { if case .shown(let color) = event { color } else { nil } }

  @Test func `Steps follow each other at their times, without drift`() {
    let bench = Bench()
    bench.show(.awaitingApproval)
    _ = bench.shown()
    let begin = bench.now
    bench.pass(30_000)
    let steps = Signal.awaitingApproval.pattern.steps
    var expected: [(Int64, LightColor)] = []
    var time = begin
    var index = 0
    while true {
      time += steps[index % steps.count].duration
      index += 1
      if time > begin + 30_000 { break }
      expected.append((time, steps[index % steps.count].color))
    }
    let shown = bench.shown()
    #expect(shown.map(\.at) == expected.map(\.0))
    #expect(shown.map { isShown($0.event) } == expected.map(\.1))
  }

  @Test func `A steady light needs no timer, and neither does one that the kernel blinks`() {
    let bench = Bench()
    bench.show(.connected)
    #expect(bench.light.color == LightColor(green: true))
    #expect(bench.panel.nextDeadline == nil)

    let playing = Bench(plays: true)
    for signal in Signal.allCases where !signal.pattern.isSteady && signal != .working {
      _ = playing.shown()
      playing.show(signal)
      playing.pass(Budget.lightDwell)
      #expect(playing.panel.shown == signal)
      #expect(playing.shown().last?.event == .played(signal.pattern.steps))
      playing.pass(60_000)
      #expect(playing.shown().isEmpty)
      #expect(playing.panel.nextDeadline == nil)
    }
  }

  @Test func `What held before is no news for the light`() {
    let bench = Bench()
    bench.show(.connected)
    _ = bench.shown()
    for _ in 0..<100 {
      bench.show(.connected)
      bench.pass(10)
    }
    #expect(bench.shown().isEmpty)
    #expect(bench.wakeups == 0)
  }

  @Test func `Nothing that holds is a dark light, and so is the end`() {
    let bench = Bench()
    #expect(bench.shown().map(\.event) == [.opened, .shown(.dark)])
    bench.show(.connected)
    bench.show()
    #expect(bench.light.color == .dark)
    #expect(bench.panel.shown == nil)
    bench.panel.stop()
    #expect(bench.shown().last?.event == .closed)
    bench.show(.panic)
    #expect(bench.panel.nextDeadline == nil)
    #expect(bench.shown().isEmpty)
  }

  @Test func `What is reported before the start is shown at the start`() {
    let bench = Bench(startsNow: false)
    bench.show(.connected)
    #expect(bench.shown().isEmpty)
    bench.panel.start(bench)
    #expect(bench.light.color == LightColor(green: true))
  }

  @Test func `A photo and a command are seen, however short, and a thousand of them are few writes`() {
    let bench = Bench()
    bench.show(.connected)
    bench.show(.live, .connected)
    bench.show(.connected)
    #expect(bench.panel.shown == .live)
    bench.pass(Budget.lightDwell - 1)
    #expect(bench.panel.shown == .live)
    bench.pass(1)
    #expect(bench.panel.shown == .connected)

    _ = bench.shown()
    for _ in 0..<1000 {
      bench.show(.working, .connected)
      bench.show(.connected)
      bench.pass(1)
    }
    #expect(bench.shown().count <= 12)
    bench.pass(Budget.lightDwell)
    #expect(bench.panel.shown == .connected)
  }

  @Test func `What is more urgent waits for nothing`() {
    let bench = Bench()
    bench.show(.working)
    bench.show(.panic)
    #expect(bench.panel.shown == .panic)
    bench.show(.live, .panic)
    #expect(bench.panel.shown == .live)
  }

  @Test func `Whoever is late begins a code again, so that it is not miscounted`() {
    let bench = Bench()
    bench.show(.noNetwork)
    bench.clock.advance(5_000)
    _ = bench.shown()
    bench.panel.advance(to: bench.clock.monotonic)
    #expect(bench.light.color == Signal.noNetwork.pattern.steps[0].color)
    #expect(bench.panel.nextDeadline == bench.clock.monotonic + Signal.noNetwork.pattern.steps[0].duration)
  }

  // MARK: Faults

  @Test func `A light that is not there yet is reported once, looked for ever more rarely, and then shows what holds`()
  {
    let bench = Bench(startsNow: false)
    bench.light.fault = .noSuchFile
    bench.panel.start(bench)
    bench.show(.connected)
    #expect(bench.panel.lightFault == .noSuchFile)
    bench.pass(600_000)
    // 1, 2, 4 ... 32 s are 6 times, and then once a minute.
    #expect(bench.wakeups == 6 + (600 - 63) / 60)
    #expect(bench.logSays("the light does not work: it is not there; compare its name") == 1)
    bench.light.fault = nil
    bench.pass(Budget.panelRetry.upperBound)
    #expect(bench.light.color == LightColor(green: true))
    #expect(bench.panel.lightFault == nil)
    #expect(bench.logSays("the light works") == 1)
    #expect(bench.panel.nextDeadline == nil)
  }

  @Test func `A light that breaks in the middle of a pattern comes back with it`() {
    let bench = Bench()
    bench.show(.trustAlarm)
    bench.pass(1_000)
    bench.light.fault = .noSuchDevice
    bench.pass(500)
    #expect(bench.panel.lightFault == .noSuchDevice)
    #expect(!bench.light.isOpen)
    // What holds meanwhile is not tried at once.
    let tried = bench.wakeups
    for _ in 0..<50 { bench.show(.connected); bench.show(.trustAlarm) }
    #expect(bench.wakeups == tried)
    bench.light.fault = nil
    bench.pass(Budget.panelRetry.lowerBound)
    #expect(bench.light.isOpen)
    #expect(bench.panel.shown == .trustAlarm)
  }

  @Test func `A light that fails as soon as it works is not tried every second`() {
    let bench = Bench()
    bench.show(.panic)
    var failures = 0
    for _ in 0..<600 {
      bench.light.fault = bench.panel.lightFault == nil ? .inputOutput : nil
      if bench.panel.lightFault != nil { failures += 1 }
      bench.pass(1_000)
    }
    _ = bench.shown()
    #expect(bench.logSays("the light does not work") <= 20)
    #expect(failures > 500)
  }

  @Test func `A panel without light and button does nothing`() {
    let clock = VirtualClock()
    let panel = FrontPanel(light: nil, button: nil, clock: clock, log: Log(output: nil))
    panel.start(Bench())
    panel.show(SignalSet())
    panel.advance(to: clock.monotonic)
    #expect(panel.nextDeadline == nil && panel.shown == nil)
    #expect(panel.lightFault == nil && panel.buttonFault == nil)
    panel.stop()
  }

  @Test func `Blinking, pressing and changing allocate nothing`() {
    let light = QuietLight()
    let clock = VirtualClock()
    let button = ScriptedButton(clock: clock)
    let panel = FrontPanel(light: light, button: button, clock: clock, log: Log(output: nil))
    let bench = Bench(startsNow: false)
    panel.start(bench)
    var counted: UInt64 = 0
    for round in 1...2 {
      for signal in Signal.allCases where signal != .pressed {
        var set = SignalSet()
        set[signal] = true
        tl_count_allocations()
        panel.show(set)
        for _ in 0..<20 {
          clock.advance(130)
          panel.advance(to: clock.monotonic)
        }
        if round == 2 { counted += tl_counted_allocations() }
      }
    }
    #expect(counted == 0)
    panel.stop()
  }
}

/// A light that remembers nothing.
private final class QuietLight: Light {
  func open() throws(Errno) {}
  func close() {}
  func show(_ color: LightColor) throws(Errno) {}
  func play(_ pattern: LightPattern) throws(Errno) -> Bool { false }
}
