import Runtime

/// Makes clips of a camera's frames, on a worker: `begin`, `take` for each frame until it returns `.done`, `finish` or
/// `abandon`, and `release`. Frames become upright pictures and are encoded; a camera's own H.264 is copied, and
/// rotated by the player. One clip at a time; made once.
public final class ClipMaker: FrameMeasuring {
  /// Damaged frames since the start, by fault.
  public private(set) var faults = FrameFaults()
  /// What every frame of a camera lacked, since the start of the program; nil: nothing.
  public var habit: FrameFault? { converter.habit }
  /// Skipped frames of this clip: damaged, or with a timestamp that does not increase.
  public var leftOut: Int { skipped + recorder.damaged }

  private let converter: FrameConverter
  private let writer: ClipWriter
  private let recorder: ClipRecorder
  /// The picture, or the turned one.
  private let reduced: ReservedBuffer
  /// What the decoder gives, or R, G and B, or what a bare sensor saw; or the picture, or the turned one.
  private let stage: ReservedBuffer
  private var rate = 0
  private var duration: Int64 = 0
  private var limit = 0
  private var sound: SoundTrack?
  private var orientation = Orientation()
  private var state = State.idle
  private var lastTime: Int64?
  private var skipped = 0
  /// Consecutive frames whose timestamp does not increase.
  private var outOfOrder = 0

  private enum State: Equatable {
    case idle
    /// Waiting for the first good frame.
    case waiting
    /// Pictures are encoded; their size before rotation.
    case encoding(PhotoSize)
    /// The camera's own units are copied.
    case copying
  }

  /// Assumed frames in a thousand seconds when unknown.
  private static let defaultRate = 30_000
  /// Range of rates for encoders; the camera's real rate may be outside.
  private static let rates = 1_000...60_000
  /// Least microseconds between frames: closer timestamps are wrong.
  private static let leastStep: Int64 = 1_000

  /// A maker that writes to `sink`. Reserves address space; uses memory only while there is a clip. The three arguments
  /// must not be used elsewhere meanwhile.
  @export(interface)
  public init(codec: any JPEGCodec, encoder: any H264Encoder, sink: any ClipSink) throws(Errno) {
    converter = try FrameConverter(codec: codec)
    writer = try ClipWriter(sink: sink)
    recorder = ClipRecorder(writer: writer, encoder: encoder)
    reduced = try ReservedBuffer(capacity: Budget.cameraFrameBytes)
    stage = try ReservedBuffer(capacity: Budget.cameraFrameBytes)
  }

  /// Begins a clip of a stream; its first good frame is the clip's first picture.
  /// - Parameters:
  ///   - orientation: makes the camera's pictures upright.
  ///   - limit: bytes of the whole file.
  ///   - sound: the sound; nil: none.
  public func begin(
    _ facts: StreamFacts, _ parameters: ClipParameters, _ orientation: Orientation, limit: Int, sound: SoundTrack? = nil
  ) {
    rate = facts.rate == 0 ? Self.defaultRate : min(max(facts.rate, Self.rates.lowerBound), Self.rates.upperBound)
    duration = parameters.duration * 1000
    self.orientation = orientation
    self.limit = limit
    self.sound = sound
    state = .waiting
    (lastTime, skipped, outOfOrder) = (nil, 0, 0)
  }

  /// Takes a frame from before the clip begins, for the parameter sets of a camera's own H.264, which may come only
  /// once.
  public func pass(_ frame: RawFrame) throws(CameraError) {
    precondition(state != .idle, "no clip was begun")
    guard frame.format == .h264 else { return }
    try startCopying(frame)
    recorder.pass(unit: frame.bytes)
  }

  /// Takes the stream's next frame. A damaged one is skipped and counted. After an error the clip can only be
  /// abandoned: `.noEncoder`, `.unsupportedFormat`, `.stalled` when timestamps do not increase or have a gap,
  /// `.clipTooLarge` when not one picture fits, `.noRoom`.
  public func take(_ frame: RawFrame) throws(CameraError) -> ClipRecorder.Progress {
    precondition(state != .idle, "no clip was begun")
    guard let time = try timeInOrder(frame) else { return .more }
    do throws(CameraError) {
      let progress = frame.format == .h264 ? try keep(frame, at: time) : try encode(frame, at: time)
      lastTime = time
      return progress
    } catch {
      guard case .brokenFrame = error else { throw error }
      skipped += 1
      return .more
    }
  }

  /// Finishes the clip: the sink then has the complete file. `.brokenFrame` when no frame was good.
  public func finish() throws(CameraError) -> Clip {
    defer { state = .idle }
    if state == .waiting { throw .brokenFrame }
    do throws(ClipError) { return try recorder.finish() } catch { throw self.error(error) }
  }

  /// Ends it without a clip. Does nothing when there is none.
  public func abandon() {
    recorder.abandon()
    state = .idle
  }

  /// Releases the work memory. The clip stays in its sink.
  public func release() {
    converter.release()
    reduced.release()
    stage.release()
  }

  // MARK: Frames

