import Codec
import Runtime
import Testing

@testable import Talk

@Suite("Of a reply, what a voice would read is spoken, sentence by sentence")
struct SpokenTextTests {
  private func sentences(_ reply: String, piece: Int = .max, finish: Bool = true) -> [String] {
    let spoken = SpokenText()
    var said: [String] = []
    let bytes = Array(reply.utf8)
    var start = 0
    while start < bytes.count {
      let end = start + min(piece, bytes.count - start)
      spoken.add(bytes.span.extracting(start..<end)) { said.append(text($0)) }
      start = end
    }
    if finish { spoken.finish { said.append(text($0)) } }
    return said
  }

  @Test(
    "sentences end where they end",
    arguments: [
      ("Hello there. How are you? Fine!", ["Hello there.", "How are you?", "Fine!"]),
      ("It is 3.5 degrees at 10.30 o'clock. Good.", ["It is 3.5 degrees at 10.30 o'clock.", "Good."]),
      ("Dr. Who met Mr. X, e.g. here. Yes.", ["Dr. Who met Mr. X, e.g. here.", "Yes."]),
      ("She said \"go.\" Then she went.", ["She said \"go.\"", "Then she went."]),
      ("Wait… what?! No way!!! Ok", ["Wait…", "what?!", "No way!!!", "Ok"]),
      ("你好。今天很好！", ["你好。", "今天很好！"]),
      ("One line\nwraps here.\n\nA paragraph\n\nAnother", ["One line wraps here.", "A paragraph", "Another"]),
      ("So did I. Then you.", ["So did I.", "Then you."]),
      ("", []), ("...", []), ("\n\n \n", []),
    ])
  func ends(reply: String, expected: [String]) {
    #expect(sentences(reply) == expected)
  }

  @Test(
    "marks are not read out",
    arguments: [
      ("# The **plan**\nfor *today*: `ls -l`", ["The plan", "for today: ls -l"]),
      ("- one\n- two\n  * three", ["one", "two", "three"]),
      ("1. First thing\n2) Second thing", ["1, First thing", "2, Second thing"]),
      ("> quoted words", ["quoted words"]),
      ("See [the docs](https://example.com/a_(b)) now.", ["See the docs) now."]),
      ("See [the docs](https://example.com/a.html) now.", ["See the docs now."]),
      ("Look: https://example.com/x?y=1 and (http://a.b) there", ["Look: and ( there"]),
      ("![a cat](cat.png) sits", ["a cat sits"]),
      ("snake_case and _soft_ words", ["snake case and soft words"]),
      ("Hi 😀👍🏽 there ✅.", ["Hi there ."]),
      ("a <b>bold</b> word, 3 < 4", ["a bold word, 3 < 4"]),
      ("\\*not marked\\*", ["*not marked*"]),
      ("Before\n\n```swift\nlet x = 1. + 2\n```\n\nAfter", ["Before", "After"]),
      ("Before\n~~~\ncode\n\ncode. Code.\n~~~\nAfter.", ["Before", "After."]),
      ("| Name | Age |\n|------|-----|\n| Ada | 36 |", ["Name, Age", "Ada, 36"]),
      ("one\n---\ntwo", ["one", "two"]),
      ("42\n\n7 up", ["42", "7 up"]),
    ])
  func marks(reply: String, expected: [String]) {
    #expect(sentences(reply) == expected)
  }

  @Test("a sentence is said as soon as it has ended, and not before")
  func streaming() {
    #expect(sentences("Hello there. How are", finish: false) == ["Hello there."])
    #expect(sentences("Version 2.", finish: false) == [])
    #expect(sentences("Version 2.\n\nNext", finish: false) == ["Version 2."])
  }

