import Codec
import Fetch
import Gateway
import Runtime
import Testing

@testable import OwnAgent

private typealias Bench = TelegramBench
private let token = telegramToken

private func update(_ number: Int64, _ text: String = "hi", chat: Int64 = 42) -> String {
  telegramUpdate(number, text, chat: chat)
}

@Suite("Telegram: polls that fail") struct TelegramFailureTests {
  @Test("of one answer at most so many updates are read; the others come again")
  func batches() throws {
    let bench = try Bench()
    bench.start()
    bench.answer((1...20).map { update($0) }.joined(separator: ","))
    #expect(bench.messages.count == Budget.telegramBatch && bench.client.offset == Int64(Budget.telegramBatch) + 1)
  }

  @Test("an answer that is too large is asked for again with one update at a time")
  func large() throws {
    let bench = try Bench()
    bench.start()
    bench.server.secure()
    bench.server.deliver("HTTP/1.1 200 OK\r\nContent-Length: \(Budget.telegramBodyBytes + 1)\r\n\r\n")
    bench.pass(0)
    bench.server.secure()
    #expect(bench.server.sent.contains("\"limit\":1,"))
    let text = String(repeating: "\\u20ac", count: Budget.telegramUnits)
    bench.answer(update(1, text))
    #expect(bench.messages.first?.utf8.count == 3 * Budget.telegramUnits + 12)
    bench.answer(update(2, text + "x"))
    #expect(bench.messages.count == 1 && bench.client.offset == 3)
    bench.server.drain()
    #expect(bench.server.sent.contains("\"limit\":4,"))
  }

  @Test("a wrong token rests long, another poller for minutes, a limit as long as the server says")
  func refusals() throws {
    for (status, body, fields, state, rest) in [
      ("401 Unauthorized", "{}", "", TelegramState.wrongToken, Budget.telegramRefusedMilliseconds),
      ("404 Not Found", "{}", "", .wrongToken, Budget.telegramRefusedMilliseconds),
      ("409 Conflict", "{}", "", .conflict, Budget.telegramConflictMilliseconds),
      ("429 Too Many", "{\"parameters\":{\"retry_after\":77}}", "", .resting, 77_000),
      ("429 Too Many", "nonsense", "Retry-After: 33\r\n", .resting, 33_000),
      ("429 Too Many", "{\"parameters\":{\"retry_after\":99999999}}", "", .resting, 3_600_000),
      ("429 Too Many", "{\"parameters\":{\"retry_after\":-5}}", "", .resting, 1000),
      ("429 Too Many", "{}", "", .resting, 5000), ("500 Oops", "{}", "", .resting, 500),
    ] {
      let bench = try Bench()
      bench.start()
      bench.refuse(bench.server, status, body, fields: fields)
      #expect(bench.client.state == state)
      let count = bench.server.visits.count
      bench.pass(rest - 1)
      #expect(bench.server.visits.count == count, "\(status)")
      bench.pass(1)
      #expect(bench.server.visits.count == count + 1, "\(status)")
      #expect(!bench.trouble.contains("bot") || !bench.trouble.contains("123456789"))
      bench.answer(update(1))
      #expect(bench.client.state == .polling && bench.trouble == "" && bench.messages.count == 1)
    }
  }

  @Test("pauses grow while nothing works, up to their limit, and the token is in no text")
  func backoff() throws {
    let bench = try Bench()
    bench.start()
    var (pauses, last): ([Int64], Int) = ([], 1)
    for index in 0..<12 {
      if index % 3 == 0 {
        bench.server.secure()
        bench.server.deliver(PageServer.answer("<html>", type: "text/html"))
      } else {
        bench.server.fail(TransportFailure(index % 3 == 1 ? .resolve : .broken))
        if index % 3 != 0, bench.server.visits.count == last { bench.server.secure() }
      }
      let begin = bench.clock.monotonic
      bench.pass(0)
      while bench.server.visits.count == last, bench.clock.monotonic < begin + 1_000_000 { bench.pass(100) }
      pauses.append(bench.clock.monotonic - begin)
      last = bench.server.visits.count
      #expect(!bench.trouble.contains("123456789") && !bench.trouble.contains("/bot"))
    }
    #expect(pauses.last! <= Budget.telegramRetry.upperBound && pauses.last! > pauses.first!)
  }

  @Test("a server that answers at once with nothing is not asked without end")
  func empty() throws {
    let bench = try Bench()
    bench.start()
    bench.answer("", after: 0)
    bench.server.sent = ""
    bench.pass(100)
    #expect(bench.server.sent == "" && bench.server.visits.count == 1)
    bench.pass(1000)
    bench.server.drain()
    #expect(bench.server.sent.contains("getUpdates"))
  }

  @Test("configurations that would change the path, show the token or speak with everybody are refused")
  func settings() throws {
    for (text, chats, address, error) in [
      ("", [Int64(1)], "", TelegramError.token), ("123", [1], "", .token), ("123:short", [1], "", .token),
      ("123:AAAAAAAAAAAAAAAAAAAA/../x", [1], "", .token), ("123:AAAAAAAAAAAAAAAA\r\nAAAA", [1], "", .token),
      ("a23:AAAAAAAAAAAAAAAAAAAA", [1], "", .token), ("1:" + String(repeating: "a", count: 64), [1], "", .token),
      (token, [], "", .chats), (token, Array(1...17), "", .chats), (token, [1], "http://e.org", .plaintext),
      (token, [1], "e.org", .address),
    ] {
      #expect(throws: error) { try TelegramSettings(token: text, chats: chats, address: address) }
    }
    let own = try TelegramSettings(token: token, chats: [1], address: "https://bots.local/api/")
    #expect(own.updates.target == "/api/bot\(token)/getUpdates" && own.updates.host == "bots.local")
    #expect(throws: Never.self) { try TelegramSettings(token: token, chats: [1], address: "http://127.0.0.1:8081") }
  }
}
