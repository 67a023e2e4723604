import Codec
import Runtime

/// What a node needs of `hello-ok` (gateway reference 3.9). Everything else is skipped; what is missing gets
/// the value that every generation means by that.
struct HelloOk {
  /// Bytes of the largest message that the gateway takes.
  var maxPayload = 26_214_400
  /// Milliseconds between ticks.
  var tickInterval: Int64 = 30_000
  /// 3 or 4.
  var wireProtocol: Int64 = 0
  /// The gateway's release.
  var serverVersion = InlineText<64>()
  /// Bytes of the token copied to the buffer; 0 when there is none; nil when it is too long to keep.
  var tokenCount: Int? = 0

  /// Reads the payload of a successful answer; nil when it is no `hello-ok`. The device token goes to `token`.
  init?(_ payload: borrowing JSONView, token: UnsafeMutableBufferPointer<UInt8>) {
    guard let type = payload.member("type"), type.equals("hello-ok") else { return nil }
    if let number = payload.member("protocol"), let value = number.int64 { wireProtocol = value }
    if let server = payload.member("server"), let version = server.member("version") {
      serverVersion.fill { version.copyString(into: $0) }
    }
    if let policy = payload.member("policy") {
      if let limit = policy.member("maxPayload"), let value = limit.int64, value >= 1 {
        maxPayload = Int(clamping: value)
      }
      if let tick = policy.member("tickIntervalMs"), let value = tick.int64, value >= 1 {
        // A day at most: a watchdog that never fires is no watchdog.
        tickInterval = min(value, 86_400_000)
      }
    }
    if let auth = payload.member("auth"), let text = auth.member("deviceToken"), text.kind == .string {
      tokenCount = text.copyString(into: token)
    }
  }
}
