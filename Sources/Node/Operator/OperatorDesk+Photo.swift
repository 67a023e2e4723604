import Codec
import Gateway
import Runtime

/// Messages with a photo of the board's camera, which is taken first: a use at the board, as `talon snap`.
extension OperatorDesk {
  /// Takes a photo, and sends the first `length` bytes of `text` with it. One message at a time has one.
  public func sayWithPhoto(
    _ length: Int, _ id: InlineText<64>, in key: SessionKey, _ delegate: any DeskDelegate, _ tag: Int
  ) {
    if standsIn {
      return delegate.deskFailed(
        tag, DeskFailure("NO_PHOTO", "the board's own agent takes no photo with a message: ask it to take one"))
    }
    // A photo that cannot be sent is not taken.
    guard session.state == .online else { return delegate.deskFailed(tag, unavailable) }
    photo.send(length, ChatPhoto.Message(id: id, session: key, delegate: delegate, tag: tag))
  }

  /// Sends the first `length` bytes of `text` with an attachment (`chat.send` of gateway reference 9.9); false when it
  /// was not sent, which the delegate has been told.
  func say(
    _ length: Int, _ id: InlineText<64>, in key: SessionKey, _ delegate: any DeskDelegate, _ tag: Int,
    photo: OutboundBlob
  ) -> Bool {
    var run = ChatRun()
    (run.id, run.session, run.delegate, run.tag) = (id, key, delegate, tag)
    run.deadline = now + Self.runTimeout
    run.question.add(text.bytes, 0..<length)
    let said = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<length])
    guard owners.owner(of: id) != .standIn, let index = runs.add(run) else {
      delegate.deskFailed(tag, Self.tooManyRuns)
      return false
    }
    let call = DeskCalls.Call(purpose: .send, method: "chat.send", run: index, serial: runs[index].serial)
    let failure = send(call, blob: photo) { writer in
      writer.key("sessionKey")
      writer.string(key.span)
      writer.key("message")
      writer.string(Span(_unsafeElements: said))
      writer.key("idempotencyKey")
      writer.string(id.span)
      writer.key("attachments")
      writer.beginArray()
      writer.beginObject()
      writer.key("type")
      writer.string("image")
      writer.key("mimeType")
      writer.string("image/jpeg")
      writer.key("fileName")
      writer.string("board.jpg")
      writer.key("content")
      writer.string("")
      // The photo is inserted between the two quotes just written.
      let split = writer.count - 1
      writer.endObject()
      writer.endArray()
      return split
    }
    guard let failure else {
      owners.note(id, .gateway)
      return true
    }
    runs.remove(index)
    delegate.deskFailed(tag, failure)
    return false
  }
}
