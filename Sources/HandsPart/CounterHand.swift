import Codec
import Hands
import Node
import Runtime

/// `kind = counter`: pulses of a meter, whose total is kept on flash.
final class CounterHand: DeviceHand, InputLineDelegate {
  private let line: any InputLine
  private var counter: PulseCounter

  init(_ settings: HandSettings, _ line: any InputLine, _ surroundings: HandSurroundings, index: Int) {
    self.line = line
    counter = PulseCounter(settings.counter, total: 0, at: surroundings.clock.monotonic)
    super.init(settings, surroundings, index: index)
  }

  // MARK: What it is

  override var explanation: String {
    let counter = settings.counter
    let unit = counter.unit.isEmpty ? "pulses" : counter.unit
    let period = String(decoding: counter.period.sign.bytes, as: UTF8.self)
    return "Returns the total in \(unit), and the rate in \(unit)/\(period) over the last \(counter.window / 1000) s. "
      + "It cannot be set back."
  }

  override var sentence: String { "What \(settings.name) has counted." }

  // MARK: Life

  override func start() {
    let total = surroundings.keeper.load(self).map { UInt64(bitPattern: $0.first) } ?? 0
    counter = PulseCounter(settings.counter, total: total, at: now)
    super.start()
  }

  override func openDevice() throws(Errno) { counter.begin(try line.start(self)) }

  override func closeDevice() { line.stop() }

  override func leaveDevice() {
    line.catchUp()
    if counter.settle(by: now) { counted() }
  }

  // MARK: InputLineDelegate

  func lineChanged(isOn: Bool, at instant: Int64) {
    if counter.edge(isOn, at: min(instant, now)) { counted() }
  }

  /// How many pulses were lost is not known.
  func lineMissed(isOn: Bool, at instant: Int64) { counter.begin(isOn) }

  func lineFailed(_ reason: Errno) { failed(reason) }

  private func counted() { surroundings.keeper.changed(self, within: settings.counter.saving) }

  override var record: HandRecord? { HandRecord(Int64(bitPattern: counter.total)) }

  // MARK: Calls

  override func begin(_ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    if isOpen { line.catchUp() }
    guard isOpen else { return fail(token, .broken(trouble?.text ?? "its line is not open")) }
    succeed(token) { self.writeCount(to: &$0) }
  }

  private func writeCount(to writer: inout JSONWriter) {
    let rate = counter.rate(at: now)
    writer.key("total")
    writer.decimal(counter.amount, fractionDigits: 3)
    writer.key("rate")
    writer.decimal(rate, fractionDigits: 3)
    if !settings.counter.unit.isEmpty {
      writer.key("unit")
      writer.string(settings.counter.unit)
    }
    writer.key("ratePer")
    writer.string(settings.counter.period.sign)
    writer.key("pulses")
    writer.uint(counter.total)
  }

  override func writeState(to writer: inout JSONWriter) {
    writer.key("state")
    writer.string("counting")
    writeCount(to: &writer)
  }
}
