import Codec
import Hands
import Node
import Runtime

/// `kind = gpio`, `direction = out`: a line that the agent switches, for as long as the owner's limits allow.
final class SwitchHand: DeviceHand {
  private enum Action: Equatable {
    case read, on, off
    /// Milliseconds.
    case pulse(Int64)
  }

  private let line: any OutputLine
  private var gpio: GPIOSettings { settings.gpio }
  private var state: Switch
  /// True while a person holds the board (panic).
  private var isHeld = false
  /// When the time that it has been on today is written again.
  private var saveAt: Int64?

  init(_ settings: HandSettings, _ line: any OutputLine, _ surroundings: HandSurroundings, index: Int) {
    self.line = line
    let now = surroundings.clock.monotonic
    state = Switch(settings.gpio, isOn: false, day: DayUse(at: now), at: now)
    super.init(settings, surroundings, index: index)
  }

  // MARK: What it is

  override var isReadOnly: Bool { false }

  override var explanation: String {
    var text = "Switches it on or off, switches it on for a number of seconds (pulse), or reads whether it is on."
    text += " Every call returns what its line really is."
    if !gpio.neverWith.isEmpty { text += " It is never on together with " + Self.list(gpio.neverWith) + "." }
    if gpio.minOn > 0 { text += " Once on, it stays on for \(gpio.minOn / 1000) s." }
    if gpio.minOff > 0 { text += " Once off, it stays off for \(gpio.minOff / 1000) s." }
    if let most = gpio.maxOn { text += " It goes off by itself after \(most / 1000) s." }
    if let most = gpio.maxOnPerDay { text += " It may be on for \(most / 1000) s in 24 hours." }
    if let most = gpio.maxSwitchesPerDay { text += " It may be switched on \(most) times in 24 hours." }
    return text
  }

  private static func list(_ names: [String]) -> String {
    var text = ""
    for name in names { text += text.isEmpty ? name : ", " + name }
    return text
  }

  override var schema: String {
    #"{"type":"object","properties":{"action":{"type":"string","enum":["read","on","off","pulse"]},"#
      + #""seconds":{"type":"number","description":"How long a pulse is, at most "#
      + "\(max(gpio.maxPulse, gpio.minOn) / 1000)" + #"."}},"required":["action"]}"#
  }

  override var sentence: String { "The state of \(settings.name)." }

  // MARK: Life

  override func start() {
    if gpio.maxOnPerDay != nil || gpio.maxSwitchesPerDay != nil, let record = surroundings.keeper.load(self) {
      let day = DayUse(passed: record.first, onTime: record.second, switches: record.third, at: now)
      state = Switch(gpio, isOn: false, day: day, at: now)
    }
    super.start()
  }

  /// Takes the line in its safe state: what a run that was killed has left on ends here, too.
  override func openDevice() throws(Errno) {
    try line.open(rivalThatIsOn != nil ? false : gpio.safe == .keep && !isHeld ? nil : gpio.safe == .on)
    let isOn = try line.isOn()
    state = Switch(gpio, isOn: isOn, day: state.day, at: now)
    saveAt = nil
  }

  override func closeDevice() { line.close() }

  override func leaveDevice() { goSafe("safe at the end", isPanic: false) }

  override func hold() {
    isHeld = true
    goSafe("safe for panic", isPanic: true)
  }

  override func letGo() { isHeld = false }

  /// What the owner wants when nobody decides. Least times do not count here.
  private func goSafe(_ what: StaticString, isPanic: Bool) {
    guard isOpen else { return }
    let wanted: Bool
    switch gpio.safe {
    case .off: wanted = false
    case .on: wanted = true
    case .keep:
      guard isPanic else { return }
      wanted = false
    }
    if state.isOn == wanted, state.endsAt == nil { return }
    change(to: wanted, what)
  }

  override var nextWork: Int64? { earliest(saveAt, state.nextDeadline(at: now)) }

  override func work(at now: Int64) {
    if state.isOver(at: now) { change(to: false, "off at its time") }
    if let saveAt, now >= saveAt { save() }
  }

  /// Has the use of this day written, and again while it is on, so that little of it is lost with the power.
  private func save() {
    guard gpio.maxOnPerDay != nil || gpio.maxSwitchesPerDay != nil else { return }
    surroundings.keeper.changed(self, within: 0)
    saveAt = state.isOn && gpio.maxOnPerDay != nil ? now + Budget.handUseSaving : nil
  }

  /// Switches without a call.
  private func change(to isOn: Bool, _ what: StaticString) {
    do throws(Errno) {
      try line.set(isOn)
      switched(isOn, length: nil)
      noteChange(what, isOwn: true)
    } catch {
      failed(error)
    }
  }

  private func switched(_ isOn: Bool, length: Int64?) {
    let isNews = isOn != state.isOn
    state.switched(isOn, length: length, at: now)
    if isNews { save() }
  }

  // MARK: Calls

  override func begin(_ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    do throws(HandRefusal) {
      let action = try Self.action(parameters)
      switch action {
      case .read: break
      case .on: try turn(true, nil, "on")
      case .off: try turn(false, nil, "off")
      case .pulse(let length): try turn(true, length, "on for a pulse")
      }
      let isOn = try reach { () throws(Errno) in try line.isOn() }
      if action != .read, isOn != state.isOn { throw .contradicts(isOn: state.isOn) }
      succeed(token) { self.writeState(isOn, to: &$0) }
    } catch {
      fail(token, error)
    }
  }

  private static func action(_ parameters: borrowing JSONView) throws(HandRefusal) -> Action {
    guard let word = parameters.member("action"), !word.isNull else { return .read }
    if word.equals("read") { return .read }
    if word.equals("on") { return .on }
    if word.equals("off") { return .off }
    guard word.equals("pulse") else { throw .invalid("action", wanted: "read, on, off or pulse") }
    guard let seconds = parameters.member("seconds")?.double, seconds > 0, seconds < 1e9 else {
      throw .invalid("seconds", wanted: "a number above 0: how long the pulse is")
    }
    return .pulse(Int64(clamping: (seconds * 1000).rounded()))
  }

  private func turn(_ isOn: Bool, _ length: Int64?, _ what: StaticString) throws(HandRefusal) {
    try state.check(isOn, length: length, at: now)
    if isOn, let rival = rivalThatIsOn { throw .neverWith(rival.settings.name) }
    try reach { () throws(Errno) in try line.set(isOn) }
    let isNews = state.isOn != isOn || length != nil
    switched(isOn, length: length)
    if isNews { noteChange(what) }
  }

  private func writeState(_ isOn: Bool, to writer: inout JSONWriter) {
    writer.key("state")
    writer.string(isOn ? "on" : "off")
    writer.key("forMs")
    writer.int(now - state.changedAt)
    if let endsAt = state.endsAt {
      writer.key("endsInMs")
      writer.int(max(endsAt - now, 0))
    }
    if let most = gpio.maxOnPerDay {
      writer.key("onTimeLeftMs")
      writer.int(max(most - state.day.onTime, 0))
    }
    if let most = gpio.maxSwitchesPerDay {
      writer.key("switchesLeft")
      writer.int(max(most - state.day.switches, 0))
    }
  }

  // MARK: Reports

  override var isOn: Bool { isOpen && state.isOn }

  override func writeState(to writer: inout JSONWriter) { writeState(state.isOn, to: &writer) }

  override var record: HandRecord? {
    state.settle(at: now)
    return HandRecord(state.day.passed(at: now), state.day.onTime, state.day.switches)
  }
}
