import Canvas
import Codec
import Fetch
import Graphics
import Node
import Runtime

/// The result of a navigation.
struct ArrivedPage {
  var page: any ScreenPage
  /// The page, for a document.
  var document: ReaderPage?
  /// What is missing from a drawing.
  var missing: StaticString?

  /// What is not shown, once the page is arranged for the screen; nil when all of it is.
  var omission: StaticString? {
    document?.isCut == true ? "only the beginning is shown: the document is longer than what is kept of one" : missing
  }
}

/// Gets the end of a navigation.
protocol NavigationDelegate: AnyObject {
  func arrived(_ token: InvokeToken, _ arrived: ArrivedPage)
  func failed(_ token: InvokeToken, _ error: ContentError)
  /// A newer version of the hosted page that arrived last.
  func pageRefreshed(_ page: any ScreenPage)
  /// There is no page; the current one stays.
  func failedAgain(_ error: ContentError)
}

/// Loads the address of a `canvas.navigate` or `canvas.present`, one at a time: a newer one replaces the older.
final class Navigation {
  private let loader: ContentLoader
  private let pictures: Pictures
  private let measurer: any TextMeasurer
  private let clock: any Clock
  /// The address that waits or is being loaded.
  private let text: ReservedBuffer
  private var count = 0
  private var current: InvokeToken?
  /// True while the loader is not free.
  private var isWaiting = false
  private var deadline: Int64 = .max
  private var wanted = Size(0, 0)
  /// The address of the page that arrived last, if the gateway hosts it.
  private let hosted = FixedBuffer(capacity: Budget.fetchURLBytes)
  private var hostedCount = 0
  /// That page is fetched again, without an invoke.
  private var isReloading = false
  /// The document of which the loader's content is being read, in turns of the loop.
  private var reading: ReaderPage?
  /// Lives as long as the navigation.
  unowned(unsafe) var delegate: (any NavigationDelegate)?

  init(
    _ loader: ContentLoader, _ pictures: Pictures, measurer: any TextMeasurer, clock: any Clock
  ) throws(Errno) {
    self.measurer = measurer
    self.loader = loader
    self.clock = clock
    self.pictures = pictures
    text = try ReservedBuffer(capacity: Budget.dataURLCharacters)
    loader.delegate = self
  }

  /// Takes an address, without surrounding white space; false when it means home. An older navigation ends.
  func take(_ url: borrowing JSONView) throws(ContentError) -> Bool {
    replace()
    guard let length = url.stringLength, length <= text.bytes.count, let copied = url.copyString(into: text.bytes)
    else {
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

  /// Loads the address that was taken. `size`: of the screen.
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

  /// True when the gateway hosts the page that arrived last.
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
      delegate?.failedAgain(error)
    }
    return true
  }

  /// Another command changes the screen.
  func replace() {
    if isReloading {
      isReloading = false
      drop()
    }
    guard let token = current else { return }
    cancel(token)
    delegate?.failed(token, .replaced)
  }

  /// The result is not needed any more.
  func cancel(_ token: InvokeToken) {
    guard current == token else { return }
    if !isWaiting { drop() }
    end()
  }

  private func drop() {
    reading = nil
    loader.drop()
  }

  private func end() {
    (current, isWaiting, count) = (nil, false, 0)
    text.release()
  }

  /// The page for the loaded content; nil for a document, which is read from now on.
  private func page() throws(ContentError) -> ArrivedPage? {
    if let picture = loader.picture {
      return ArrivedPage(page: PicturePage(picture, pictures), missing: picture.omission?.text)
    }
    switch loader.kind {
    case .html: try begin(.html)
    case .text: try begin(loader.isMarkdown ? .markdown : .plain)
    default: throw .unsupported(loader.kind)
    }
    return nil
  }

  private func begin(_ format: ReaderFormat) throws(ContentError) {
    let page: ReaderPage
    do throws(Errno) { page = try ReaderPage(measurer: measurer, pictures: pictures) } catch { throw .noMemory }
    page.begin(loader.content, format)
    reading = page
  }

  /// Reads more of the document.
  private func readMore() {
    guard let page = reading else { return }
    do throws(ReaderError) {
      guard try page.readMore() else { return }
    } catch {
      return loadFailed(loader, .document(error))
    }
    arrived(ArrivedPage(page: page, document: page))
  }

  // MARK: Time

  /// When `advance` is to be called.
  var nextDeadline: Int64? { reading == nil ? loader.nextDeadline : clock.monotonic }

  func advance(to now: Int64) {
    loader.advance(to: now)
    readMore()
    guard isWaiting, loader.isFree, let token = current else { return }
    do throws(ContentError) { try load() } catch {
      end()
      delegate?.failed(token, error)
    }
  }
}

extension Navigation: ContentDelegate {
  func loaded(_ loader: ContentLoader) {
    guard current != nil || isReloading else { return loader.release() }
    do throws(ContentError) {
      if let page = try page() { arrived(page) } else { readMore() }
    } catch {
      loadFailed(loader, error)
    }
  }

  private func arrived(_ page: ArrivedPage) {
    reading = nil
    if !isReloading { keepAddress() }
    loader.release()
    if isReloading {
      isReloading = false
      delegate?.pageRefreshed(page.page)
    } else if let token = current {
      end()
      delegate?.arrived(token, page)
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
    reading = nil
    loader.release()
    if isReloading {
      isReloading = false
      delegate?.failedAgain(error)
      return
    }
    guard let token = current else { return }
    end()
    delegate?.failed(token, error)
  }
}
