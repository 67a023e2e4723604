/// Gets the text of an answer as it comes.
public protocol CompletionDelegate: AnyObject {
  /// The model said more: whole characters of UTF-8, without its thoughts, valid during the call. The reader must not
  /// be called from here.
  func completionSaid(_ text: UnsafeBufferPointer<UInt8>)
}

/// How an answer has ended.
public enum CompletionOutcome: Equatable, Sendable {
  /// The model has answered in words, which are in `text`.
  case answered
  /// The model calls tools, which are in `calls`; what it said before is in `text`.
  case calls
  /// The answer ends at the limit of tokens. Calls in it may be half, and are forgotten.
  case cutAtLimit
}
