import Codec
import Consent
import Runtime

/// Why a command is not begun, or ends: an error with the protocol's code for a missing permission, and what the agent
/// can do. A gateway passes on a code and a message and nothing else (gateway reference 9.3), so the message says when
/// it is worth trying again.
enum ConsentRefusal {
  /// The owner's file forbids it.
  case denied
  /// Somebody said no; worth asking again after so many milliseconds.
  case refused(Int64)
  /// Nobody has answered.
  case unanswered(Int64)
  /// The time of the request is too short to ask anybody: it needs so many milliseconds.
  case hurried(Int64)
  /// Too many requests wait.
  case crowded
  /// The parameters are too large to wait.
  case large
  /// What it relied on was taken back, or is over.
  case ended

  /// The code of the wire (node-commands 3).
  static func code(_ permission: Permission) -> StaticString {
    switch permission {
    case .camera, .frontCamera: "CAMERA_PERMISSION_REQUIRED"
    case .microphone: "MIC_PERMISSION_REQUIRED"
    case .location: "LOCATION_PERMISSION_REQUIRED"
    case .motion: "MOTION_PERMISSION_REQUIRED"
    case .screen, .tools, .run: "UNAVAILABLE"
    }
  }

  /// How the message begins: the code, or what stands in its place where the protocol has a prefix.
  private static func prefix(_ permission: Permission) -> StaticString {
    switch permission {
    case .screen: "PERMISSION_MISSING: screenRecording"
    case .tools: "PERMISSION_MISSING: tools"
    case .run: "SYSTEM_RUN_DENIED: approval required"
    default: code(permission)
    }
  }

  /// Writes the message for the agent.
  func write(for permission: Permission, to writer: inout ByteWriter) {
    writer.text(Self.prefix(permission))
    writer.text(": ")
    switch self {
    case .denied:
      writer.text("this board's owner does not allow ")
      writer.text(permission.noun)
      writer.text(" (retryable: false)")
    case .refused(let pause):
      writer.text("a person at the board said no")
      Self.writeRetry(pause, to: &writer)
      writer.text("do not ask again unless the person wants you to")
    case .unanswered(let pause):
      writer.text("nobody at the board has answered")
      Self.writeRetry(pause, to: &writer)
      Self.writeWay(permission, to: &writer)
    case .hurried(let least):
      writer.text("a person at the board has to be asked, and timeoutMs is too short for that")
      Self.writeRetry(0, to: &writer)
      writer.text("use a timeoutMs of at least ")
      writer.decimal(least)
    case .crowded:
      writer.text("other requests wait for an answer at the board")
      Self.writeRetry(10_000, to: &writer)
      writer.text("send one at a time")
    case .large:
      writer.text("a person at the board has to be asked, and parameters of this size cannot wait (retryable: false)")
    case .ended:
      writer.text("what a person at the board had allowed is over, or was taken back")
      Self.writeRetry(0, to: &writer)
      Self.writeWay(permission, to: &writer)
    }
  }

  private static func writeRetry(_ pause: Int64, to writer: inout ByteWriter) {
    writer.text(" (retryable: true, retryAfterMs: ")
    writer.decimal(pause)
    writer.text("); ")
  }

  private static func writeWay(_ permission: Permission, to writer: inout ByteWriter) {
    writer.text("tell your person to answer at the board, on its screen or by a short press of its button, ")
    writer.text("or to type there: talon grants give ")
    writer.text(permission.word)
  }
}
