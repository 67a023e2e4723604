import Codec
import Runtime
import Testing

@testable import Consent

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

/// A clock that jumps by years, in both directions, makes no grant longer.
@Suite struct GrantClockTests {
  private static let start: Int64 = 1_795_728_600_000
  private static let year: Int64 = 365 * 86_400_000
  private static let boot = GrantRecord.Boot(cutting: "01234567-89ab-cdef-0123-456789abcdef")

  @Test(arguments: 0..<64)
  func `A grant ends when the time is up for which it was given, whatever the date says`(seed: Int) throws {
    var random = Numbers(state: UInt64(seed))
    func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }
    let buffer = FixedBuffer(capacity: Budget.grantRecordBytes)
    var (now, right) = (Int64(1_000), Self.start)
    var wall: Int64 { right + jump }
    var jump: Int64 = 0
    for _ in 0..<50 {
      jump = number(-50...50) * Self.year
      let answer = [ConsentAnswer.minute, .today][Int(number(0...1))]
      let offset = number(-720...840)
      let moment = ConsentMoment(now: now, wall: wall, offset: offset, isDateRight: number(0...1) == 1)
      let grant = try #require(answer.grant(by: .screen, at: moment))
      #expect(grant.duration > 0 && grant.duration <= Budget.grantMilliseconds)
      var table = GrantTable()
      table.give(.camera, grant)
      let end = try #require(grant.end)
      #expect(table.covered([.camera], for: 0, at: end - 1) == [.camera])
      #expect(table.covered([.camera], for: 0, at: end) == [])
      // A power cut: the monotonic clock begins anew, and the date is another one.
      let count = GrantRecord(table, boot: Self.boot, at: now).encode(into: buffer.bytes)
      let text = Span(_unsafeElements: UnsafeBufferPointer(buffer.bytes).extracting(0..<count))
      let read = GrantRecord(text)
      let record = try #require(read)
      let later = wall + number(-50...50) * Self.year + number(0...120_000)
      var restored = GrantTable()
      record.restore(to: &restored, wall: later, at: 500)
      if let found = restored.grant(.camera, at: 500) {
        let left = try #require(found.end) - 500
        #expect(grant.isDated && BelievableDate.contains(later) && later >= grant.givenAt)
        #expect(left > 0 && left <= grant.duration - (later - grant.givenAt))
      }
      now += number(0...90_000)
      right += number(0...90_000)
    }
  }
}
