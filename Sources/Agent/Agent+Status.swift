import Codec
import Gateway
import Location
import Runtime

extension Agent {
  /// What the position receiver says and how its line is; the place as it is, for this is said at the board alone.
  public func writeLocation(to writer: inout JSONWriter) { location.writeReport(to: &writer, now: now) }
}

/// The state of the agent for people and programs at the board, as one JSON object.
extension Agent {
  /// Writes the object. Numbers count since start; ages are in milliseconds.
  public func writeStatus(to writer: inout JSONWriter) {
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
    if let desk { write(desk.session, &writer) }
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

  private func write(_ session: Session, _ writer: inout JSONWriter) {
    writer.key("console")
    writer.beginObject()
    writer.key("state")
    writer.string(session.state.word)
    writer.key("explanation")
    writer.string(session.explanation.span)
    writer.endObject()
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
