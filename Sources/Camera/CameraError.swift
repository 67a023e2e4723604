import Codec
import Runtime

/// Why there is no photo or clip, grouped by what to do next.
public enum CameraError: WireError {
  // Change the request.

  /// A parameter of the wrong JSON type, or with an unknown word: its key, and what it must be.
  case wrongType(key: StaticString, wanted: StaticString)
  /// A picture format other than "jpg" and "jpeg".
  case unknownImageFormat(CameraText)
  /// A video format other than "mp4".
  case unknownVideoFormat(CameraText)
  /// The camera has no axes.
  case noAxes
  /// The camera does not have this axis.
  case noAxis(CameraAxis)
  /// The camera's driver lets nobody move this axis for now.
  case lockedAxis(CameraAxis)
  /// One axis moved, then this one failed.
  case movedInPart(CameraAxis)
  /// There are several cameras, and the request has no id.
  case severalDevices
  /// No usable camera with this id.
  case unknownDevice(CameraText)
  /// The smallest encoding has this many bytes, more than the limit.
  case tooLarge(Int, limit: Int = Budget.photoBytes)

  /// A clip of this length does not fit into the remaining time of the request. Milliseconds.
  case clipTooLong(Int64, within: Int64)
  /// A clip has this many bytes, more than the limit.
  case clipTooLarge(Int, limit: Int)
  /// Out of memory for a clip.
  case noRoom(Errno)

  // Check the hardware or the configuration.

  /// Switched off in the configuration.
  case disabled
  /// The privacy light does not work, and the configuration requires it.
  case noIndicator
  /// The camera has no input signal: an analog or HDMI input with nothing plugged in.
  case noSignal
  /// The stream started, but frames stopped, or never came.
  case stalled
  /// The video encoder failed.
  case noEncoder
  /// A recording of the screen uses the encoder.
  case encoderInUse

  /// No usable camera at all.
  case noDevice
  /// This user may not open the camera's device file.
  case noPermission
  /// The camera offers no pixel format or size that can be encoded.
  case unsupportedFormat
  /// The kernel refused a call.
  case io(Errno)

  // Try again.

  /// Another program uses the camera.
  case busy
  /// The camera was disconnected.
  case disconnected
  /// The only camera went away a moment ago, as it does when its driver resets it. Nothing was begun.
  case restarting
  /// Every frame until the deadline was damaged.
  case brokenFrame
  /// The deadline passed before there was a photo.
  case timeout
  /// Cancelled.
  case cancelled

  /// Writes the requested value, or the kernel's reason, and what to do next.
  public func writeDetail(to writer: inout ByteWriter) {
    switch self {
    case .wrongType(_, let wanted):
      writer.text(" must be ")
      writer.text(wanted)
    case .unknownDevice(let id):
      writer.bytes(id.span)
    case .unknownImageFormat(let word): writer.bytes(word.span)
    case .unknownVideoFormat(let word): writer.bytes(word.span)
    case .noAxis(let axis), .lockedAxis(let axis), .movedInPart(let axis): writer.text(axis.word)
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
    case .io(let reason):
      writer.text(DeviceTrouble(reason, of: .camera).text)
      writer.text(" (errno ")
      writer.decimal(Int64(reason.number))
      writer.text(")")
    case .noRoom(let reason): writer.text(reason.text)
    default: break
    }
    guard let step = nextStep else { return }
    writer.text("; ")
    writer.text(step)
  }

  /// What a person at the board can do; nil when that is nothing.
  public var nextStep: StaticString? {
    switch self {
    case .disabled: "set [camera] enabled = yes on the board"
    case .noIndicator: "check [camera] indicator_led and its wiring, or set indicator = optional"
    case .noSignal: "plug a source into the camera's input and switch it on"
    case .stalled: "check its cable and power; a hub of its own helps where several cameras share one"
    case .noDevice: "plug one in, and look for it with talon camera list"
    case .noPermission: "add the user that runs Talon to the group video"
    case .unsupportedFormat: "look at talon camera modes, or ask for another size"
    case .io(let reason): DeviceTrouble(reason, of: .camera).step
    case .busy: "stop the other program"
    case .lockedAxis: "stop other programs that use the camera, and ask again"
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
    case .lockedAxis: ("CAMERA_UNAVAILABLE", "the camera's driver has locked an axis for now: ")
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
    case .encoderInUse:
      ("UNAVAILABLE", "the screen is being recorded, and there is one encoder: ask again when that is done")
    case .noDevice: ("CAMERA_UNAVAILABLE", "no camera devices found")
    case .noPermission: ("CAMERA_PERMISSION_REQUIRED", "this user may not open the video device")
    case .unsupportedFormat: ("CAMERA_UNAVAILABLE", "camera offers no usable picture format")
    case .io: ("CAMERA_UNAVAILABLE", "camera failed: ")
    case .busy: ("CAMERA_UNAVAILABLE", "camera is in use by another program")
    case .disconnected: ("CAMERA_UNAVAILABLE", "camera was disconnected")
    // Newer gateways ask again by themselves when they get this code (newer-gateways 12).
    case .restarting: ("NODE_NOT_READY", "the camera went away a moment ago, and may be back in a second: ask again")
    case .brokenFrame: ("CAMERA_UNAVAILABLE", "camera gave only damaged frames")
    case .timeout: ("UNAVAILABLE", "the camera was not done in time")
    case .cancelled: ("UNAVAILABLE", "cancelled")
    }
  }
}
