import Codec
import Fetch
import Gateway
import Runtime
import Testing

@testable import OwnAgent

let telegramToken = "123456789:AAaaBBbbCCccDDddEEee_FF-gg"

/// A bot and its server.
final class TelegramBench: TelegramDelegate {
  let clock = PageClock()
  let (server, other) = (PageServer(), PageServer())
  let client: TelegramClient
  var messages: [String] = []
  var offsets: [Int64] = []
  var sent: [String] = []
  /// What is done at once: a message taken, an offset kept.
  var (takes, keeps) = (true, true)

  init(chats: [Int64] = [42, -100]) throws {
    client = try TelegramClient(
      TelegramSettings(token: telegramToken, chats: chats), polling: server, sending: other, clock: clock,
      random: PageRandom())
    client.delegate = self
    server.appetite = 10_000
    other.appetite = 10_000
  }

  func telegramReceived(_ client: TelegramClient, _ message: TelegramMessage) {
    let text = String(decoding: client.text, as: UTF8.self)
    let name = message.name.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    messages.append("\(message.update) \(message.chat) \(message.sender) \(name): \(text)")
    if takes { client.taken() }
  }

  func telegramOffsetMoved(_ client: TelegramClient) {
    offsets.append(client.offset)
    if keeps { client.offsetKept(client.offset) }
  }

  func telegramSent(_ client: TelegramClient, _ failure: TelegramFailure?) {
    guard let failure else { return sent.append("sent") }
    sent.append(told { failure.write(to: &$0) })
  }

  func told(_ write: (inout ByteWriter) -> Void) -> String {
    let room = FixedBuffer(capacity: 400)
    var writer = ByteWriter(into: room.bytes)
    write(&writer)
    return String(decoding: room.bytes[..<writer.count], as: UTF8.self)
  }

  func start(_ offset: Int64 = 0) {
    client.start(from: offset)
    pass(0)
  }

  func pass(_ milliseconds: Int64) {
    clock.monotonic += milliseconds
    var turns = 0
    while let deadline = client.nextDeadline, deadline <= clock.monotonic, turns < 1000 {
      client.advance(to: clock.monotonic)
      turns += 1
    }
    #expect(turns < 1000, "it never sleeps")
  }

  func answer(_ updates: String, after milliseconds: Int64 = 20_000) {
    server.secure()
    server.drain()
    clock.monotonic += milliseconds
    server.deliver(PageServer.answer("{\"ok\":true,\"result\":[\(updates)]}", type: "application/json"))
    pass(0)
  }

  func refuse(_ server: PageServer, _ status: String, _ body: String = "{}", fields: String = "") {
    server.secure()
    server.deliver(PageServer.answer(body, status: status, type: "application/json", fields: fields))
    pass(0)
  }

  func send(_ text: String, to chat: Int64 = 42) throws {
    try text.withBytes { bytes throws(TelegramFailure) in try client.send(bytes, to: chat) }
    pass(0)
  }

  var trouble: String { client.trouble.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
}

func telegramUpdate(_ number: Int64, _ text: String = "hi", chat: Int64 = 42) -> String {
  "{\"update_id\":\(number),\"message\":{\"message_id\":1,\"from\":{\"id\":7,\"first_name\":\"Ann\"},"
    + "\"chat\":{\"id\":\(chat)},\"text\":\"\(text)\"}}"
}
