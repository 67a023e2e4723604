import Codec
import Runtime

/// Why a model gave no answer, by what can be done about it.
public struct ModelFault: Error, Equatable, Sendable {
  public enum Kind: UInt8, Sendable {
    /// No connection: name, network, TLS, or nobody listens.
    case unreachable
    case timedOut
    /// 401 or 403.
    case refusedKey
    /// 402, or a quota that is used up: somebody has to pay.
    case outOfCredit
    /// 404: the model's name, or the path.
    case notFound
    /// 429.
    case tooManyRequests
    /// 5xx, or an error in the stream.
    case serverError
    /// 413, or an error that names the length of the context: a shorter prompt may do.
    case promptTooLong
    /// Another 4xx, or the server's filter.
    case refused
    /// What came is not what the API has.
    case malformed
    /// The answer ends in the middle.
    case cut
    /// A part of the answer is larger than the memory for it.
    case tooLarge
    /// The answer does not end.
    case endless
  }

  public let kind: Kind
  /// The HTTP status; 0 when there was none, or it was a success.
  public let status: UInt16
  /// Milliseconds after which the server wants to be asked again; nil when it did not say.
  public let retryAfterMilliseconds: Int64?
  /// What the server said, or more about the kind; without the key.
  public let message: InlineText<160>

  /// A fault; see the properties. `hiding`: the key, which becomes `[key]` in the message.
  public init(
    _ kind: Kind, status: UInt16 = 0, retryAfterMilliseconds: Int64? = nil, message: Span<UInt8>,
    hiding key: Span<UInt8>
  ) {
    precondition(Budget.modelMessageBytes == 160)
    self.kind = kind
    self.status = status
    self.retryAfterMilliseconds = retryAfterMilliseconds
    var text = InlineText<160>()
    Self.clean(message, hiding: key, into: &text)
    self.message = text
  }

  /// A fault without a message.
  public init(_ kind: Kind, status: UInt16 = 0, retryAfterMilliseconds: Int64? = nil) {
    let none = StaticString("").utf8Bytes
    self.init(kind, status: status, retryAfterMilliseconds: retryAfterMilliseconds, message: none, hiding: none)
  }

  /// True when the same request to the same model may do: something passing was in the way.
  public var isWorthRetrying: Bool {
    switch kind {
    case .unreachable, .timedOut, .tooManyRequests, .serverError, .malformed, .cut: true
    case .refusedKey, .outOfCredit, .notFound, .promptTooLong, .refused, .tooLarge, .endless: false
    }
  }

  /// True when another model may do, which may have another server, key, context or temper. Not after an answer without
  /// an end: most of it was shown already, and has cost what an answer may cost. Of an answer that was cut, some may
  /// have been shown as well, which `CompletionReader.text` tells.
  public var isWorthAnother: Bool { kind != .endless }

  /// True when the model should not be the first to be asked for a while.
  var needsRest: Bool {
    switch kind {
    case .unreachable, .timedOut, .refusedKey, .outOfCredit, .notFound, .tooManyRequests: true
    case .serverError, .malformed, .cut: true
    case .promptTooLong, .refused, .tooLarge, .endless: false
    }
  }

  /// True when a person has to do something before this model can answer.
  var needsPerson: Bool { kind == .refusedKey || kind == .outOfCredit || kind == .notFound }

  /// Writes a sentence for people and logs. It never has the key in it: what a server says of a key that it refuses is
  /// left out, because some repeat most of it.
  public func write(to writer: inout ByteWriter) {
    writer.text(text)
    if status > 0 {
      writer.text(" (status ")
      writer.decimal(Int64(status))
      writer.text(")")
    }
    if kind == .refusedKey { return writer.text(": put a valid one into the key's file") }
    if !message.isEmpty {
      writer.text(": ")
      writer.bytes(message.span)
    }
    guard let wait = retryAfterMilliseconds, wait > 0 else { return }
    writer.text("; try again in ")
    writer.decimal((min(wait, Budget.modelRetryAfterMilliseconds) + 999) / 1000)
    writer.text(" s")
  }

  private var text: StaticString {
    switch kind {
    case .unreachable: "the model's server cannot be reached"
    case .timedOut: "the model's server takes too long"
    case .refusedKey: "the model's server refuses the key"
    case .outOfCredit: "the account at the model's server is used up"
    case .notFound: "the model's server does not have this model or path"
    case .tooManyRequests: "the model's server gets too many requests"
    case .serverError: "the model's server has failed"
    case .promptTooLong: "the conversation is too long for the model"
    case .refused: "the model's server refuses the request"
    case .malformed: "the model's answer cannot be read"
    case .cut: "the model's answer was cut"
    case .tooLarge: "the model's answer is too large"
    case .endless: "the model's answer does not end"
    }
  }
}
