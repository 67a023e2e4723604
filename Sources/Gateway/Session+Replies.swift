import Codec
import Runtime

/// Answers to the invokes of a node. They are requests whose answers nobody waits for.
extension Session {

  /// The gateway's limit for one message of ours, in bytes.
  public var messageLimit: Int { hello.maxPayload }

  private func sendResult(
    _ id: Span<UInt8>, blob: OutboundBlob? = nil, _ build: (inout JSONWriter) -> Int
  ) -> Bool {
    results = (results + 1) & 0xFFF_FFFF
    return link.send(limit: hello.maxPayload, blob: blob) { writer in
      Self.write(RequestID.text(RequestID.result, results), "node.invoke.result", &writer) { writer in
        writer.key("id")
        writer.string(id)
        writer.key("nodeId")
        writer.string(identity.id.span)
        return build(&writer)
      }
    }
  }

  /// Answers an invoke with a result: `build` writes one JSON value, the payload. False when the answer is larger
  /// than the gateway or a slot takes: then answer with an error.
  public func reply(to id: Span<UInt8>, _ build: (inout JSONWriter) -> Void) -> Bool {
    sendResult(id) { writer in
      writer.key("ok")
      writer.bool(true)
      writer.key("payload")
      build(&writer)
      return 0
    }
  }

  /// Answers an invoke with an object that ends in a member `base64` holding `blob`. The owner keeps the blob
  /// unchanged until `blobReleased`, which is not called when this answers false.
  public func reply(
    to id: Span<UInt8>, blob: UnsafeBufferPointer<UInt8>, owner: any BlobOwner,
    _ members: (inout JSONWriter) -> Void
  ) -> Bool {
    sendResult(id, blob: OutboundBlob(blob, .base64, owner: owner)) { writer in
      writer.key("ok")
      writer.bool(true)
      writer.key("payload")
      writer.beginObject()
      members(&writer)
      writer.key("base64")
      writer.string("")
      // The blob's text goes between the two quotes just written.
      let split = writer.count - 1
      writer.endObject()
      return split
    }
  }

  /// Answers an invoke with a result that is JSON text already. The owner keeps it unchanged until `blobReleased`, which is not
  /// called when this answers false.
  public func reply(to id: Span<UInt8>, json: UnsafeBufferPointer<UInt8>, owner: any BlobOwner) -> Bool {
    sendResult(id, blob: OutboundBlob(json, .verbatim, owner: owner)) { writer in
      writer.key("ok")
      writer.bool(true)
      writer.key("payload")
      writer.raw(Span())
      return writer.count
    }
  }

  /// Answers an invoke with an error. The object is closed: `code` and `message`, nothing else. A message that begins
  /// with the code goes without.
  public func replyError(to id: Span<UInt8>, code: StaticString, message: Span<UInt8>) {
    _ = sendResult(id) { writer in
      writer.key("ok")
      writer.bool(false)
      writer.key("error")
      writer.beginObject()
      writer.key("code")
      writer.string(code)
      writer.key("message")
      writer.string(message.withoutCode(code))
      writer.endObject()
      return 0
    }
  }

  /// To be called after a reply that came later than its invoke: reading may go on.
  public func replied() { linkHasRoom() }
}
