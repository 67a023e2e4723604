import Codec
import Metrics
import Runtime

extension MetricsPart {
  /// What people at the board see. Ages in milliseconds; counts of intervals since the start.
  func writeObject(to writer: inout JSONWriter) {
    let now = clock.monotonic
    writer.beginObject()
    writer.key("waiting")
    writer.int(Int64(ring.count))
    if let accepted = sender.acceptedAt {
      writer.key("acceptedAgeMs")
      writer.int(now - accepted)
    }
    writer.key("accepted")
    writer.uint(sender.accepted)
    writer.key("dropped")
    writer.uint(ring.dropped)
    writer.key("refused")
    writer.uint(sender.refused)
    writer.key("hasDate")
    writer.bool(date.offset != nil)
    if let at = sender.trouble.at {
      writer.key("trouble")
      writer.beginObject()
      writer.key("text")
      writer.string(sender.trouble.text.span)
      writer.key("ageMs")
      writer.int(now - at)
      writer.key("isRefusal")
      writer.bool(sender.trouble.isRefusal)
      writer.key("isCurrent")
      writer.bool(sender.trouble.isCurrent)
      writer.endObject()
    }
    writer.endObject()
  }
}
