import Codec
import Hands
import Node
import Runtime

/// `kind = sensor`: a value that is read again and again, with its minimum, maximum and mean, and an alarm.
final class SensorHand: Hand {
  /// One reading, on a worker.
  private final class Reading: Job {
    let device: any SensorDevice
    var outcome = SensorOutcome.failed(SensorFailure(.noNumber))
    unowned(unsafe) var hand: SensorHand! = nil

    init(_ device: any SensorDevice) { self.device = device }

    override func run() { outcome = device.read() }
    override func finish() { hand.take(outcome) }
  }

  /// What is known of its value.
  private struct Known {
    var value: Double
    var at: Int64
  }

  private let reading: Reading
  private var sensor: SensorSettings { settings.sensor }
  private var last: Known?
  private var failure: SensorFailure?
  private var window: SensorWindow
  private var alarm: SensorAlarm
  private var nextReading: Int64?
  /// Calls that wait for the first reading.
  private var waiting = InlineList<2, InvokeToken>()
  private let title = FixedBuffer(capacity: 128)
  private let words = FixedBuffer(capacity: 512)
  private let unit: String

  init(_ settings: HandSettings, _ device: any SensorDevice, _ surroundings: HandSurroundings, index: Int) {
    reading = Reading(device)
    unit = settings.sensor.unitText
    window = SensorWindow(milliseconds: Int64(settings.sensor.windowMinutes) * 60_000)
    alarm = SensorAlarm(
      above: settings.sensor.above, below: settings.sensor.below, hysteresis: settings.sensor.hysteresis,
      pause: Budget.sensorEventMilliseconds)
    super.init(settings, surroundings, index: index)
    reading.hand = self
  }

  private var now: Int64 { surroundings.clock.monotonic }

  // MARK: What it is

  override var explanation: String {
    let quantity = sensor.source.map { String(decoding: $0.quantity.word.bytes, as: UTF8.self) } ?? "value"
    var text = "Returns the \(quantity) in \(unit) now, and its minimum, maximum and mean over the last "
    text += "\(windowText). It is read every \(sensor.every / 1000) s."
    guard sensor.above != nil || sensor.below != nil else { return text }
    text += " You are told by itself when it is "
    if let above = sensor.above { text += "above \(Self.text(above, sensor.fractionDigits))" }
    if sensor.above != nil, sensor.below != nil { text += " or " }
    if let below = sensor.below { text += "below \(Self.text(below, sensor.fractionDigits))" }
    return text + "."
  }

  private var windowText: String {
    let minutes = sensor.windowMinutes
    if minutes % 60 != 0 { return minutes == 1 ? "minute" : "\(minutes) minutes" }
    return minutes == 60 ? "hour" : "\(minutes / 60) hours"
  }

  private static func text(_ value: Double, _ digits: Int) -> String {
    var text = InlineText<64>()
    text.fill { bytes in
      var writer = ByteWriter(into: bytes)
      writer.fixed(value, fractionDigits: digits)
      return min(writer.count, bytes.count)
    }
    return String(decoding: text.span.withUnsafeBufferPointer { Array($0) }, as: UTF8.self)
  }

  // MARK: Life

  override func start() { nextReading = now }

  override func stop() {
    nextReading = nil
    waiting.removeAll()
  }

  override var isStopped: Bool { !reading.isPending }

  override func hold() { nextReading = nil }

  override func letGo() { nextReading = now }

  override var nextDeadline: Int64? { reading.isPending ? nil : nextReading }

  override func advance(to now: Int64) {
    guard let due = nextReading, now >= due, !reading.isPending else { return }
    nextReading = now + (surroundings.readings.submit(reading) ? sensor.every : Budget.handRetry.lowerBound)
  }

  private func take(_ outcome: SensorOutcome) {
    switch outcome {
    case .value(let raw):
      let value = raw * sensor.scale + sensor.offset
      if failure != nil { say(.notice, "it is read again") }
      failure = nil
      last = Known(value: value, at: now)
      window.add(value, at: now)
      if let event = alarm.take(value, at: now), nextReading != nil { tell(event) }
    case .failed(let reason):
      if failure != reason { log(reason) }
      failure = reason
    }
    for index in 0..<waiting.count { answer(waiting[index]) }
    waiting.removeAll()
  }

  private func log(_ reason: SensorFailure) {
    guard let source = sensor.source else { return }
    var writer = ByteWriter(into: words.bytes)
    reason.write(source, to: &writer)
    let text = UnsafeBufferPointer(rebasing: words.bytes[..<min(writer.count, words.bytes.count)])
    surroundings.log.write(.warning, "io") { line in
      line.add(self.settings.name)
      line.add(": ")
      line.add(text)
    }
  }

