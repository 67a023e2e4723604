import Codec
import Fetch
import Gateway
import Runtime

/// Gets what a bot hears, and the ends of what it sends. Calls come from inside `advance`.
public protocol TelegramDelegate: AnyObject {
  /// A message waits, its text in `client.text`, until `client.taken()`.
  func telegramReceived(_ client: TelegramClient, _ message: TelegramMessage)
  /// `client.offset` has moved. Keep it on flash, then say so with `client.offsetKept(_:)`: until then nothing is
  /// polled, so that after a restart no message is taken twice.
  func telegramOffsetMoved(_ client: TelegramClient)
  /// A text was sent, or the failure says why not.
  func telegramSent(_ client: TelegramClient, _ failure: TelegramFailure?)
}

/// A bot of Telegram (Bot API): gets messages by long polls, and sends texts. Only configured chats are heard and
/// written to. The token is in the address of each request, so no address is ever logged or told.
public final class TelegramClient {
  let settings: TelegramSettings
  let clock: any Clock
  private let random: any RandomSource
  private let fetcher: Fetcher
  private let request = FixedBuffer(capacity: 256)
  private let textRoom = FixedBuffer(capacity: Budget.telegramTextBytes)
  private var updates: TelegramUpdates
  let sender: TelegramSender
  private enum Phase { case stopped, resting, polling, reading, waiting }
  private var phase = Phase.stopped
  private var isDelivered = false
  private var message = TelegramMessage(update: 0, chat: 0)
  /// When the next poll is due, and when the last one began.
  private var (pollAt, polledAt): (Int64, Int64) = (0, 0)
  private var pause: TelegramPause
  /// One update at a time, after an answer that was larger than the memory.
  private var isSlow = false
  public private(set) var state = TelegramState.stopped
  /// The number of the first update that was not taken; keep it on flash.
  public private(set) var offset: Int64 = 0
  private var keptOffset: Int64 = 0
  /// What has to be on flash before the next poll: the number after the last message that was taken. Updates that are
  /// passed over are not written: anybody can send them, as often as they like.
  private var neededOffset: Int64 = 0
  /// When the last update came.
  private var heardAt: Int64 = 0
  private var isMoved = false
  /// What went wrong last, for people; empty while all is well.
  public private(set) var trouble = InlineText<160>()
  /// Must live as long as the client.
  public unowned(unsafe) var delegate: (any TelegramDelegate)?

  /// A client that is stopped. Polls hold their connection, so sending has one of its own. Throws when the address
  /// space is full.
  @export(interface)
  public init(
    _ settings: TelegramSettings, polling: any FetchTransport, sending: any FetchTransport, clock: any Clock,
    random: any RandomSource
  ) throws(Errno) {
    (self.settings, self.clock, self.random) = (settings, clock, random)
    fetcher = try Fetcher(polling, clock: clock, bodyBytes: Budget.telegramBodyBytes)
    updates = TelegramUpdates(chats: settings.chats, into: textRoom.bytes)
    sender = try TelegramSender(settings, transport: sending, clock: clock, random: random)
    pause = TelegramPause(random)
    fetcher.delegate = self
  }

  /// Messages of chats that are not configured, since the start.
  public var strangers: UInt64 { updates.strangers }

  /// The text of the message that waits.
  public var text: UnsafeBufferPointer<UInt8> { updates.text }

  /// Begins to poll, from an offset that was kept; 0: with what the server has.
  public func start(from offset: Int64) {
    fetcher.cancel()
    self.offset = max(offset, 0)
    (keptOffset, neededOffset, heardAt) = (self.offset, self.offset, clock.monotonic)
    (isMoved, isSlow, isDelivered) = (false, false, false)
    trouble.clear()
    pause.reset()
    (phase, state, pollAt) = (.resting, .polling, clock.monotonic)
  }

  /// Ends polls. A message that waits comes again after the next start. What is being sent goes on.
  public func stop() {
    fetcher.cancel()
    (phase, state) = (.stopped, .stopped)
  }

  /// The message that waits was taken: it does not come again.
  public func taken() {
    guard phase == .waiting, isDelivered else { return }
    isDelivered = false
    move(past: message.update)
    (neededOffset, isMoved) = (offset, true)
    phase = .reading
  }

  /// The offset is on flash.
  public func offsetKept(_ offset: Int64) { keptOffset = max(keptOffset, min(offset, self.offset)) }

  private func move(past update: Int64) {
    offset = max(offset, update + 1)
    heardAt = clock.monotonic
  }

  /// Sends a text, of any length up to `Budget.telegramSendBytes`, to a configured chat. One at a time.
  public func send(_ text: UnsafeBufferPointer<UInt8>, to chat: Int64) throws(TelegramFailure) {
    try sender.send(text, to: chat)
  }

  /// The text that is being sent is not wanted any more; no call of the delegate follows.
  public func cancelSending() { sender.cancel() }

  // MARK: Time

