import Codec
import Runtime

// Errors as servers send them: `{"error":{"message":"...","code":...,"type":"..."}}` (OpenAI, llama-server),
// `{"error":"..."}` (Ollama), `{"object":"error","message":"...","code":...}` (vLLM, Mistral), `{"detail":...}`.

extension ModelFault {
  /// Bytes of a message that is read, which the stack has room for; a longer one is left out.
  private static let readBytes = 1024

  /// The fault that an answer with another status than success tells. `body` need not be whole, nor JSON.
  public init(
    status: UInt16, body: Span<UInt8>, retryAfterMilliseconds: Int64? = nil, hiding key: Span<UInt8>
  ) {
    let kind = Self.kind(status: status, text: body)
    do throws(JSONError) {
      try JSONValidator.check(body, depthLimit: Budget.modelDepth)
    } catch {
      self.init(kind, status: status, retryAfterMilliseconds: retryAfterMilliseconds)
      return
    }
    let root = JSONView(body)
    if let error = root.member("error"), !error.isNull {
      self.init(kind, status, retryAfterMilliseconds, error, hiding: key)
    } else {
      self.init(kind, status, retryAfterMilliseconds, root, hiding: key)
    }
  }

  /// The fault that an error in a stream, or in an answer with a status of success, tells.
  init(error: borrowing JSONView, hiding key: Span<UInt8>) {
    var status: UInt16 = 0
    if let code = error.member("code") { status = Self.status(code) }
    self.init(Self.kind(status: status, text: error.rawText), status, nil, error, hiding: key)
  }

  /// With the message of an error: itself, or its member.
  private init(
    _ kind: Kind, _ status: UInt16, _ retry: Int64?, _ error: borrowing JSONView, hiding key: Span<UInt8>
  ) {
    var fault = ModelFault(kind, status: status, retryAfterMilliseconds: retry)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.readBytes) { room in
      let count = Self.copyMessage(error, into: room)
      let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<count])
      fault = ModelFault(
        kind, status: status, retryAfterMilliseconds: retry, message: Span(_unsafeElements: text), hiding: key)
    }
    self = fault
  }

  private static func copyMessage(_ error: borrowing JSONView, into room: UnsafeMutableBufferPointer<UInt8>) -> Int {
    if let count = error.copyString(into: room) { return count }
    if let message = error.member("message"), let count = message.copyString(into: room) { return count }
    if let detail = error.member("detail"), let count = detail.copyString(into: room) { return count }
    return 0
  }

  /// A number, or a text of three digits, that is a status of an error.
  private static func status(_ code: borrowing JSONView) -> UInt16 {
    var value = code.int64 ?? 0
    if code.kind == .string {
      let text = code.rawText
      if text.count == 5, text[1].isDigit, text[2].isDigit, text[3].isDigit {
        value = Int64(text[1] & 15) * 100 + Int64(text[2] & 15) * 10 + Int64(text[3] & 15)
      }
    }
    return (400..<600).contains(value) ? UInt16(clamping: value) : 0
  }

  /// What a status, 0 for none, and the text of an error mean. What is said of the context or the credit goes before
  /// the status: servers send it with 400, 429 and 500.
  private static func kind(status: UInt16, text: Span<UInt8>) -> Kind {
    switch status {
    case 401, 403: return .refusedKey
    case 402: return .outOfCredit
    case 413: return .promptTooLong
    default: break
    }
    if isAboutCredit(text) { return .outOfCredit }
    if isAboutLength(text) { return .promptTooLong }
    switch status {
    case 404: return .notFound
    case 408: return .timedOut
    case 409, 425: return .serverError
    case 429: return .tooManyRequests
    case 0: return kind(text)
    default: return status >= 500 ? .serverError : .refused
    }
  }

  /// Without a status, the names of OpenAI's errors.
  private static func kind(_ text: Span<UInt8>) -> Kind {
    if text.contains("rate_limit") { return .tooManyRequests }
    if text.contains("invalid_api_key") || text.contains("authentication_error") { return .refusedKey }
    if text.contains("model_not_found") || text.contains("not_found_error") { return .notFound }
    return text.contains("invalid_request_error") ? .refused : .serverError
  }

  /// OpenAI: `insufficient_quota`; others: "Insufficient Balance".
  private static func isAboutCredit(_ text: Span<UInt8>) -> Bool {
    text.contains("insufficient_quota") || text.contains("nsufficient balance") || text.contains("nsufficient Balance")
  }

  /// OpenAI: `context_length_exceeded`; vLLM and Mistral: "maximum context length"; llama-server: "available context
  /// size", `exceed_context_size_error`; others: "context window", "prompt is too long".
  private static func isAboutLength(_ text: Span<UInt8>) -> Bool {
    text.contains("context_length") || text.contains("context length") || text.contains("context size")
      || text.contains("context_size") || text.contains("context window") || text.contains("too long")
  }
}
