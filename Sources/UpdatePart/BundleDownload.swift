import Codec
import Fetch
import Gateway
import Runtime
import Updates

/// Why a bundle did not arrive.
enum DownloadEnd {
  /// It is on flash, and is what was promised.
  case complete
  /// The connection broke, or the server has a bad time: it goes on later. A sentence for the log.
  case interrupted(UpdateText, retryAfter: UInt32?)
  /// The server gave something else than it promised.
  case faulty(UpdateText)
  /// There is no room for it here.
  case noRoom
  /// The file system refuses.
  case refused(UpdateText)
}

/// Gets the end of a download, and what is worth keeping of it.
protocol BundleDownloadDelegate: AnyObject {
  func downloadEnded(_ end: DownloadEnd)
  func downloadTagged(_ etag: Span<UInt8>)
  func downloadProgressed(to bytes: Int64)
}

/// Gets one bundle to flash: from an address in pieces, each written by a worker before the next is read, or from a
/// file of this board. What was there before is gone on with (RFC 9110 section 14.2), if the server still has the same
/// file.
final class BundleDownload: BundleJobDelegate, FetchSink, FetchDelegate {
  private enum Phase { case idle, opening, hashing, fetching, copying, sealing, stopping }

  private let fetcher: Fetcher
  private let runner: any JobRunner
  private let clock: any Clock
  private unowned(unsafe) let delegate: any BundleDownloadDelegate
  private var job: BundleJob! = nil
  private var phase = Phase.idle
  private var release = Release()
  private var url: WebURL?
  private var request = FetchRequest()
  /// Bytes on flash.
  private var written: Int64 = 0
  /// Bytes of the whole bundle, once somebody has said so; 0 before.
  private var size: Int64 = 0
  /// The end that waits for the worker.
  private var pendingEnd: DownloadEnd?
  private var wantsDiscard = false
  /// A job found no room in the queue: tried again then.
  private var submitAt: Int64?

  init(
    _ transport: any FetchTransport, files: any UpdateFiles, runner: any JobRunner, clock: any Clock,
    delegate: any BundleDownloadDelegate
  ) throws(Errno) {
    fetcher = try Fetcher(
      transport, clock: clock, bodyBytes: Budget.updatePieceBytes,
      requestBytes: Budget.updateTokenBytes)
    self.runner = runner
    self.clock = clock
    self.delegate = delegate
    job = try BundleJob(files, self)
    fetcher.delegate = self
    fetcher.sink = self
  }

  /// True when nothing is under way.
  var isIdle: Bool { phase == .idle && !job.isPending && !wantsDiscard }

  /// Begins, or goes on with what has come of the file that has this tag; empty: nothing has.
  func start(_ release: Release, url: WebURL, _ request: FetchRequest, etag: Span<UInt8>) {
    (self.release, self.url, self.request) = (release, url, request)
    // A weak tag does not say that the bytes are the same (RFC 9110 section 13.1.5).
    if etag.count > 0, etag[0] == UInt8(ascii: "\"") { self.request.etag.set(etag) }
    size = release.size
    phase = .opening
    run(.open(isContinued: !etag.isEmpty), kind: release.digest.kind)
  }

  /// Copies a file of this board.
  func copy(_ path: String) {
    release = Release()
    (url, size) = (nil, 0)
    job.source.truncate()
    do throws(Errno) {
      try job.source.append(path)
    } catch {
      return end(.refused(Self.words("the path is too long", error)))
    }
    phase = .opening
    run(.open(isContinued: false), kind: .sha256)
  }

  /// Stops; the file stays as it is.
  func stop() {
    fetcher.cancel()
    pendingEnd = nil
    submitAt = nil
    phase = job.isPending ? .stopping : .idle
  }

  /// Removes the file, after what is under way.
  func discard() {
    stop()
    wantsDiscard = true
    if !job.isPending { removeIfWanted() }
  }

  var nextDeadline: Int64? { earliest(fetcher.nextDeadline, submitAt) }

  func advance(to now: Int64) {
    fetcher.advance(to: now)
    guard let due = submitAt, now >= due else { return }
    submit()
  }

  private func run(_ step: BundleJob.Step, kind: BundleDigest.Kind = .none) {
    job.prepare(step, kind: kind)
    submit()
  }

  private func submit() {
    submitAt = runner.submit(job) ? nil : clock.monotonic + Budget.updateAnswerPoll
  }

  private func removeIfWanted() {
    guard wantsDiscard else { return }
    wantsDiscard = false
    phase = .stopping
    run(.discard)
  }

  private func end(_ end: DownloadEnd) {
    fetcher.cancel()
    job.release()
    phase = .idle
    delegate.downloadEnded(end)
  }

  // MARK: Steps on flash

  func bundleStepEnded(_ job: BundleJob) {
    if phase == .stopping || wantsDiscard {
      phase = .idle
      return removeIfWanted()
    }
    if let failure = job.failure { return failed(job.step, failure) }
    switch job.step {
    case .open: opened(job)
    case .digest: job.count == 1 ? run(.digest) : connect()
    case .append(let bytes):
      written += Int64(bytes)
      delegate.downloadProgressed(to: written)
      if let pendingEnd { return end(pendingEnd) }
      fetcher.pieceTaken()
    case .copy:
      written += job.count
      if written > Budget.updateBundleBytes {
        return end(.refused(sentenceOf("the file is larger than a bundle can be")))
      }
      job.count > 0 ? run(.copy) : run(.seal)
    case .seal: judge(job)
    case .discard: phase = .idle
    }
  }

