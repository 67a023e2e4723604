import Codec
import Runtime

/// Why there is no photo, by what to do next.
public enum CameraError: WireError {
  // Ask differently.

  /// A parameter of the wrong JSON type: its key, and what it must be.
  case wrongType(key: StaticString, wanted: StaticString)
  /// A picture format other than "jpg" and "jpeg".
  case unknownImageFormat(CameraText)
  /// No usable camera by this id.
  case unknownDevice(CameraText)
  /// The smallest encoding has so many bytes, more than the limit.
  case tooLarge(Int, limit: Int = Budget.photoBytes)

  // Look at the hardware or the configuration.

  /// No usable camera at all.
  case noDevice
  /// The camera's file may not be opened by this user.
  case noPermission
  /// The camera offers no pixel format or size that can be encoded.
  case unsupportedFormat
  /// The kernel refused a call.
  case io(Errno)

  // Try again.

  /// Another program streams from the camera.
  case busy
  /// The camera went away in the middle.
  case disconnected
  /// Every frame until the deadline was damaged.
  case brokenFrame
  /// The deadline passed before there was a photo.
  case timeout
  /// The owner asked to stop.
  case cancelled

  /// Names what was asked for, or the kernel's reason.
  public func writeDetail(to writer: inout ByteWriter) {
    switch self {
    case .wrongType(_, let wanted):
      writer.text(" must be ")
      writer.text(wanted)
    case .unknownDevice(let id):
      writer.bytes(id.span)
    case .unknownImageFormat(let word):
      writer.bytes(word.span)
    case .tooLarge(let bytes, let limit):
      writer.decimal(Int64(bytes))
      writer.text(" bytes > ")
      writer.decimal(Int64(limit))
      writer.text(" bytes")
    case .io(let reason):
      writer.text(reason.text)
    default: break
    }
  }

  /// The code and its text.
  public var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .wrongType(let key, _): ("INVALID_REQUEST", key)
    case .unknownImageFormat: ("INVALID_REQUEST", "unsupported camera image format: ")
    case .unknownDevice: ("INVALID_REQUEST", "camera device not found: ")
    case .tooLarge: ("CAMERA_TOO_LARGE", "")
    case .noDevice: ("CAMERA_UNAVAILABLE", "no camera devices found")
    case .noPermission: ("CAMERA_PERMISSION_REQUIRED", "grant this user access to the video device")
    case .unsupportedFormat: ("CAMERA_UNAVAILABLE", "camera offers no usable picture format")
    case .io: ("CAMERA_UNAVAILABLE", "camera failed: ")
    case .busy: ("CAMERA_UNAVAILABLE", "camera is in use by another program")
    case .disconnected: ("CAMERA_UNAVAILABLE", "camera was disconnected")
    case .brokenFrame: ("CAMERA_UNAVAILABLE", "camera gave only damaged frames")
    case .timeout: ("UNAVAILABLE", "no photo in time")
    case .cancelled: ("UNAVAILABLE", "photo was cancelled")
    }
  }
}
