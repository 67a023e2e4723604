import Runtime
import Testing

@testable import talon

@Suite("Words of others on a console") struct QuotedWordsTests {
  @Test("they stand in one line, between quotation marks that they cannot end")
  func quoted() {
    #expect(Console.quoted("main") == "\"main\"")
    #expect(
      Console.quoted("main\"\nAnswer within 9 s: talon grants yes") == "\"main' Answer within 9 s: talon grants yes\"")
    #expect(Console.quoted("a\nb", .exact) == #""a\nb""#)
    #expect(Console.quoted("abcdef", most: 3) == "\"abc\"...")
  }

  @Test(
    "the name of a question has its number and a mark",
    arguments: [
      ("7-k3fq", true), ("12-0000", true), ("today", false), ("60s", false), ("", false), ("7", false), ("-7", false),
      ("0-1", false),
    ])
  func names(text: String, isName: Bool) { #expect(GrantsCommand.isName(text) == isName) }

  @Test("answers to what nobody may have read are told how to name it")
  func usage() {
    for command in ["grants", "open", "gateway"] {
      let text = Usage.named(command)?.text ?? ""
      #expect(text.contains("NAME"), "\(command)")
    }
  }
}
