import Runtime

/// Told when the cameras are known.
public protocol ListOwner: AnyObject {
  /// Called on the loop's thread when `job.cameras` and `job.failure` stand.
  func listed(_ job: ListJob)
}

/// Looks for cameras on a worker: opening a video device may take a while.
public final class ListJob: Job {
  /// The cameras found. Leave it alone while `isPending`.
  public private(set) var cameras = CameraList()
  /// Why they could not be looked for.
  public private(set) var failure: CameraError?
  /// What was asked; its `kind` belongs into the answer.
  public let source: any CameraSource
  /// Told of the end. Kept alive by this job.
  public var owner: (any ListOwner)?

  /// A job for `source`.
  public init(source: any CameraSource) {
    self.source = source
    super.init()
  }

  override public func run() {
    failure = nil
    do throws(CameraError) {
      try source.enumerate(into: &cameras)
    } catch {
      cameras.removeAll()
      failure = error
    }
  }

  override public func finish() { owner?.listed(self) }
}
