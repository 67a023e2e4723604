import Codec
import Runtime

/// Answers to the invokes of a node. They are requests whose responses are not awaited.
extension Session {

  /// The gateway's limit for one message, in bytes.
  public var messageLimit: Int { hopLimit.applied(to: hello.maxPayload) }

  private func sendResult(
    _ id: Span<UInt8>, blob: OutboundBlob? = nil, _ build: (inout JSONWriter) -> Int
  ) -> Bool {
    results = (results + 1) & 0xFFF_FFFF
    return link.send(limit: messageLimit, blob: blob) { writer in
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

  /// Answers an invoke with a result that holds `blob`: `build` writes one JSON value, the payload, and returns after
  /// how many written bytes the blob is inserted. The blob's delegate keeps its bytes unchanged until `blobReleased`,
  /// which is not called when this returns false.
  public func reply(to id: Span<UInt8>, blob: OutboundBlob, _ build: (inout JSONWriter) -> Int) -> Bool {
    sendResult(id, blob: blob) { writer in
      writer.key("ok")
      writer.bool(true)
      writer.key("payload")
      return build(&writer)
    }
  }

  /// Answers an invoke with an error. The object is closed: `code` and `message`, nothing else. A code at the start of
  /// the message is removed.
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

  /// Must be called after a reply outside of `sessionReceived`, so that reading can continue.
  public func replied() { linkHasRoom() }
}