  /// The frame's time, if it increases. No unit of a camera's own H.264 may be skipped, because others depend on it: a
  /// unit that is too early gets the earliest valid time.
  private func timeInOrder(_ frame: RawFrame) throws(CameraError) -> Int64? {
    let time = min(max(frame.time, 0), Int64.max / 2)
    guard let lastTime else { return time }
    if time >= lastTime + Self.leastStep {
      guard time - lastTime <= Budget.clipGapMicroseconds else { throw .stalled }
      outOfOrder = 0
      return time
    }
    outOfOrder += 1
    guard outOfOrder <= Budget.clipFramesOutOfOrder else { throw .stalled }
    if frame.format == .h264 { return lastTime + Self.leastStep }
    skipped += 1
    return nil
  }

  private func keep(_ frame: RawFrame, at time: Int64) throws(CameraError) -> ClipRecorder.Progress {
    try startCopying(frame)
    guard state == .copying else { throw .unsupportedFormat }
    do throws(ClipError) { return try recorder.take(unit: frame.bytes, at: time) } catch { throw self.error(error) }
  }

  private func startCopying(_ frame: RawFrame) throws(CameraError) {
    guard state == .waiting else { return }
    try start(width: frame.width, height: frame.height, encodes: false)
    state = .copying
  }

  private func encode(_ frame: RawFrame, at time: Int64) throws(CameraError) -> ClipRecorder.Progress {
    guard state != .copying else { throw .unsupportedFormat }
    let layout = try converter.layout(of: frame, &faults)
    let (width, height) = layout.map { ($0.width, $0.height) } ?? (frame.width, frame.height)
    guard BoxScaler.accepts(width: width, height: height) else { throw .unsupportedFormat }
    var size = PhotoSize(clipOf: width, height)
    if case .encoding(let known) = state { size = known }
    guard width >= size.width, height >= size.height else {
      faults.count(.wrongSize)
      throw .brokenFrame
    }
    let image = try picture(frame, layout, size)
    if state == .waiting {
      try start(width: image.width, height: image.height, encodes: true)
      state = .encoding(size)
    }
    do throws(ClipError) { return try recorder.take(image, at: time) } catch { throw self.error(error) }
  }

  private func start(width: Int, height: Int, encodes: Bool) throws(CameraError) {
    let format = VideoFormat(width: width, height: height, picturesPerKilosecond: rate, isFullRange: true)
    do throws(ClipError) {
      try recorder.begin(format, duration: duration, limit: limit, encodes: encodes, orientation, sound: sound)
    } catch {
      throw self.error(error)
    }
  }

  /// The upright picture of a frame for the encoder.
  private func picture(
    _ frame: RawFrame, _ layout: JPEGLayout?, _ size: PhotoSize
  ) throws(CameraError) -> PlanarImage {
    let places = FrameConverter.Places(first: reduced.bytes, second: stage.bytes)
    let result = try converter.convert(frame, layout, in: places) { _, _ in size }
    if orientation.isIdentity { return try colored(result.image, in: result.isInSecond ? stage : reduced) }
    let free = result.isInSecond ? reduced : stage
    guard let upright = orientation.apply(result.image, in: free.bytes) else { throw .unsupportedFormat }
    return try colored(upright, in: free)
  }

  /// Adds neutral chroma to a gray picture; others are unchanged. Sides are even, so Y stays in place.
  private func colored(_ image: PlanarImage, in place: ReservedBuffer) throws(CameraError) -> PlanarImage {
    guard image.chroma == .gray else { return image }
    guard let whole = PlanarImage(in: place.bytes, width: image.width, height: image.height, chroma: .quarter) else {
      throw .unsupportedFormat
    }
    whole.blue.base.update(repeating: 128, count: whole.blue.rowBytes * whole.blue.height)
    whole.red.base.update(repeating: 128, count: whole.red.rowBytes * whole.red.height)
    return whole
  }

  /// Brightness and color of a frame, to detect when a camera has settled. Uses the work memory.
  func measure(_ frame: RawFrame) throws(CameraError) -> FrameStatistics {
    try converter.measure(frame, in: stage.bytes)
  }

  // MARK: Errors

  private func error(_ error: ClipError) -> CameraError {
    switch error {
    case .emptyUnit, .brokenUnit, .brokenParameters, .missingParameters, .missingKeyframe, .severalPictures,
      .noPictures:
      .brokenFrame
    case .unsupportedProfile, .parametersChanged, .reordered: .unsupportedFormat
    case .timestampNotIncreasing, .timestampGap: .stalled
    case .full, .tooManyPictures: .clipTooLarge(writer.refusedBytes, limit: limit)
    case .sink(let reason): .noRoom(reason)
    case .encoder: .noEncoder
    }
  }
}

extension PhotoSize {
  /// The size for a clip: within `Budget.clipLongEdge` and `Budget.clipShortEdge`, even, of the same aspect, and never
  /// above the source's.
  init(clipOf width: Int, _ height: Int) {
    let (long, short) = (max(width, height, 1), max(min(width, height), 1))
    // The scale factor of the edge that limits more.
    let isLong = Budget.clipLongEdge * short <= Budget.clipShortEdge * long
    let (bound, edge) = isLong ? (Budget.clipLongEdge, long) : (Budget.clipShortEdge, short)
    self.init(
      even: edge > bound ? (2 * width * bound + edge) / (2 * edge) : width,
      edge > bound ? (2 * height * bound + edge) / (2 * edge) : height)
  }
}
