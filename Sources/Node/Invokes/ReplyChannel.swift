import Codec
import Gateway

/// Sends answers to invokes: a session, the canvas socket, or a test's replacement.
public protocol ReplyChannel: AnyObject {
  /// Answers with a result: `build` writes one JSON value. False when it is larger than a message may be.
  func reply(to id: Span<UInt8>, _ build: (inout JSONWriter) -> Void) -> Bool
  /// Answers with a result that holds `blob`: `build` writes one JSON value, and returns where the blob is inserted;
  /// see `Session.reply`.
  func reply(to id: Span<UInt8>, blob: OutboundBlob, _ build: (inout JSONWriter) -> Int) -> Bool
  /// Answers with an error.
  func replyError(to id: Span<UInt8>, code: StaticString, message: Span<UInt8>)
  /// An invoke was answered later than its frame was handled: the session may read more.
  func replied()
}

extension Session: ReplyChannel {}
