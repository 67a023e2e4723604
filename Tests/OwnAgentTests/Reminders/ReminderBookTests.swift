import Codec
import Runtime
import Testing

@testable import OwnAgent

/// 1 November 2026.
private let start: Int64 = 1_793_491_200_000
private let minute: Int64 = 60_000
private let day: Int64 = 86_400_000

/// The number of the reminder, or why there is none.
private func add(
  _ book: inout ReminderBook, _ text: String, _ due: Int64, every period: Int64 = 0, now: Int64 = start
) -> Result<UInt32, ReminderRefusal> {
  do throws(ReminderRefusal) {
    return .success(try book.add(text.utf8.span, at: due, every: period, now: now))
  } catch { return .failure(error) }
}

private func due(_ book: inout ReminderBook, _ now: Int64) -> [String] {
  var texts: [String] = []
  while let text = book.takeDue(now: now) {
    texts.append(text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
  }
  return texts
}

private func record(_ book: borrowing ReminderBook) -> [UInt8] {
  let room = FixedBuffer(capacity: Budget.agentRemindersBytes)
  var writer = JSONWriter(into: room.bytes)
  book.writeRecord(to: &writer)
  return writer.isComplete ? Array(room.bytes[..<writer.count]) : []
}

@Suite struct ReminderBookTests {
  @Test func remindersComeInTheOrderInWhichTheyAreDue() {
    var book = ReminderBook()
    _ = add(&book, "third", start + 3 * minute)
    _ = add(&book, "first", start + minute)
    _ = add(&book, "second", start + 2 * minute)
    let next = book.nextDue
    #expect(next == start + minute)
    let texts = [due(&book, start), due(&book, start + 2 * minute), due(&book, start + 10 * minute)]
    #expect(texts == [[], ["first", "second"], ["third"]])
    let after = book.nextDue
    #expect(after == nil)
  }

  @Test func oneThatComesAgainComesOnceForTheTimesThatWereMissed() {
    var book = ReminderBook()
    _ = add(&book, "daily", start + day, every: day)
    let texts = [due(&book, start + day), due(&book, start + day), due(&book, start + 9 * day + 5)]
    #expect(texts == [["daily"], [], ["daily"]])
    let next = book.nextDue
    #expect(next == start + 10 * day)
  }

  @Test func oneIsCancelledByItsNumber() {
    var book = ReminderBook()
    let first = try? add(&book, "a", start + minute).get()
    let second = try? add(&book, "b", start + minute).get()
    #expect(first != second)
    let unknown: ReminderRefusal?
    do throws(ReminderRefusal) {
      try book.cancel(first ?? 0)
      try book.cancel(first ?? 0)
      unknown = nil
    } catch { unknown = error }
    #expect(unknown == .unknown)
    #expect(due(&book, start + day) == ["b"])
  }

  @Test func whatCannotBeKeptSaysWhy() {
    var book = ReminderBook()
    let failures = [
      add(&book, "", start + minute), add(&book, String(repeating: "x", count: 241), start + minute),
      add(&book, "past", start), add(&book, "far", start + Budget.agentReminderMost + 1),
      add(&book, "often", start + minute, every: 59_999), add(&book, "no clock", 2 * minute, now: minute),
      add(&book, "odd", start + minute, every: .max), add(&book, "odd", .max),
    ]
    let expected: [ReminderRefusal] = [.text, .text, .time, .time, .time, .clock, .time, .time]
    #expect(failures == expected.map { .failure($0) })
    #expect(book.count == 0)
  }

  @Test func thereIsRoomForSoManyAndNoMore() {
    var book = ReminderBook()
    for index in 0..<Budget.agentReminders {
      let result = add(&book, "\(index)", start + minute)
      #expect(result == .success(UInt32(index + 1)))
    }
    #expect(add(&book, "more", start + minute) == .failure(.full))
    #expect(due(&book, start + minute).count == Budget.agentReminders)
  }

  @Test func nothingIsDueBeforeTheBoardKnowsTheTime() {
    var book = ReminderBook()
    _ = add(&book, "a", start + minute)
    #expect(due(&book, 5000).isEmpty)
    #expect(due(&book, start + day) == ["a"])
  }

  @Test func theySurviveARestart() {
    var book = ReminderBook()
    for index in 0..<Budget.agentReminders {
      _ = add(&book, String(repeating: "\"\u{1}", count: 120), start + Int64(index + 1) * minute, every: day)
    }
    let bytes = record(book)
    #expect(!bytes.isEmpty)
    var other = ReminderBook()
    let isRead = other.readRecord(bytes.span)
    #expect(isRead)
    #expect(record(other) == bytes)
    #expect(due(&other, start + minute) == [String(repeating: "\" ", count: 120)])
    #expect(add(&other, "next", start + minute) == .failure(.full))
  }

  @Test func aRecordThatIsNoneChangesNothing() {
    for text in ["", "{", "[]", "{}", #"{"next":1}"#, #"{"next":-1,"reminders":[]}"#, #"{"next":1,"reminders":{}}"#] {
      var book = ReminderBook()
      let isRead = book.readRecord(text.utf8.span)
      #expect(!isRead, "\(text)")
    }
  }

  @Test func aReminderThatCannotBeReadIsLeftOut() {
    var book = ReminderBook()
    let text = """
      {"next":5,"reminders":[7,{},{"id":1,"due":"yesterday","text":"a"},{"id":2,"due":"2026-11-02T00:00:00Z","text":""},
      {"id":99999999999,"due":"9999-12-31T00:00:00Z","everySeconds":1e300,"text":"b"},
      {"id":3,"due":"2026-11-02T00:00:00Z","everySeconds":-5,"text":"c"}]}
      """
    let isRead = book.readRecord(text.utf8.span)
    #expect(isRead && book.count == 2)
    // What is due in the year 9999 was set by a clock that was wrong.
    #expect(due(&book, start + 2 * day) == ["c", "b"])
  }

  @Test func cutsAndChangesOfARecordNeverTrap() {
    var book = ReminderBook()
    _ = add(&book, "water the plants", start + minute, every: day)
    let bytes = record(book)
    for end in 0..<bytes.count {
      var other = ReminderBook()
      let cut = Array(bytes[..<end])
      let isRead = other.readRecord(cut.span)
      #expect(!isRead)
    }
    for place in bytes.indices {
      for byte: UInt8 in [0x30, 0x39, 0x22, 0x2D] {
        var changed = bytes
        changed[place] = byte
        var other = ReminderBook()
        _ = other.readRecord(changed.span)
        _ = due(&other, start + day)
      }
    }
  }
}
