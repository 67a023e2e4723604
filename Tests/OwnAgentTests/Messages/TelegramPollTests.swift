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

@Suite("Telegram: messages in") struct TelegramPollTests {
  @Test("a long poll asks for messages from the offset on")
  func request() throws {
    let bench = try Bench()
    bench.start(17)
    bench.server.secure()
    #expect(bench.server.visits == ["https://api.telegram.org:443/bot\(token)/getUpdates"])
    #expect(bench.server.sent.hasPrefix("POST /bot\(token)/getUpdates HTTP/1.1\r\n"))
    #expect(
      bench.server.sent.hasSuffix(
        "\r\n\r\n{\"offset\":17,\"timeout\":50,\"limit\":4,\"allowed_updates\":[\"message\"]}"))
    bench.pass(Budget.telegramPollMilliseconds - 1)
    #expect(bench.trouble == "")
    bench.pass(1)
    #expect(bench.trouble == "api.telegram.org took too long")
  }

  @Test("messages come one after the other, and the offset moves when they were taken")
  func messages() throws {
    let bench = try Bench()
    bench.start()
    bench.answer(update(5, "a \\\"ü\\ud83d\\ude00") + "," + update(6, "b", chat: -100))
    #expect(bench.messages == ["5 42 7 Ann: a \"ü😀", "6 -100 7 Ann: b"])
    #expect(bench.offsets == [6, 7] && bench.client.offset == 7)
    bench.server.drain()
    #expect(bench.server.sent.hasSuffix("{\"offset\":7,\"timeout\":50,\"limit\":4,\"allowed_updates\":[\"message\"]}"))
  }

  @Test("a message waits until it was taken, and nothing is polled before its offset is kept")
  func waiting() throws {
    let bench = try Bench()
    (bench.takes, bench.keeps) = (false, false)
    bench.start()
    bench.answer(update(5, "a") + "," + update(6, "b"))
    bench.pass(500_000)
    #expect(bench.messages.count == 1 && bench.client.offset == 0 && bench.offsets == [])
    bench.client.taken()
    bench.client.taken()
    bench.pass(500_000)
    #expect(bench.messages.count == 2 && bench.offsets == [6])
    bench.client.taken()
    bench.pass(500_000)
    #expect(bench.offsets == [6, 7] && bench.client.nextDeadline == nil)
    bench.server.sent = ""
    bench.client.offsetKept(6)
    bench.pass(500_000)
    #expect(bench.server.sent == "" && bench.client.nextDeadline == nil)
    bench.client.offsetKept(100)
    bench.pass(0)
    bench.server.secure()
    #expect(bench.server.sent.contains("\"offset\":7"))
    // What was not taken before an end comes again after the next start.
    bench.client.stop()
    bench.start(6)
    bench.answer(update(5, "old") + "," + update(6, "b"))
    #expect(bench.messages.last == "6 42 7 Ann: b")
  }

  @Test("chats that are not configured are counted and passed over, as are updates without text")
  func others() throws {
    let bench = try Bench()
    bench.start()
    bench.answer(
      update(1, chat: 43) + "," + update(2, chat: -42) + ",{\"update_id\":3,\"edited_message\":{}}," + update(4))
    #expect(bench.messages == ["4 42 7 Ann: hi"] && bench.client.strangers == 2 && bench.client.offset == 5)
    bench.answer("{\"update_id\":5,\"message\":{\"chat\":{\"id\":42},\"photo\":[]}},{\"update_id\":6,\"message\":5}")
    #expect(bench.messages.count == 1 && bench.client.offset == 7)
    // Anybody can send those: nothing of them is written to flash.
    #expect(bench.offsets == [5])
  }

  @Test("strangers who write without end are asked for once a second, and cost no write to flash")
  func flood() throws {
    let bench = try Bench()
    bench.start()
    for round in 0..<50 {
      bench.answer((1...4).map { update(Int64(4 * round + $0), chat: 9) }.joined(separator: ","), after: 100)
      #expect(bench.client.nextDeadline == bench.clock.monotonic + Budget.telegramRetry.lowerBound)
      bench.pass(Budget.telegramRetry.lowerBound)
    }
    #expect(bench.client.offset == 201 && bench.client.strangers == 200 && bench.offsets == [] && bench.messages == [])
  }

  @Test("numbers at the end of the range bring no message again and again")
  func lastNumber() throws {
    let bench = try Bench()
    bench.start()
    for _ in 0..<20 { bench.answer(update(.max) + "," + update(.max - 1)) }
    // Whole numbers of JSON end at 2^53.
    #expect(bench.messages == ["\(1 << 53) 42 7 Ann: hi"] && bench.offsets == [1 << 53 + 1])
  }

  @Test("after a week without an update its number may be any, also a lower one")
  func numbersBeginAnew() throws {
    let bench = try Bench()
    bench.start()
    bench.answer(update(1 << 60))
    bench.answer(update(7))
    #expect(bench.messages.count == 1)
    bench.server.sent = ""
    for _ in 0...Budget.telegramForgetMilliseconds / 60_000 { bench.answer("", after: 60_000) }
    #expect(bench.server.sent.contains("\"offset\":0,"))
    bench.answer(update(7))
    #expect(bench.messages.last == "7 42 7 Ann: hi" && bench.offsets.last == 8)
  }

  @Test(
    "odd members neither trap nor stop the bot",
    arguments: [
      "1", "null", "[]", "{}", "\"x\"", "{\"update_id\":\"9\"}", "{\"update_id\":-5}", "{\"update_id\":1.5}",
      "{\"update_id\":1e300}", "{\"update_id\":99999999999999999999999}", "{\"message\":{}}",
      "{\"update_id\":9223372036854775807,\"message\":{}}", "{\"update_id\":3,\"message\":{\"chat\":{\"id\":\"42\"}}}",
      "{\"update_id\":3,\"message\":{\"chat\":42,\"text\":\"x\"}}",
      "{\"update_id\":3,\"message\":{\"chat\":{\"id\":42},\"text\":[]}}",
      "{\"update_id\":3,\"message\":{\"chat\":{\"id\":42},\"text\":\"\"}}",
    ])
  func odd(member: String) throws {
    let bench = try Bench()
    bench.start(3)
    bench.answer(member, after: 0)
    #expect(bench.messages == [] && bench.client.state == .polling && bench.trouble == "")
    bench.pass(1000)
    bench.answer(update(1 << 54) + "," + update(10))
    #expect(bench.client.offset > 3)
  }

  @Test("a sender without a name, and one with a name that is not drawn")
  func senders() throws {
    let bench = try Bench()
    bench.start()
    let chat = "\"chat\":{\"id\":42},\"text\":\"x\"}}"
    bench.answer(
      "{\"update_id\":1,\"message\":{\(chat),{\"update_id\":2,\"message\":{\"from\":5,\(chat),"
        + "{\"update_id\":3,\"message\":{\"from\":{\"id\":1,\"first_name\":\"A\\u202e\\nb\"},\(chat),"
        + "{\"update_id\":4,\"message\":{\"from\":{\"id\":1,\"first_name\":\"\\u200b\",\"username\":\"ann\"},\(chat)")
    #expect(bench.messages == ["1 42 0 : x", "2 42 0 : x", "3 42 1 A b: x", "4 42 1 ann: x"])
  }

  @Test("garbage never traps the reader, and numbers never go back")
  func garbage() {
    let words = [
      "{", "}", "[", "]", "\"update_id\":", "\"message\":", "\"chat\":{\"id\":42}", "\"text\":\"x\"", ",", "1", "-1",
      "1e9",
      "null", "\"from\":", "\"first_name\":\"\\ud83d\\ude00\"", "\"ok\":true", "\"result\":[",
    ]
    let room = FixedBuffer(capacity: Budget.telegramTextBytes)
    var chats = InlineList<16, Int64>()
    chats.append(42)
    for seed in 1...500 {
      var dice = PageDice(UInt64(seed))
      var json = "{\"ok\":true,\"result\":["
      for _ in 0..<dice.below(30) { json += words[dice.below(words.count)] }
      if dice.below(2) == 0 { json += "]}" }
      let bytes = Array(json.utf8)
      bytes.withUnsafeBufferPointer { answer in
        // An answer that was not checked gives nonsense, but is not read beyond its end.
        _ = TelegramUpdates.isValid(answer)
        var updates = TelegramUpdates(chats: chats, into: room.bytes)
        updates.begin()
        var count = 0
        while updates.next(in: answer, from: 0) != .end { count += 1 }
        #expect(count <= Budget.telegramBatch)
      }
    }
  }
}
