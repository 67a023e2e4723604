import Codec
import Testing

@Suite("Dates of HTTP")
struct HTTPDateTests {
  private func read(_ text: String) -> Int64? { HTTPDate.unixMilliseconds(in: text.utf8.span) }

  @Test("the form that senders use is read")
  func reads() {
    // RFC 9110 section 5.6.7.
    #expect(read("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777_000)
    #expect(read("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
    #expect(read("Tue, 29 Feb 2028 23:59:60 GMT") == 1_835_481_600_000)
    #expect(read("Fri, 31 Dec 9999 23:59:59 GMT") == 253_402_300_799_000)
  }

  @Test(
    "everything else is none",
    arguments: [
      "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 CET",
      "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 30 Feb 1994 08:49:37 GMT",
      "Sun, 06 NOV 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 1994 08:49:3x GMT",
      "Sun, 06 Nov +994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
    ])
  func refuses(_ text: String) { #expect(read(text) == nil) }
}
