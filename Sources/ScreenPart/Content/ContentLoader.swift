import Canvas
import Codec
import Fetch
import Gateway
import Graphics
import Runtime

/// Gets the end of a load: one of these calls, from inside `advance` or when a worker has finished. Both must free the
/// loader with `release`, at once or after using the content.
protocol ContentDelegate: AnyObject {
  /// See `kind`, `picture` and `content` of the loader.
  func loaded(_ loader: ContentLoader)
  func loadFailed(_ loader: ContentLoader, _ error: ContentError)
}

/// Loads the content of an address, one at a time: from the web, from the gateway's canvas host (whose address is
/// refreshed when it has expired), or from the address itself; and has it decoded on a worker.
final class ContentLoader {
  private enum Phase { case idle, fetching, refreshing, queued, decoding, dropped, ended }

  private let host: CanvasHost
  private let fetcher: Fetcher
  private let runner: any JobRunner
  private let clock: any Clock
  private var job: ContentJob! = nil
  /// The address.
  private let text: ReservedBuffer
  private var count = 0
  private var phase = Phase.idle
  private var wanted = Size(0, 0)
  private var deadline: Int64 = .max
  /// Why the load failed before the canvas host's address was refreshed, the revision of that address, and how long a
  /// new one is awaited.
  private var refused: FetchFailure?
  private var revision: UInt32 = 0
  private var refreshDeadline: Int64 = .max
  /// Lives as long as the loader.
  unowned(unsafe) var delegate: (any ContentDelegate)?

  init(
    _ transport: any FetchTransport, host: CanvasHost, codec: any PictureCodec, runner: any JobRunner, clock: any Clock
  ) throws(Errno) {
    self.host = host
    self.runner = runner
    self.clock = clock
    fetcher = try Fetcher(transport, clock: clock)
    text = try ReservedBuffer(capacity: Budget.dataURLCharacters)
    job = try ContentJob(codec) { [unowned(unsafe) self] in self.decoded() }
    fetcher.delegate = self
  }

  /// True when nothing is loaded or kept.
  var isFree: Bool { phase == .idle }
  /// The type of the content.
  var kind: ContentKind { job.kind }
  /// True for text that its server calls Markdown.
  var isMarkdown: Bool { job.isMarkdown }
  var picture: DecodedPicture? { job.picture }
  /// Its bytes.
  var content: UnsafeBufferPointer<UInt8> { job.content }

  /// Starts; only while the loader is free. `wanted`: the size at which a picture will be shown.
  func load(_ address: Span<UInt8>, wanted: Size, deadline: Int64) throws(ContentError) {
    let isData = DataURL.isData(address)
    guard address.count <= (isData ? text.bytes.count : Budget.fetchURLBytes) else {
      throw isData ? .badData(.tooLarge) : .badURL(.tooLong)
    }
    address.withUnsafeBufferPointer { text.bytes.baseAddress!.update(from: $0.baseAddress!, count: $0.count) }
    count = address.count
    (self.wanted, self.deadline, refused) = (wanted, deadline, nil)
    if isData { return phase = .queued }
    try fetch()
  }

  /// Cancels the load without calling the delegate. The loader is free at once, or when its worker is.
  func drop() {
    // The worker reads the fetched bytes.
    if phase == .decoding || phase == .dropped {
      job.cancel()
      return phase = .dropped
    }
    fetcher.cancel()
    release()
  }

  /// Frees the loaded content.
  func release() {
    fetcher.release()
    job.release()
    text.release()
    (phase, count) = (.idle, 0)
  }

  /// True when the content is from the gateway's canvas host.
  var isHosted: Bool {
    guard !DataURL.isData(address.span), let url = fetcher.url else { return false }
    return host.isHosted(url)
  }

  /// The address as it was given; until `release`.
  var address: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(text.bytes).extracting(0..<count) }

  private func fetch() throws(ContentError) {
    let url = try host.address(address.span)
    revision = host.surface.revision
    phase = .fetching
    fetcher.start(url, host.rule, deadline: deadline)
  }

  private func fail(_ error: ContentError) {
    phase = .ended
    delegate?.loadFailed(self, error)
  }

  // MARK: Time

  /// When `advance` is to be called.
  var nextDeadline: Int64? {
    switch phase {
    case .fetching: fetcher.nextDeadline
    case .refreshing: refreshDeadline
    case .queued: clock.monotonic
    case .idle, .decoding, .dropped, .ended: nil
    }
  }

  func advance(to now: Int64) {
    switch phase {
    case .fetching: fetcher.advance(to: now)
    case .refreshing: refreshIfThere(now)
    case .queued: submit()
    case .idle, .decoding, .dropped, .ended: return
    }
  }

  // MARK: The canvas host

  /// Asks the gateway for a new address of its canvas host, once; false when that would not help.
  private func refresh(_ failure: FetchFailure) -> Bool {
    guard refused == nil, let url = fetcher.url, host.isHosted(url) else { return false }
    guard failure.kind == .status(401) || failure.kind == .status(403) || failure.kind == .status(404) else {
      return false
    }
    refused = failure
    // It may have been refreshed during the fetch.
    guard host.surface.revision != revision || host.surface.refresh() else { return false }
    refreshDeadline = min(clock.monotonic + Budget.canvasRefreshMilliseconds, deadline)
    phase = .refreshing
    return true
  }

  private func refreshIfThere(_ now: Int64) {
    guard let refused else { return }
    if host.surface.revision == revision {
      if now >= refreshDeadline { fail(.fetch(refused)) }
      return
    }
    do throws(ContentError) { try fetch() } catch { fail(.fetch(refused)) }
  }

  // MARK: Decoding

  /// When the queue has no room, it is tried again in the next turn.
  private func submit() {
    let isData = DataURL.isData(address.span)
    job.prepare(isData ? address : fetcher.body, isData: isData, type: fetcher.type, wanted: wanted)
    if runner.submit(job) { phase = .decoding }
  }

  private func decoded() {
    guard phase == .decoding else { return release() }
    if let error = job.error { return fail(error) }
    phase = .ended
    delegate?.loaded(self)
  }
}

extension ContentLoader: FetchDelegate {
  func fetched(_ fetcher: Fetcher) {
    phase = .queued
    submit()
  }

  func fetchFailed(_ fetcher: Fetcher, _ failure: FetchFailure) {
    if !refresh(failure) { fail(.fetch(failure)) }
  }

  func isGateway(_ certificate: PeerCertificate) -> Bool { host.gateway?.isGateway(certificate) == true }
}
