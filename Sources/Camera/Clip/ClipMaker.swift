import Runtime

/// Makes clips of a camera's frames, on a worker: `begin`, `take` for each frame until it says `.done`, `finish` or
/// `abandon`, and `release`. Frames become pictures that stand upright and are encoded; a camera's own H.264 goes in as
/// it is, to be turned by the player. One clip at a time; made once.
public final class ClipMaker: FrameMeasuring {
  /// Damaged frames since the start, by what was wrong with them.
  public private(set) var faults = FrameFaults()
  /// Frames of this clip that were left out, for they were damaged, or their time was not above the one before.
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
  /// Frames in a row whose time was not above the one before.
  private var untimely = 0

  private enum State: Equatable {
    case idle
    /// No frame was good enough to begin with.
    case waiting
    /// Pictures are encoded; of this size before they are turned.
    case encoding(PhotoSize)
    /// Units of the camera's own are kept.
    case copying
  }

  /// Frames in a thousand seconds of a camera that does not say.
  private static let usualRate = 30_000
  /// What encoders are asked for; a camera below or above gives what it gives.
  private static let rates = 1_000...60_000
  /// Microseconds between frames, at least: what is closer has a clock that stands.
  private static let leastStep: Int64 = 1_000

  /// A maker that writes to `sink`. Takes address space, and memory only while there is a clip; nobody else uses the
  /// three meanwhile.
  public init(codec: any JPEGCodec, encoder: any H264Encoder, sink: any ClipSink) throws(Errno) {
    converter = try FrameConverter(codec: codec)
    writer = try ClipWriter(sink: sink)
    recorder = ClipRecorder(writer: writer, encoder: encoder)
    reduced = try ReservedBuffer(capacity: Budget.cameraFrameBytes)
    stage = try ReservedBuffer(capacity: Budget.cameraFrameBytes)
  }

  /// Begins a clip of a stream; its first good frame is the clip's first picture.
  /// - Parameters:
  ///   - orientation: what turns the camera's pictures upright.
  ///   - limit: bytes of the whole file.
  ///   - sound: what shall be heard; nil: nothing.
  public func begin(
    _ facts: StreamFacts, _ parameters: ClipParameters, _ orientation: Orientation, limit: Int, sound: SoundTrack? = nil
  ) {
    rate = facts.rate == 0 ? Self.usualRate : min(max(facts.rate, Self.rates.lowerBound), Self.rates.upperBound)
    duration = parameters.duration * 1000
    self.orientation = orientation
    self.limit = limit
    self.sound = sound
    state = .waiting
    (lastTime, skipped, untimely) = (nil, 0, 0)
  }

  /// Passes a frame by that comes before the clip shall begin. What a camera's own H.264 says once, it says there.
  public func pass(_ frame: RawFrame) throws(CameraError) {
    precondition(state != .idle, "no clip was begun")
    guard frame.format == .h264 else { return }
    try startCopying(frame)
    recorder.pass(unit: frame.bytes)
  }

  /// Takes the stream's next frame. A damaged one is left out and counted. Whatever it throws, the clip can only be
  /// abandoned then: `.noEncoder`, `.unsupportedFormat`, `.stalled` when the frames' time stands still or jumps,
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

  /// Ends the clip: the file is whole then, and stands in the sink. `.brokenFrame` when no frame was good.
  public func finish() throws(CameraError) -> Clip {
    defer { state = .idle }
    if state == .waiting { throw .brokenFrame }
    do throws(ClipError) { return try recorder.finish() } catch { throw self.error(error) }
  }

  /// Ends it without a clip. Harmless when there is none.
  public func abandon() {
    recorder.abandon()
    state = .idle
  }

  /// Gives the memory of the work back to the kernel. The clip stays in its sink.
  public func release() {
    converter.release()
    reduced.release()
    stage.release()
  }

  // MARK: Frames

  /// The frame's time, if it is above the one before. Of a camera's own H.264 no unit can be spared, for others lean on
  /// it: one that comes too early gets the earliest time there is.
  private func timeInOrder(_ frame: RawFrame) throws(CameraError) -> Int64? {
    let time = min(max(frame.time, 0), Int64.max / 2)
    guard let lastTime else { return time }
    if time >= lastTime + Self.leastStep {
      guard time - lastTime <= Budget.clipGapMicroseconds else { throw .stalled }
      untimely = 0
      return time
    }
    untimely += 1
    guard untimely <= Budget.clipUntimelyFrames else { throw .stalled }
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
    let layout = try faults.check(frame)
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

  /// The upright picture of a frame, as encoders take it.
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

  /// A gray picture with chroma that says so; others as they are. Sides are even, so Y stays where it is.
  private func colored(_ image: PlanarImage, in place: ReservedBuffer) throws(CameraError) -> PlanarImage {
    guard image.chroma == .gray else { return image }
    guard let whole = PlanarImage(in: place.bytes, width: image.width, height: image.height, chroma: .quarter) else {
      throw .unsupportedFormat
    }
    whole.blue.base.update(repeating: 128, count: whole.blue.rowBytes * whole.blue.height)
    whole.red.base.update(repeating: 128, count: whole.red.rowBytes * whole.red.height)
    return whole
  }

  /// Light and colour of a frame, to tell when a camera has settled. Uses the memory of the work.
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
    case .timeStoodStill, .timeJumped: .stalled
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
    // The edge that binds more, as a fraction.
    let isLong = Budget.clipLongEdge * short <= Budget.clipShortEdge * long
    let (bound, edge) = isLong ? (Budget.clipLongEdge, long) : (Budget.clipShortEdge, short)
    self.init(
      even: edge > bound ? (2 * width * bound + edge) / (2 * edge) : width,
      edge > bound ? (2 * height * bound + edge) / (2 * edge) : height)
  }
}
