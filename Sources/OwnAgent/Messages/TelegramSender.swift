import Codec
import Fetch
import Gateway
import Runtime

/// Why a text was not sent.
public enum TelegramFailure: Error {
  /// Another text is being sent.
  case busy
  /// Nothing but white space; longer than the budget has; not UTF-8.
  case empty, tooLong, notUTF8
  /// The chat is not configured.
  case chat
  /// The bot may not write to the chat, or the chat is gone.
  case refused(UInt16)
  /// The token is wrong.
  case token
  /// The server takes no messages now; nothing, or not all of it, was sent.
  case limited
  case fetch(FetchFailure)
  /// The connection was lost after the request: nobody knows whether the message was sent.
  case uncertain

  /// What a model or a person reads, without a period. Never an address.
  public func write(to writer: inout ByteWriter) {
    switch self {
    case .busy: writer.text("another text is being sent")
    case .empty: writer.text("the text is empty")
    case .tooLong: writer.text("the text is longer than 16 KiB")
    case .notUTF8: writer.text("the text is not UTF-8")
    case .chat: writer.text("the chat is not configured")
    case .refused(let status):
      writer.text("Telegram refused the message (")
      writer.decimal(Int64(status))
      writer.text("): is the bot in that chat?")
    case .token: writer.text(TelegramState.wrongToken.text)
    case .limited: writer.text("Telegram takes no more messages for now")
    case .fetch(let failure): failure.write(to: &writer)
    case .uncertain:
      writer.text("the connection to Telegram was lost: it is not known whether the message was sent")
    }
  }
}

/// The pause before the next attempt: doubling, and shortened by up to half at random.
struct TelegramPause {
  private let random: any RandomSource
  private var full = Budget.telegramRetry.lowerBound

  init(_ random: any RandomSource) { self.random = random }

  mutating func next() -> Int64 {
    let pause = full
    full = min(2 * full, Budget.telegramRetry.upperBound)
    return pause / 2 + Int64(randomNumber(below: UInt32(clamping: pause / 2 + 1), random))
  }

  mutating func reset() { full = Budget.telegramRetry.lowerBound }
}

/// What is read of an answer that refuses.
enum TelegramAnswer {
  /// `parameters.retry_after` in seconds, where that part of the answer has come; else the header's; else 5.
  static func retrySeconds(_ fetcher: Fetcher) -> Int64 {
    let body = fetcher.body
    var isJSON = true
    do throws(JSONError) {
      try JSONValidator.check(body.span, depthLimit: Budget.jsonDepth)
    } catch {
      isJSON = false
    }
    let told = isJSON ? JSONView(body.span).member("parameters")?.member("retry_after")?.int64 : nil
    let seconds = told ?? fetcher.retryAfterSeconds.map { Int64($0) } ?? 5
    return min(max(seconds, 1), 3600)
  }
}

/// Sends texts to chats, one at a time, in as many messages as they need. A message that may have been sent is not sent
/// again.
final class TelegramSender {
  /// An end, with its reason; nil in it: all was sent.
  struct End {
    let reason: TelegramFailure?
  }

  private enum Phase { case idle, waiting, sending }

  private let settings: TelegramSettings
  private let clock: any Clock
  private let fetcher: Fetcher
  private let text = FixedBuffer(capacity: Budget.telegramSendBytes)
  private let request = FixedBuffer(capacity: Budget.telegramRequestBytes)
  private var count = 0
  private var chat: Int64 = 0
  private var piece = 0..<0
  private var phase = Phase.idle
  private var sendAt: Int64 = 0
  /// Until when an attempt may begin.
  private var until: Int64 = 0
  private var attempts = 0
  private var pause: TelegramPause
  private var ended: End?

  init(
    _ settings: TelegramSettings, transport: any FetchTransport, clock: any Clock, random: any RandomSource
  ) throws(Errno) {
    (self.settings, self.clock) = (settings, clock)
    fetcher = try Fetcher(transport, clock: clock, bodyBytes: Budget.telegramAnswerBytes)
    pause = TelegramPause(random)
    fetcher.delegate = self
  }

