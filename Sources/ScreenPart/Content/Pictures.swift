import Canvas
import Codec
import Fetch
import Graphics
import Runtime

/// Gets the arrival of pictures.
protocol PicturesDelegate: AnyObject {
  /// The page looks different, or has to be drawn so that the next picture is requested.
  func picturesChanged()
}

/// The pictures of documents: fetched one after the other when a drawing requests them, and kept while there is room;
/// those that were not seen for longest are dropped first. Failed ones are retried with growing pauses.
final class Pictures: PictureShelf, PictureKeeper {
  private struct Entry {
    /// The address, as two hashes of it; 0: unused.
    var key: UInt64 = 0
    var check: UInt64 = 0
    var picture: Picture?
    /// The picture's own size, once it is known; kept after the picture is dropped.
    var natural = Size(0, 0)
    /// The last drawing that requested it.
    var lastUse: UInt64 = 0
    var failures: Int64 = 0
    var isTransient = false
    /// It may have changed at its address; it is shown until the new version is loaded.
    var isOld = false
    var retryAt: Int64 = .min
  }

  private let painter: any Painter
  private let clock: any Clock
  private let log: Log
  private let host: CanvasHost
  private let loader: ContentLoader
  private let entries: UnsafeMutableBufferPointer<Entry>
  /// The picture that is being loaded, or was loaded and waits for the next drawing.
  private var current: Int?
  private var isReady = false
  /// Number of drawings so far.
  private var drawing: UInt64 = 0
  private var retired: [Picture] = []
  private var revision: UInt32 = 0
  /// Addresses that the last drawing requested, and for which there was no room.
  private(set) var leftOut = 0
  /// Lives as long as the pictures.
  unowned(unsafe) var delegate: (any PicturesDelegate)?

  init(_ painter: any Painter, _ loader: ContentLoader, host: CanvasHost, clock: any Clock, log: Log) {
    self.painter = painter
    self.loader = loader
    self.host = host
    self.clock = clock
    self.log = log
    entries = .allocate(capacity: Budget.pictureAddresses)
    entries.initialize(repeating: Entry())
    retired.reserveCapacity(Budget.pictures)
    loader.delegate = self
  }

  deinit { entries.deallocate() }

  // MARK: PictureShelf

  func picture(_ url: Span<UInt8>, _ wanted: Size) -> Picture? {
    guard !url.isEmpty else { return nil }
    guard let index = find(url) ?? add(url) else {
      leftOut += 1
      return nil
    }
    entries[index].lastUse = drawing
    let picture = entries[index].picture
    if let picture, !entries[index].isOld, !isTooSmall(picture, entries[index].natural, wanted) { return picture }
    load(index, url, wanted)
    return picture
  }

  func size(_ url: Span<UInt8>) -> Size? {
    guard let index = find(url), entries[index].natural.width > 0 else { return nil }
    return entries[index].natural
  }

  /// True when it was reduced for a smaller place, and the full size would look better.
  private func isTooSmall(_ picture: Picture, _ natural: Size, _ wanted: Size) -> Bool {
    guard natural.width > picture.size.width else { return false }
    // A picture with all its pixels cannot become larger.
    let most = PictureLimit(wanted: wanted)
    do throws(PictureFault) {
      let factor = try most.factor(of: natural)
      return PictureLimit.reduced(natural, by: factor).width > 2 * picture.size.width
    } catch {
      return false
    }
  }

  private func load(_ index: Int, _ url: Span<UInt8>, _ wanted: Size) {
    let now = clock.monotonic
    guard current == nil, loader.isFree, now >= entries[index].retryAt else { return }
    do throws(ContentError) {
      try loader.load(url, wanted: wanted, deadline: now + Budget.fetchMilliseconds)
      current = index
    } catch {
      failed(index, error)
    }
  }

  // MARK: Addresses

  /// `data:` addresses are long, and requested in every drawing, so they are hashed. A key is never 0.
  private static func key(_ url: Span<UInt8>) -> (UInt64, UInt64) {
    let (first, second) = ByteHash.pair(url)
    return (first | 1, second)
  }

  private func find(_ url: Span<UInt8>) -> Int? {
    let (key, check) = Self.key(url)
    for index in 0..<entries.count where entries[index].key == key && entries[index].check == check { return index }
    return nil
  }

  /// Replaces the address that was requested longest ago. Nil when the current drawing needs all of them: otherwise
  /// they would be fetched in turn for ever.
  private func add(_ url: Span<UInt8>) -> Int? {
    var oldest = current == 0 ? 1 : 0
    for index in 0..<entries.count where index != current {
      if entries[index].key == 0 || entries[index].lastUse < entries[oldest].lastUse { oldest = index }
      if entries[oldest].key == 0 { break }
    }
    if entries[oldest].key != 0, entries[oldest].lastUse == drawing { return nil }
    if let picture = entries[oldest].picture { painter.drop(picture.handle) }
    entries[oldest] = Entry()
    (entries[oldest].key, entries[oldest].check) = Self.key(url)
    return oldest
  }

