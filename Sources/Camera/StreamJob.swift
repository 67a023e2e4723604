import Runtime

/// Gets the end of a `StreamJob`.
public protocol StreamDelegate: AnyObject {
  /// Called on the loop's thread when `job.failure` is set.
  func streamChanged(_ job: StreamJob)
}

/// Opens the camera ahead of photos, or closes it after them, on a worker: both may take a while.
public final class StreamJob: Job {
  /// The action.
  public enum Action: Sendable {
    /// Opens the default camera for photos.
    case open
    case close
  }

  /// Why the camera could not be opened.
  public private(set) var failure: CameraError?
  /// Gets the end. A strong reference.
  public var delegate: (any StreamDelegate)?

  private let stream: CameraStream
  private var action = Action.close

  /// A job for `stream`.
  @export(interface)
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
    case .close: stream.closeAndDarken()
    case .open:
      let usual = SnapParameters()
      do throws(CameraError) {
        _ = try stream.open(usual.choice, for: .photo, width: usual.maxWidth)
      } catch {
        failure = error
      }
    }
  }

  override public func finish() { delegate?.streamChanged(self) }
}
