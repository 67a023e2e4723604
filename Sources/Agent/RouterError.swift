import Codec

/// Why the router itself gives up on an invoke.
enum RouterError: WireError {
  /// More invokes, or more of one kind, than there is room for.
  case busy
  /// The answer did not come before the deadline.
  case timedOut
  /// The gateway asked to stop.
  case cancelled
  /// The connection was lost while it ran; told to a repeat that comes over the next one.
  case interrupted
  /// It was done, but its answer is a blob, which is sent once.
  case notRepeatable

  var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .busy: ("UNAVAILABLE", "node busy")
    case .timedOut: ("UNAVAILABLE", "node invoke timed out")
    case .cancelled: ("UNAVAILABLE", "node invoke cancelled")
    case .interrupted: ("UNAVAILABLE", "the connection was lost meanwhile; it may have been done")
    case .notRepeatable: ("UNAVAILABLE", "the answer was sent to another request with this key")
    }
  }
}

/// Why an invoke or a pending action is not begun. The message is the text alone.
enum InvokeRefusal {
  case otherNode, unknownCommand, badParameters, longKey

  var text: StaticString {
    switch self {
    case .otherNode: "INVALID_REQUEST: the invoke is for another node"
    case .unknownCommand: "INVALID_REQUEST: unknown command"
    case .badParameters: "INVALID_REQUEST: paramsJSON is not valid JSON, or too large"
    case .longKey: "INVALID_REQUEST: the idempotencyKey is longer than 128 bytes"
    }
  }
}