  // MARK: Keeping

  /// A drawing begins: loaded pictures are given to the painter now.
  func beginDrawing() {
    drawing += 1
    leftOut = 0
    for picture in retired { painter.drop(picture.handle) }
    retired.removeAll(keepingCapacity: true)
    guard isReady, let index = current, let decoded = loader.picture else { return }
    if let old = entries[index].picture { painter.drop(old.handle) }
    // A visible picture is not dropped for another: it would be fetched again at once.
    entries[index].picture = keep(decoded, sparing: drawing - 1)
    entries[index].natural = decoded.original
    if entries[index].picture == nil {
      log.write(.notice, "canvas", "a picture cannot be shown: visible pictures use all of the memory")
      postpone(index)
    }
    (isReady, current) = (false, nil)
    loader.release()
  }

  func keep(_ picture: DecodedPicture) -> Picture? { keep(picture, sparing: .max) }

  func retire(_ picture: Picture) { retired.append(picture) }

  /// Drops pictures, those not seen for longest first, until there is room; none that were seen since drawing `spared`.
  private func keep(_ picture: DecodedPicture, sparing spared: UInt64) -> Picture? {
    while true {
      if let handle = painter.keep(UnsafeBufferPointer(picture.pixels), picture.size) {
        return Picture(handle, picture.size)
      }
      var oldest: Int?
      for index in 0..<entries.count where entries[index].picture != nil && entries[index].lastUse < spared {
        if entries[index].lastUse < oldest.map({ entries[$0].lastUse }) ?? .max { oldest = index }
      }
      guard let oldest, let found = entries[oldest].picture else { return nil }
      painter.drop(found.handle)
      entries[oldest].picture = nil
    }
  }

  /// The pictures of the page may have changed: they are fetched again as it is drawn.
  func refresh() {
    for index in 0..<entries.count where entries[index].picture != nil && entries[index].lastUse == drawing {
      entries[index].isOld = true
    }
  }

  /// Nothing is shown any more. A load under way is dropped.
  func clear() {
    if current != nil { loader.drop() }
    (current, isReady) = (nil, false)
    for index in 0..<entries.count {
      if let picture = entries[index].picture { retire(picture) }
      entries[index] = Entry()
    }
  }

  // MARK: Failing

  private func failed(_ index: Int, _ error: ContentError) {
    entries[index].isTransient = error.isTransient
    entries[index].isOld = false
    postpone(index)
    log.write(.notice, "canvas") { line in
      line.add("a picture cannot be shown: ")
      var text = InlineText<192>()
      text.fill { buffer in
        var writer = ByteWriter(into: buffer)
        error.writeMessage(to: &writer)
        return min(writer.count, buffer.count)
      }
      line.add(text.span)
    }
  }

  private func postpone(_ index: Int) {
    let times = Budget.pictureRetryMilliseconds
    let wait =
      entries[index].isTransient
      ? min(times.lowerBound << min(entries[index].failures, 6), times.upperBound) : times.upperBound
    entries[index].failures += 1
    entries[index].retryAt = clock.monotonic + wait
  }

  // MARK: Time

  /// When `advance` is to be called.
  var nextDeadline: Int64? {
    var earliest = loader.nextDeadline ?? .max
    if current == nil {
      for index in 0..<entries.count where hasFailed(index) { earliest = min(earliest, entries[index].retryAt) }
    }
    return earliest == .max ? nil : earliest
  }

  /// True when the last drawing requested it, and loading failed.
  private func hasFailed(_ index: Int) -> Bool {
    entries[index].failures > 0 && entries[index].picture == nil && entries[index].lastUse == drawing
  }

  func advance(to now: Int64) {
    loader.advance(to: now)
    var isDue = false
    if host.surface.revision != revision {
      // The gateway has connected or disconnected: failed loads may succeed now.
      revision = host.surface.revision
      for index in 0..<entries.count where entries[index].isTransient && hasFailed(index) {
        entries[index].retryAt = now
      }
    }
    guard current == nil else { return }
    for index in 0..<entries.count where hasFailed(index) && entries[index].retryAt <= now {
      // The next drawing requests it, if it is still needed.
      entries[index].lastUse = 0
      isDue = true
    }
    if isDue { delegate?.picturesChanged() }
  }
}

extension Pictures: ContentDelegate {
  func loaded(_ loader: ContentLoader) {
    guard let index = current else { return loader.release() }
    guard let picture = loader.picture else {
      let kind = loader.kind
      return loadFailed(loader, .unsupported(kind))
    }
    entries[index].natural = picture.original
    entries[index].failures = 0
    entries[index].isOld = false
    isReady = true
    delegate?.picturesChanged()
  }

  func loadFailed(_ loader: ContentLoader, _ error: ContentError) {
    loader.release()
    guard let index = current else { return }
    current = nil
    failed(index, error)
    // The next one is loaded.
    delegate?.picturesChanged()
  }
}
