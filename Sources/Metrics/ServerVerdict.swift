/// What a server's answer means for what was sent (remote write 1.0, "Retries & Backoff").
public enum ServerVerdict: Equatable, Sendable {
  /// It has the samples.
  case taken
  /// It will never take them: they are dropped.
  case refused
  /// It may take them later.
  case later

  /// By the HTTP status; 0 without an answer. A redirect is not followed, because the secret is for the server that the
  /// configuration names; samples wait until it names the right one.
  public init(status: UInt16) {
    switch status {
    case 200..<300: self = .taken
    case 429: self = .later
    case 400..<500: self = .refused
    default: self = .later
    }
  }
}
