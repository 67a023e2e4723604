import Runtime

/// Gets the end of a `ClipJob`.
public protocol ClipDelegate: AnyObject {
  /// Called on the loop's thread when `job.outcome` stands.
  func recorded(_ job: ClipJob)
}

/// Records one clip on a worker. Made once at start and reused for every `camera.clip`: `prepare`, `JobRunner.submit`,
/// then `ClipDelegate.recorded`, and `release` when the answer was sent.
public final class ClipJob: Job {
  /// The outcome.
  public enum Outcome {
    /// None yet.
    case none
    /// A clip; its bytes are valid until `release`.
    case clip(UnsafeBufferPointer<UInt8>, hasSound: Bool)
    /// No clip, with the reason.
    case failed(CameraError)
  }

  /// Longest warm-up before a clip in milliseconds, and the time reserved for finishing it.
  private static let warmUp: Int64 = 1_500, reserve: Int64 = 500
  /// Frames in a thousand seconds that look like motion; a camera may deliver more.
  private static let rate = 24_000

  /// The outcome. Not valid while `isPending`.
  public private(set) var outcome = Outcome.none
  /// The parameters.
  public private(set) var parameters = ClipParameters()
  /// Damaged frames since the start, by fault. Not while `isPending`.
  public var faults: FrameFaults { maker.faults }
  /// What every frame of a camera lacked, since the start of the program; nil: nothing. Not while `isPending`.
  public var habit: FrameFault? { maker.habit }
  /// Gets the end. A strong reference.
  public var delegate: (any ClipDelegate)?
  /// True from `prepare` until `release`: the job serves one request at a time.
  public private(set) var isTaken = false

  private let stream: CameraStream
  private let clock: any Clock
  private let maker: ClipMaker
  private let store: any ClipStore
  private var jobLimits = JobLimits()
  private var limit = 0
  private var sound: SoundTrack?

  /// A job for the cameras of `stream`. Reserves address space; uses memory only while there is a clip.
  @export(interface)
  public init(
    stream: CameraStream, codec: any JPEGCodec, encoder: any H264Encoder, store: any ClipStore, clock: any Clock
  ) throws(Errno) {
    self.stream = stream
    self.store = store
    self.clock = clock
    maker = try ClipMaker(codec: codec, encoder: encoder, sink: store)
    super.init()
  }

  /// Sets what the next submission does. Not while `isTaken`.
  /// - Parameters:
  ///   - limit: bytes of the whole clip.
  ///   - deadline: when to give up, in milliseconds of `Clock.monotonic`.
  ///   - sound: the sound, used only by this job while it is pending; nil: none.
  public func prepare(_ parameters: ClipParameters, limit: Int, deadline: Int64, sound: SoundTrack? = nil) {
    precondition(!isTaken, "the clip before was not released")
    isTaken = true
    self.parameters = parameters
    self.limit = limit
    self.sound = sound
    jobLimits.deadline = deadline
    jobLimits.cancellation.reset()
    outcome = .none
  }

  /// Asks a pending job to end soon, with `.failed(.cancelled)` unless the clip was already made.
  public func cancel() { jobLimits.cancellation.request() }

  /// The first `count` bytes of the clip were sent.
  public func wasSent(upTo count: Int) { store.wasRead(upTo: count) }

  /// Ends the use of the outcome and gives the clip's memory back. Not while `isPending`.
  public func release() {
    precondition(!isPending)
    outcome = .none
    isTaken = false
    store.release()
  }

  override public func run() {
    do throws(CameraError) {
      outcome = try record()
    } catch {
      maker.abandon()
      stream.close()
      store.release()
      outcome = .failed(error)
    }
    maker.release()
  }

  override public func finish() { delegate?.recorded(self) }

  private func record() throws(CameraError) -> Outcome {
    let latest = jobLimits.deadline - parameters.duration - Self.reserve
    let spare = latest - clock.monotonic
    // Fails early instead of after a minute.
    guard spare > 0 else { throw .timeout }
    // Cancelled while it waited for the worker: the camera stays dark.
    guard !jobLimits.cancellation.isRequested else { throw .cancelled }
    let facts = try stream.open(parameters.choice, for: .clip, width: Budget.clipLongEdge, rate: Self.rate)
    maker.begin(facts, parameters, stream.settings.orientation, limit: limit, sound: sound)
    try film(StreamWarmUp(stream, for: min(Self.warmUp, spare), from: clock.monotonic, latest: latest))
    // The light goes out as soon as filming has ended.
    stream.close()
    let clip = try maker.finish()
    do throws(Errno) {
      return .clip(try store.bytes(of: clip), hasSound: clip.hasSound)
    } catch {
      throw .noRoom(error)
    }
  }

  private func film(_ start: StreamWarmUp) throws(CameraError) {
    var warmUp = start
    var isWarm = false
    while true {
      let frame = try stream.next(jobLimits)
      if !isWarm { isWarm = try isOver(&warmUp, frame) }
      if !isWarm {
        try maker.pass(frame)
      } else if try maker.take(frame) == .done {
        return
      }
    }
  }

  /// True when the camera has settled; damaged frames are skipped.
  private func isOver(_ warmUp: inout StreamWarmUp, _ frame: RawFrame) throws(CameraError) -> Bool {
    do throws(CameraError) {
      return try warmUp.isOver(frame, stream, maker, at: clock.monotonic)
    } catch {
      guard case .brokenFrame = error else { throw error }
      return false
    }
  }
}
