import Codec
import Fetch
import Gateway
import Metrics
import Runtime

/// Pushes what waits in the ring to the server: one request at a time, the oldest intervals first, and none while the
/// server wants to be left alone.
final class SampleSender: FetchDelegate {
  private unowned(unsafe) let part: MetricsPart
  private let clock: any Clock
  private let random: any RandomSource
  private let log: Log
  private let fetcher: Fetcher
  private let batch: SampleBatch
  private let snappy: SnappyEncoder
  /// The message before and after compression.
  private let message: ReservedBuffer
  private let body: ReservedBuffer
  private let url: WebURL?
  private var request = FetchRequest()
  private var isSending = false
  /// Asks for the server's date alone.
  private var isAsking = false
  private var pause = RetryPause(Budget.metricRetry)
  /// When the next request may be sent; nil: with the next interval.
  private var nextAt: Int64?

  /// When samples were last accepted; intervals that were refused for good.
  private(set) var acceptedAt: Int64?
  private(set) var accepted: UInt64 = 0
  private(set) var refused: UInt64 = 0
  /// What went wrong last, when, and whether that is over.
  private(set) var trouble = SampleTrouble()

  init(_ part: MetricsPart, version: InlineText<64>, _ world: MetricsSurroundings) throws(Errno) {
    self.part = part
    (clock, random, log) = (world.clock, world.random, world.log)
    fetcher = try Fetcher(
      world.board.transport, clock: clock, bodyBytes: Budget.metricAnswerBytes, requestBytes: Budget.metricTokenBytes)
    batch = try SampleBatch()
    snappy = try SnappyEncoder()
    message = try ReservedBuffer(capacity: Budget.metricRequestBytes)
    body = try ReservedBuffer(capacity: SnappyEncoder.bound(Budget.metricRequestBytes))
    url = try? WebURL(part.settings.url.utf8.span)
    request.method = .post
    request.accept = "*/*"
    request.contentType = "application/x-protobuf"
    request.fields = "Content-Encoding: snappy\r\nX-Prometheus-Remote-Write-Version: 0.1.0\r\n"
    request.authorization = InlineText(cutting: part.settings.authorization)
    request.agent.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text("Talon/")
      writer.bytes(version.span)
      return min(writer.count, buffer.count)
    }
    request.keepsConnection = true
    request.totalMilliseconds = Budget.metricRequestMilliseconds
    request.idleMilliseconds = Budget.metricIdleMilliseconds
    fetcher.delegate = self
  }

  func stop() {
    fetcher.cancel()
    if isSending { part.ring.settle(isDone: false) }
    isSending = false
    nextAt = nil
    pause = RetryPause(Budget.metricRetry)
    release()
  }

  // MARK: Time

  var nextDeadline: Int64? { isSending ? fetcher.nextDeadline : earliest(nextAt, pause.dueAt) }

  func advance(to now: Int64) {
    if isSending { return fetcher.advance(to: now) }
    guard let due = earliest(nextAt, pause.dueAt), now >= due else { return }
    send()
  }

  /// Another interval waits.
  func intervalEnded(at now: Int64) {
    if !isSending, pause.dueAt == nil { send() }
  }

  // MARK: Requests

  private func send() {
    guard let url else { return }
    nextAt = nil
    pause.begin()
    isAsking = part.date.offset == nil
    var writer = ByteWriter(into: message.bytes)
    if !isAsking {
      guard batch.fill(from: part.ring) else { return }
      _ = part.request.write(batch, to: &writer)
    }
    guard writer.isComplete,
      let count = snappy.encode(UnsafeBufferPointer(message.bytes).extracting(0..<writer.count), into: body.bytes)
    else {
      // Cannot be: the buffers have room for the largest message.
      part.ring.settle(isDone: false)
      return release()
    }
    request.body = UnsafeBufferPointer(body.bytes).extracting(0..<count)
    isSending = true
    fetcher.start(url, request)
  }

  private func release() {
    batch.release()
    message.release()
    body.release()
    snappy.release()
  }

  // MARK: Answers

  func fetched(_ fetcher: Fetcher) { answered(ServerVerdict(status: fetcher.status), nil) }

  func fetchFailed(_ fetcher: Fetcher, _ failure: FetchFailure) {
    // The status counts, whatever becomes of the rest of the answer.
    answered(ServerVerdict(status: fetcher.status), failure)
  }

  func isGateway(_ certificate: PeerCertificate) -> Bool { false }

  private func answered(_ verdict: ServerVerdict, _ failure: FetchFailure?) {
    let now = clock.monotonic
    isSending = false
    if let date = fetcher.date {
      part.date.heard(date, wall: clock.wall, now: now)
      part.giveDates()
    }
    switch verdict {
    case _ where isAsking: asked(verdict, failure, at: now)
    case .taken: taken(at: now)
    case .refused: refuse(failure, at: now)
    case .later: later(failure, at: now)
    }
    fetcher.release()
    release()
  }

  /// Any answer that has a date is as good as another.
  private func asked(_ verdict: ServerVerdict, _ failure: FetchFailure?, at now: Int64) {
    if part.date.offset != nil { return nextAt = now + Budget.metricBatchSpacing }
    later(failure, at: now)
  }

  private func taken(at now: Int64) {
    accepted += UInt64(part.ring.settle(isDone: true))
    acceptedAt = now
    pause.succeeded()
    if trouble.isCurrent {
      log.write(.notice, "metrics", "the server takes samples again")
      trouble.isCurrent = false
    }
    part.keeper.taken()
    if part.ring.count > 0 { nextAt = now + Budget.metricBatchSpacing }
  }

  /// What was sent is dropped. What waits goes out with the next intervals: the owner may put it right meanwhile.
  private func refuse(_ failure: FetchFailure?, at now: Int64) {
    let count = part.ring.settle(isDone: true)
    refused += UInt64(count)
    pause.succeeded()
    part.keeper.taken()
    tell(failure, at: now, isRefusal: true)
  }

  private func later(_ failure: FetchFailure?, at now: Int64) {
    part.ring.settle(isDone: false)
    part.keeper.serverIsAway()
    let asked = fetcher.retryAfterSeconds.map { min(Int64($0) * 1000, Budget.metricPatience) }
    pause.failed(at: now)
    let own = (pause.dueAt ?? now) - now
    let spread = own / 2 + Int64(randomNumber(below: UInt32(clamping: own), random))
    pause.failed(at: now, pausing: max(spread, asked ?? 0))
    tell(failure, at: now, isRefusal: false)
  }

  /// Keeps what went wrong, and logs it once, until it is over or becomes another.
  private func tell(_ failure: FetchFailure?, at now: Int64, isRefusal: Bool) {
    var text = InlineText<160>()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      if let failure {
        failure.write(to: &writer)
      } else {
        writer.text("the server's answer has no date, and this board's clock is not set")
      }
      return min(writer.count, buffer.count)
    }
    let isNews = !trouble.isCurrent || trouble.text != text
    trouble = SampleTrouble(text: text, at: now, isRefusal: isRefusal, isCurrent: true)
    guard isNews else { return }
    log.write(isRefusal ? .error : .warning, "metrics") { line in
      line.add(text.span)
      line.add(isRefusal ? ": these samples are dropped" : ": samples wait")
    }
  }
}

/// What went wrong last.
struct SampleTrouble {
  var text = InlineText<160>()
  /// Milliseconds of `Clock.monotonic`; nil: nothing went wrong.
  var at: Int64?
  /// The server refused samples for good.
  var isRefusal = false
  /// Nothing was accepted since.
  var isCurrent = false
}
