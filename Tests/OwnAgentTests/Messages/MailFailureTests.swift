import Codec
import Fetch
import Gateway
import Runtime
import Testing

@testable import OwnAgent

private typealias Bench = MailBench

@Suite("Mail servers that refuse or misbehave") struct MailFailureTests {
  @Test("refusals name the step, the code and the server's words; codes of the four hundreds may pass")
  func refusals() throws {
    let good = ["220 x", Bench.hello, "235 x", "250 x", "250 x", "354 x", "250 x"]
    let steps = ["greeting", "hello", "login", "sender", "recipient", "beginning of the message", "message"]
    for step in 0..<good.count {
      for code in [421, 450, 535, 550, 554] {
        let bench = Bench()
        try bench.send()
        for line in good[..<step] { bench.say(line) }
        bench.say("\(code) 5.1.1 no \u{202E}such\u{7} user")
        #expect(bench.outcome == "the mail server refused the \(steps[step]) (\(code)): 5.1.1 no such user")
        #expect(bench.failure?.isTransient == (code < 500) && bench.failure?.isUncertain == false)
        #expect(!bench.server.isOpen && !bench.client.isBusy)
      }
      // Codes that this step does not have.
      for code in ["211", "334", "354", "299"] where !good[step].hasPrefix(code) {
        let bench = Bench()
        try bench.send()
        for line in good[..<step] { bench.say(line) }
        bench.say("\(code) x")
        #expect(bench.failure?.kind == .malformed, "\(code) at \(steps[step])")
        #expect(bench.failure?.isUncertain == (step == 6))
      }
    }
  }

