import Codec
import Runtime

/// How much a notification matters.
public enum NotificationPriority: Equatable, Sendable {
  case passive, active, timeSensitive
}

/// A notification as it was asked for. Its texts live in the buffers of its `NotificationReader` until that reads the next.
public struct Notification {
  /// One line, trimmed; may be empty when the body is not.
  public let title: UnsafeBufferPointer<UInt8>
  /// Trimmed; may be empty when the title is not.
  public let body: UnsafeBufferPointer<UInt8>
  /// False when the caller asked for silence.
  public let hasSound: Bool
  /// How much it matters.
  public let priority: NotificationPriority
  /// How much it wants a person at the board.
  public let attention: AttentionLevel
}

/// Shows a notification to people: by the log, a light, a tone, a screen.
public protocol Notifier: AnyObject {
  /// Shows it, or begins to. The texts are valid only during the call.
  func notify(_ notification: Notification) throws(NotificationError)
}

/// Why a notification was not shown.
public enum NotificationError: WireError {
  /// Neither title nor body says anything.
  case empty
  /// The parameters are no JSON object.
  case notAnObject
  /// A parameter of the wrong JSON type or value: its key, and what it must be.
  case invalid(key: StaticString, wanted: StaticString)
  /// Nothing here can show it.
  case unavailable

  /// Names what was asked for, or the kernel's reason.
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
