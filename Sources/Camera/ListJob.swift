import Runtime

/// Gets the end of a `ListJob`.
public protocol ListDelegate: AnyObject {
  /// Called on the loop's thread when `job.cameras` and `job.failure` are set.
  func listed(_ job: ListJob)
}

/// Lists cameras on a worker: opening a video device may take a while.
public final class ListJob: Job {
  /// The cameras found. Not valid while `isPending`.
  public private(set) var cameras = CameraList()
  /// Why they could not be listed.
  public private(set) var failure: CameraError?
  /// The source; its `kind` is part of the answer.
  public let source: any CameraSource
  /// Gets the end. A strong reference.
  public var delegate: (any ListDelegate)?

  /// A job for `source`.
  @export(interface)
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

  override public func finish() { delegate?.listed(self) }
}
