import Testing

@testable import talon

@Suite("What somebody meant who mistyped a word")
struct NearestTests {
  private let known = ["status", "support", "snap", "say", "camera", "connect", "config", "console", "run"]

  @Test(
    "a letter more, less, another one, or two that changed places",
    arguments: [
      ("statsu", "status"), ("staus", "status"), ("statuss", "status"), ("stetus", "status"), ("Status", "status"),
      ("conect", "connect"), ("snpa", "snap"), ("rn", nil), ("fly", nil), ("zzzzzz", nil), ("", nil),
    ] as [(String, String?)])
  func near(typed: String, expected: String?) {
    #expect(Nearest.word(typed, of: known) == expected)
  }

  @Test("a word of any length and any bytes costs little")
  func long() {
    #expect(Nearest.word(String(repeating: "ä\u{0}", count: 10_000), of: known) == nil)
  }
}
