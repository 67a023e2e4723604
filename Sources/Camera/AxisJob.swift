import Runtime

/// Gets the end of an `AxisJob`.
public protocol AxisDelegate: AnyObject {
  /// Called on the loop's thread when `job.outcome` is set.
  func moved(_ job: AxisJob)
}

/// `camera.ptz.status` and `camera.ptz.control` on workers: one request at a time.
///
/// A movement takes several submissions, because motors take seconds and workers are few: the first one sets the
/// camera's controls, and each further one looks where it is, until it has arrived or stands still. A camera that does
/// not move is sent once more while it streams, because some refuse or ignore it otherwise.
public final class AxisJob: Job {
  /// The outcome.
  public enum Outcome {
    case none
    /// The position of the camera as it was read last, and the axes whose values were adjusted, or that are elsewhere.
    case state(CameraAxes, adjusted: AxisSet)
    case failed(CameraError)
  }

  /// What the next submission does.
  public enum Step: Sendable {
    /// The camera may still move: looks where it is, `lookMilliseconds` later.
    case look
    /// The camera did not move, and may when it streams. No other job may use the stream from this submission until the
    /// movement has ended.
    case stream
  }

  /// Milliseconds from one look at a moving camera to the next.
  public static let lookMilliseconds: Int64 = 200
  /// Looks in a row without a change after which it stands still, which are a second: motors begin late, and some
  /// cameras tell where they are only twice a second.
  static let stillLooks = 6
  /// Looks at one movement, which are 12 s: the slowest motors go from end to end in 10 s.
  static let mostLooks = 60
  /// Milliseconds to wait for the first frame of a stream: USB cameras take up to two seconds to begin.
  private static let firstFrameMilliseconds: Int64 = 2_000

  /// The outcome: the last one, or as far as it is known while there is a next step. Not valid while `isPending`.
  public private(set) var outcome = Outcome.none
  /// What is left to do; nil when the outcome is the last one. Not valid while `isPending`.
  public private(set) var next: Step?
  /// The parameters.
  public private(set) var parameters = AxisParameters()
  /// Gets the end of each submission. A strong reference.
  public var delegate: (any AxisDelegate)?

  private let source: any CameraSource
  private let cameraSettings: CameraSettingsTable
  private let stream: CameraStream?
  private var device = CameraText()
  /// Where to; nil when the camera did not tell where it is.
  private var plan: AxisPlan?
  /// Where the camera was before, and at the last look.
  private var (start, last) = (CameraAxes(), CameraAxes())
  /// Looks at this movement, and those in a row without a change.
  private var (looks, still) = (0, 0)
  private var isStreaming = false

  /// A job for the cameras of `source`.
  /// - Parameter stream: the stream of `source`; nil: cameras are not streamed to move them.
  @export(interface)
  public init(source: any CameraSource, cameraSettings: CameraSettingsTable, stream: CameraStream? = nil) {
    self.source = source
    self.cameraSettings = cameraSettings
    self.stream = stream
    super.init()
  }

  /// Sets what the next submission does. Not while pending.
  public func prepare(_ parameters: AxisParameters) {
    precondition(!isPending)
    self.parameters = parameters
    outcome = .none
    next = nil
    plan = nil
    isStreaming = false
  }

  override public func run() {
    let step = next
    next = nil
    do throws(CameraError) {
      switch step {
      case nil: try begin()
      case .look: try look()
      case .stream: try beginStreaming()
      }
    } catch {
      outcome = .failed(error)
    }
  }

  override public func finish() { delegate?.moved(self) }

  /// The requested camera, or the only one.
  private func chosen() throws(CameraError) -> CameraText {
    if let name = parameters.device { return cameraSettings.device(named: name) ?? name }
    var cameras = CameraList()
    try source.enumerate(into: &cameras)
    guard cameras.count > 0 else { throw .noDevice }
    guard cameras.count == 1 else { throw .severalDevices }
    return cameras[0].id
  }

  private func begin() throws(CameraError) {
    device = try chosen()
    do throws(CameraError) {
      try makePlan()
      try move()
    } catch {
      if mayStream, Self.mayNeedStream(error) { next = .stream }
      throw error
    }
  }

  private func makePlan() throws(CameraError) {
    start = try source.axes(of: device)
    guard start != CameraAxes() else { throw .noAxes }
    plan = try AxisPlan(parameters.operation, start)
  }

  /// Streams from the camera, and sends it where it was to go at first: a relative movement is not added twice.
  private func beginStreaming() throws(CameraError) {
    guard let stream else { return }
    isStreaming = true
    do throws(CameraError) {
      _ = try stream.open(CameraChoice(device: device), for: .photo, width: SnapParameters().maxWidth)
    } catch {
      // Another program streams from it already, so the outcome of the first attempt stands.
      if case .busy = error { return }
      throw error
    }
    do throws(CameraError) {
      // With its first frame the camera is ready.
      _ = try source.next(within: Self.firstFrameMilliseconds)
    } catch {
      stream.close()
      throw error
    }
    if plan == nil { try makePlan() }
    try move()
  }

  private func move() throws(CameraError) {
    guard let plan else { return }
    var hasMoved = false
    for axis in CameraAxis.allCases {
      guard let target = plan[axis] else { continue }
      do throws(CameraError) {
        try source.move(axis, of: device, to: target)
      } catch {
        throw hasMoved ? .movedInPart(axis) : error
      }
      hasMoved = true
    }
    outcome = .state(start, adjusted: plan.adjusted)
    last = start
    (looks, still) = (0, 0)
    if hasMoved { try look() }
  }

  /// Looks where the camera is, and whether it has arrived.
  private func look() throws(CameraError) {
    guard let plan else { return }
    looks += 1
    do throws(CameraError) {
      let now = try source.axes(of: device)
      outcome = .state(now, adjusted: plan.adjusted(at: now))
      if plan.isReached(at: now) { return }
      still = now == last ? still + 1 : 0
      last = now
    } catch {
      // Some cameras do not answer while they move.
      still += 1
      if isOver { throw error }
    }
    if !isOver {
      next = .look
    } else if mayStream, plan.hasIdleAxis(from: start, at: last) {
      next = .stream
    }
  }

  /// True when the movement has ended, or takes too long.
  private var isOver: Bool { still >= Self.stillLooks || looks >= Self.mostLooks }

  /// True when a stream may still help to move the camera.
  private var mayStream: Bool { stream != nil && !isStreaming && parameters.operation != .look }

  /// True for errors that a camera may have because it does not stream.
  private static func mayNeedStream(_ error: CameraError) -> Bool {
    switch error {
    case .io, .disconnected, .busy, .lockedAxis, .movedInPart: true
    default: false
    }
  }
}
