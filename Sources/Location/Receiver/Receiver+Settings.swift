import Codec
import Runtime

/// Asking a receiver what it is, and telling it how to be.
extension Receiver {
  func beginAsking(_ now: Int64) {
    phase = .asking
    sent = 0
    ask(now)
  }

  /// Asks for the version; after `tries` without an answer it is some other receiver, which reports as it likes.
  func ask(_ now: Int64) {
    guard sent < Self.tries else {
      plan.isDone = true
      return run(now, checks: false)
    }
    sent += 1
    deadline = now + Self.answering
    askVersion()
  }

  /// The receiver says what it is.
  func learn(_ version: UBXVersion, _ now: Int64) {
    model.set(version.module.text.isEmpty ? version.software.text : version.module.text)
    guard phase == .asking else { return }
    log.write(.info, "location") { line in
      line.add("setting up the receiver ")
      line.add(model.span)
    }
    plan = ReceiverPlan(settings, version)
    phase = .configuring
    sent = 0
    refusals = 0
    tell(now)
  }

  /// Sends the setting at hand, again when it was not answered.
  func tell(_ now: Int64) {
    if sent == Self.tries { refused() }
    guard plan.step != nil else {
      plan.isDone = true
      return run(now, checks: false)
    }
    sent += 1
    deadline = now + Self.answering
    send { plan.write(to: &$0) }
  }

  /// The receiver took the setting at hand, or did not.
  func answered(_ id: UBXMessageID, isTaken: Bool, _ now: Int64) {
    guard phase == .configuring, id == plan.stepID else { return }
    if isTaken {
      plan.taken()
      sent = 0
    } else {
      refused()
    }
    tell(now)
  }

  private func refused() {
    sent = 0
    defer { plan.refused() }
    if plan.mayLack { return }
    refusals += 1
    log.write(.warning, "location", "the receiver does not take one of its settings (rate, constellations, save)")
  }

  // MARK: Bytes

  func askVersion() { send { UBXCommand.pollVersion(to: &$0) } }

  /// Opens the receiver's ports for UBX and sentences, at the speed that is tried: for one that hears and may not answer. It is
  /// understood at that speed alone, so it changes none.
  func openPorts(_ speed: UInt32) {
    send { UBXCommand.configure(.uart1, baud: speed, input: .all, output: .both, to: &$0) }
    send { UBXCommand.configure(.usb, baud: speed, input: .all, output: .both, to: &$0) }
    send { writer in
      var values = UBXValues(.volatile)
      values.setProtocols(of: .uart1, input: .both, output: .both)
      values.write(to: &writer)
    }
  }

  /// Eight bytes whose bits are all high: only their start bits are edges, so that no speed makes a command of them.
  func sendWakeBurst() {
    send { writer in for _ in 0..<8 { writer.byte(0xFF) } }
  }

  private func send(_ write: (inout ByteWriter) -> Void) {
    var writer = ByteWriter(into: buffer.bytes)
    write(&writer)
    line?.send(Span(_unsafeElements: UnsafeBufferPointer(rebasing: buffer.bytes[..<writer.count])))
  }
}
