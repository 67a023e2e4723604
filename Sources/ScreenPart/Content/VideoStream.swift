import Canvas
import Codec
import Fetch
import Gateway
import Graphics
import Runtime

/// Gets the pictures of a video.
protocol VideoStreamDelegate: AnyObject {
  /// The video looks different.
  func videoChanged()
}

/// The pictures of a stream (`MotionPictureReader`), for the one video of a drawing. It is connected only while
/// somebody can see the drawing. Pictures are decoded one at a time on a worker, and what arrives meanwhile is left
/// out: what is shown is as new as it can be. Of a stream that sends faster than `Budget.videoBytesPerSecond`, the rest
/// waits at its server.
final class VideoStream: VideoSource {
  /// Decodes a picture, on a worker.
  private final class Decoding: Job {
    let codec: any PictureCodec
    let memory: ReservedBuffer
    var count = 0
    var wanted = Size(0, 0)
    let cancellation = Cancellation()
    var picture: DecodedPicture?
    var fault: PictureFault?
    unowned(unsafe) var stream: VideoStream! = nil

    init(_ codec: any PictureCodec) throws(Errno) {
      self.codec = codec
      memory = try ReservedBuffer(capacity: Budget.videoFrameBytes)
    }

    override func run() {
      (picture, fault) = (nil, nil)
      let bytes = UnsafeBufferPointer(memory.bytes).extracting(0..<count)
      let limit = PictureLimit(wanted: wanted, cancellation: cancellation)
      do throws(PictureFault) {
        picture = try codec.decode(bytes, ContentKind(bytes, type: ("image/jpeg" as StaticString).utf8Bytes), limit)
      } catch {
        fault = error
      }
    }

    override func finish() { stream.decoded() }
  }

  private let host: CanvasHost
  private let keeper: any PictureKeeper
  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  private let fetcher: Fetcher
  private let decoding: Decoding
  /// The picture that is being read.
  private let memory: ReservedBuffer
  private let line = FixedBuffer(capacity: Budget.videoLineBytes)
  private var reader: MotionPictureReader
  private var address = InlineText<512>()
  private var wanted = Size(0, 0)
  private var isRunning = false
  private var retryAt: Int64?
  private var limiter: RateLimiter
  private static let rest: Int64 = 50
  /// When the next bytes are taken; nil: as they come.
  private var resumeAt: Int64?
  private var failures: Int64 = 0
  /// It was said that pictures of this stream are too large.
  private var isLeavingOut = false
  /// When the last picture was given to the worker.
  private var submittedAt: Int64 = .min
  /// What was decoded and not drawn, and what is drawn.
  private var fresh: DecodedPicture?
  private var picture: Picture?
  /// Must live as long as the stream.
  unowned(unsafe) var delegate: (any VideoStreamDelegate)?

  /// A stream of nothing; throws when the address space is full.
  init(
    _ transport: any FetchTransport, host: CanvasHost, codec: any PictureCodec, keeper: any PictureKeeper,
    runner: any JobRunner, clock: any Clock, log: Log
  ) throws(Errno) {
    self.host = host
    self.keeper = keeper
    self.runner = runner
    self.clock = clock
    self.log = log
    limiter = RateLimiter(perSecond: Budget.videoBytesPerSecond, burst: Budget.videoBytesPerSecond)
    fetcher = try Fetcher(transport, clock: clock, bodyBytes: Budget.videoPieceBytes)
    decoding = try Decoding(codec)
    memory = try ReservedBuffer(capacity: Budget.videoFrameBytes)
    reader = MotionPictureReader(into: memory.bytes, line: line.bytes)
    decoding.stream = self
    fetcher.delegate = self
    fetcher.sink = self
  }

  // MARK: VideoSource

  var frame: Picture? {
    if let fresh {
      if let picture { keeper.retire(picture) }
      picture = keeper.keep(fresh)
      self.fresh = nil
      decoding.picture = nil
    }
    return picture
  }

  // MARK: What is wanted

  /// What somebody can see now; nil: no video.
  func show(_ video: (text: InlineText<512>, size: Size)?) {
    guard let video, !video.text.isEmpty else { return end() }
    wanted = video.size
    if video.text != address {
      end()
      dropPicture()
      address = video.text
    }
    if !isRunning, retryAt == nil { begin() }
  }

