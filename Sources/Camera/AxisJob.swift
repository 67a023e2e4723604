import Runtime

/// Gets the end of an `AxisJob`.
public protocol AxisDelegate: AnyObject {
  /// Called on the loop's thread when `job.outcome` is set.
  func moved(_ job: AxisJob)
}

/// `camera.ptz.status` and `camera.ptz.control` on a worker: one request at a time.
public final class AxisJob: Job {
  /// The outcome.
  public enum Outcome {
    case none
    /// The position of the camera, and the axes whose values were adjusted.
    case state(CameraAxes, adjusted: AxisSet)
    case failed(CameraError)
  }

  /// The outcome. Not valid while `isPending`.
  public private(set) var outcome = Outcome.none
  /// The parameters.
  public private(set) var parameters = AxisParameters()
  /// Gets the end. A strong reference.
  public var delegate: (any AxisDelegate)?

  private let source: any CameraSource
  private let cameraSettings: CameraSettingsTable

  /// A job for the cameras of `source`.
  @export(interface)
  public init(source: any CameraSource, cameraSettings: CameraSettingsTable) {
    self.source = source
    self.cameraSettings = cameraSettings
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

  override public func finish() { delegate?.moved(self) }

  /// The requested camera, or the only one.
  private func device() throws(CameraError) -> CameraText {
    if let name = parameters.device { return cameraSettings.device(named: name) ?? name }
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
