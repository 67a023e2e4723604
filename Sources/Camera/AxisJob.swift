import Runtime

/// Told when a camera has moved, or said where it looks.
public protocol AxisOwner: AnyObject {
  /// Called on the loop's thread when `job.outcome` stands.
  func moved(_ job: AxisJob)
}

/// `camera.ptz.status` and `camera.ptz.control` on a worker: one request at a time.
public final class AxisJob: Job {
  /// What came of it.
  public enum Outcome {
    case none
    /// Where the camera looks now, and which wishes were not met to the letter.
    case state(CameraAxes, adjusted: AxisSet)
    case failed(CameraError)
  }

  /// What came of it. Leave it alone while `isPending`.
  public private(set) var outcome = Outcome.none
  /// What was asked.
  public private(set) var parameters = AxisParameters()
  /// Told of the end. Kept alive by this job.
  public var owner: (any AxisOwner)?

  private let source: any CameraSource
  private let roster: CameraRoster

  /// A job for the cameras of `source`.
  public init(source: any CameraSource, roster: CameraRoster) {
    self.source = source
    self.roster = roster
    super.init()
  }

  /// Sets what the next submission does. Not while pending.
  public func prepare(_ parameters: AxisParameters) {
    precondition(!isPending)
    self.parameters = parameters
    outcome = .none
  }

  override public func run() {
    do throws(CameraError) {
      outcome = try act()
    } catch {
      outcome = .failed(error)
    }
  }

  override public func finish() { owner?.moved(self) }

  /// The camera that is named, or the only one.
  private func device() throws(CameraError) -> CameraText {
    if let name = parameters.device { return roster.device(named: name) ?? name }
    var cameras = CameraList()
    try source.enumerate(into: &cameras)
    guard cameras.count > 0 else { throw .noDevice }
    guard cameras.count == 1 else { throw .severalDevices }
    return cameras[0].id
  }

  private func act() throws(CameraError) -> Outcome {
    let device = try self.device()
    let axes = try source.axes(of: device)
    guard axes != CameraAxes() else { throw .noAxes }
    let plan = try AxisPlan(parameters.operation, axes)
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
    return .state(hasMoved ? try source.axes(of: device) : axes, adjusted: plan.adjusted)
  }
}
