import Canvas
import Codec
import Fetch
import Runtime

/// What a navigation led to.
struct ArrivedPage {
  var page: any ScreenPage
  /// The page, where it is a document to read.
  var document: ReaderPage?
  /// What is missing from a drawing.
  var missing: StaticString?

  /// What is not shown, once the page has been arranged for the screen; nil: all of it is.
  var omission: StaticString? {
    document?.isCut == true ? "only the beginning is shown: the document is longer than what is kept of one" : missing
  }
}

/// Told how a navigation ended.
protocol NavigationOwner: AnyObject {
  func arrived(_ token: InvokeToken, _ arrived: ArrivedPage)
  func failed(_ token: InvokeToken, _ error: ContentError)
  /// A newer state of the hosted page that arrived last.
  func arrivedAgain(_ page: any ScreenPage)
  /// There is none; the page stays as it is.
  func failedAgain(_ error: ContentError)
}

/// Goes to the address of a `canvas.navigate` or `canvas.present`, one at a time: a newer one takes the place of the older.
final class Navigation {
  private let loader: ContentLoader
  private let pictures: Pictures
  private let measurer: any TextMeasurer
  private let clock: any Clock
  /// The address that waits, or is gone to.
  private let text: ReservedBuffer
  private var count = 0
  private var current: InvokeToken?
  /// The loader is not free yet.
  private var isWaiting = false
  private var deadline: Int64 = .max
  private var wanted = Size(0, 0)
  /// The address of the page that arrived last, where the gateway hosts it.
  private let hosted = FixedBuffer(capacity: Budget.fetchURLBytes)
  private var hostedCount = 0
  /// That page is fetched again; nobody asked for it.
  private var isReloading = false
  /// Lives as long as the navigation.
  unowned(unsafe) var owner: (any NavigationOwner)?

  init(
    _ loader: ContentLoader, _ pictures: Pictures, measurer: any TextMeasurer, clock: any Clock
  ) throws(Errno) {
    self.measurer = measurer
    self.loader = loader
    self.clock = clock
    self.pictures = pictures
    text = try ReservedBuffer(capacity: Budget.dataURLCharacters)
    loader.owner = self
  }

  /// Takes an address, without the white space around it; false when it means home. The older navigation ends.
  func take(_ url: borrowing JSONView) throws(ContentError) -> Bool {
    replace()
    guard let length = url.stringLength, length <= text.bytes.count, let copied = url.copyString(into: text.bytes) else {
      throw .badURL(.tooLong)
    }
    var (start, end) = (0, copied)
    while start < end, text.bytes[start] <= 0x20 { start += 1 }
    while end > start, text.bytes[end - 1] <= 0x20 { end -= 1 }
    if start > 0 { text.bytes.baseAddress!.update(from: text.bytes.baseAddress! + start, count: end - start) }
    count = end - start
    if count > 1 || count == 1 && text.bytes[0] != UInt8(ascii: "/") { return true }
    text.release()
    return false
  }

  /// Goes to the address that was taken. `size`: of the screen.
  func go(_ token: InvokeToken, _ size: Size, deadline: Int64) throws(ContentError) {
    (current, wanted) = (token, size)
    let now = clock.monotonic
    self.deadline = deadline - min(Budget.fetchMargin, (deadline - now) / 4)
    isWaiting = !loader.isFree
    guard !isWaiting else { return }
    do throws(ContentError) { try load() } catch {
      end()
      throw error
    }
  }

  private func load() throws(ContentError) {
    isWaiting = false
    try loader.load(UnsafeBufferPointer(text.bytes).extracting(0..<count).span, wanted: wanted, deadline: deadline)
    text.release()
  }

  /// The gateway hosts the page that arrived last.
  var isHosted: Bool { hostedCount > 0 }

  /// Fetches that page again, for a screen of this size. False while something is loaded.
  func reload(_ size: Size) -> Bool {
    guard isHosted, current == nil, !isReloading, loader.isFree else { return false }
    isReloading = true
    do throws(ContentError) {
      try loader.load(
        UnsafeBufferPointer(hosted.bytes).extracting(0..<hostedCount).span, wanted: size,
        deadline: clock.monotonic + Budget.fetchMilliseconds)
    } catch {
      isReloading = false
      owner?.failedAgain(error)
    }
    return true
  }

  /// Another command takes the screen.
  func replace() {
    if isReloading {
      isReloading = false
      loader.drop()
    }
    guard let token = current else { return }
    cancel(token)
    owner?.failed(token, .replaced)
  }

  /// Nobody waits any more.
  func cancel(_ token: InvokeToken) {
    guard current == token else { return }
    if !isWaiting { loader.drop() }
    end()
  }

  private func end() {
    (current, isWaiting, count) = (nil, false, 0)
    text.release()
  }

  /// What shows that which was loaded; nil: nothing here can.
  private func page() throws(ContentError) -> ArrivedPage {
    if let picture = loader.picture { return ArrivedPage(page: PicturePage(picture, pictures), missing: picture.omission?.text) }
    switch loader.kind {
    case .html: return try document(.html)
    case .text: return try document(loader.isMarkdown ? .markdown : .plain)
    default: throw .unsupported(loader.kind)
    }
  }

  private func document(_ format: ReaderFormat) throws(ContentError) -> ArrivedPage {
    let page: ReaderPage
    do throws(Errno) { page = try ReaderPage(measurer: measurer, pictures: pictures) } catch { throw .noMemory }
    do throws(ReaderError) { try page.take(loader.content, format) } catch { throw .document(error) }
    return ArrivedPage(page: page, document: page)
  }

  // MARK: Time

  /// When `advance` wants to be called.
  var nextDeadline: Int64? { loader.nextDeadline }

  func advance(to now: Int64) {
    loader.advance(to: now)
    guard isWaiting, loader.isFree, let token = current else { return }
    do throws(ContentError) { try load() } catch {
      end()
      owner?.failed(token, error)
    }
  }
}

extension Navigation: ContentOwner {
  func loaded(_ loader: ContentLoader) {
    defer { loader.release() }
    if isReloading { return loadedAgain() }
    guard let token = current else { return }
    do throws(ContentError) {
      let page = try page()
      keepAddress()
      end()
      owner?.arrived(token, page)
    } catch {
      end()
      owner?.failed(token, error)
    }
  }

  private func loadedAgain() {
    isReloading = false
    do throws(ContentError) {
      owner?.arrivedAgain(try page().page)
    } catch {
      owner?.failedAgain(error)
    }
  }

  private func keepAddress() {
    hostedCount = 0
    let address = loader.address
    guard loader.isHosted, address.count <= hosted.bytes.count else { return }
    hosted.bytes.baseAddress!.update(from: address.baseAddress!, count: address.count)
    hostedCount = address.count
  }

  func loadFailed(_ loader: ContentLoader, _ error: ContentError) {
    loader.release()
    if isReloading {
      isReloading = false
      owner?.failedAgain(error)
      return
    }
    guard let token = current else { return }
    end()
    owner?.failed(token, error)
  }
}
