import Codec
import Runtime

/// The priority of a notification.
public enum NotificationPriority: Equatable, Sendable {
  case passive, active, timeSensitive
}

/// A notification request. Its texts are in the buffers of its `NotificationReader`, valid until the next one is read.
public struct Notification {
  /// One line, trimmed; may be empty when the body is not.
  public let title: UnsafeBufferPointer<UInt8>
  /// Trimmed; may be empty when the title is not.
  public let body: UnsafeBufferPointer<UInt8>
  /// False when it should be silent.
  public let hasSound: Bool
  /// Its priority.
  public let priority: NotificationPriority
  /// How urgently it asks for a person at the board.
  public let attention: AttentionLevel
}

/// Shows a notification to people: by the log, a light, a tone, a screen.
public protocol Notifier: AnyObject {
  /// Shows it, or starts to. The texts are valid only during the call.
  func notify(_ notification: Notification) throws(NotificationError)
}

/// Why a notification was not shown.
public enum NotificationError: WireError {
  /// Title and body are both empty.
  case empty
  /// The parameters are not a JSON object.
  case notAnObject
  /// A parameter of the wrong JSON type or value: its key, and what it must be.
  case invalid(key: StaticString, wanted: StaticString)
  /// The board has no means to show it.
  case unavailable

  /// Writes the requested value, or the kernel's reason.
  public func writeDetail(to writer: inout ByteWriter) {
    guard case .invalid(_, let wanted) = self else { return }
    writer.text(" must be ")
    writer.text(wanted)
  }

  /// The code and its text.
  public var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .empty: ("INVALID_REQUEST", "empty notification")
    case .notAnObject: ("INVALID_REQUEST", "parameters must be an object")
    case .invalid(let key, _): ("INVALID_REQUEST", key)
    case .unavailable: ("NOTIFICATIONS_UNAVAILABLE", "nothing can show a notification")
    }
  }
}
