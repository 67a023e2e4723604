import Codec
import Hands
import Node
import Runtime

/// `kind = gpio`, `direction = in`: a contact that the agent reads, and of whose changes it is told.
final class InputHand: DeviceHand, InputLineDelegate {

  private let line: any InputLine
  private var gpio: GPIOSettings { settings.gpio }
  private var contact: Debouncer
  /// When it changed last, or was opened.
  private var changedAt: Int64
  private var changes: UInt64 = 0
  private var events: CallLimit
  /// Events that were not sent, because there were too many.
  private var withheld: UInt64 = 0
  private var isHeld = false

  init(_ settings: HandSettings, _ line: any InputLine, _ surroundings: HandSurroundings, index: Int) {
    self.line = line
    contact = Debouncer(settings.gpio.debounce)
    events = CallLimit(settings.gpio.maxEventsPerHour, in: 3_600_000)
    changedAt = surroundings.clock.monotonic
    super.init(settings, surroundings, index: index)
  }

  // MARK: What it is

  override var explanation: String {
    let words = "\(gpio.onWord) or \(gpio.offWord)"
    let text = "Returns whether it is \(words), and for how long."
    return gpio.events == .none ? text : text + " You are told by itself when that changes."
  }

  override var sentence: String { "The state of \(settings.name)." }

  // MARK: Life

  override func openDevice() throws(Errno) {
    contact.begin(try line.start(self))
    changedAt = now
  }

  override func closeDevice() { line.stop() }

  override func hold() { isHeld = true }

  override func letGo() { isHeld = false }

  override var nextWork: Int64? { contact.deadline }

  override func work(at now: Int64) {
    guard let due = contact.deadline, now >= due else { return }
    // Edges that the kernel has not delivered yet may be earlier than now.
    line.catchUp()
    settle(by: now)
  }

  // MARK: InputLineDelegate

  func lineChanged(isOn: Bool, at instant: Int64) {
    let instant = min(instant, now)
    settle(by: instant)
    contact.edge(isOn, at: instant)
    settle(by: instant)
  }

  func lineMissed(isOn: Bool, at instant: Int64) {
    guard contact.isPressed != isOn else { return }
    contact.begin(isOn)
    changed(at: instant)
  }

  func lineFailed(_ reason: Errno) { failed(reason) }

  private func settle(by instant: Int64) {
    while let change = contact.settled(by: instant) { changed(at: change) }
  }

  // MARK: Events

  private var word: String { contact.isPressed ? gpio.onWord : gpio.offWord }

  private var isWanted: Bool {
    switch gpio.events {
    case .none: false
    case .on: contact.isPressed
    case .off: !contact.isPressed
    case .both: true
    }
  }

  private func changed(at instant: Int64) {
    changedAt = instant
    changes += 1
    guard isWanted, !isHeld else { return }
    guard events.take(at: now) == nil else {
      if withheld == 0 { say(.notice, "it changes too often: no more events for an hour") }
      return withheld += 1
    }
    withheld = 0
    post(instant)
  }

  private func post(_ instant: Int64) {
    var title = InlineText<256>()
    title.fill { buffer in
      var line = ByteWriter(into: buffer)
      line.bytes(self.settings.name.utf8.span)
      line.text(" is ")
      line.bytes(self.word.utf8.span)
      return min(line.count, buffer.count)
    }
    title.span.withUnsafeBufferPointer { title in
      settings.about.withBytes { notify(title: title, text: $0, at: instant) }
    }
  }

  // MARK: Calls

  override func begin(_ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    if isOpen { line.catchUp() }
    guard isOpen else { return fail(token, .broken(trouble?.text ?? "its line is not open")) }
    succeed(token) { self.writeState(to: &$0) }
  }

  override func writeState(to writer: inout JSONWriter) {
    writer.key("state")
    writer.string(word)
    writer.key("forMs")
    writer.int(now - changedAt)
    writer.key("changes")
    writer.uint(changes)
  }
}
