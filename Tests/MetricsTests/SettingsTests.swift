import Testing

@testable import Metrics

@Suite("What a server is told and says")
struct ServerTests {
  @Test("a token and a password are sent as their standards want")
  func authorization() {
    var settings = MetricsSettings()
    #expect(settings.authorization == "")
    settings.token = "glc_abc"
    #expect(settings.authorization == "Bearer glc_abc")
    settings.token = ""
    // RFC 7617 section 2.
    (settings.username, settings.password) = ("Aladdin", "open sesame")
    #expect(settings.authorization == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
  }

  @Test(
    "what an answer means",
    arguments: [
      (UInt16(200), ServerVerdict.taken), (204, .taken), (0, .later), (301, .later), (307, .later), (400, .refused),
      (401, .refused), (404, .refused), (413, .refused), (422, .refused), (429, .later), (500, .later), (503, .later),
    ])
  func verdicts(_ status: UInt16, _ verdict: ServerVerdict) { #expect(ServerVerdict(status: status) == verdict) }
}
