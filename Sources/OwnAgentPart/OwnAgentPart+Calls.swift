import Codec
import Gateway
import Node
import OwnAgent
import Runtime

/// The agent's calls of the board's tools.
extension OwnAgentPart: ToolBorrower {
  // MARK: Beginning

  /// Takes the frame of a call; false when it is malformed.
  func takeCall(_ body: UnsafeBufferPointer<UInt8>) -> Bool {
    var fields = FrameFields(Span(_unsafeElements: body))
    let number = UInt32(truncatingIfNeeded: fields.number(bytes: 4))
    let flags = CallFlags(rawValue: UInt8(truncatingIfNeeded: fields.number(bytes: 1)))
    let name = fields.word().withUnsafeBufferPointer { $0 }
    let arguments = fields.rest().withUnsafeBufferPointer { $0 }
    guard fields.isComplete else { return false }
    // A number that is taken already: its answer would be for two calls.
    guard calls.index(of: number) == nil else { return true }
    call(number, name, arguments.isEmpty ? ("{}" as StaticString).bytes : arguments, flags)
    return true
  }

  private func call(
    _ number: UInt32, _ name: UnsafeBufferPointer<UInt8>, _ arguments: UnsafeBufferPointer<UInt8>, _ flags: CallFlags
  ) {
    if isHeld { return fail(number, HoldError.reason) }
    guard Self.isObject(arguments) else { return fail(number, "the arguments are not a JSON object") }
    // The reminders have numbers below 0.
    lastTag = lastTag == .max ? 1 : lastTag + 1
    let tag = lastTag
    guard calls.add(BorrowedCall(number: number, tag: tag)) != nil else {
      return fail(number, "this board runs as many calls as it can: try again when one has ended")
    }
    let isKnown = lender.begin(
      name, JSONView(Span(_unsafeElements: arguments)), deadline: clock.monotonic + Budget.agentToolMilliseconds,
      isTainted: flags.contains(.isTainted), self, tag)
    guard !isKnown, let index = calls.index(ofTag: tag) else { return }
    calls[index] = nil
    fail(number, "this board has no such tool")
  }

  private static func isObject(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let span = Span(_unsafeElements: text)
    guard (try? JSONValidator.check(span, depthLimit: Budget.jsonDepth)) != nil else { return false }
    return JSONView(span).kind == .object
  }

  // MARK: Ending

  public func toolEnded(
    _ tag: Int, _ result: UnsafeBufferPointer<UInt8>, isError: Bool, picture: OutboundBlob?
  ) -> Bool {
    if tag < 0 {
      reminderSpoken(isError: isError)
      return false
    }
    guard let index = calls.index(ofTag: tag), let call = calls[index] else { return false }
    if let picture, picture.bytes.count <= Budget.agentPictureBytes, !picture.bytes.isEmpty {
      // Texts beside a picture are short. It comes after the picture, because no result may come within another.
      calls[index]?.result = InlineText(cutting: Span(_unsafeElements: result))
      calls[index]?.picture = picture
      sendWaiting()
      return true
    }
    calls[index] = nil
    send(result, of: call.number, isError: isError)
    return false
  }

  /// Sends a result in pieces, and its end.
  private func send(_ result: UnsafeBufferPointer<UInt8>, of number: UInt32, isError: Bool) {
    let connection = connection
    sendPieces(number, result)
    // It may have ended at any of these.
    if self.connection == connection { sendEnd(number, isError: isError) }
  }

  private func sendPieces(_ number: UInt32, _ result: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while start < result.count, isConnected {
      let end = min(start + Budget.agentFrameBytes - 4, result.count)
      let piece = UnsafeBufferPointer(rebasing: result[start..<end])
      send(.resultPiece) { writer in
        writer.littleEndian(UInt64(number), bytes: 4)
        writer.bytes(Span(_unsafeElements: piece))
      }
      start = end
    }
  }

  private func sendEnd(_ number: UInt32, isError: Bool) {
    send(.result) { writer in
      writer.littleEndian(UInt64(number), bytes: 4)
      writer.byte(isError ? 1 : 0)
    }
  }

  /// Adds a piece of a picture to what waits to be sent; false when there is none, or enough waits.
  func addPicturePiece() -> Bool {
    guard queue.count < Budget.agentPictureQueueBytes, let index = calls.withPicture, let call = calls[index],
      let picture = call.picture
    else { return false }
    let end = min(call.offset + Budget.agentFrameBytes - 4, picture.bytes.count)
    let piece = UnsafeBufferPointer(rebasing: picture.bytes[call.offset..<end])
    calls[index]?.offset = end
    send(.picturePiece) { writer in
      writer.littleEndian(UInt64(call.number), bytes: 4)
      writer.bytes(Span(_unsafeElements: piece))
    }
    guard end == picture.bytes.count, let same = calls[index], same.tag == call.tag else { return true }
    calls[index] = nil
    let result = call.result
    let span = result.span
    span.withUnsafeBufferPointer { send($0, of: call.number, isError: false) }
    // Its owner may begin the next picture.
    picture.delegate?.blobReleased()
    return true
  }

  /// Answers a call that has no slot with a failure.
  private func fail(_ number: UInt32, _ reason: StaticString) { answer(number, reason, isError: true) }

  /// Answers a call that has no slot with a sentence.
  func answer(_ number: UInt32, _ sentence: StaticString, isError: Bool) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { room in
      var writer = JSONWriter(into: room)
      writer.beginObject()
      writer.key("content")
      writer.beginArray()
      writer.beginObject()
      writer.key("type")
      writer.string("text")
      writer.key("text")
      writer.string(sentence)
      writer.endObject()
      writer.endArray()
      writer.key("isError")
      writer.bool(isError)
      writer.endObject()
      let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<min(writer.count, room.count)])
      send(text, of: number, isError: isError)
    }
  }

  // MARK: Dropping

  /// The agent does not want the result of a call any more. One that is not known has ended.
  func drop(_ number: UInt32) { if let index = calls.index(of: number) { remove(index) } }

  /// Ends the work of a call, or the sending of its picture.
  private func remove(_ index: Int) {
    guard let call = calls[index] else { return }
    calls[index] = nil
    if let picture = call.picture { picture.delegate?.blobReleased() } else { lender.cancel(self, call.tag) }
  }

  /// Ends all calls, which the agent hears of.
  func failCalls(_ reason: StaticString) {
    while let index = calls.first, let call = calls[index] {
      remove(index)
      fail(call.number, reason)
    }
  }

  /// Ends all calls without a word: the connection is lost.
  func dropCalls() {
    while let index = calls.first { remove(index) }
  }
}
