import Foundation

/// Join codes: each hands its setup payload to the first GET and to nobody else (newer-gateways 4.2).
struct JoinDesk {
  /// What a request gets.
  struct Answer: Equatable {
    let status: Int
    let body: String
    var retryAfterSeconds: Int64?
  }

  /// 16 random bytes in base64url.
  static let codeBytes = 16
  /// Codes beyond this push the oldest out.
  private static let codesMax = 64

  private var payloads: [(code: String, payload: JSON, expiresAtMs: Int64)] = []
  private var limiter: FailureLimiter

  init(limitsLoopback: Bool) { limiter = FailureLimiter(exemptsLoopback: !limitsLoopback) }

  /// Keeps a payload for one request; the code.
  mutating func issue(_ payload: JSON, expiresAtMs: Int64) -> String {
    let code = Data.random(count: Self.codeBytes).base64URL
    payloads = payloads.suffix(Self.codesMax - 1) + [(code, payload, expiresAtMs)]
    return code
  }

  /// True for a path that is about a join code: its end counts, whatever context stands before it.
  static func owns(_ uri: String) -> Bool { code(of: String(uri.prefix { $0 != "?" })) != nil }

  /// What stands after the last `/j/`; nil where more follows. Whether it is a code is known when it is looked up.
  private static func code(of path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[parts.count - 2] == "j" else { return nil }
    return String(parts[parts.count - 1])
  }

  /// Answers a request, and burns the code of a good one.
  mutating func answer(to uri: String, isGet: Bool, from address: String, nowMilliseconds now: Int64) -> Answer {
    if let wait = limiter.remainingLockout(address, nowMilliseconds: now) {
      return Answer(status: 429, body: #"{"error":"rate_limited"}"#, retryAfterSeconds: max((wait + 999) / 1000, 1))
    }
    payloads.removeAll { $0.expiresAtMs <= now }
    guard isGet, !uri.contains("?"), let code = Self.code(of: uri),
      let index = payloads.firstIndex(where: { $0.code.equalsInConstantTime(code) })
    else {
      limiter.noteFailure(address, nowMilliseconds: now)
      return Answer(status: 404, body: #"{"error":"not_found"}"#)
    }
    return Answer(status: 200, body: payloads.remove(at: index).payload.text)
  }
}

/// The part of the HTTP front that concerns them.
extension GatewayCore {
  /// The join URL of a code: the gateway's own address, or the one in front of it, with its context.
  static func joinURL(_ url: String, code: String) -> String {
    var base = url
    if base.hasPrefix("ws") { base = "http" + base.dropFirst(2) }
    while base.hasSuffix("/") { base.removeLast() }
    return base + "/j/" + code
  }
}
