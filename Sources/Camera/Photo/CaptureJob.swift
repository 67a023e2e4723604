import Runtime

/// Gets the end of a `CaptureJob`.
public protocol CaptureDelegate: AnyObject {
  /// Called on the loop's thread when `job.outcome` stands.
  func captured(_ job: CaptureJob)
}

/// Takes one photo on a worker. Made once at start and reused for every `camera.snap`: `prepare`, `JobRunner.submit`,
/// then `CaptureDelegate.captured`, and `release` when the answer was sent.
public final class CaptureJob: Job {
  /// The outcome.
  public enum Outcome {
    /// None yet.
    case none
    /// A photo; its bytes are valid until `release`.
    case photo(Photo)
    /// No photo, with the reason.
    case failed(CameraError)
  }

  /// The outcome. Not valid while `isPending`.
  public private(set) var outcome = Outcome.none
  /// How the photo is exposed, when the camera warmed up for it; else nil.
  public private(set) var exposure: FrameExposure?
  /// What every frame of the camera lacks; nil: nothing. Not while `isPending`.
  public var habit: FrameFault? { maker.habit }
  /// The parameters.
  public private(set) var parameters = SnapParameters()
  /// Damaged frames since the start, by fault. Not while `isPending`.
  public var faults: FrameFaults { maker.faults }
  /// Gets the end. A strong reference.
  public var delegate: (any CaptureDelegate)?

  /// Milliseconds before the deadline that are reserved for the photo after a late warm-up.
  private static let reserve: Int64 = 1_000

  private let stream: CameraStream
  private let clock: any Clock
  private let maker: PhotoMaker
  private var jobLimits = JobLimits()
  private var limits = PhotoLimits()
  private var keepsOpen = false

  /// A job for the cameras of `stream`. Reserves address space; uses memory only while there is a photo or the camera
  /// is open.
  @export(interface)
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
  ///   - limits: the limits of the photo.
  ///   - deadline: when to give up, in milliseconds of `Clock.monotonic`.
  ///   - keepsOpen: true when the camera stays open after the photo.
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
    exposure = nil
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

  @export(interface)
  override public func run() {
    do throws(CameraError) {
      try takePhoto()
      // Before encoding, so that the light goes out and the buffers are free as soon as possible.
      if !keepsOpen { stream.close(keepsMemory: true) }
      outcome = .photo(try maker.develop(checkCancelled))
    } catch {
      if !keepsOpen { stream.close() }
      outcome = .failed(error)
    }
    // While the camera is open another photo may follow, and allocating pages again would take a third of its time.
    if !stream.isOpen { maker.releaseWork() }
  }

  override public func finish() { delegate?.captured(self) }

  private func takePhoto() throws(CameraError) {
    let isReused = stream.isOpen
    do throws(CameraError) {
      try takeFrame()
    } catch {
      // A camera that was kept open may have been reconnected since, so try again; one just opened was not.
      guard isReused, !stream.isOpen, case .disconnected = error else { throw error }
      try takeFrame()
    }
  }

  private func takeFrame() throws(CameraError) {
    // Cancelled while it waited for the worker: the camera stays dark.
    try checkCancelled()
    _ = try stream.open(parameters.choice, for: .photo, width: parameters.maxWidth)
    var warmUp = StreamWarmUp(
      stream, for: parameters.delay, from: clock.monotonic, latest: jobLimits.deadline - Self.reserve)
    var refusal: CameraError?
    while true {
      do throws(CameraError) {
        let frame = try stream.next(jobLimits)
        refusal = nil
        if try warmUp.isOver(frame, stream, maker, at: clock.monotonic) {
          exposure = warmUp.exposure
          return try maker.take(frame, parameters, limits, stream.settings.orientation)
        }
      } catch {
        switch error {
        case .brokenFrame: refusal = error
        // Report damaged frames instead of the timeout that they caused.
        case .timeout: throw refusal ?? error
        default: throw error
        }
      }
    }
  }

  private func checkCancelled() throws(CameraError) {
    if jobLimits.cancellation.isRequested { throw .cancelled }
    if clock.monotonic >= jobLimits.deadline { throw .timeout }
  }
}

/// Warms a stream up, and controls the exposure of a raw sensor.
struct StreamWarmUp {
  private var warmUp: WarmUp
  private let measures: Bool
  private var isDone: Bool

  /// How the last measured frame looked; nil when none was measured.
  var exposure: FrameExposure? { warmUp.exposure }

  /// - Parameters:
  ///   - delay: milliseconds after which a frame is accepted in any case; 0: the first frame is.
  ///   - now: in milliseconds of `Clock.monotonic`.
  ///   - latest: when a warm-up ends that begins anew, because the first frame came after `delay` and shows nothing.
  init(_ stream: CameraStream, for delay: Int64, from now: Int64, latest: Int64) {
    warmUp = WarmUp(
      until: now + delay, rate: stream.facts?.rate ?? 0, WarmUp.Renewal(delay: delay, latest: latest))
    measures = delay > 0
    // A camera with automatic exposure has continued; a raw sensor's exposure was not updated meanwhile.
    isDone = stream.isWarm && !stream.exposesByHand
  }

  /// True when this frame is accepted. Throws `.brokenFrame` for one that cannot be measured.
  mutating func isOver(
    _ frame: RawFrame, _ stream: CameraStream, _ meter: some FrameMeasuring, at now: Int64
  ) throws(CameraError) -> Bool {
    // An encoded stream is not decoded; only time counts.
    if isDone || frame.format == .h264 && now >= warmUp.end { return true }
    if frame.format == .h264 { return false }
    // A first frame, and one after those that showed nothing, is measured, so that the photo says what it shows.
    let isKnown = if let exposure { !exposure.isExtreme } else { !measures }
    if now >= warmUp.end, !stream.exposesByHand, isKnown {
      stream.isWarm = true
      return true
    }
    let statistics = try meter.measure(frame)
    try stream.expose(statistics)
    isDone = warmUp.isOver(
      statistics, at: now, isExposed: stream.exposesByHand ? stream.isExposed : nil, isLinear: frame.format.isRaw)
    // A camera that shows nothing may still begin: the next photo waits for it as well.
    if isDone { stream.isWarm = !(warmUp.exposure?.isExtreme ?? false) }
    return isDone
  }
}

/// Measures brightness and color of frames.
protocol FrameMeasuring: AnyObject {
  func measure(_ frame: RawFrame) throws(CameraError) -> FrameStatistics
}
