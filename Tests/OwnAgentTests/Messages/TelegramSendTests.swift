import Codec
import Fetch
import Gateway
import Runtime
import Testing

@testable import OwnAgent

private typealias Bench = TelegramBench
private let token = telegramToken

@Suite("Telegram: messages out") struct TelegramSendTests {
  private func pieces(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { text in
      var (found, start): ([String], Int) = ([], 0)
      while true {
        let rest = TelegramPieces.trimmed(text, start..<text.count)
        guard !rest.isEmpty else { return found }
        let end = TelegramPieces.end(text, from: rest.lowerBound)
        let shown = TelegramPieces.trimmed(text, rest.lowerBound..<end)
        found.append(String(decoding: text[shown], as: UTF8.self))
        start = end
      }
    }
  }

  @Test("a text is sent to its chat, without a look")
  func send() throws {
    let bench = try Bench()
    try bench.send(" Hello \"you\"\n")
    bench.other.secure()
    #expect(bench.other.visits == ["https://api.telegram.org:443/bot\(token)/sendMessage"])
    #expect(bench.other.sent.hasSuffix("\r\n\r\n{\"chat_id\":42,\"text\":\"Hello \\\"you\\\"\"}"))
    bench.refuse(bench.other, "200 OK", "{\"ok\":true}")
    #expect(bench.sent == ["sent"])
  }

  @Test("long texts are divided at words and lines, never in a character, at most 4096 units each")
  func dividing() {
    #expect(pieces(String(repeating: "a", count: 4096)).count == 1)
    #expect(pieces(String(repeating: "a", count: 4097)).map(\.utf8.count) == [4096, 1])
    #expect(pieces(String(repeating: "😀", count: 2049)).map { $0.utf16.count } == [4096, 2])
    #expect(pieces("a" + String(repeating: "😀", count: 2048)).map { $0.utf16.count } == [4095, 2])
    #expect(pieces(String(repeating: "€", count: 5000)).map { $0.utf16.count } == [4096, 904])
    let words = String(repeating: "word ", count: 2000)
    #expect(pieces(words).allSatisfy { $0.hasPrefix("word") && $0.hasSuffix("word") && $0.utf16.count <= 4096 })
    let lines = String(repeating: String(repeating: "w ", count: 300) + "end\n", count: 20)
    #expect(pieces(lines).allSatisfy { $0.hasSuffix("end") })
    #expect(pieces(" \n ").isEmpty && pieces("").isEmpty)
    #expect(pieces("x\n" + String(repeating: "y", count: 5000)).map(\.utf8.count) == [1, 4096, 904])
    for seed in 1...100 {
      var dice = PageDice(UInt64(seed))
      let parts = ["a", "ü", "€", "😀", " ", "\n", "words "]
      let text = (0..<6000).map { _ in parts[dice.below(parts.count)] }.joined()
      let found = pieces(text)
      #expect(found.allSatisfy { $0.utf16.count <= 4096 && !$0.isEmpty })
      func black(_ text: String) -> [UInt8] { text.utf8.filter { $0 > 0x20 } }
      #expect(black(found.joined()) == black(text))
    }
  }

  @Test("the pieces of a text follow each other")
  func several() throws {
    let bench = try Bench()
    try bench.send(String(repeating: "a", count: 4096) + String(repeating: "b", count: 10))
    #expect(throws: TelegramFailure.self) { try bench.send("x") }
    bench.refuse(bench.other, "200 OK", "{\"ok\":true}")
    #expect(bench.sent == [])
    bench.other.secure()
    #expect(bench.other.sent.hasSuffix("\"text\":\"bbbbbbbbbb\"}"))
    bench.refuse(bench.other, "200 OK", "{\"ok\":true}")
    #expect(bench.sent == ["sent"] && bench.other.visits.count == 2)
  }

