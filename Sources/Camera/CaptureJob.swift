import Runtime

/// Told when a photo is ready, or is not.
public protocol CaptureOwner: AnyObject {
  /// Called on the loop's thread when `job.outcome` stands.
  func captured(_ job: CaptureJob)
}

/// Takes one photo on a worker. Made once at start and used for every `camera.snap`:
/// `prepare`, `JobRunner.submit`, then `CaptureOwner.captured`, and `release` when the answer was sent.
public final class CaptureJob: Job {
  /// What came of it.
  public enum Outcome {
    /// Nothing asked, or not yet known.
    case none
    /// A photo; its bytes are valid until `release`.
    case photo(Photo)
    /// No photo, and why.
    case failed(CameraError)
  }

  /// What came of it. Leave it alone while `isPending`.
  public private(set) var outcome = Outcome.none
  /// What was asked.
  public private(set) var parameters = SnapParameters()
  /// Damaged frames since the start, by what was wrong with them. Not while `isPending`.
  public var faults: FrameFaults { maker.faults }
  /// Told of the end. Kept alive by this job.
  public var owner: (any CaptureOwner)?

  private let stream: CameraStream
  private let clock: any Clock
  private let maker: PhotoMaker
  private var jobLimits = JobLimits()
  private var limits = PhotoLimits()
  private var keepsOpen = false

  /// A job for the cameras of `stream`. Takes address space, and memory only while there is a photo or
  /// the camera is open.
  public init(stream: CameraStream, codec: any JPEGCodec, clock: any Clock) throws(Errno) {
    self.stream = stream
    self.clock = clock
    maker = try PhotoMaker(codec: codec)
    super.init()
    stream.memory = maker
  }

  /// True from `prepare` until `release`: the job serves one request at a time.
  public private(set) var isTaken = false

  /// Sets what the next submission does. Not while `isTaken`.
  /// - Parameters:
  ///   - limits: what the photo has to keep to.
  ///   - deadline: when to give up, in milliseconds of `Clock.monotonic`.
  ///   - keepsOpen: true when the camera stays open behind the photo.
  public func prepare(
    _ parameters: SnapParameters, limits: PhotoLimits = PhotoLimits(), deadline: Int64, keepsOpen: Bool = false
  ) {
    precondition(!isTaken, "the photo before was not released")
    isTaken = true
    self.parameters = parameters
    self.limits = limits
    self.keepsOpen = keepsOpen
    jobLimits.deadline = deadline
    jobLimits.cancellation.reset()
    outcome = .none
  }

  /// Asks a pending job to end soon, with `.failed(.cancelled)` unless the photo was already taken.
  public func cancel() { jobLimits.cancellation.request() }

  /// Ends the use of the outcome and gives the photo's memory back. Not while `isPending`.
  public func release() {
    precondition(!isPending)
    outcome = .none
    isTaken = false
    maker.releasePhoto()
  }

  override public func run() {
    do throws(CameraError) {
      try takePhoto()
      // Before the encoding, so that the light goes out and the buffers are free as soon as may be.
      if !keepsOpen { stream.close(keepsMemory: true) }
      outcome = .photo(try maker.develop(mayGoOn))
    } catch {
      if !keepsOpen { stream.close() }
      outcome = .failed(error)
    }
    // While the camera is open another photo may follow, for which fresh pages would cost a third of its time.
    if !stream.isOpen { maker.releaseWork() }
  }

  override public func finish() { owner?.captured(self) }

  private func takePhoto() throws(CameraError) {
    let isReused = stream.isOpen
    do throws(CameraError) {
      try takeFrame()
    } catch {
      // A camera that was kept open may have gone and come back since. One that was opened just now has not.
      guard isReused, !stream.isOpen, case .disconnected = error else { throw error }
      try takeFrame()
    }
  }

  private func takeFrame() throws(CameraError) {
    _ = try stream.open(parameters.choice, for: .photo, width: parameters.maxWidth)
    var warmUp = StreamWarmUp(stream, until: clock.monotonic + parameters.delay)
    var refusal: CameraError?
    while true {
      do throws(CameraError) {
        let frame = try stream.next(jobLimits)
        refusal = nil
        if try warmUp.isOver(frame, stream, maker, at: clock.monotonic) {
          return try maker.take(frame, parameters, limits, stream.settings.orientation)
        }
      } catch {
        switch error {
        case .brokenFrame: refusal = error
        // Time ran out over damaged frames: that says more than the time.
        case .timeout: throw refusal ?? error
        default: throw error
        }
      }
    }
  }

  private func mayGoOn() throws(CameraError) {
    if jobLimits.cancellation.isRequested { throw .cancelled }
    if clock.monotonic >= jobLimits.deadline { throw .timeout }
  }
}

/// Lets a stream warm up, and tells a bare sensor how to expose.
struct StreamWarmUp {
  private var warmUp: WarmUp
  private let end: Int64
  private var isDone: Bool

  /// - Parameter end: when the frame counts whatever it looks like, in milliseconds of `Clock.monotonic`.
  init(_ stream: CameraStream, until end: Int64) {
    warmUp = WarmUp(until: end)
    self.end = end
    // Whoever exposes by itself has gone on doing so; a bare sensor stood still meanwhile.
    isDone = stream.isWarm && !stream.exposesByHand
  }

  /// True when this frame counts. Throws `.brokenFrame` for one that cannot be looked at.
  mutating func isOver(
    _ frame: RawFrame, _ stream: CameraStream, _ meter: some FrameMeasuring, at now: Int64
  ) throws(CameraError) -> Bool {
    // An encoded stream is not looked into; time tells.
    if isDone || frame.format == .h264 && now >= end { return true }
    if frame.format == .h264 { return false }
    if now >= end, !stream.exposesByHand {
      stream.isWarm = true
      return true
    }
    let statistics = try meter.measure(frame)
    try stream.expose(statistics)
    isDone = warmUp.isOver(statistics, at: now, isExposed: stream.isExposed)
    if isDone { stream.isWarm = true }
    return isDone
  }
}

/// What can look at a frame's light and colour.
protocol FrameMeasuring: AnyObject {
  func measure(_ frame: RawFrame) throws(CameraError) -> FrameStatistics
}
