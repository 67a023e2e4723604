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

  private let device: any CameraDevice
  private let clock: any Clock
  private let maker: PhotoMaker
  private let cancellation = Cancellation()
  private var limits = PhotoLimits()
  private var deadline: Int64 = 0

  /// A job for `device`. Takes address space, and memory only while there is a photo.
  public init(device: any CameraDevice, codec: any JPEGCodec, clock: any Clock) throws(Errno) {
    self.device = device
    self.clock = clock
    maker = try PhotoMaker(codec: codec)
    super.init()
  }

  /// True from `prepare` until `release`: the job serves one request at a time.
  public private(set) var isTaken = false

  /// Sets what the next submission does. Not while `isTaken`.
  /// - Parameters:
  ///   - limits: what the photo has to keep to.
  ///   - deadline: when to give up, in milliseconds of `Clock.monotonic`.
  public func prepare(_ parameters: SnapParameters, limits: PhotoLimits = PhotoLimits(), deadline: Int64) {
    precondition(!isTaken, "the photo before was not released")
    isTaken = true
    self.parameters = parameters
    self.limits = limits
    self.deadline = deadline
    cancellation.reset()
    outcome = .none
  }

  /// Asks a pending job to end soon, with `.failed(.cancelled)` unless the photo was already taken.
  public func cancel() { cancellation.request() }

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
      outcome = .photo(try maker.develop(mayGoOn))
    } catch {
      outcome = .failed(error)
    }
    maker.releaseWork()
  }

  override public func finish() { owner?.captured(self) }

  private func takePhoto() throws(CameraError) {
    let request = CaptureRequest(
      device: parameters.device, width: parameters.maxWidth, warmUp: parameters.delay, deadline: deadline,
      cancellation: cancellation)
    var refusal: CameraError?
    do throws(CameraError) {
      try device.capture(request) { frame in
        do throws(CameraError) {
          try maker.take(frame, parameters, limits)
          refusal = nil
          return .done
        } catch {
          refusal = error
          if case .brokenFrame = error { return .next }
          return .done
        }
      }
    } catch {
      // Time ran out over damaged frames: that says more than the time.
      if case .timeout = error, let refusal { throw refusal }
      throw error
    }
    if let refusal { throw refusal }
  }

  private func mayGoOn() throws(CameraError) {
    if cancellation.isRequested { throw .cancelled }
    if clock.monotonic >= deadline { throw .timeout }
  }
}
