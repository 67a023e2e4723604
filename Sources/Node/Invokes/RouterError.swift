import Codec

/// Why the router itself answers an invoke with an error.
public enum RouterError: WireError {
  /// More invokes, or more of one command, than there is room for.
  case busy
  /// The handler did not answer before the deadline.
  case timedOut
  /// The gateway canceled it.
  case cancelled
  /// The connection was lost while it ran; the answer to a repeat over the next connection.
  case interrupted
  /// It was done, but its answer was a blob, which is not kept.
  case notRepeatable

  public var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .busy: ("UNAVAILABLE", "node busy")
    case .timedOut: ("UNAVAILABLE", "node invoke timed out")
    case .cancelled: ("UNAVAILABLE", "node invoke cancelled")
    case .interrupted: ("UNAVAILABLE", "the connection was lost meanwhile; it may have been done")
    case .notRepeatable: ("UNAVAILABLE", "the answer was sent to another request with this key")
    }
  }
}

/// Why an invoke or a pending action is not begun. The message is only the text.
enum InvokeRefusal {
  case otherNode, unknownCommand, badParameters, longKey, longSession

  var text: StaticString {
    switch self {
    case .otherNode: "INVALID_REQUEST: the invoke is for another node"
    case .unknownCommand: "INVALID_REQUEST: unknown command"
    case .badParameters: "INVALID_REQUEST: paramsJSON is not valid JSON, or too large"
    case .longKey: "INVALID_REQUEST: the idempotencyKey is longer than 128 bytes"
    case .longSession: "INVALID_REQUEST: the sessionKey is longer than 512 bytes"
    }
  }
}
