import Codec
import Device
import Gateway
import Node
import Panel
import Runtime
import SensePart

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
    if session.refusedConnections > 1 {
      writer.key("refusedConnections")
      writer.int(Int64(session.refusedConnections))
    }
    if let limit = session.learnedMessageLimit {
      writer.key("messageLimit")
      writer.int(Int64(limit))
    }
    if session.hasRival {
      writer.key("hasRival")
      writer.bool(true)
    }
    if let advice {
      writer.key("commands")
      advice.write(to: &writer)
    }
    table.writeStatus(to: &writer)
    writeBoard(to: &writer)
    writer.endObject()
  }

  /// What a person at the board has to know besides the connection.
  private func writeBoard(to writer: inout JSONWriter) {
    writer.key("version")
    writer.string(session.version.utf8.span)
    writer.key("uptimeMs")
    writer.int(now - startedAt)
    if let pin = session.pin {
      writer.key("pin")
      writer.string(pin.hex.span)
    }
    writer.key("trust")
    writer.beginObject()
    writer.key("by")
    writer.string(session.trustWord)
    if let until = session.vouchedUntil {
      writer.key("vouchedUntil")
      writer.int(until)
    }
    writer.endObject()
    session.writeApproval(to: &writer)
    writer.key("busy")
    writer.bool(table.isAwaited)
    writer.key("panic")
    writer.bool(hold.isHeld)
    if let shown = panel.shown {
      writer.key("light")
      writer.string(shown.word)
    }
    if let notice = notifications.notices.notice {
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
    let report = table.report
    writer.key("hardware")
    writer.beginArray()
    write("camera", report.camera, &writer)
    write("receiver", report.location, &writer)
    write("motion", report.motion, &writer)
    if report.isMicrophoneConfigured { write("microphone", report.microphone, &writer) }
    write("light", panel.light, &writer)
    write("button", panel.button, &writer)
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
}
