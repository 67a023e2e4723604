import Codec
import Runtime

/// Polls a receiver's version, and configures it.
extension Receiver {
  func beginAsking(_ now: Int64) {
    sent = 0
    if let family = vendor.family { return configure(family, now) }
    phase = .asking
    ask(now)
  }

  /// Polls the version; without an answer after `tries` it is a receiver that is not known, and is not configured.
  func ask(_ now: Int64) {
    guard sent < Self.tries else {
      plan.isDone = true
      if settings.rate > 0 || settings.systems != UBXSystems() {
        log.write(
          .warning, "location",
          "the receiver does not report what it is, and keeps its settings; [location] set_up can name its protocol")
      }
      return run(now, checks: false)
    }
    sent += 1
    deadline = now + Self.answering
    askVersion()
  }

  /// The receiver reported its version.
  func learn(_ version: UBXVersion, _ now: Int64) {
    // Some copies of u-blox modules answer this poll, and have reported what they are.
    if vendor.family != nil { return }
    model.set(version.module.text.isEmpty ? version.software.text : version.module.text)
    guard phase == .asking else { return }
    logSetUp()
    plan = ReceiverPlan(settings, version)
    phase = .configuring
    sent = 0
    refusals = 0
    sendSetting(now)
  }

  private func logSetUp() {
    log.write(.info, "location") { line in
      line.add("setting up the receiver ")
      if model.isEmpty { line.add("by [location] set_up") } else { line.add(model.span) }
    }
  }

  /// Sends the current setting, and repeats it when it was not acknowledged.
  func sendSetting(_ now: Int64) {
    if vendor.family != nil { return sendVendorSetting(now) }
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

  // MARK: Other makers

  /// The receiver reported its family.
  func learn(_ family: VendorFamily, _ name: UBXText, _ now: Int64) {
    // One that is being configured was recognized before.
    guard settings.setUp != .ublox, phase != .configuring else { return }
    model.set(name.text)
    guard settings.setUp == .automatic else { return }
    vendor.family = family
    if phase == .asking { configure(family, now) }
  }

  private func configure(_ family: VendorFamily, _ now: Int64) {
    logSetUp()
    vendor.begin(settings, speed: speed)
    phase = .configuring
    sent = 0
    refusals = 0
    sendVendorSetting(now)
  }

  /// Sends the current setting, and repeats it when it was not answered. One without an answer is sent once.
  private func sendVendorSetting(_ now: Int64) {
    if let setting = vendor.setting, sent == (setting.isAnswered ? Self.tries : 1) {
      if setting.isAnswered { refused(setting) } else { goOn() }
      if setting.purpose == .speed {
        plan.isDone = true
        return follow(to: VendorSetting.fastSpeed, now)
      }
    }
    guard let setting = vendor.setting else {
      plan.isDone = true
      return run(now, checks: false)
    }
    sent += 1
    deadline = now + (setting.isAnswered ? Self.answering : Self.settling)
    send { vendor.write(to: &$0) }
  }

  /// The receiver answered the current setting.
  func answered(_ family: VendorFamily, _ command: UBXText, isTaken: Bool, _ now: Int64) {
    guard phase == .configuring, family == vendor.family, let setting = vendor.setting, setting.isAnswered,
      setting.isAnswer(command)
    else { return }
    if isTaken { goOn() } else { refused(setting) }
    sendVendorSetting(now)
  }

  private func goOn() {
    sent = 0
    vendor.next()
  }

  private func refused(_ setting: VendorSetting) {
    goOn()
    if setting.mayLack { return }
    refusals += 1
    log.write(.warning, "location") { line in
      line.add("the receiver refuses a setting: ")
      line.add(setting.purpose.word)
    }
  }

  // MARK: Bytes

  /// Asks for the version in each language that the receiver may know. Questions change nothing.
  func askVersion() {
    if settings.setUp != .ublox {
      send { VendorSetting.writeQuestion(.casic, to: &$0) }
      send { VendorSetting.writeQuestion(.mediatek, to: &$0) }
      send { VendorSetting.writeQuestion(.quectel, to: &$0) }
    }
    send { UBXCommand.pollVersion(to: &$0) }
  }

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
