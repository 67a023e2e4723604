import Codec
import Runtime
import Testing

@testable import OwnAgent

/// SplitMix64.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// A clock that jumps by years, in both directions, while reminders wait.
@Suite struct ReminderClockTests {
  private static let start: Int64 = 1_793_491_200_000
  private static let hour: Int64 = 3_600_000
  private static let year: Int64 = 365 * 86_400_000

  /// Tells all that is due, and returns the texts.
  private func due(_ book: inout ReminderBook, _ wall: Int64) -> [String] {
    var texts: [String] = []
    while let text = book.takeDue(now: wall) {
      texts.append(text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
    }
    return texts
  }

  @Test(arguments: 0..<64)
  func `What comes again comes within its period once the clock is right, wherever it was meanwhile`(seed: Int) throws {
    var random = Numbers(state: UInt64(seed))
    func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }
    var book = ReminderBook()
    let text = "water"
    let period = number(1...48) * Self.hour
    _ = try book.add(text.utf8.span, at: Self.start + period, every: period, now: Self.start)
    var (right, told) = (Self.start, 0)
    for _ in 0..<40 {
      // Some hours go by; for some of them the clock shows another year.
      right += number(0...12) * Self.hour
      let jump = number(-50...50) * Self.year
      let wrong = right + jump
      let texts = due(&book, wrong)
      #expect(texts.count <= 1)
      if !BelievableDate.contains(wrong) { #expect(texts.isEmpty) }
      // It is right again.
      told += texts.count
      told += due(&book, right).count
      let (next, count) = (book[0].due, book.count)
      #expect(told == 0 || next > right && next <= right + period)
      #expect(count == 1)
    }
  }

  @Test func `What has come once is known to have after a restart, and what has not may be far ahead`() throws {
    var book = ReminderBook()
    let text = "water"
    _ = try book.add(text.utf8.span, at: Self.start + Self.hour, every: Self.hour, now: Self.start)
    _ = try book.add(text.utf8.span, at: Self.start + Self.year, every: Self.hour, now: Self.start)
    // Ten years ahead for a moment.
    let early = due(&book, Self.start + 10 * Self.year)
    #expect(early.count == 2)
    _ = try book.add(text.utf8.span, at: Self.start + Self.year, every: Self.hour, now: Self.start)
    let room = FixedBuffer(capacity: Budget.agentRemindersBytes)
    var writer = JSONWriter(into: room.bytes)
    book.writeRecord(to: &writer)
    var read = ReminderBook()
    let isRead = read.readRecord(Span(_unsafeElements: UnsafeBufferPointer(room.bytes).extracting(0..<writer.count)))
    let late = due(&read, Self.start)
    #expect(isRead && late.isEmpty)
    var times: [Int64] = []
    for index in 0..<read.count { times.append(read[index].due) }
    #expect(times == [Self.start + Self.hour, Self.start + Self.hour, Self.start + Self.year])
  }

  @Test func `What was set while the clock was thirty years ahead comes once it is right, and as often as it should`()
    throws
  {
    var book = ReminderBook()
    let (once, daily) = ("water", "plants")
    let ahead = Self.start + 30 * Self.year
    _ = try book.add(once.utf8.span, at: ahead + Self.hour, now: ahead)
    _ = try book.add(daily.utf8.span, at: ahead + Self.hour, every: 24 * Self.hour, now: ahead)
    // Thirty years back is no date at all.
    let wrong = due(&book, Self.start - 30 * Self.year)
    let right = [due(&book, Self.start), due(&book, Self.start), due(&book, Self.start + 24 * Self.hour)]
    #expect(wrong.isEmpty && right == [["water", "plants"], [], ["plants"]])
  }
}
