import Codec
import Fetch
import Gateway
import Runtime

/// Gets the end of a read or a search.
public protocol PageDelegate: AnyObject {
  /// It has ended: the text is in `client.text` until the next one begins, or the failure says why not. Called once,
  /// from inside `advance`.
  func pageEnded(_ client: PageClient, _ failure: PageFailure?)
}

/// Reads pages of the public internet, and asks the configured search provider, one after the other: bounded plain text
/// comes out, or a sentence of what went wrong. What was read is remembered for some minutes.
public final class PageClient {
  private enum Work { case none, page, search, done }
  /// How the content is read.
  private enum Reading { case page, plain }

  private let clock: any Clock
  private let fetcher: Fetcher
  private let rule: FetchRule
  private let search: SearchRequest?
  private let page: PageText
  private let plain = PlainText()
  private let results: SearchResults
  private let cache: PageCache
  private let room = FixedBuffer(capacity: Budget.pageTextBytes)
  /// The address or query that is being answered.
  private let key = FixedBuffer(capacity: Budget.fetchURLBytes)
  private var keyCount = 0
  private let base = FixedBuffer(capacity: Budget.fetchURLBytes)
  private let agent: InlineText<64>
  private var work = Work.none
  private var reading = Reading.page
  private var failure: PageFailure?
  private var count = 0
  private var deadline: Int64 = .max
  /// The page is longer than its text.
  public private(set) var isCut = false
  /// The text was remembered: nothing was fetched.
  public private(set) var isRemembered = false
  /// Must live as long as the client.
  public unowned(unsafe) var delegate: (any PageDelegate)?

  /// Takes the memory of a client; throws when the address space is full. `allowed`: hosts and networks that may be
  /// read although they are not public; `search`: nil where no provider is configured; `agent`: the value of
  /// `User-Agent`.
  @export(interface)
  public init(
    _ transport: any FetchTransport, clock: any Clock, allowed: AllowList, search: SearchRequest?, agent: InlineText<64>
  ) throws(Errno) {
    (self.clock, self.search, self.agent) = (clock, search, agent)
    rule = FetchRule(allowed: allowed)
    fetcher = try Fetcher(
      transport, clock: clock, bodyBytes: Budget.searchBodyBytes,
      requestBytes: 2 * Budget.searchKeyBytes + 128)
    cache = try PageCache()
    page = PageText()
    results = SearchResults(page)
    fetcher.delegate = self
  }

  /// The text of the last read or search that went well.
  public var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(room.bytes).extracting(0..<count) }

  /// A read or search has begun, and not ended.
  public var isBusy: Bool { work != .none }

  // MARK: Beginning

  /// Reads the page at an address, which begins with https:// (or http://, where the configuration allows the host).
  public func read(_ address: UnsafeBufferPointer<UInt8>) throws(PageFailure) {
    guard !isBusy else { throw .busy }
    let url: WebURL
    do throws(WebURLError) { url = try WebURL(address.span) } catch { throw .address(error) }
    begin(Self.withoutFragment(address))
    if recall(.page) { return }
    var request = FetchRequest()
    request.accept = "text/html, application/xhtml+xml, text/plain;q=0.9, application/json;q=0.9, text/*;q=0.8"
    request.agent = agent
    request.limit = Budget.pageContentBytes
    request.idleMilliseconds = Budget.pageIdleMilliseconds
    deadline = clock.monotonic + Budget.pageMilliseconds
    work = .page
    fetcher.sink = self
    fetcher.start(url, request, rule)
  }

  /// Asks the search provider.
  public func find(_ query: UnsafeBufferPointer<UInt8>) throws(PageFailure) {
    guard !isBusy else { throw .busy }
    guard let search else { throw .noProvider }
    let (url, request): (WebURL, FetchRequest)
    do throws(SearchError) { (url, request) = try search.request(query, version: agent) } catch { throw .search(error) }
    begin(query)
    if recall(.search) { return }
    deadline = .max
    work = .search
    fetcher.sink = nil
    fetcher.start(url, request)
  }

  private func begin(_ key: UnsafeBufferPointer<UInt8>) {
    (failure, count, isCut, isRemembered) = (nil, 0, false, false)
    keyCount = min(key.count, self.key.bytes.count)
    for index in 0..<keyCount { self.key.bytes[index] = key[index] }
  }

  private var keyText: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(key.bytes).extracting(0..<keyCount) }

  private static func withoutFragment(_ address: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var (start, end) = (0, 0)
    while start < address.count, address[start] <= 0x20 { start += 1 }
    end = start
    while end < address.count, address[end] != UInt8(ascii: "#") { end += 1 }
    while end > start, address[end - 1] <= 0x20 { end -= 1 }
    return address.extracting(start..<end)
  }

  private func recall(_ kind: PageCache.Kind) -> Bool {
    guard let found = cache.find(kind, keyText, at: clock.monotonic) else { return false }
    for index in 0..<found.text.count { room.bytes[index] = found.text[index] }
    (count, isCut, isRemembered, work) = (found.text.count, found.isCut, true, .done)
    return true
  }

  /// Gives up what has begun, without a call of the delegate.
  public func cancel() {
    guard isBusy else { return }
    fetcher.cancel()
    (work, count) = (.none, 0)
  }

  /// Forgets what was read.
  public func forget() { cache.clear() }

  // MARK: Time

  /// When `advance` wants to be called.
  public var nextDeadline: Int64? {
    switch work {
    case .none: nil
    case .done: clock.monotonic
    case .page: min(fetcher.nextDeadline ?? deadline, deadline)
    case .search: fetcher.nextDeadline
    }
  }

  /// Lets time pass, and calls the delegate.
  public func advance(to now: Int64) {
    if work == .page, now >= deadline {
      let host = InlineText<64>(cutting: fetcher.url?.host ?? "")
      fetcher.cancel()
      end(.timedOut(host: host))
    }
    if work == .page || work == .search { fetcher.advance(to: now) }
    guard work == .done else { return }
    work = .none
    delegate?.pageEnded(self, failure)
  }

  private func end(_ failure: PageFailure?) {
    (self.failure, work, deadline) = (failure, .done, .max)
    if failure != nil { count = 0 }
  }
}

