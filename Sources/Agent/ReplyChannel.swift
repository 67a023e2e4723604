import Codec
import Gateway

/// Takes answers to invokes: a session, or its stand-in in a test.
public protocol ReplyChannel: AnyObject {
  /// Answers with a result: `build` writes one JSON value. False when it is larger than a message may be.
  func reply(to id: Span<UInt8>, _ build: (inout JSONWriter) -> Void) -> Bool
  /// Answers with an object that ends in a member `base64` holding `blob`; see `Session.reply`.
  func reply(
    to id: Span<UInt8>, blob: UnsafeBufferPointer<UInt8>, owner: any BlobOwner,
    _ members: (inout JSONWriter) -> Void
  ) -> Bool
  /// Answers with a result that is JSON text already, lent until its owner is told; see `Session.reply`.
  func reply(to id: Span<UInt8>, json: UnsafeBufferPointer<UInt8>, owner: any BlobOwner) -> Bool
  /// Answers with an error.
  func replyError(to id: Span<UInt8>, code: StaticString, message: Span<UInt8>)
  /// An answer came later than its invoke: reading may go on.
  func replied()
}

extension Session: ReplyChannel {}