  @Test("what cannot be sent is refused at once; the longest can")
  func bounds() throws {
    let bench = try Bench()
    #expect(throws: TelegramFailure.self) { try bench.send(" \n") }
    #expect(throws: TelegramFailure.self) { try bench.send("x", to: 43) }
    #expect(throws: TelegramFailure.self) {
      try bench.send(String(repeating: "x", count: Budget.telegramSendBytes + 1))
    }
    #expect(bench.other.visits == [] && bench.client.nextDeadline == nil)
    try bench.send(String(repeating: "\u{1}", count: 5) + String(repeating: "\"", count: Budget.telegramSendBytes - 5))
    for _ in 0..<4 { bench.refuse(bench.other, "200 OK", "{}") }
    #expect(bench.sent == ["sent"])
  }

  @Test("a limit is waited for, and the same message sent again; not for ever")
  func limits() throws {
    let bench = try Bench()
    try bench.send("x")
    for attempt in 1..<Budget.telegramAttempts {
      bench.refuse(bench.other, "429 Too Many", "{\"parameters\":{\"retry_after\":30}}")
      bench.pass(29_999)
      #expect(bench.other.visits.count == attempt)
      bench.pass(1)
      #expect(bench.other.visits.count == attempt + 1)
    }
    bench.refuse(bench.other, "429 Too Many", "{}")
    #expect(bench.sent == ["Telegram takes no more messages for now"])
  }

  @Test("a server that wants to be left alone for longer than others can wait ends the text at once")
  func longLimit() throws {
    let bench = try Bench()
    try bench.send("x")
    bench.refuse(bench.other, "429 Too Many", "{\"parameters\":{\"retry_after\":3600}}")
    #expect(bench.sent == ["Telegram takes no more messages for now"] && bench.client.nextDeadline == nil)
    try bench.send("y")
    bench.refuse(bench.other, "200 OK", "{}")
    #expect(bench.sent.last == "sent")
  }

  @Test("a text that is not wanted any more is not sent, and makes room for another")
  func cancelled() throws {
    let bench = try Bench()
    try bench.send("x")
    bench.refuse(bench.other, "429 Too Many", "{\"parameters\":{\"retry_after\":30}}")
    bench.client.cancelSending()
    #expect(bench.client.nextDeadline == nil)
    bench.pass(60_000)
    #expect(bench.sent.isEmpty && bench.other.visits.count == 1)
    try bench.send("y")
    bench.refuse(bench.other, "200 OK", "{}")
    #expect(bench.sent == ["sent"])
  }

  @Test("a message that may have been sent is not sent again; one that did not leave is")
  func uncertain() throws {
    for kind in [TransportFailure.Kind.broken, .closedByPeer] {
      let bench = try Bench()
      try bench.send("x")
      bench.other.secure()
      bench.other.fail(TransportFailure(kind))
      bench.pass(1_000_000)
      #expect(bench.other.visits.count == 1)
      #expect(bench.sent == ["the connection to Telegram was lost: it is not known whether the message was sent"])
    }
    let bench = try Bench()
    try bench.send("x")
    bench.other.fail(TransportFailure(.connect))
    bench.pass(0)
    bench.pass(1000)
    bench.refuse(bench.other, "200 OK", "{}")
    #expect(bench.sent == ["sent"] && bench.other.visits.count == 2)
  }

  @Test("refusals in words, without the token")
  func refusals() throws {
    for (status, text) in [
      ("401 X", "the Telegram server does not know the token: check it, or make another one with BotFather"),
      ("400 X", "Telegram refused the message (400): is the bot in that chat?"),
      ("403 X", "Telegram refused the message (403): is the bot in that chat?"),
      ("302 X", "Telegram refused the message (302): is the bot in that chat?"),
      ("500 X", "the connection to Telegram was lost: it is not known whether the message was sent"),
    ] {
      let bench = try Bench()
      try bench.send("x")
      bench.refuse(bench.other, status, "{}", fields: "Location: https://evil.org/\r\n")
      #expect(bench.sent == [text] && bench.other.visits.count == 1)
    }
  }
}