extension PageClient: FetchSink {
  public func fetchBegan(_ fetcher: Fetcher) -> Bool {
    let type = fetcher.type
    if type.equals(("text/html" as StaticString).utf8Bytes)
      || type.equals(("application/xhtml+xml" as StaticString).utf8Bytes)
    {
      reading = .page
      page.begin(into: room.bytes, base: baseText(fetcher))
      return true
    }
    if type.span.hasPrefix("text/") || type.equals(("application/json" as StaticString).utf8Bytes) {
      reading = .plain
      plain.begin(into: room.bytes)
      return true
    }
    end(.type(host: InlineText(cutting: fetcher.url?.host ?? ""), type))
    return false
  }

  /// The page's own address, after redirects.
  private func baseText(_ fetcher: Fetcher) -> UnsafeBufferPointer<UInt8> {
    guard let url = fetcher.url else { return UnsafeBufferPointer(start: nil, count: 0) }
    var writer = ByteWriter(into: base.bytes)
    writer.text(url.isSecure ? "https://" : "http://")
    writer.text(url.endpoint.hostHeader)
    writer.text(url.target)
    return UnsafeBufferPointer(base.bytes).extracting(0..<(writer.isComplete ? writer.count : 0))
  }

  public func fetchedPiece(_ fetcher: Fetcher) {
    switch reading {
    case .page: page.take(fetcher.body.span)
    case .plain: plain.take(fetcher.body.span)
    }
    guard reading == .page ? page.isFull : plain.isFull else { return fetcher.pieceTaken() }
    // The rest of a page that is longer than its text is not needed.
    fetcher.cancel()
    finish()
  }

  private func finish() {
    count = reading == .page ? page.end() : plain.end()
    isCut = reading == .page ? page.isFull : plain.isFull
    cache.keep(.page, keyText, text, isCut: isCut, at: clock.monotonic)
    end(nil)
  }
}

extension PageClient: FetchDelegate {
  public func fetched(_ fetcher: Fetcher) {
    defer { fetcher.release() }
    guard work == .search, let search else { return finish() }
    do throws(SearchResults.Fault) {
      try results.read(search.provider, fetcher.body)
    } catch {
      return end(.answer(error))
    }
    var writer = ByteWriter(into: room.bytes)
    results.write(to: &writer)
    count = min(writer.count, room.bytes.count)
    cache.keep(.search, keyText, text, isCut: false, at: clock.monotonic)
    end(nil)
  }

  public func fetchFailed(_ fetcher: Fetcher, _ failure: FetchFailure) {
    fetcher.release()
    end(.fetch(failure))
  }

  public func isGateway(_ certificate: PeerCertificate) -> Bool { false }
}
