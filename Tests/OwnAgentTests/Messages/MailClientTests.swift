import Codec
import Fetch
import Gateway
import Runtime
import Testing

@testable import OwnAgent

private typealias Bench = MailBench

@Suite("Submitting e-mail") struct MailClientTests {
  @Test("a whole submission, in its order, over TLS on the port of the configuration")
  func whole() throws {
    let bench = Bench()
    try bench.send("one\n.two\n..\n")
    #expect(bench.server.visits == ["https://smtp.example.org:465/"] && bench.said == "")
    bench.say("220 ready")
    #expect(bench.said == "EHLO board.local\r\n")
    bench.say(Bench.hello)
    #expect(bench.said.hasSuffix(Bench.login))
    bench.say("235 ok")
    #expect(bench.said.contains("MAIL FROM:<a@example.org> SIZE=") && bench.said.hasSuffix("\r\n"))
    #expect(!bench.said.contains("SMTPUTF8") && !bench.said.contains("8BITMIME"))
    bench.say("250 ok", "250 ok")
    #expect(bench.said.hasSuffix("RCPT TO:<b@example.org>\r\nDATA\r\n"))
    bench.say("354 go")
    #expect(bench.said.hasSuffix("\r\n\r\none\r\n..two\r\n...\r\n.\r\n"))
    #expect(bench.outcome == "")
    bench.say("250 queued")
    #expect(bench.outcome == "taken" && bench.said.hasSuffix("\r\n.\r\nQUIT\r\n"))
    bench.say("221 bye")
    #expect(!bench.server.isOpen && !bench.client.isBusy && bench.client.nextDeadline == nil)
  }

  @Test("however the server's lines are cut, the submission is the same")
  func cuts() throws {
    let bench = Bench()
    try bench.send()
    for line in ["220 ready", Bench.hello, "235 ok", "250 ok", "251 will forward", "354 go", "250 ok"] {
      for byte in Array((line + "\r\n").utf8) { bench.server.deliver([byte]) }
      bench.server.drain()
    }
    bench.pass(0)
    #expect(bench.outcome == "taken")
    // Lines that end in LF alone.
    try bench.send()
    for line in ["220\n", "250-x\n250 AUTH PLAIN\n", "235\n", "250\n", "250\n", "354\n", "250\n"] {
      bench.server.deliver(line)
      bench.server.drain()
    }
    bench.pass(0)
    #expect(bench.outcome == "taken")
  }

  @Test("a large message leaves in pieces, every dot at a line's start doubled, once")
  func large() throws {
    for appetite in [1, 7, 100, 5000] {
      let bench = Bench(user: "")
      bench.server.appetite = appetite
      try bench.send(String(repeating: ".\n", count: 3000))
      bench.say("220 x", "250 x", "250 x", "250 x", "354 x")
      for _ in 0..<30 { bench.server.drain() }
      #expect(bench.said.hasSuffix(String(repeating: "..\r\n", count: 3000) + ".\r\n"), "\(appetite)")
      bench.say("250 x")
      #expect(bench.outcome == "taken")
    }
  }

  @Test("without a user there is no login; without PLAIN none is tried, and the password does not leave")
  func login() throws {
    let open = Bench(user: "")
    try open.send()
    open.say("220 x", "250 x")
    #expect(open.said == "EHLO board.local\r\nMAIL FROM:<a@example.org>\r\n")
    let bench = Bench()
    for hello in ["250 x", "250-x\r\n250 AUTH LOGIN CRAM-MD5", "250-AUTH PLAIN\r\n250 x", "250-x\r\n250 AUTHPLAIN"] {
      try bench.send()
      bench.say("220 x", hello)
      #expect(bench.outcome == "the mail server offers no login by user and password (AUTH PLAIN)")
      #expect(!bench.said.contains("AUTH") && !bench.server.isOpen)
    }
    try bench.send()
    bench.say("220 x", "250-x\r\n250 auth=plain")
    #expect(bench.said.hasSuffix(Bench.login))
  }

  @Test("the password is in no error, whatever the server repeats")
  func secrets() throws {
    let bench = Bench()
    for answer in [
      "535 5.7.8 no such user: hunter2-secret", "535 AG1lAGh1bnRlcjItc2VjcmV0 is wrong", "454 hunter2-secret later",
      "501 \u{1B}[31m hunter2-se",
    ] {
      try bench.send()
      bench.say("220 x", Bench.hello, answer)
      #expect(bench.outcome.hasPrefix("the mail server refused the login ("))
      #expect(!bench.outcome.contains("hunter2") && !bench.outcome.contains("AG1l"), "\(bench.outcome)")
    }
    #expect(bench.client.output.bytes.allSatisfy { $0 == 0 } && bench.client.secretRoom.bytes.allSatisfy { $0 == 0 })
  }
}
