import Codec
import Motion
import Testing

@Suite struct MotionWindowTests {
  /// 1 July 2026, 12:34:56.789 UTC.
  private static let now: Int64 = 1_782_909_296_789

  private func window(_ text: String) throws(MotionError) -> MotionWindow {
    let bytes = Array(text.utf8)
    return try MotionWindow(JSONView(bytes.span), now: Self.now)
  }

  @Test(arguments: ["null", "{}", #"{"startISO":null,"endISO":null,"limit":null,"more":1}"#])
  func isTheDaySoFarUnlessItSaysOtherwise(_ text: String) throws {
    let window = try window(text)
    #expect(window.end == Self.now)
    #expect(window.start == Self.now - Self.now % 86_400_000)
    #expect(window.limit == 200)
  }

  @Test func readsMomentsWithTheirZones() throws {
    let asked = try window(
      #"{"startISO":"2026-06-30T23:30:00-01:30","endISO":"2026-07-01T03:00+0100","limit":7}"#)
    #expect(asked.start == 1_782_867_600_000)
    #expect(asked.end == asked.start + 3_600_000)
    #expect(asked.limit == 7)
    #expect(try window(#"{"endISO":"2026-06-12T10:00:00Z"}"#).start == 1_781_222_400_000)
  }

  @Test(arguments: [("0", 1), ("-5", 1), ("1000", 1000), ("5000", 1000)]) func clampsTheLimit(
    _ asked: String, _ limit: Int
  ) throws {
    #expect(try window(#"{"limit":\#(asked)}"#).limit == limit)
  }

  @Test(arguments: [
    #"{"startISO":"yesterday"}"#, #"{"startISO":5}"#, #"{"endISO":"2026-07-01T12:00:00"}"#, #"{"limit":1.5}"#,
    #"{"startISO":"2026-07-02T00:00:00Z"}"#,
    #"{"startISO":"2026-07-01T10:00:00Z","endISO":"2026-07-01T09:00:00Z"}"#,
    #"{"startISO":"2026-02-30T00:00:00Z"}"#, "[]",
    #"{"endISO":"2026-07-01T12:00:00.000000000000000000000000000000000000000000000Z"}"#,
  ]) func refusesWhatItCannotMean(_ text: String) {
    #expect(throws: MotionError.self) { try window(text) }
    do throws(MotionError) { _ = try window(text) } catch {
      #expect("\(error.wire.code)" == "INVALID_REQUEST")
    }
  }
}
