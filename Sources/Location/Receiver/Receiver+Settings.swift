import Codec
import Runtime

/// Polls a receiver's version, and configures it.
extension Receiver {
  func beginAsking(_ now: Int64) {
    phase = .asking
    sent = 0
    ask(now)
  }

  /// Polls the version; without an answer after `tries` it is not a u-blox receiver, and is not configured.
  func ask(_ now: Int64) {
    guard sent < Self.tries else {
      plan.isDone = true
      return run(now, checks: false)
    }
    sent += 1
    deadline = now + Self.answering
    askVersion()
  }

  /// The receiver reported its version.
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
    sendSetting(now)
  }

  /// Sends the current setting, and repeats it when it was not acknowledged.
  func sendSetting(_ now: Int64) {
    if sent == Self.tries { refused() }
    guard plan.step != nil else {
      plan.isDone = true
      return run(now, checks: false)
    }
    sent += 1
    deadline = now + Self.answering
    send { plan.write(to: &$0) }
  }

  /// The receiver acknowledged or refused the current setting.
  func answered(_ id: UBXMessageID, isTaken: Bool, _ now: Int64) {
    guard phase == .configuring, id == plan.stepID else { return }
    if isTaken {
      plan.taken()
      sent = 0
    } else {
      refused()
    }
    sendSetting(now)
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

  /// Enables UBX and NMEA on the receiver's ports at the current baud rate, for a receiver whose output is disabled. A
  /// receiver at another baud rate does not understand it, so no baud rate is changed.
  func openPorts(_ speed: UInt32) {
    send { UBXCommand.configure(.uart1, baud: speed, input: .all, output: .both, to: &$0) }
    send { UBXCommand.configure(.usb, baud: speed, input: .all, output: .both, to: &$0) }
    send { writer in
      var values = UBXValues(.volatile)
      values.setProtocols(of: .uart1, input: .both, output: .both)
      values.write(to: &writer)
    }
  }

  /// Eight bytes of 0xFF: only their start bits are edges, so that they form no command at any baud rate.
  func sendWakeBurst() {
    send { writer in for _ in 0..<8 { writer.byte(0xFF) } }
  }

  private func send(_ write: (inout ByteWriter) -> Void) {
    var writer = ByteWriter(into: buffer.bytes)
    write(&writer)
    line?.send(Span(_unsafeElements: UnsafeBufferPointer(rebasing: buffer.bytes[..<writer.count])))
  }
}
