import Codec
import Node
import Runtime

/// A reminder that is being spoken, or is to be.
struct SpokenReminder {
  var text: InlineText<240>
  /// When it is tried again; nil while it is spoken.
  var dueAt: Int64?
  var tries = 0
}

/// Reminders: shown at once, and spoken once nobody talks.
extension OwnAgentPart {
  /// The number of a reminder at the lender.
  private static let tag = -1

  /// It is time for a reminder.
  func remind(_ text: UnsafeBufferPointer<UInt8>) {
    let reminder = InlineText<240>(cutting: Span(_unsafeElements: words.whole(text)))
    guard !reminder.isEmpty else { return }
    log.write(.notice, "agent", "a reminder of the board's own agent is due")
    let span = reminder.span
    span.withUnsafeBufferPointer { notifier?.remind($0) }
    guard !isHeld, reminders.push(reminder) else { return }
    speak(at: clock.monotonic)
  }

  /// Speaks what is due.
  func speak(at now: Int64) {
    if spoken == nil, let next = reminders.pop() { spoken = SpokenReminder(text: next, dueAt: now) }
    guard let reminder = spoken, let due = reminder.dueAt, due <= now else { return }
    spoken?.dueAt = nil
    spoken?.tries += 1
    // A board without a voice has shown it.
    if !say(reminder.text, at: now) { spoken = nil }
  }

  private func say(_ text: InlineText<240>, at now: Int64) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { room in
      var writer = JSONWriter(into: room)
      writer.beginObject()
      writer.key("text")
      writer.string(text.span)
      writer.endObject()
      // Each byte may be escaped as six.
      guard writer.isComplete else { return false }
      let arguments = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<writer.count])
      return lender.begin(
        ("say" as StaticString).bytes, JSONView(Span(_unsafeElements: arguments)),
        deadline: now + Budget.agentToolMilliseconds, isTainted: false, self, Self.tag)
    }
  }

  /// A reminder was spoken, or could not be: as a rule because somebody talks.
  func reminderSpoken(isError: Bool) {
    guard let reminder = spoken else { return }
    guard isError, reminder.tries < Budget.spokenReminderTries else { return spoken = nil }
    spoken?.dueAt = clock.monotonic + Budget.spokenReminderPause
  }

  /// A person holds the board: it is silent.
  func stopReminders() {
    if spoken != nil { lender.cancel(self, Self.tag) }
    spoken = nil
    while reminders.pop() != nil {}
  }
}
