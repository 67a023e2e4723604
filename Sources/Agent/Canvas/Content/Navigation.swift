import Canvas
import Codec
import Fetch
import Runtime

/// Told how a navigation ended.
protocol NavigationOwner: AnyObject {
  func arrived(_ token: InvokeToken, _ page: any ScreenPage)
  func failed(_ token: InvokeToken, _ error: ContentError)
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

  /// Another command takes the screen.
  func replace() {
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
  private func page() throws(ContentError) -> any ScreenPage {
    if let picture = loader.picture { return PicturePage(picture, pictures) }
    switch loader.kind {
    case .html: return try document(.html)
    case .text: return try document(loader.isMarkdown ? .markdown : .plain)
    default: throw .unsupported(loader.kind)
    }
  }

  private func document(_ format: ReaderFormat) throws(ContentError) -> any ScreenPage {
    let page: ReaderPage
    do throws(Errno) { page = try ReaderPage(measurer: measurer, pictures: pictures) } catch { throw .noMemory }
    do throws(ReaderError) { try page.take(loader.content, format) } catch { throw .document(error) }
    return page
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
    guard let token = current else { return loader.release() }
    defer { loader.release() }
    do throws(ContentError) {
      let page = try page()
      end()
      owner?.arrived(token, page)
    } catch {
      end()
      owner?.failed(token, error)
    }
  }

  func loadFailed(_ loader: ContentLoader, _ error: ContentError) {
    loader.release()
    guard let token = current else { return }
    end()
    owner?.failed(token, error)
  }
}
