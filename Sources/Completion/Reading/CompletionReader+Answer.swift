import Codec
import Runtime

/// Why a model has ended its answer (`finish_reason`).
enum FinishReason {
  /// Not said, so far.
  case unsaid
  /// The answer is whole; also for reasons that are not known.
  case whole
  case length, calls, filtered, error

  init(_ reason: borrowing JSONView) {
    if reason.equals("length") || reason.equals("max_tokens") || reason.equals("model_length") {
      self = .length
    } else if reason.equals("tool_calls") || reason.equals("function_call") {
      self = .calls
    } else if reason.equals("content_filter") {
      self = .filtered
    } else if reason.equals("error") {
      self = .error
    } else {
      // Some servers send an empty text while the answer goes on.
      self = reason.equals("") ? .unsaid : .whole
    }
  }
}

// One event of a stream, or a whole answer ("The chat completion chunk object", OpenAI's API reference).
extension CompletionReader {
  func read(_ text: Span<UInt8>) {
    do throws(JSONError) {
      try JSONValidator.check(text, depthLimit: Budget.modelDepth)
    } catch {
      let isCut = isPlain && error.kind == .unexpectedEnd
      return isCut ? fail(.cut, "it ends in the middle") : fail(.malformed, "it is not JSON")
    }
    let root = JSONView(text)
    guard root.kind == .object else { return fail(.malformed, "it is no JSON object") }
    if let error = root.member("error"), !error.isNull { return fail(error) }
    if let object = root.member("object"), object.equals("error") { return fail(root) }
    if let usage = root.member("usage"), usage.kind == .object { self.usage = TokenCount(usage) }
    // After the announced end, only a count of tokens is of interest.
    guard !isDone, let choices = root.member("choices") else { return }
    var elements = choices.elements()
    while let choice = elements.next() {
      // Only one answer was requested.
      if let index = choice.member("index")?.int64, index != 0 { continue }
      hasChoice = true
      return take(choice: choice)
    }
  }

  private func take(choice: borrowing JSONView) {
    if let delta = choice.member("delta"), delta.kind == .object {
      take(message: delta)
    } else if let message = choice.member("message"), message.kind == .object, isSilent {
      take(message: message)
    }
    guard let reason = choice.member("finish_reason"), reason.kind == .string else { return }
    let said = FinishReason(reason)
    if said != .unsaid { self.reason = said }
  }

  private func take(message: borrowing JSONView) {
    if let content = message.member("content") { take(content: content) }
    // What OpenAI's models say instead of an answer that they do not want to give.
    if let refusal = message.member("refusal") { take(string: refusal) }
    if let thought = message.member("reasoning_content"), let count = thought.stringLength { saidBytes += count }
    guard let calls = message.member("tool_calls") else { return }
    var elements = calls.elements()
    while let element = elements.next() {
      guard self.calls.take(element) else { return fail(.tooLarge, "more than 8 calls of tools at once") }
    }
  }

  /// A string, or an array of parts, of which those of the type `text` count.
  private func take(content: borrowing JSONView) {
    if content.kind == .string { return take(string: content) }
    var parts = content.elements()
    while let part = parts.next() {
      guard let type = part.member("type"), type.equals("text"), let text = part.member("text") else { continue }
      take(string: text)
    }
  }

  private func take(string: borrowing JSONView) {
    // A string is never longer than the event in which it stands.
    guard let count = string.copyString(into: scratch.bytes), count > 0 else { return }
    say(Span(_unsafeElements: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(scratch.bytes)[..<count])))
  }
}

extension TokenCount {
  /// The member `usage` of an answer; counts that are missing or no numbers are 0.
  init(_ usage: borrowing JSONView) {
    let prompt = usage.member("prompt_tokens")?.int64 ?? 0
    let completion = usage.member("completion_tokens")?.int64 ?? 0
    self.init(prompt: max(prompt, 0), completion: max(completion, 0), isEstimated: false)
  }
}
