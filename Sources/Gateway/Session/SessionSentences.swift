import Codec
import Runtime

// What a session says of ends, refusals and states, without the session.

extension LinkEnd {
  /// Writes how a connection or an attempt ended.
  func describe(_ line: inout LogLine) {
    switch self {
    case .transport(let failure): failure.describe(&line)
    case .refused: break
    case .handshake(.speaksTLS): line.add("the server expects TLS at this port; write wss:// in [gateway] url")
    case .handshake:
      line.add("the server's response to the WebSocket upgrade is not valid; is this the gateway's port?")
    case .violation: line.add("the server broke the WebSocket protocol")
    case .unanswered: line.add("the gateway did not answer the close frame")
    case .closed(let close):
      line.add("the gateway closed the connection")
      if let code = close.code {
        line.add(" (code ")
        line.add(code)
        line.add(") ")
        if !close.reason.isEmpty { line.quote(close.reason) }
      }
    }
  }
}

extension Refusal {
  /// Writes what the gateway refused a connection with, and what to do.
  func describe(_ line: inout LogLine) {
    describeCode(&line)
    line.add(advice)
  }

  /// Writes what the gateway refused a connection with.
  func describeCode(_ line: inout LogLine) {
    line.add("refused: ")
    line.add(code: code.span)
    line.add(" (")
    line.quote(message.span)
    if !authReason.isEmpty {
      line.add("; ")
      line.add(code: authReason.span)
    }
    line.add("). ")
  }

  /// Writes that it is of requests on a connection that is open.
  func describeRequests(_ line: inout LogLine) {
    line.add("refused what this board asks: ")
    line.add(code: code.span)
    line.add(" (")
    line.quote(message.span)
    line.add(")")
  }
}

extension Refusal.Reason {
  /// What a board waits for, after its name.
  var words: StaticString {
    switch self {
    case .notPaired: " waits for approval"
    case .roleUpgrade: " waits for approval of its role (which is new, or was revoked)"
    case .scopeUpgrade: " waits for approval of more scopes than it has"
    case .metadataUpgrade: " waits for approval again, because the gateway remembers another platform for it"
    }
  }
}

extension Session.Phase {
  /// What did not come in time.
  var overdue: StaticString {
    switch self {
    case .opening: "no connection in time"
    case .upgrading: "no answer to the WebSocket upgrade in time"
    case .challenge: "no challenge from the gateway in time"
    case .hello: "no answer to connect in time"
    default: "the attempt took too long"
    }
  }
}

extension SessionState {
  /// The level of the log line that a state begins with.
  var level: LogLevel {
    switch self {
    case .untrusted, .paused: .error
    case .waiting: .warning
    case .awaitingApproval, .online: .notice
    case .connecting, .stopped: .info
    }
  }
}