  @Test("a connection that is lost after the final dot leaves it open whether the message was taken")
  func uncertain() throws {
    for loss in [0, 1, 2] {
      let bench = Bench(user: "")
      try bench.send()
      bench.say("220 x", "250 x", "250 x", "250 x", "354 x")
      switch loss {
      case 0: bench.fail(.closedByPeer)
      case 1: bench.fail(.broken)
      default: bench.pass(Budget.mailFinalMilliseconds)
      }
      #expect(bench.failure?.isUncertain == true && bench.failure?.isTransient == false)
      #expect(bench.outcome.hasSuffix("it is not known whether it was taken"))
      bench.pass(1_000_000)
      #expect(bench.server.visits.count == 1)
    }
    // Before it, the server cannot have taken it.
    let bench = Bench(user: "")
    bench.server.appetite = 0
    try bench.send()
    bench.server.appetite = 1000
    bench.say("220 x", "250 x", "250 x", "250 x")
    bench.server.appetite = 0
    bench.say("354 x")
    bench.fail(.broken)
    #expect(
      bench.failure?.isUncertain == false && bench.outcome == "the mail server ended the connection at the message")
  }

  @Test("each step has its time")
  func timeouts() throws {
    let good = ["220 x", Bench.hello, "235 x", "250 x", "250 x"]
    for step in 0...good.count {
      let bench = Bench()
      try bench.send()
      for line in good[..<step] { bench.say(line) }
      bench.pass(Budget.mailStepMilliseconds - 1)
      #expect(bench.outcome == "")
      bench.pass(1)
      #expect(bench.outcome.hasPrefix("the mail server took too long at the "))
      #expect(bench.failure?.isTransient == true && !bench.server.isOpen)
    }
    let bench = Bench(user: "")
    bench.server.addresses = [:]
    try bench.send()
    bench.say("220 x", "250 x", "250 x", "250 x", "354 x", "250 x")
    bench.pass(Budget.mailQuitMilliseconds)
    #expect(!bench.server.isOpen && bench.outcome == "taken")
  }

  @Test("answers that do not end, are none, or come unasked end the submission")
  func misbehaving() throws {
    for (answer, kind) in [
      (String(repeating: "220-x\r\n", count: Budget.mailReplyLines + 1), MailFailure.Kind.endless),
      (String(repeating: "x", count: Budget.mailReplyBytes + 1), .endless),
      ("220-" + String(repeating: "x", count: Budget.mailReplyBytes), .endless), ("hello\r\n", .malformed),
      ("220-x\r\n221 y\r\n", .malformed), ("22 x\r\n", .malformed), ("220x\r\n", .malformed), ("\r\n", .malformed),
      ("120 x\r\n", .malformed), ("620 x\r\n", .malformed), ("220 x\r\n250 early\r\n", .outOfTurn),
      ("220 x\r\n2", .outOfTurn), ("HTTP/1.1 200 OK\r\n", .malformed), ("\u{0}\u{0}\u{0}\n", .malformed),
    ] {
      let bench = Bench()
      try bench.send()
      bench.server.deliver(answer)
      bench.pass(0)
      #expect(bench.failure?.kind == kind, "\(answer.prefix(20))")
      #expect(!bench.server.isOpen && !bench.said.contains("AUTH"))
    }
    // A long line within the limits is only cut.
    let bench = Bench()
    try bench.send()
    bench.say("220 " + String(repeating: "x", count: 4000))
    #expect(bench.said == "EHLO board.local\r\n")
  }

  @Test("a server that speaks while the message leaves is heard")
  func early() throws {
    let bench = Bench(user: "")
    try bench.send(String(repeating: "x\n", count: 5000))
    bench.say("220 x", "250 x", "250 x", "250 x")
    bench.server.appetite = 1
    bench.server.deliver("354 go\r\n")
    bench.server.deliver("552 too much\r\n")
    bench.pass(0)
    #expect(
      bench.outcome == "the mail server refused the message (552): too much" && bench.failure?.isUncertain == false)
  }

  @Test("addresses beyond ASCII need SMTPUTF8, and it is named only for them; sizes are compared first")
  func extensions() throws {
    let bench = Bench(user: "")
    try bench.send(to: "jürgen@example.org")
    bench.say("220 x", "250-x\r\n250-8BITMIME\r\n250 SMTPUTF8")
    #expect(bench.said.hasSuffix("MAIL FROM:<a@example.org> BODY=8BITMIME SMTPUTF8\r\n"))
    bench.client.cancel()
    try bench.send(to: "jürgen@example.org")
    bench.say("220 x", "250 x")
    #expect(bench.failure?.kind == .noUTF8)
    try bench.send()
    bench.say("220 x", "250-x\r\n250 SIZE 100")
    #expect(bench.failure?.kind == .tooLarge)
    for size in ["SIZE", "SIZE 0", "SIZE 99999999999999999999999", "SIZE x"] {
      try bench.send()
      bench.say("220 x", "250-x\r\n250 \(size)")
      #expect(bench.said.contains("MAIL FROM"), "\(size)")
      bench.client.cancel()
    }
  }

  @Test("one message at a time; wrong ones and a server that is not reached are told")
  func others() throws {
    let bench = Bench()
    try bench.send()
    #expect(throws: MailFailure.self) { try bench.send() }
    bench.client.cancel()
    #expect(throws: MailFailure.self) { try bench.send(to: "a@b\r\nRCPT TO:<c@d>") }
    #expect(bench.server.visits.count == 1)
    for (kind, text) in [
      (TransportFailure.Kind.resolve, "the mail server's name has no address"),
      (.connect, "the mail server does not accept connections"), (.tls, "the mail server could not be trusted"),
    ] {
      let other = Bench()
      other.server.addresses = [:]
      try? other.send()
      other.client.cancel()
      let (text2, from) = (Array("x".utf8), Array("a@b".utf8))
      try text2.withUnsafeBufferPointer { text throws(MailFailure) in
        try from.withUnsafeBufferPointer { from throws(MailFailure) in
          try other.client.send(
            MailMessage(sender: from, recipient: from, subject: text, text: text, date: 0, id: (1, 2)))
        }
      }
      other.fail(kind)
      #expect(other.outcome == text && other.failure?.isTransient == (kind != .tls))
    }
    // A goodbye that is not answered does not keep the next message waiting.
    let next = Bench(user: "")
    try next.send()
    next.say("220 x", "250 x", "250 x", "250 x", "354 x", "250 x")
    try next.send()
    #expect(next.server.visits.count == 2)
  }

  @Test("settings that break a command are refused")
  func settings() {
    let good = MailSettings(host: "h", user: "u", password: "p")
    #expect(good.objection == nil && good.port == 465)
    for (host, port, user, password, client) in [
      ("", 465, "u", "p", "c"), ("h", 0, "u", "p", "c"), ("h", 1, "u\u{0}x", "p", "c"), ("h", 1, "u", "p\u{0}", "c"),
      ("h", 1, "u", "p", "c\r\nMAIL"), ("h", 1, "u", "p", ""), ("h", 1, String(repeating: "u", count: 129), "p", "c"),
      ("h", 1, "u", String(repeating: "p", count: 257), "c"), (String(repeating: "h", count: 254), 1, "u", "p", "c"),
    ] {
      let settings = MailSettings(host: host, port: UInt16(port), user: user, password: password, client: client)
      #expect(settings.objection != nil)
    }
  }

  @Test("the longest user and password fit a command")
  func longest() throws {
    let bench = Bench(user: String(repeating: "u", count: 128), password: String(repeating: "p", count: 256))
    try bench.send()
    bench.say("220 x", Bench.hello)
    #expect(bench.said.hasSuffix("cHBwcHBwcHBwcA==\r\n") || bench.said.hasSuffix("\r\n"))
    bench.say("235 x")
    #expect(bench.said.contains("MAIL FROM"))
  }

  @Test("garbage from a server never traps, and ends")
  func garbage() throws {
    let words = [
      "220 x", "250-", "250 ok", "354 x", "235 x", "\r\n", "\n", "\r", "421", "5", "250-SIZE 5", "AUTH PLAIN", "\u{0}",
    ]
    for seed in 1...300 {
      var dice = PageDice(UInt64(seed))
      let bench = Bench(user: dice.below(2) == 0 ? "" : "me")
      try bench.send()
      for _ in 0..<60 {
        bench.server.deliver(words[dice.below(words.count)])
        if dice.below(3) == 0 { bench.server.drain() }
        bench.pass(Int64(dice.below(100)))
      }
      bench.pass(1_000_000)
      #expect(!bench.client.isBusy && !bench.outcome.isEmpty)
    }
  }
}
