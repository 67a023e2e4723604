/// A source of pictures: the V4L2 driver or its simulated twin. Calls come from worker threads and may block
/// there. One capture runs at a time; `enumerate` may run beside it on another worker.
public protocol CameraDevice: AnyObject {
  /// The `deviceType` of `camera.list`: "v4l2" or "simulated".
  var kind: StaticString { get }

  /// Replaces `list` by the cameras that can be used now. No camera is an empty list, not an error.
  func enumerate(into list: inout CameraList) throws(CameraError)

  /// Opens a camera, offers it frame after frame to `visit` until that is satisfied, and closes it again
  /// however it ends. A frame's bytes are valid only during the visit.
  ///
  /// Throws `.timeout` when the deadline passes first, `.cancelled` when asked to stop.
  func capture(
    _ request: CaptureRequest, _ visit: (RawFrame) -> FrameVerdict
  ) throws(CameraError)
}

/// What a capture shall do.
public struct CaptureRequest {
  /// The camera's id; nil: the first one.
  public var device: CameraText?
  /// Pixels across that would be enough. A camera offers the nearest size that it has, smaller or larger.
  public var width: Int
  /// Milliseconds of streaming before a frame counts, so that exposure and white balance settle.
  public var warmUp: Int64
  /// When to give up, in milliseconds of `Clock.monotonic`.
  public var deadline: Int64
  /// Asked from time to time; at least every 50 ms while waiting.
  public var cancellation: Cancellation

  /// A request; see the properties.
  public init(
    device: CameraText?, width: Int, warmUp: Int64, deadline: Int64, cancellation: Cancellation
  ) {
    self.device = device
    self.width = width
    self.warmUp = warmUp
    self.deadline = deadline
    self.cancellation = cancellation
  }
}

/// What becomes of the capture after a frame was looked at.
public enum FrameVerdict {
  /// The frame was taken, or no other one would help: close the camera.
  case done
  /// The frame was damaged: offer the next one.
  case next
}