  @Test("cut anywhere, the same is said")
  func cuts() {
    let reply = """
      {x} Hallo, *Welt*! Größe: **5.5 m²** — “nicht schlecht.” 😀 [Link](http://a.b/c) 1. x
      ## Kopf
      - ein Punkt… noch einer
      ```
      code. code.
      ```
      | a | b |
      Ende z.B. hier. https://x.y/z. Schluss
      """
    let whole = sentences(reply)
    for piece in 1...5 { #expect(sentences(reply, piece: piece) == whole) }
    #expect(whole.count > 4)
  }

  @Test("a sentence without an end is cut between words, and nothing of it is lost")
  func long() {
    let words = (0..<400).map { "word\($0)" }
    let said = sentences(words.joined(separator: " "))
    #expect(said.count > 3)
    #expect(said.allSatisfy { $0.utf8.count <= Budget.sentenceBytes })
    #expect(said.joined(separator: " ") == words.joined(separator: " "))
    let one = sentences(String(repeating: "ä", count: 1_000))
    #expect(one.joined() == String(repeating: "ä", count: 1_000))
  }

  @Test("whatever comes, what is said is text with a word in it, and no longer than a sentence")
  func anything() {
    var dice = Dice(77)
    let pieces = [
      "*", "_", "`", "```", "\n", "#", "[", "](", ")", "<", ">", "|", ".", " ", "a", "ß", "😀", "http://", "\\", "1.",
      "- ", "\u{0}",
    ]
    for _ in 0..<2_000 {
      let reply = (0..<dice.below(60)).map { _ in pieces[dice.below(pieces.count)] }.joined()
      for sentence in sentences(reply, piece: 1 + dice.below(5)) {
        #expect(sentence.utf8.count <= Budget.sentenceBytes && !sentence.contains("\u{FFFD}"))
        #expect(sentence.contains { $0.isLetter || $0.isNumber || $0 == "\u{0}" })
      }
    }
  }
}

@Suite("Where a command goes")
struct VoiceRoutesTests {
  private func target(_ routes: borrowing VoiceRoutes, _ phrase: String) -> String {
    switch routes.target(of: phrase.utf8.span) {
    case .main: "main"
    case .session(let key): text(key.span)
    }
  }

  @Test("the route of its phrase counts, compared by letters, else the default")
  func table() {
    var routes = VoiceRoutes()
    #expect(target(routes, "computer") == "main")
    let config = #"""
      {"config":{"version":1,"defaultTarget":{"sessionKey":"agent:a:b"},"updatedAtMs":1,"routes":[
      {"trigger":"Hey, Computer!","target":{"agentId":"robot"}},{"trigger":"claude","target":{"mode":"current"}},
      {"trigger":"both","target":{"mode":"current","agentId":"x"}},{"trigger":"","target":{"agentId":"x"}},
      {"trigger":"key","target":{"sessionKey":"s"}}]}}
      """#
    let isRead = routes.read(JSONView(config.utf8.span))
    #expect(isRead && routes.count == 3)
    #expect(target(routes, "hey computer") == "agent:robot:main")
    #expect(target(routes, "CLAUDE") == "main")
    #expect(target(routes, "key") == "s")
    #expect(target(routes, "both") == "agent:a:b")
    let isTable = routes.read(JSONView(#"{"config":{"routes":7}}"#.utf8.span))
    #expect(!isTable && routes.count == 3)
    let isCleared = routes.read(JSONView(#"{"config":{"routes":[],"defaultTarget":{"mode":"current"}}}"#.utf8.span))
    #expect(isCleared && target(routes, "key") == "main")
  }

  @Test("of a longer table the first 32 routes count")
  func bound() {
    var routes = VoiceRoutes()
    let list = (0..<40).map { #"{"trigger":"word\#($0)","target":{"sessionKey":"s\#($0)"}}"# }.joined(separator: ",")
    let isRead = routes.read(JSONView(#"{"config":{"routes":[\#(list)]}}"#.utf8.span))
    #expect(isRead && routes.count == 32)
    #expect(target(routes, "word31") == "s31")
    #expect(target(routes, "word32") == "main")
  }
}
