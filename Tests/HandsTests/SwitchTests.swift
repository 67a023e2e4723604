import Hands
import Runtime
import Testing

/// The rules of an output. Instants in milliseconds.
@Suite("Switches")
struct SwitchTests {
  private func output(_ change: (inout GPIOSettings) -> Void = { _ in }, at now: Int64 = 0) -> Switch {
    var settings = GPIOSettings()
    change(&settings)
    return Switch(settings, isOn: false, day: DayUse(at: now), at: now)
  }

  private func refusal(_ output: inout Switch, _ isOn: Bool, length: Int64? = nil, at now: Int64) -> String? {
    do throws(HandRefusal) {
      try output.check(isOn, length: length, at: now)
      return nil
    } catch {
      return text(of: error)
    }
  }

  private func isOver(_ output: inout Switch, at now: Int64) -> Bool { output.isOver(at: now) }

  @Test("without limits it is switched at any time, and stays")
  func free() {
    var output = output()
    #expect(refusal(&output, true, at: 0) == nil)
    output.switched(true, at: 0)
    #expect(output.isOn && output.nextDeadline(at: 0) == nil)
    #expect(refusal(&output, false, at: 0) == nil)
  }

  @Test("a pulse ends at its time, and a new one begins it anew")
  func pulse() {
    var output = output()
    output.switched(true, length: 500, at: 1_000)
    #expect(output.nextDeadline(at: 1_000) == 1_500)
    #expect(!isOver(&output, at: 1_499))
    output.switched(true, length: 500, at: 1_400)
    #expect(!isOver(&output, at: 1_500))
    #expect(isOver(&output, at: 1_900))
    // Switched on for good, it has no end.
    output.switched(true, at: 1_900)
    #expect(output.nextDeadline(at: 1_900) == nil)
  }

  @Test("a pulse is as long as the owner allows, and no shorter than the loop can keep")
  func lengths() {
    var output = output { $0.maxPulse = 2_500 }
    #expect(refusal(&output, true, length: 2_500, at: 0) == nil)
    #expect(refusal(&output, true, length: 2_501, at: 0) == "seconds must be from 0.01 to 2.5")
    #expect(refusal(&output, true, length: 9, at: 0) != nil)
    #expect(refusal(&output, true, length: .max, at: 0) != nil)
  }

  @Test("least times count from the last switching, and from the start")
  func leastTimes() {
    var output = output({ ($0.minOn, $0.minOff) = (5_000, 10_000) }, at: 100)
    #expect(
      refusal(&output, true, at: 1_100)
        == "it was switched off too short a time ago, and must stay off: try again in 9 s")
    #expect(refusal(&output, true, at: 10_100) == nil)
    output.switched(true, at: 10_100)
    #expect(
      refusal(&output, false, at: 10_101)
        == "it was switched on too short a time ago, and must stay on: try again in 5 s")
    // What does not change is never refused.
    #expect(refusal(&output, true, at: 10_101) == nil)
    #expect(refusal(&output, false, at: 15_100) == nil)
  }

  @Test("it goes off after its longest time, however often it is switched on meanwhile")
  func longest() {
    var output = output { $0.maxOn = 60_000 }
    output.switched(true, at: 0)
    output.switched(true, at: 59_000)
    output.switched(true, length: 30_000, at: 59_500)
    #expect(output.nextDeadline(at: 59_500) == 60_000)
    #expect(isOver(&output, at: 60_000))
  }

  @Test("the switches of a day are limited, and those of the next are new")
  func switches() {
    var output = output { $0.maxSwitchesPerDay = 2 }
    for start in [Int64(0), 10] {
      #expect(refusal(&output, true, at: start) == nil)
      output.switched(true, at: start)
      output.switched(true, at: start + 1)
      output.switched(false, at: start + 2)
    }
    #expect(refusal(&output, true, at: 20)?.hasPrefix("it was switched on as often as the owner allows") == true)
    #expect(refusal(&output, true, at: 86_400_000) == nil)
  }

  @Test("the time on of a day is limited: it goes off when it is used up")
  func dayTime() {
    var output = output { $0.maxOnPerDay = 3_600_000 }
    output.switched(true, at: 0)
    output.switched(false, at: 1_600_000)
    output.switched(true, at: 5_000_000)
    #expect(output.nextDeadline(at: 5_000_000) == 7_000_000)
    #expect(!isOver(&output, at: 6_999_999))
    #expect(isOver(&output, at: 7_000_000))
    output.switched(false, at: 7_000_000)
    #expect(
      refusal(&output, true, at: 7_000_000)
        == "it has been on for as long as the owner allows in 24 hours: try again in 79400 s")
  }

  @Test("what is on over the end of a day uses the next one from there")
  func overMidnight() {
    var day = DayUse(at: 0)
    day.advance(to: 86_000_000, wasOn: false)
    day.advance(to: 86_500_000, wasOn: true)
    #expect(day.onTime == 100_000)
    #expect(day.left(at: 86_500_000) == 86_300_000)
  }

  @Test("a day goes on after a restart, and what cannot be is made possible")
  func restored() {
    let day = DayUse(passed: 1_000, onTime: 400, switches: 3, at: 50)
    #expect(day.passed(at: 60) == 1_010 && day.onTime == 400 && day.switches == 3)
    let hostile = DayUse(passed: .min, onTime: .max, switches: -5, at: 50)
    #expect(hostile.passed(at: 50) == 0 && hostile.onTime == 86_400_000 && hostile.switches == 0)
  }
}
