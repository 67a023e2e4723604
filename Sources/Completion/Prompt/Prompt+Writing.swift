import Codec

// The messages as the API has them ("Chat completions", OpenAI's API reference).

extension Prompt {
  /// Writes the array of messages. What is not UTF-8 becomes U+FFFD.
  func write(into writer: inout JSONWriter) {
    writer.beginArray()
    var index = 0
    while index < count {
      writer.beginObject()
      let entry = entry(index)
      index += 1
      switch entry.kind {
      case .system: write("system", entry, into: &writer)
      case .user: writeUser(entry, into: &writer)
      case .assistant: index = writeAnswer(entry, callsAt: index, into: &writer)
      case .result: writeResult(entry, into: &writer)
      // Calls stand after their answer, which writes them.
      case .call: break
      }
      writer.endObject()
    }
    writer.endArray()
  }

  private func write(_ role: StaticString, _ entry: Entry, into writer: inout JSONWriter) {
    writer.key("role")
    writer.string(role)
    writer.key("content")
    writer.string(Span(_unsafeElements: bytes(entry.start, entry.first)))
  }

  private func writeUser(_ entry: Entry, into writer: inout JSONWriter) {
    if entry.picture.isEmpty { return write("user", entry, into: &writer) }
    writer.key("role")
    writer.string("user")
    writer.key("content")
    writer.beginArray()
    if entry.first > 0 {
      writer.beginObject()
      writer.key("type")
      writer.string("text")
      writer.key("text")
      writer.string(Span(_unsafeElements: bytes(entry.start, entry.first)))
      writer.endObject()
    }
    write(entry.picture, into: &writer)
    writer.endArray()
  }

  private func write(_ picture: UnsafeBufferPointer<UInt8>, into writer: inout JSONWriter) {
    let scheme: StaticString = "data:image/jpeg;base64,"
    writer.beginObject()
    writer.key("type")
    writer.string("image_url")
    writer.key("image_url")
    writer.beginObject()
    writer.key("url")
    writer.beginString()
    writer.escapedPiece(scheme.utf8Bytes)
    writer.base64Piece(Span(_unsafeElements: picture))
    writer.endString()
    writer.endObject()
    writer.endObject()
  }

  /// Returns the index after the answer's calls.
  private func writeAnswer(_ entry: Entry, callsAt start: Int, into writer: inout JSONWriter) -> Int {
    var index = start
    let hasCalls = index < count && self.entry(index).kind == .call
    if hasCalls, entry.first == 0 {
      writer.key("role")
      writer.string("assistant")
      writer.key("content")
      writer.null()
    } else {
      write("assistant", entry, into: &writer)
    }
    guard hasCalls else { return index }
    writer.key("tool_calls")
    writer.beginArray()
    while index < count, self.entry(index).kind == .call {
      writeCall(self.entry(index), into: &writer)
      index += 1
    }
    writer.endArray()
    return index
  }

  private func writeCall(_ entry: Entry, into writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("id")
    writer.string(Span(_unsafeElements: bytes(entry.start, entry.first)))
    writer.key("type")
    writer.string("function")
    writer.key("function")
    writer.beginObject()
    writer.key("name")
    writer.string(Span(_unsafeElements: bytes(entry.start + entry.first, entry.second)))
    writer.key("arguments")
    writer.string(Span(_unsafeElements: bytes(entry.start + entry.first + entry.second, entry.third)))
    writer.endObject()
    writer.endObject()
  }

  private func writeResult(_ entry: Entry, into writer: inout JSONWriter) {
    writer.key("role")
    writer.string("tool")
    writer.key("tool_call_id")
    writer.string(Span(_unsafeElements: bytes(entry.start, entry.first)))
    writer.key("content")
    writer.string(Span(_unsafeElements: bytes(entry.start + entry.first, entry.second)))
  }
}
