import Codec
import Hands
import Node
import Runtime

/// `kind = pwm`: an output whose power the agent sets in percent, within the owner's bounds.
final class PWMHand: DeviceHand {
  private let output: any PWMOutput
  private var pwm: PWMSettings { settings.pwm }
  /// Percent.
  private var level = 0.0
  private var changedAt: Int64 = 0

  init(_ settings: HandSettings, _ output: any PWMOutput, _ surroundings: HandSurroundings, index: Int) {
    self.output = output
    super.init(settings, surroundings, index: index)
  }

  // MARK: What it is

  override var isReadOnly: Bool { false }

  override var explanation: String {
    "Sets its power in percent, or reads it. 0 is off; otherwise from \(Self.text(pwm.minimum)) to "
      + "\(Self.text(pwm.maximum)). Every call returns what it is set to."
  }

  /// A percentage with at most one decimal.
  private static func text(_ percent: Double) -> String {
    let tenths = Int64(clamping: (percent * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  override var schema: String {
    #"{"type":"object","properties":{"percent":{"type":"number","minimum":0,"maximum":"# + Self.text(pwm.maximum)
      + #","description":"The power from now on. Without it, it is only read."}}}"#
  }

  override var sentence: String { "The power of \(settings.name)." }

  // MARK: Life

  /// Takes it, and sets what the owner wants when nobody decides: what a run that was killed has left ends here, too.
  override func openDevice() throws(Errno) {
    try output.open()
    try output.set(pwm.safe / 100)
    (level, changedAt) = (pwm.safe, now)
  }

  override func closeDevice() { output.close() }

  override func leaveDevice() { goSafe("safe at the end") }

  override func hold() { goSafe("safe for panic") }

  private func goSafe(_ what: StaticString) {
    guard isOpen, level != pwm.safe else { return }
    do throws(Errno) {
      try output.set(pwm.safe / 100)
      (level, changedAt) = (pwm.safe, now)
      noteChange(what, isOwn: true)
    } catch {
      failed(error)
    }
  }

  // MARK: Calls

  override func begin(_ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    do throws(HandRefusal) {
      let percent = try wanted(parameters)
      if let percent { try set(percent) }
      let real = try reach { () throws(Errno) in try output.share() }
      succeed(token) { self.write(real, to: &$0) }
    } catch {
      fail(token, error)
    }
  }

  /// Nil to read.
  private func wanted(_ parameters: borrowing JSONView) throws(HandRefusal) -> Double? {
    guard let member = parameters.member("percent"), !member.isNull else { return nil }
    guard let percent = member.double else { throw .invalid("percent", wanted: "a number") }
    if percent == 0 { return 0 }
    guard percent >= pwm.minimum, percent <= pwm.maximum else {
      throw .outside("percent", Self.thousandths(pwm.minimum)...Self.thousandths(pwm.maximum))
    }
    return percent
  }

  private static func thousandths(_ percent: Double) -> Int64 { Int64(clamping: (percent * 1000).rounded()) }

  private func set(_ percent: Double) throws(HandRefusal) {
    if percent > 0, let rival = rivalThatIsOn { throw .neverWith(rival.settings.name) }
    try reach { () throws(Errno) in try output.set(percent / 100) }
    guard level != percent else { return }
    (level, changedAt) = (percent, now)
    noteChange(percent > 0 ? "power set" : "off")
  }

  private func write(_ share: Double, to writer: inout JSONWriter) {
    writer.key("state")
    writer.string(share > 0 ? "on" : "off")
    writer.key("percent")
    writer.decimal(share * 100, fractionDigits: 1)
    writer.key("forMs")
    writer.int(now - changedAt)
  }

  // MARK: Reports

  override var isOn: Bool { isOpen && level > 0 }

  override func writeState(to writer: inout JSONWriter) { write(level / 100, to: &writer) }
}