  func send(_ text: UnsafeBufferPointer<UInt8>, to chat: Int64) throws(TelegramFailure) {
    guard phase == .idle, ended == nil else { throw .busy }
    guard isConfigured(chat) else { throw .chat }
    guard text.count <= self.text.bytes.count else { throw .tooLong }
    guard UTF8Validator.isValid(text.span) else { throw .notUTF8 }
    for index in 0..<text.count { self.text.bytes[index] = text[index] }
    (count, self.chat, piece) = (text.count, chat, 0..<0)
    until = clock.monotonic.adding(clamping: Budget.telegramTextMilliseconds)
    guard nextPiece() else { throw .empty }
  }

  private func isConfigured(_ chat: Int64) -> Bool {
    for index in 0..<settings.chats.count where settings.chats[index] == chat { return true }
    return false
  }

  /// Goes to the next message; false after the last one.
  private func nextPiece() -> Bool {
    let all = UnsafeBufferPointer(text.bytes).extracting(0..<count)
    let rest = TelegramPieces.trimmed(all, piece.upperBound..<count)
    guard !rest.isEmpty else { return false }
    piece = rest.lowerBound..<TelegramPieces.end(all, from: rest.lowerBound)
    (phase, sendAt, attempts) = (.waiting, clock.monotonic, 0)
    pause.reset()
    return true
  }

  var nextDeadline: Int64? {
    if ended != nil { return clock.monotonic }
    return switch phase {
    case .idle: nil
    case .waiting: sendAt
    case .sending: fetcher.nextDeadline
    }
  }

  /// Lets time pass; the end of a text, once.
  func advance(to now: Int64) -> End? {
    if phase == .sending { fetcher.advance(to: now) }
    if phase == .waiting, now >= sendAt { post() }
    defer { ended = nil }
    return ended
  }

  private func post() {
    attempts += 1
    let all = UnsafeBufferPointer(text.bytes).extracting(0..<count)
    let shown = TelegramPieces.trimmed(all, piece)
    var json = JSONWriter(into: request.bytes)
    json.beginObject()
    json.key("chat_id")
    json.int(chat)
    json.key("text")
    json.string(all.extracting(shown).span)
    json.endObject()
    guard json.isComplete else { return end(.tooLong) }
    var fetch = FetchRequest()
    fetch.method = .post
    fetch.accept = "application/json"
    fetch.body = UnsafeBufferPointer(request.bytes).extracting(0..<json.count)
    fetch.totalMilliseconds = Budget.telegramSendMilliseconds
    fetch.idleMilliseconds = Budget.telegramSendMilliseconds
    phase = .sending
    fetcher.start(settings.sending, fetch)
  }

  private func end(_ reason: TelegramFailure?) {
    fetcher.release()
    (phase, ended) = (.idle, End(reason: reason))
  }

  private func again(after milliseconds: Int64, or reason: TelegramFailure) {
    let instant = clock.monotonic.adding(clamping: milliseconds)
    guard attempts < Budget.telegramAttempts, instant <= until else { return end(reason) }
    fetcher.release()
    (phase, sendAt) = (.waiting, instant)
  }

  /// The text is not wanted any more; nothing follows. A message whose request has left may have been sent.
  func cancel() {
    fetcher.cancel()
    (phase, ended) = (.idle, nil)
  }
}

extension TelegramSender: FetchDelegate {
  func fetched(_ fetcher: Fetcher) {
    fetcher.release()
    if !nextPiece() { end(nil) }
  }

  func fetchFailed(_ fetcher: Fetcher, _ failure: FetchFailure) {
    switch failure.kind {
    case .status(401), .status(404): end(.token)
    case .status(429): again(after: max(TelegramAnswer.retrySeconds(fetcher) * 1000, pause.next()), or: .limited)
    case .status(let status) where status < 500: end(.refused(status))
    // The request did not leave.
    case .name, .connect, .proxy, .tls, .refusedAddress: again(after: pause.next(), or: .fetch(failure))
    default: end(.uncertain)
    }
  }

  func isGateway(_ certificate: PeerCertificate) -> Bool { false }
}
