import Codec
import Runtime

/// The record of the reminders, and the list of them.
extension ReminderBook {
  /// Writes all reminders: JSON, so that later releases may add members.
  public func writeRecord(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("next")
    writer.uint(UInt64(nextID))
    writer.key("reminders")
    write(to: &writer)
    writer.endObject()
  }

  /// Writes the list, as the record and the model read it.
  public func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for index in 0..<count {
      let reminder = self[index]
      writer.beginObject()
      writer.key("id")
      writer.uint(UInt64(reminder.id))
      writer.key("due")
      writer.string(ISO8601(unixMilliseconds: reminder.due).text)
      if reminder.period > 0 {
        writer.key("everySeconds")
        writer.int(reminder.period / 1000)
        if reminder.hasCome {
          writer.key("hasCome")
          writer.bool(true)
        }
      }
      writer.key("text")
      writer.string(reminder.text.span)
      writer.endObject()
    }
    writer.endArray()
  }

  /// Reads what `writeRecord` wrote; false, and nothing changes, for anything else. A reminder that cannot be read is
  /// left out.
  public mutating func readRecord(_ text: Span<UInt8>) -> Bool {
    guard count == 0, (try? JSONValidator.check(text, depthLimit: 4)) != nil else { return false }
    let record = JSONView(text)
    guard let next = record.member("next")?.uint64, let list = record.member("reminders"), list.kind == .array else {
      return false
    }
    begin(at: UInt32(clamping: next))
    var elements = list.elements()
    while count < Budget.agentReminders, let element = elements.next() {
      if let reminder = Reminder(element) { insert(reminder) }
    }
    return true
  }
}

extension Reminder {
  fileprivate init?(_ element: borrowing JSONView) {
    guard let id = element.member("id")?.uint64, let time = element.member("due")?.unixMilliseconds,
      let text = element.member("text")
    else { return nil }
    self.id = UInt32(clamping: id)
    self.due = time
    let seconds = min(max(element.member("everySeconds")?.int64 ?? 0, 0), Budget.agentReminderMost / 1000)
    period = seconds == 0 ? 0 : max(seconds * 1000, ReminderBook.periodLeast)
    hasCome = period > 0 && element.member("hasCome")?.bool == true
    guard self.text.fill({ text.copyString(into: $0) }), !self.text.isEmpty else { return nil }
    self.text.makeLine()
  }
}
