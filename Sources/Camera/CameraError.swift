import Codec
import Runtime

/// Why there is no photo or clip, by what to do next.
public enum CameraError: WireError {
  // Ask differently.

  /// A parameter of the wrong JSON type, or of a word that it does not take: its key, and what it must be.
  case wrongType(key: StaticString, wanted: StaticString)
  /// A picture format other than "jpg" and "jpeg".
  case unknownImageFormat(CameraText)
  /// A video format other than "mp4".
  case unknownVideoFormat(CameraText)
  /// The camera does not move.
  case noAxes
  /// The camera does not move in this direction.
  case noAxis(CameraAxis)
  /// An axis moved, and then this one failed.
  case movedInPart(CameraAxis)
  /// There are several cameras, and the request names none.
  case severalDevices
  /// No usable camera by this id.
  case unknownDevice(CameraText)
  /// The smallest encoding has so many bytes, more than the limit.
  case tooLarge(Int, limit: Int = Budget.photoBytes)

  /// A clip of so many milliseconds cannot be done within the milliseconds that the request has left.
  case clipTooLong(Int64, within: Int64)
  /// A clip has so many bytes, more than the limit.
  case clipTooLarge(Int, limit: Int)
  /// The kernel has no memory for a clip.
  case noRoom(Errno)

  // Look at the hardware or the configuration.

  /// The configuration says no.
  case disabled
  /// The light that shows that a camera is on does not work, and the configuration says that it must.
  case noIndicator
  /// The camera is there, but nothing is plugged into it: an analogue or HDMI input without a signal.
  case noSignal
  /// The stream began, and frames stopped coming, or never came.
  case stalled
  /// The encoder of clips refused.
  case noEncoder
  /// A recording of the screen has the encoder.
  case encoderLent

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

  /// Names what was asked for, or the kernel's reason, and what to do next.
  public func writeDetail(to writer: inout ByteWriter) {
    switch self {
    case .wrongType(_, let wanted):
      writer.text(" must be ")
      writer.text(wanted)
    case .unknownDevice(let id):
      writer.bytes(id.span)
    case .unknownImageFormat(let word): writer.bytes(word.span)
    case .unknownVideoFormat(let word): writer.bytes(word.span)
    case .noAxis(let axis), .movedInPart(let axis): writer.text(axis.word)
    case .tooLarge(let bytes, let limit), .clipTooLarge(let bytes, let limit):
      writer.decimal(Int64(bytes))
      writer.text(" bytes > ")
      writer.decimal(Int64(limit))
      writer.text(" bytes")
    case .clipTooLong(let duration, let left):
      writer.decimal(duration)
      writer.text(" is more than the ")
      writer.decimal(left)
      writer.text(" ms that the request has; ask for a shorter clip (the longest has ")
      writer.decimal(Budget.clipMilliseconds.upperBound)
      writer.text("), or with a longer timeout")
    case .io(let reason): writer.text(reason.text)
    case .noRoom(let reason): writer.text(reason.text)
    default: break
    }
    guard let step = nextStep else { return }
    writer.text("; ")
    writer.text(step)
  }

  /// What a person at the board may do about it; nil when the request was wrong, or nothing was.
  public var nextStep: StaticString? {
    switch self {
    case .disabled: "set [camera] enabled = yes on the board"
    case .noIndicator: "check [camera] indicator_led and its wiring, or set indicator = optional"
    case .noSignal: "plug a source into the camera's input and switch it on"
    case .stalled: "check its cable and power; a hub of its own helps where several cameras share one"
    case .noDevice: "plug one in, and look for it with talon camera list"
    case .noPermission: "add the user that runs Talon to the group video"
    case .unsupportedFormat: "look at talon camera modes, or ask for another size"
    case .io: "unplug it and plug it in again; talon camera modes shows what it offers"
    case .busy: "stop the other program"
    case .disconnected: "plug it in again; it is found by itself"
    case .brokenFrame: "check its cable, try a lower resolution or another USB port"
    default: nil
    }
  }

  /// The code and its text.
  public var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .wrongType(let key, _): ("INVALID_REQUEST", key)
    case .unknownImageFormat: ("INVALID_REQUEST", "unsupported camera image format: ")
    case .severalDevices:
      ("INVALID_REQUEST", "deviceId is missing, and there are several cameras: name one of camera.list")
    case .unknownDevice: ("INVALID_REQUEST", "camera device not found: ")
    case .unknownVideoFormat: ("INVALID_REQUEST", "unsupported camera video format: ")
    case .noAxes: ("CAMERA_PTZ_UNSUPPORTED", "camera does not pan, tilt or zoom")
    case .noAxis: ("CAMERA_PTZ_AXIS_UNSUPPORTED", "camera does not ")
    case .movedInPart: ("CAMERA_PTZ_PARTIAL", "an axis moved, then this one failed: ")
    case .tooLarge: ("CAMERA_TOO_LARGE", "")
    case .clipTooLong: ("INVALID_REQUEST", "durationMs ")
    case .clipTooLarge: ("PAYLOAD_TOO_LARGE", "")
    case .noRoom: ("UNAVAILABLE", "no memory for the clip: ")
    case .disabled: ("CAMERA_DISABLED", "the camera is switched off")
    case .noIndicator: ("PRIVACY_INDICATOR_UNAVAILABLE", "the camera's light does not work")
    case .noSignal: ("CAMERA_UNAVAILABLE", "camera has no signal")
    case .stalled: ("CAMERA_UNAVAILABLE", "camera stopped sending frames")
    case .noEncoder: ("CAMERA_UNAVAILABLE", "the video encoder failed")
    case .encoderLent:
      ("UNAVAILABLE", "the screen is being recorded, and there is one encoder: ask again when that is done")
    case .noDevice: ("CAMERA_UNAVAILABLE", "no camera devices found")
    case .noPermission: ("CAMERA_PERMISSION_REQUIRED", "this user may not open the video device")
    case .unsupportedFormat: ("CAMERA_UNAVAILABLE", "camera offers no usable picture format")
    case .io: ("CAMERA_UNAVAILABLE", "camera failed: ")
    case .busy: ("CAMERA_UNAVAILABLE", "camera is in use by another program")
    case .disconnected: ("CAMERA_UNAVAILABLE", "camera was disconnected")
    case .brokenFrame: ("CAMERA_UNAVAILABLE", "camera gave only damaged frames")
    case .timeout: ("UNAVAILABLE", "the camera was not done in time")
    case .cancelled: ("UNAVAILABLE", "cancelled")
    }
  }
}