  // MARK: Calls

  override func begin(_ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    guard last == nil, failure == nil, waiting.append(token) else { return answer(token) }
    advance(to: now)
  }

  override func cancel(_ token: InvokeToken) {
    var others = InlineList<2, InvokeToken>()
    for index in 0..<waiting.count where waiting[index] != token { others.append(waiting[index]) }
    waiting = others
  }

  private func answer(_ token: InvokeToken) {
    if let failure { return fail(token) { self.write(failure, to: &$0) } }
    guard let last else { return fail(token) { $0.text("it was not read yet: try again in some seconds") } }
    succeed(token) { writer in
      writer.key("text")
      writer.beginString()
      writer.stringPiece(Span(_unsafeElements: self.sentence(last)))
      writer.endString()
      self.writeValues(last, to: &writer)
    }
  }

  private func write(_ failure: SensorFailure, to line: inout ByteWriter) {
    if let source = sensor.source { failure.write(source, to: &line) }
    if let last {
      line.text("; it was ")
      write(last.value, to: &line)
      line.text(" ")
      line.decimal(max(now - last.at, 0) / 1000)
      line.text(" s ago")
    }
    line.text(". It is tried again by itself; if that does not help, tell the owner")
  }

  /// "The greenhouse is 21.4 °C now; between 18.2 and 24.9 in the last hour."
  private func sentence(_ known: Known) -> UnsafeBufferPointer<UInt8> {
    var line = ByteWriter(into: words.bytes)
    writeLabel(to: &line)
    line.text(" is ")
    write(known.value, to: &line)
    line.text(" now")
    if let summary = window.summary(at: now), summary.count > 1 {
      line.text("; between ")
      line.fixed(summary.minimum, fractionDigits: sensor.fractionDigits)
      line.text(" and ")
      line.fixed(summary.maximum, fractionDigits: sensor.fractionDigits)
      line.text(" in the last ")
      line.text(windowText)
    }
    line.text(".")
    return UnsafeBufferPointer(rebasing: words.bytes[..<min(line.count, words.bytes.count)])
  }

  private func writeLabel(to line: inout ByteWriter) {
    if !sensor.label.isEmpty { return line.text(sensor.label) }
    for byte in settings.name.utf8 { line.byte(byte == UInt8(ascii: "_") ? 0x20 : byte) }
  }

  private func write(_ value: Double, to line: inout ByteWriter) {
    line.fixed(value, fractionDigits: sensor.fractionDigits)
    guard !unit.isEmpty else { return }
    line.text(" ")
    line.text(unit)
  }

  private func writeValues(_ known: Known, to writer: inout JSONWriter) {
    writer.key("value")
    writer.decimal(known.value, fractionDigits: 3)
    writer.key("unit")
    writer.string(unit)
    writer.key("ageMs")
    writer.int(max(now - known.at, 0))
    if let summary = window.summary(at: now) {
      writer.key("minimum")
      writer.decimal(summary.minimum, fractionDigits: 3)
      writer.key("maximum")
      writer.decimal(summary.maximum, fractionDigits: 3)
      writer.key("mean")
      writer.decimal(summary.mean, fractionDigits: 3)
      writer.key("windowMinutes")
      writer.int(Int64(sensor.windowMinutes))
    }
    writer.key("alarm")
    writer.bool(alarm.isRaised)
  }

  // MARK: Events

  private func tell(_ event: SensorAlarm.Event) {
    guard let last else { return }
    var line = ByteWriter(into: title.bytes)
    writeLabel(to: &line)
    switch event {
    case .above(let limit):
      line.text(" is above ")
      write(limit, to: &line)
    case .below(let limit):
      line.text(" is below ")
      write(limit, to: &line)
    case .back: line.text(" is within its limits again")
    }
    let title = UnsafeBufferPointer(rebasing: title.bytes[..<min(line.count, title.bytes.count)])
    notify(title: title, text: sentence(last), at: last.at)
  }

  // MARK: Reports

  override var hasFault: Bool { failure != nil }

  override func writeStatus(to writer: inout JSONWriter) {
    writer.key("state")
    writer.string(failure != nil ? "broken" : last == nil ? "starting" : "ok")
    if let failure, let source = sensor.source {
      var line = ByteWriter(into: words.bytes)
      failure.write(source, to: &line)
      writer.key("trouble")
      writer.string(
        Span(_unsafeElements: UnsafeBufferPointer(rebasing: words.bytes[..<min(line.count, words.bytes.count)])))
    }
    if let last { writeValues(last, to: &writer) }
  }
}
