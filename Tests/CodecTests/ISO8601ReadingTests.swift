import Codec
import Testing

@Suite struct ISO8601ReadingTests {
  private func moment(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    return ISO8601.unixMilliseconds(in: bytes.span)
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-01-01T00:00:00.000Z", 1_767_225_600_000),
      ("1969-12-31T23:59:59.999Z", -1),
      ("2026-01-01T01:00:00+01:00", 1_767_225_600_000), ("2025-12-31T20:30-0330", 1_767_225_600_000),
      ("2026-01-01t00:00:00,5z", 1_767_225_600_500), ("2026-01-01 00:00:00.123456+00", 1_767_225_600_123),
      ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("0000-01-01T00:00:00Z", -62_167_219_200_000),
    ] as [(String, Int64)]) func readsWhatISO8601Names(_ text: String, _ expected: Int64)
  {
    #expect(moment(text) == expected)
  }

  @Test(arguments: [
    "", "2026", "2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
    "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00Z ", "2026-1-1T0:0:0Z", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+1",
    "20260101T000000Z",
  ]) func refusesTheRest(_ text: String) { #expect(moment(text) == nil) }

  @Test func readsWhatItWrites() {
    for moment in stride(from: Int64(-60_000_000_000_000), to: 250_000_000_000_000, by: 1_234_567_890_123) {
      let text = ISO8601(unixMilliseconds: moment)
      #expect(ISO8601.unixMilliseconds(in: text.text) == moment)
    }
  }
}
