import Codec
import Device
import Gateway
import Location
import Panel
import Runtime

extension Agent {
  /// What the position receiver says and how its line is; the place as it is, for this is said at the board alone.
  public func writeLocation(to writer: inout JSONWriter) { location.writeReport(to: &writer, now: now) }
}

/// The state of the agent for people and programs at the board, as one JSON object.
extension Agent {
  /// Writes the object. Numbers count since start; ages are in milliseconds.
  public func writeStatus(to writer: inout JSONWriter) {
    desk?.stateShown()
    writer.beginObject()
    writer.key("pid")
    writer.int(Int64(Process.id))
    writer.key("nodeId")
    writer.string(session.identity.id.span)
    writer.key("gateway")
    writer.string(session.address)
    writer.key("state")
    writer.string(session.state.word)
    writer.key("explanation")
    writer.string(session.explanation.span)
    writer.key("connections")
    writer.uint(session.connections)
    if let advice { write(advice, &writer) }
    if let desk { write(desk, &writer) }
    writer.key("invokes")
    writer.beginObject()
    writer.key("answered")
    writer.uint(answers.succeeded)
    writer.key("refused")
    writer.uint(answers.failed)
    writer.endObject()
    write(outbox, &writer)
    write(beacon, &writer)
    camera.writeStatus(to: &writer)
    writeWake(to: &writer)
    writeBoard(to: &writer)
    writer.endObject()
  }

  /// What a person who stands before the board wants to know beside the connection.
  private func writeBoard(to writer: inout JSONWriter) {
    writer.key("version")
    writer.string(session.version.utf8.span)
    writer.key("uptimeMs")
    writer.int(now - startedAt)
    if let pin = session.pin {
      writer.key("pin")
      writer.string(pin.hex.span)
    }
    writeApproval(of: session, &writer)
    writer.key("panic")
    writer.bool(hold.isHeld)
    if let shown = panel.shown {
      writer.key("light")
      writer.string(shown.word)
    }
    if let notice = notices.notice {
      writer.key("attention")
      writer.beginObject()
      writer.key("level")
      writer.string(notice.level.word)
      writer.key("text")
      writer.string(notice.text.span)
      writer.key("age")
      writer.int(now - notice.postedAt)
      writer.endObject()
    }
    writer.key("network")
    writer.beginObject()
    writer.key("state")
    writer.string(hasNetwork ? "up" : "down")
    writer.endObject()
    if let bytes = residentBytes?() {
      writer.key("memory")
      writer.beginObject()
      writer.key("residentBytes")
      writer.uint(bytes)
      writer.key("limitBytes")
      writer.uint(memoryLimitBytes)
      writer.endObject()
    }
    writeHardware(to: &writer)
  }

  private func writeHardware(to writer: inout JSONWriter) {
    let hardware = self.hardware
    writer.key("hardware")
    writer.beginArray()
    write("camera", hardware.camera, &writer)
    write("receiver", hardware.location, &writer)
    write("motion", hardware.motion, &writer)
    if let state = microphoneHardware { write("microphone", state, &writer) }
    write("light", lightHardware, &writer)
    write("button", buttonHardware, &writer)
    writer.endArray()
  }

  private func write(_ name: StaticString, _ state: HardwareState, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("name")
    writer.string(name)
    writer.key("state")
    writer.string(state.state.word)
    if let detail = state.detail {
      writer.key("detail")
      writer.string(detail)
    }
    writer.endObject()
  }

  private func write(_ advice: PolicyAdvice, _ writer: inout JSONWriter) {
    writer.key("commands")
    writer.beginObject()
    writer.key("state")
    writer.string(advice.finding.word)
    writer.key("explanation")
    var sentence = InlineText<256>()
    sentence.fill { buffer in
      var line = LogLine(buffer)
      advice.writeSentence(to: &line)
      return line.count
    }
    writer.string(sentence.span)
    writer.key("steps")
    writer.beginArray()
    advice.forEachStep { writer.string($0) }
    writer.endArray()
    writer.endObject()
  }

  private func write(_ desk: OperatorDesk, _ writer: inout JSONWriter) {
    let explanation = desk.explanation
    writer.key("console")
    writer.beginObject()
    writer.key("state")
    writer.string(desk.stateWord)
    writer.key("explanation")
    writer.string(explanation.span)
    writeApproval(of: desk.session, &writer)
    writer.endObject()
  }

  /// What a person types at the gateway, how long ago the gateway named that request, and when it is asked again.
  private func writeApproval(of session: Session, _ writer: inout JSONWriter) {
    guard let age = session.approvalAge else { return }
    var command = InlineText<192>()
    command.fill { buffer in
      var line = LogLine(buffer)
      session.writeApproval(to: &line)
      return line.count
    }
    writer.key("approve")
    writer.string(command.span)
    writer.key("approveAge")
    writer.int(age)
    guard let pause = session.pauseLeft else { return }
    writer.key("approveNext")
    writer.int(pause)
  }

  private func write(_ outbox: Outbox, _ writer: inout JSONWriter) {
    let counters = outbox.counters
    writer.key("outbox")
    writer.beginObject()
    writer.key("waiting")
    writer.int(Int64(outbox.count))
    writer.key("delivered")
    writer.uint(counters.delivered)
    writer.key("dropped")
    writer.uint(counters.droppedByCount + counters.droppedByBytes + counters.droppedByAge)
    writer.key("refused")
    writer.uint(counters.refused)
    writer.key("writes")
    writer.uint(counters.writes)
    writer.key("failedWrites")
    writer.uint(counters.failedWrites)
    writer.endObject()
  }

  private func write(_ beacon: PresenceBeacon, _ writer: inout JSONWriter) {
    writer.key("beacon")
    writer.beginObject()
    writer.key("isSupported")
    writer.bool(beacon.isSupported)
    writer.key("recorded")
    writer.uint(beacon.recorded)
    if let last = beacon.lastRecorded {
      writer.key("age")
      writer.int(now - last)
    }
    writer.endObject()
  }
}

extension Agent {
  var lightHardware: HardwareState { HardwareState(panel.hasLight, fault: panel.lightFault) }
  var buttonHardware: HardwareState { HardwareState(panel.hasButton, fault: panel.buttonFault) }
}

extension HardwareState {
  /// The state of a part of the panel.
  init(_ isConfigured: Bool, fault: Errno?) {
    guard isConfigured else {
      self.init(.absent, detail: "none is configured", isPermitted: false)
      return
    }
    self.init(fault == nil ? .ok : .error, detail: fault?.text)
  }
}