  /// When `advance` wants to be called.
  public var nextDeadline: Int64? {
    let own: Int64?
    switch phase {
    case .stopped: own = nil
    case .resting: own = keptOffset >= neededOffset ? pollAt : nil
    case .polling: own = fetcher.nextDeadline
    case .reading: own = clock.monotonic
    case .waiting: own = isDelivered ? nil : clock.monotonic
    }
    let first = isMoved ? clock.monotonic : own
    guard let other = sender.nextDeadline else { return first }
    return first.map { min($0, other) } ?? other
  }

  /// Lets time pass, and calls the delegate.
  public func advance(to now: Int64) {
    if let failure = sender.advance(to: now) { delegate?.telegramSent(self, failure.reason) }
    if phase == .polling { fetcher.advance(to: now) }
    if phase == .resting, !isMoved, keptOffset >= neededOffset, now >= pollAt { poll() }
    if phase == .reading { readNext() }
    if isMoved {
      isMoved = false
      delegate?.telegramOffsetMoved(self)
    }
    if phase == .waiting, !isDelivered {
      isDelivered = true
      delegate?.telegramReceived(self, message)
    }
  }

  // MARK: Polls

  private func poll() {
    if clock.monotonic - heardAt >= Budget.telegramForgetMilliseconds {
      // The server has forgotten what was below the offset of the poll before.
      (offset, keptOffset, neededOffset, heardAt) = (0, 0, 0, clock.monotonic)
    }
    var json = JSONWriter(into: request.bytes)
    json.beginObject()
    json.key("offset")
    json.int(offset)
    json.key("timeout")
    json.int(Budget.telegramPollSeconds)
    json.key("limit")
    json.int(isSlow ? 1 : Int64(Budget.telegramBatch))
    json.key("allowed_updates")
    json.beginArray()
    json.string("message")
    json.endArray()
    json.endObject()
    var fetch = FetchRequest()
    fetch.method = .post
    fetch.accept = "application/json"
    fetch.body = UnsafeBufferPointer(request.bytes).extracting(0..<json.count)
    fetch.keepsConnection = true
    fetch.totalMilliseconds = Budget.telegramPollMilliseconds
    fetch.idleMilliseconds = Budget.telegramPollMilliseconds
    (phase, polledAt) = (.polling, clock.monotonic)
    fetcher.start(settings.updates, fetch)
  }

  /// Reads on in the answer, up to the next message that means something.
  private func readNext() {
    while true {
      switch updates.next(in: fetcher.body, from: offset) {
      case .message(let found):
        (message, phase, isDelivered) = (found, .waiting, false)
        return
      case .skipped(let number): move(past: number)
      case .end:
        fetcher.release()
        (phase, pollAt) = (.resting, clock.monotonic)
        return
      }
    }
  }

  private func rest(_ state: TelegramState, for milliseconds: Int64, _ write: (inout ByteWriter) -> Void) {
    fetcher.release()
    (phase, pollAt, self.state) = (.resting, clock.monotonic + PeerTime.milliseconds(milliseconds), state)
    trouble.fill { buffer in
      var writer = ByteWriter(into: buffer)
      write(&writer)
      return min(writer.count, buffer.count)
    }
  }
}

extension TelegramClient: FetchDelegate {
  public func fetched(_ fetcher: Fetcher) {
    guard TelegramUpdates.isValid(fetcher.body) else {
      return rest(.resting, for: pause.next()) { $0.text("the Telegram server's answer is not that of its Bot API") }
    }
    state = .polling
    trouble.clear()
    isSlow = false
    updates.begin()
    let (before, asked) = (offset, polledAt)
    phase = .reading
    readNext()
    // A server that answers at once, and with nothing that is new, would be asked without end; one that has strangers'
    // messages alone, as often as they write.
    guard phase == .resting, clock.monotonic - asked < Budget.telegramRetry.lowerBound else { return pause.reset() }
    pollAt = clock.monotonic + (offset == before ? pause.next() : Budget.telegramRetry.lowerBound)
  }

  public func fetchFailed(_ fetcher: Fetcher, _ failure: FetchFailure) {
    switch failure.kind {
    case .status(401), .status(404):
      rest(.wrongToken, for: Budget.telegramRefusedMilliseconds) { $0.text(TelegramState.wrongToken.text) }
    case .status(409):
      rest(.conflict, for: Budget.telegramConflictMilliseconds) { $0.text(TelegramState.conflict.text) }
    case .status(429):
      let seconds = TelegramAnswer.retrySeconds(fetcher)
      rest(.resting, for: max(pause.next(), seconds * 1000)) { failure.write(to: &$0) }
    case .tooLarge where !isSlow:
      isSlow = true
      rest(.resting, for: 0) { failure.write(to: &$0) }
    default: rest(.resting, for: pause.next()) { failure.write(to: &$0) }
    }
  }

  public func isGateway(_ certificate: PeerCertificate) -> Bool { false }
}
