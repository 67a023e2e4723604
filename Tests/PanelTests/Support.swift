import Panel
import Runtime
import Simulated

/// A panel with a light and a button in memory, and time that passes when told to.
final class Bench: FrontPanelDelegate {
  let clock = VirtualClock(monotonic: 1_000_000)
  let light: MemoryLight
  let button: ScriptedButton
  let panel: FrontPanel
  let log = Log(level: .debug, output: nil)
  private(set) var gestures: [(at: Int64, gesture: Gesture)] = []
  private let start: Int64
  /// How often time had to be let pass: timers.
  private(set) var wakeups = 0

  init(plays: Bool = false, isPressed: Bool = false, startsNow: Bool = true) {
    light = MemoryLight(clock: clock, plays: plays)
    button = ScriptedButton(clock: clock, isPressed: isPressed)
    panel = FrontPanel(light: light, button: button, clock: clock, log: log)
    start = clock.monotonic
    if startsNow { panel.start(self) }
  }

  deinit { panel.stop() }

  func gestured(_ gesture: Gesture) { gestures.append((now, gesture)) }

  /// Milliseconds since the start.
  var now: Int64 { clock.monotonic - start }

  /// Lets time pass as a loop does: it wakes for deadlines alone.
  func pass(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    while let deadline = panel.nextDeadline, deadline <= end {
      clock.advance(max(deadline - clock.monotonic, 0))
      wakeups += 1
      panel.advance(to: clock.monotonic)
    }
    clock.advance(end - clock.monotonic)
  }

  func show(_ signals: Signal...) {
    var set = SignalSet()
    for signal in signals { set[signal] = true }
    panel.show(set)
  }

  /// Presses for so long, and lets go for so long.
  func press(_ milliseconds: Int64, then pause: Int64 = 100) {
    button.set(true)
    pass(milliseconds)
    button.set(false)
    pass(pause)
  }

  /// Takes the gestures that were told, but for those of a press that goes on.
  func told() -> [Gesture] { everythingTold().filter { $0 != .held } }

  /// Takes all gestures that were told.
  func everythingTold() -> [Gesture] {
    defer { gestures = [] }
    return gestures.map(\.gesture)
  }

  /// Takes what the light was told, with times since the start.
  func shown() -> [(at: Int64, event: MemoryLight.Event)] {
    defer { light.forget() }
    return light.events.map { ($0.at - start, $0.event) }
  }

  func logSays(_ text: String) -> Int {
    lines.filter { $0.contains(text) }.count
  }

  private var lines: [String] {
    var lines: [String] = []
    log.forEachLine { bytes in lines.append(String(decoding: bytes, as: UTF8.self)) }
    return lines
  }
}
