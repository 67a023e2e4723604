import Runtime

/// Told when the camera was opened or closed.
public protocol StreamOwner: AnyObject {
  /// Called on the loop's thread; `job.failure` stands.
  func streamChanged(_ job: StreamJob)
}

/// Opens the camera ahead of photos, or closes it behind them, on a worker: both may take a while.
public final class StreamJob: Job {
  /// What it does.
  public enum Action: Sendable {
    /// Opens the camera that photos use when nobody names one.
    case open
    case close
  }

  /// Why the camera could not be opened.
  public private(set) var failure: CameraError?
  /// Told of the end. Kept alive by this job.
  public var owner: (any StreamOwner)?

  private let stream: CameraStream
  private var action = Action.close

  /// A job for `stream`.
  public init(stream: CameraStream) {
    self.stream = stream
    super.init()
  }

  /// Sets what the next submission does. Not while pending.
  public func prepare(_ action: Action) {
    precondition(!isPending)
    self.action = action
  }

  override public func run() {
    failure = nil
    switch action {
    case .close: stream.rest()
    case .open:
      let usual = SnapParameters()
      do throws(CameraError) {
        _ = try stream.open(usual.choice, for: .photo, width: usual.maxWidth)
      } catch {
        failure = error
      }
    }
  }

  override public func finish() { owner?.streamChanged(self) }
}
