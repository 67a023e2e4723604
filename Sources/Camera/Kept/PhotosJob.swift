import Codec
import Runtime

/// Gets the end of what a `PhotosJob` did.
public protocol PhotosJobDelegate: AnyObject {
  /// Called on the loop's thread.
  func photosJobEnded(_ job: PhotosJob)
}

/// What happens to kept photos, on a worker, one thing after the other: while the job is pending the shelf is its own.
public final class PhotosJob: Job {
  /// What to do.
  public enum Order: Equatable, Sendable {
    /// Find what is there.
    case load
    /// Keep the photo that was lent by `prepare(keep:)`.
    case keep
    /// Remove what is too old.
    case prune
    /// Make the answer of `photos.latest`.
    case latest(LatestParameters)
    /// Remove all.
    case remove
  }

  /// The photos. Not while `isPending`.
  public let shelf: PhotoShelf
  /// What was done last.
  public private(set) var order = Order.load
  /// Why it failed. Of `latest` only when nothing could be read at all.
  public private(set) var failure: Errno?
  /// Of `latest`: it was canceled, or its time was up.
  public private(set) var isEnded = false
  /// Of `keep`: false when the photo has more bytes than all may have. Of `remove`: how many there were.
  public private(set) var isKept = false
  public private(set) var gone = 0
  /// Of `latest`: bytes of the answer in `text`, and photos in it.
  private var length = 0
  public private(set) var answered = 0
  /// Gets the end. A strong reference.
  public var delegate: (any PhotosJobDelegate)?

  private let clock: any Clock
  private let maker: PhotoMaker
  /// A photo's file, and the answer. Reserved; memory only while an answer is made and sent.
  private let source: ReservedBuffer
  private let text: ReservedBuffer
  private var limits = JobLimits()
  private var photo: UnsafeBufferPointer<UInt8>?
  /// Bytes that the answer may have.
  private var room = 0

  /// A job for the photos of a shelf; `codec` is its alone.
  @export(interface)
  public init(shelf: PhotoShelf, codec: any JPEGCodec, clock: any Clock) throws(Errno) {
    self.shelf = shelf
    self.clock = clock
    maker = try PhotoMaker(codec: codec)
    source = try ReservedBuffer(capacity: Budget.photoBytesMaximum)
    text = try ReservedBuffer(capacity: Budget.latestBytes)
  }

  /// The wall clock's time; nil while nothing has set it.
  private var wall: Int64? { BelievableDate.of(clock.wall) }

  /// Sets what the next submission does. Not while `isPending`.
  public func prepare(_ order: Order) {
    precondition(!isPending)
    self.order = order
    photo = nil
  }

  /// The next submission keeps a photo, whose bytes must stay until the end.
  public func prepare(keep photo: UnsafeBufferPointer<UInt8>) {
    prepare(.keep)
    self.photo = photo
  }

  /// The next submission makes an answer of at most `room` bytes before a deadline in milliseconds of
  /// `Clock.monotonic`.
  public func prepare(latest parameters: LatestParameters, room: Int, deadline: Int64) {
    prepare(.latest(parameters))
    self.room = min(room, Budget.latestBytes)
    limits.deadline = deadline
    limits.cancellation.reset()
  }

  /// Asks a pending `latest` to end soon.
  public func cancel() { limits.cancellation.request() }

  /// The answer, until `release`.
  public var answer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: text.bytes[..<length]) }

  /// The answer was sent: its memory is given back.
  public func release() { text.release() }

  override public func run() {
    (failure, isEnded, isKept, gone) = (nil, false, false, 0)
    do throws(Errno) {
      switch order {
      case .load: try shelf.load(wall: wall)
      case .prune: try shelf.prune(wall: wall)
      case .remove: gone = try shelf.removeAll()
      case .keep:
        guard let photo else { return }
        isKept = try shelf.keep(photo, wall: wall) != nil
        try shelf.prune(wall: wall)
      case .latest(let parameters): try makeAnswer(parameters)
      }
    } catch {
      failure = error
    }
  }

  override public func finish() {
    photo = nil
    delegate?.photosJobEnded(self)
  }

  // MARK: The answer

  /// The newest photos, each as good as its characters allow, until the characters of all are spent (node-commands
  /// 5.4). One that cannot be read, or made small enough, is left out.
  private func makeAnswer(_ parameters: LatestParameters) throws(Errno) {
    defer {
      source.release()
      maker.releasePhoto()
      maker.releaseWork()
    }
    var writer = JSONWriter(into: text.bytes)
    writer.beginObject()
    writer.key("photos")
    writer.beginArray()
    var left = min(Budget.latestCharacters, room - 64)
    var unreadable: Errno?
    answered = 0
    for index in 0..<shelf.count {
      guard answered < parameters.limit, left - Budget.latestEnvelopeBytes >= Budget.latestLeastCharacters else {
        break
      }
      if limits.cancellation.isRequested || clock.monotonic >= limits.deadline {
        isEnded = true
        break
      }
      do throws(Errno) {
        let file = try shelf.read(newest: index, into: source.bytes)
        let characters = min(Budget.latestPhotoCharacters, left - Budget.latestEnvelopeBytes)
        guard let photo = reduced(file, parameters, bytes: characters / 4 * 3) else { continue }
        write(photo, shelf[newest: index].taken, to: &writer)
        left -= (photo.bytes.count + 2) / 3 * 4 + Budget.latestEnvelopeBytes
        answered += 1
      } catch {
        unreadable = error
      }
    }
    writer.endArray()
    writer.endObject()
    length = writer.isComplete ? writer.count : 0
    if answered == 0, let unreadable { throw unreadable }
  }

  private func reduced(_ file: UnsafeBufferPointer<UInt8>, _ parameters: LatestParameters, bytes: Int) -> Photo? {
    let frame = RawFrame(format: .mjpeg, width: 0, height: 0, rowBytes: 0, isFullRange: true, bytes: file)
    do throws(CameraError) {
      let wanted = SnapParameters(maxWidth: parameters.maxWidth, quality: parameters.quality)
      try maker.take(frame, wanted, PhotoLimits(bytes: bytes))
      return try maker.develop { () throws(CameraError) in
        if self.limits.cancellation.isRequested { throw .cancelled }
      }
    } catch {
      return nil
    }
  }

  private func write(_ photo: Photo, _ taken: Int64?, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("format")
    writer.string("jpeg")
    writer.key("width")
    writer.int(Int64(photo.width))
    writer.key("height")
    writer.int(Int64(photo.height))
    if let taken {
      writer.key("createdAt")
      let text = ISO8601(unixMilliseconds: taken)
      writer.string(text.text)
    }
    writer.key("base64")
    writer.base64(Span(_unsafeElements: photo.bytes))
    writer.endObject()
  }
}
