import Canvas
import Codec
import Fetch
import Runtime

/// Told that pictures came, or may come now.
protocol PicturesOwner: AnyObject {
  /// The page looks different, or wants to be drawn so that the next picture is asked for.
  func picturesChanged()
}

/// The pictures of documents: fetched one after the other when they are asked for, kept while there is room for them, those that
/// were not seen for longest given up first. What cannot be had is tried again later, and later each time.
final class Pictures: PictureShelf, PictureKeeper {
  private struct Entry {
    /// The address, as two hashes of it; 0: unused.
    var key: UInt64 = 0
    var check: UInt64 = 0
    var picture: Picture?
    /// The picture's own size, once it is known; it is kept when the picture is not.
    var natural = Size(0, 0)
    /// The drawing that asked for it last.
    var lastUse: UInt64 = 0
    var failures: Int64 = 0
    var isPassing = false
    /// It may have changed where it is; it is shown until the new one is there.
    var isOld = false
    var retryAt: Int64 = .min
  }

  private let painter: any Painter
  private let clock: any Clock
  private let log: Log
  private let host: CanvasHost
  private let loader: ContentLoader
  private let entries: UnsafeMutableBufferPointer<Entry>
  /// Whose picture is being loaded, or was and waits for the next drawing.
  private var current: Int?
  private var isReady = false
  /// Drawings so far.
  private var drawing: UInt64 = 0
  private var retired: [Picture] = []
  private var revision: UInt32 = 0
  /// Addresses that the last drawing asked for and that found no room beside the others.
  private(set) var leftOut = 0
  /// Lives as long as the pictures.
  unowned(unsafe) var owner: (any PicturesOwner)?

  init(_ painter: any Painter, _ loader: ContentLoader, host: CanvasHost, clock: any Clock, log: Log) {
    self.painter = painter
    self.loader = loader
    self.host = host
    self.clock = clock
    self.log = log
    entries = .allocate(capacity: Budget.pictureAddresses)
    entries.initialize(repeating: Entry())
    retired.reserveCapacity(Budget.pictures)
    loader.owner = self
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

  /// It was reduced for a smaller place, and much would be seen of the rest.
  private func isTooSmall(_ picture: Picture, _ natural: Size, _ wanted: Size) -> Bool {
    guard natural.width > picture.size.width else { return false }
    // A picture of all pixels that are kept cannot become larger.
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

  /// `data:` addresses are long, and asked for in every drawing. A key is never 0.
  private static func key(_ url: Span<UInt8>) -> (UInt64, UInt64) {
    let (first, second) = ByteHash.pair(url)
    return (first | 1, second)
  }

  private func find(_ url: Span<UInt8>) -> Int? {
    let (key, check) = Self.key(url)
    for index in 0..<entries.count where entries[index].key == key && entries[index].check == check { return index }
    return nil
  }

  /// The address that was asked for longest ago makes room. Nil when this drawing wants all that are there: else they would be
  /// fetched in turn for ever.
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

  /// A drawing begins: pictures that came are given to the painter now.
  func beginDrawing() {
    drawing += 1
    leftOut = 0
    for picture in retired { painter.drop(picture.handle) }
    retired.removeAll(keepingCapacity: true)
    guard isReady, let index = current, let decoded = loader.picture else { return }
    if let old = entries[index].picture { painter.drop(old.handle) }
    // What is seen now is not given up for what would be seen: then it would be fetched again at once.
    entries[index].picture = keep(decoded, sparing: drawing - 1)
    entries[index].natural = decoded.original
    if entries[index].picture == nil {
      log.write(.notice, "canvas", "a picture cannot be shown: there is no room for it beside those that are seen")
      postpone(index)
    }
    (isReady, current) = (false, nil)
    loader.release()
  }

  func keep(_ picture: DecodedPicture) -> Picture? { keep(picture, sparing: .max) }

  func retire(_ picture: Picture) { retired.append(picture) }

  /// Gives up what was last seen before drawing `spared` until there is room.
  private func keep(_ picture: DecodedPicture, sparing spared: UInt64) -> Picture? {
    while true {
      if let handle = painter.keep(UnsafeBufferPointer(picture.pixels), picture.size) { return Picture(handle, picture.size) }
      var oldest: Int?
      for index in 0..<entries.count where entries[index].picture != nil && entries[index].lastUse < spared {
        if entries[index].lastUse < oldest.map({ entries[$0].lastUse }) ?? .max { oldest = index }
      }
      guard let oldest, let found = entries[oldest].picture else { return nil }
      painter.drop(found.handle)
      entries[oldest].picture = nil
    }
  }

  /// What the page shows may have changed: it is fetched again as it is drawn.
  func refresh() {
    for index in 0..<entries.count where entries[index].picture != nil && entries[index].lastUse == drawing {
      entries[index].isOld = true
    }
  }

  /// Nothing is shown any more. What is on its way is dropped.
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
    entries[index].isPassing = error.isPassing
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
    let wait = entries[index].isPassing ? min(times.lowerBound << min(entries[index].failures, 6), times.upperBound) : times.upperBound
    entries[index].failures += 1
    entries[index].retryAt = clock.monotonic + wait
  }

  // MARK: Time

  /// When `advance` wants to be called.
  var nextDeadline: Int64? {
    var earliest = loader.nextDeadline ?? .max
    if current == nil {
      for index in 0..<entries.count where isMissed(index) { earliest = min(earliest, entries[index].retryAt) }
    }
    return earliest == .max ? nil : earliest
  }

  /// It was asked for by the last drawing, and could not be had.
  private func isMissed(_ index: Int) -> Bool {
    entries[index].failures > 0 && entries[index].picture == nil && entries[index].lastUse == drawing
  }

  func advance(to now: Int64) {
    loader.advance(to: now)
    var isDue = false
    if host.surface.revision != revision {
      // The gateway is there, or has gone: what failed for the want of it may be had now.
      revision = host.surface.revision
      for index in 0..<entries.count where entries[index].isPassing && isMissed(index) {
        entries[index].retryAt = now
      }
    }
    guard current == nil else { return }
    for index in 0..<entries.count where isMissed(index) && entries[index].retryAt <= now {
      // Asked for by the drawing that follows, or not at all.
      entries[index].lastUse = 0
      isDue = true
    }
    if isDue { owner?.picturesChanged() }
  }
}

extension Pictures: ContentOwner {
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
    owner?.picturesChanged()
  }

  func loadFailed(_ loader: ContentLoader, _ error: ContentError) {
    loader.release()
    guard let index = current else { return }
    current = nil
    failed(index, error)
    // The next one's turn.
    owner?.picturesChanged()
  }
}