  private func begin() {
    do throws(ContentError) {
      let url = try host.address(address.span)
      var request = FetchRequest()
      request.accept = "multipart/x-mixed-replace"
      request.limit = .max
      request.idleMilliseconds = Budget.videoIdleMilliseconds
      reader = MotionPictureReader(into: memory.bytes, line: line.bytes)
      (isRunning, isLeavingOut, resumeAt) = (true, false, nil)
      fetcher.start(url, request, host.rule)
    } catch {
      failed { error.writeMessage(to: &$0) }
    }
  }

  /// Nobody sees it any more. What was shown last stays until another video is.
  private func end() {
    guard isRunning || retryAt != nil else { return }
    fetcher.cancel()
    (isRunning, retryAt, failures) = (false, nil, 0)
    decoding.cancellation.request()
    if !decoding.isPending { decoding.memory.release() }
    memory.release()
  }

  private func dropPicture() {
    if let picture { keeper.retire(picture) }
    (picture, fresh) = (nil, nil)
  }

  // MARK: Time

  var nextDeadline: Int64? { isRunning ? earliest(fetcher.nextDeadline, resumeAt) : retryAt }

  func advance(to now: Int64) {
    if isRunning {
      if let instant = resumeAt, now >= instant {
        resumeAt = nil
        fetcher.pieceTaken()
      }
      return fetcher.advance(to: now)
    }
    guard let instant = retryAt, now >= instant else { return }
    retryAt = nil
    begin()
  }

  /// Tries again after a pause that grows.
  private func failed(_ write: (inout ByteWriter) -> Void) {
    isRunning = false
    let times = Budget.videoRetryMilliseconds
    retryAt = clock.monotonic + min(times.lowerBound << min(failures, 6), times.upperBound)
    failures += 1
    guard failures == 1 else { return }
    log.write(.notice, "canvas") { line in
      line.add("a video cannot be shown: ")
      var text = InlineText<192>()
      text.fill { buffer in
        var writer = ByteWriter(into: buffer)
        write(&writer)
        return min(writer.count, buffer.count)
      }
      line.add(text.span)
    }
  }

  // MARK: Pictures

  private func take(_ bytes: Span<UInt8>) {
    var index = 0
    while let count = reader.next(bytes, &index) { arrived(count) }
    guard reader.leftOut > 0, !isLeavingOut else { return }
    isLeavingOut = true
    log.write(.notice, "canvas", "pictures of a video are left out: they have more than 512 KiB")
  }

  /// A picture has arrived whole.
  private func arrived(_ count: Int) {
    let now = clock.monotonic
    guard !decoding.isPending, fresh == nil, now - Budget.videoFrameMilliseconds >= submittedAt else { return }
    decoding.memory.bytes.baseAddress!.update(from: memory.bytes.baseAddress!, count: count)
    (decoding.count, decoding.wanted) = (count, wanted)
    decoding.cancellation.reset()
    if runner.submit(decoding) { submittedAt = now }
  }

  private func decoded() {
    defer { if !isRunning { decoding.memory.release() } }
    // One that was given up belongs to a stream that is over, also when another has begun meanwhile.
    guard isRunning, !decoding.cancellation.isRequested else { return decoding.picture = nil }
    guard let decoded = decoding.picture else {
      let fault = decoding.fault
      fetcher.cancel()
      return failed { writer in
        guard let fault else { return writer.text("its pictures are no JPEG") }
        ContentError.picture(fault).writeMessage(to: &writer)
      }
    }
    failures = 0
    fresh = decoded
    delegate?.videoChanged()
  }
}

extension VideoStream: FetchSink, FetchDelegate {
  func fetchBegan(_ fetcher: Fetcher) -> Bool {
    if fetcher.type.span.hasPrefix("multipart/") { return true }
    failed { $0.text("its address answers with no stream of pictures (multipart/x-mixed-replace)") }
    return false
  }

  func fetchedPiece(_ fetcher: Fetcher) {
    let count = fetcher.body.count
    take(fetcher.body.span)
    guard reader.isMalformed else {
      let now = clock.monotonic
      _ = limiter.available(at: now)
      limiter.spend(count)
      let wait = limiter.wait(for: 0)
      guard wait > 0 else { return fetcher.pieceTaken() }
      // Some rest, so that the loop is not woken for every piece.
      return resumeAt = now + max(wait, Self.rest)
    }
    fetcher.cancel()
    failed { $0.text("its stream has no pictures that can be told apart") }
  }

  func fetched(_ fetcher: Fetcher) { failed { $0.text("its stream has ended") } }

  func fetchFailed(_ fetcher: Fetcher, _ failure: FetchFailure) { failed { failure.write(to: &$0) } }

  func isGateway(_ certificate: PeerCertificate) -> Bool { host.gateway?.isGateway(certificate) == true }
}
