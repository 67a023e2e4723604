import Codec
import Gateway

/// Sends answers to invokes: a session, the canvas socket, or a test's replacement.
public protocol ReplyChannel: AnyObject {
  /// Answers with a result: `build` writes one JSON value. False when it is larger than a message may be.
  func reply(to id: Span<UInt8>, _ build: (inout JSONWriter) -> Void) -> Bool
  /// Answers with an object that ends in a member `base64` holding `blob`; see `Session.reply`.
  func reply(
    to id: Span<UInt8>, blob: UnsafeBufferPointer<UInt8>, delegate: any BlobDelegate,
    _ members: (inout JSONWriter) -> Void
  ) -> Bool
  /// Answers with a result that is already JSON text, lent until its delegate is called; see `Session.reply`.
  func reply(to id: Span<UInt8>, json: UnsafeBufferPointer<UInt8>, delegate: any BlobDelegate) -> Bool
  /// Answers with an error.
  func replyError(to id: Span<UInt8>, code: StaticString, message: Span<UInt8>)
  /// An invoke was answered later than its frame was handled: the session may read more.
  func replied()
}

extension Session: ReplyChannel {}