  private func failed(_ step: BundleJob.Step, _ failure: Errno) {
    // ENOSPC, EDQUOT.
    if failure.number == 28 || failure.number == 122 { return end(.noRoom) }
    if case .copy = step { return end(.refused(Self.words("this board's agent cannot read the file", failure))) }
    end(.refused(Self.words("the bundle cannot be written", failure)))
  }

  private func opened(_ job: BundleJob) {
    written = job.count
    let needed = max(size, 1)
    if job.room - Budget.updateSpareBytes < needed { return end(.noRoom) }
    guard url != nil else {
      phase = .copying
      return run(.copy)
    }
    if size > 0, written > size {
      written = 0
      return run(.open(isContinued: false), kind: release.digest.kind)
    }
    guard written > 0 else { return connect() }
    phase = .hashing
    run(.digest)
  }

  private func connect() {
    if size > 0, written == size { return seal() }
    guard let url else { return }
    phase = .fetching
    request.start = Int(clamping: written)
    // Of the whole: the server may ignore the range.
    request.limit = Int(clamping: size > 0 ? size : Budget.updateBundleBytes)
    fetcher.start(url, request)
  }

  private func seal() {
    phase = .sealing
    run(.seal)
  }

  private func judge(_ job: BundleJob) {
    if release.digest.kind == .none || release.digest.equals(job.digest.span) { return end(.complete) }
    wantsDiscard = true
    end(.faulty(sentenceOf("the bundle's bytes are not those that the server promised: its digest is another")))
    removeIfWanted()
  }

  // MARK: Network

  func fetchBegan(_ fetcher: Fetcher) -> Bool {
    if request.start > 0, fetcher.status == 200 {
      // The server begins again, or has another file: so does the board.
      pendingEnd = nil
      written = 0
      return restart()
    }
    if request.start > 0, fetcher.rangeStart != request.start {
      end(.faulty(sentenceOf("the server answered with another part of the bundle than was asked for")))
      return false
    }
    if let length = fetcher.length {
      let whole = written + Int64(length)
      if size > 0, whole != size {
        end(.faulty(wrongSize(whole)))
        return false
      }
      size = whole
    }
    if written == 0 {
      let etag = fetcher.etag.isEmpty ? InlineText<128>(cutting: "none") : fetcher.etag
      delegate.downloadTagged(etag.span)
    }
    return true
  }

  /// Asks for the whole file, after emptying the one on flash.
  private func restart() -> Bool {
    fetcher.cancel()
    phase = .opening
    request.etag.clear()
    run(.open(isContinued: false), kind: release.digest.kind)
    return false
  }

  func fetchedPiece(_ fetcher: Fetcher) {
    job.piece = UnsafeMutableBufferPointer(mutating: fetcher.body)
    if fetcher.body.isEmpty { return fetcher.pieceTaken() }
    run(.append(fetcher.body.count))
  }

  func fetched(_ fetcher: Fetcher) {
    guard phase == .fetching else { return }
    if size > 0, written != size { return end(.faulty(wrongSize(written))) }
    seal()
  }

  func fetchFailed(_ fetcher: Fetcher, _ failure: FetchFailure) {
    guard phase == .fetching else { return }
    let end = meaning(of: failure)
    if job.isPending { pendingEnd = end } else { self.end(end) }
  }

  func isGateway(_ certificate: PeerCertificate) -> Bool { false }

  private func meaning(of failure: FetchFailure) -> DownloadEnd {
    let words = Self.words(failure)
    switch failure.kind {
    case .tooLarge: return .faulty(sentenceOf("the server sends more bytes than it promised"))
    case .status(416): return .faulty(sentenceOf("the server has less of the bundle than it promised"))
    case .redirects, .badAddress, .encoding, .plaintext, .malformed: return .faulty(words)
    case .status(let status) where status >= 400 && status < 500 && status != 408 && status != 429:
      return .faulty(words)
    // A certificate that is not valid yet: the clock may be wrong, or a portal stands between.
    default: return .interrupted(words, retryAfter: fetcher.retryAfterSeconds)
    }
  }

  // MARK: Words

  private func wrongSize(_ bytes: Int64) -> UpdateText {
    var text = UpdateText()
    let promised = size
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text("the server promised a bundle of ")
      writer.decimal(promised)
      writer.text(" bytes, and gives ")
      writer.decimal(bytes)
      return min(writer.count, buffer.count)
    }
    return text
  }

  static func words(_ failure: FetchFailure) -> UpdateText {
    var text = UpdateText()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      failure.write(to: &writer)
      return min(writer.count, buffer.count)
    }
    return text
  }

  private static func words(_ what: StaticString, _ reason: Errno) -> UpdateText {
    var text = UpdateText()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text(what)
      writer.text(": ")
      writer.text(reason.text)
      return min(writer.count, buffer.count)
    }
    return text
  }

  private func sentenceOf(_ text: StaticString) -> UpdateText { UpdateText(cutting: text) }
}
