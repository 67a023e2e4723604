import A2UI
import Canvas
import Codec
import Graphics
import Runtime

// Reports of the canvas.
extension CanvasCommands {
  /// The documents, and where each element is.
  func writeDump(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("renderer")
    writer.string("native")
    writer.key("a2uiVersion")
    writer.string("0.8")
    writer.key("showing")
    writer.string(face.showing)
    writer.key("surfaceCount")
    writer.int(Int64(face.documents.store.count))
    writer.key("surfaces")
    face.documents.store.writeSurfaces(into: &writer)
    writer.key("layout")
    face.documents.writeLayout(to: &writer)
    if face.view == .chat, let chat = face.chat { writeChat(chat.log, to: &writer) }
    writer.endObject()
  }

  /// The state of a conversation. Its text is only for the person and the agent of the main session.
  private func writeChat(_ log: ChatLog, to writer: inout JSONWriter) {
    writer.key("chat")
    writer.beginObject()
    writer.key("messages")
    writer.int(Int64(log.count))
    var (steps, pictures) = (0, 0)
    for index in 0..<log.count {
      if log[index].role == .step { steps += 1 }
      if log[index].picture != 0 { pictures += 1 }
    }
    writer.key("steps")
    writer.int(Int64(steps))
    writer.key("pictures")
    writer.int(Int64(pictures))
    if !log.isEmpty {
      let last = log[log.count - 1]
      writer.key("last")
      writer.beginObject()
      writer.key("role")
      writer.string(last.role == .person ? "person" : last.role == .agent ? "agent" : "step")
      writer.key("state")
      writer.string(Self.word(last.state))
      writer.key("bytes")
      writer.int(Int64(log.byteCount(log.count - 1)))
      writer.endObject()
    }
    writer.endObject()
  }

  private static func word(_ state: ChatMessage.State) -> StaticString {
    switch state {
    case .done: "done"
    case .sending: "sending"
    case .streaming: "streaming"
    case .stopped: "stopped"
    case .failed: "failed"
    }
  }

  /// The capabilities of this screen (canvas reference 2.11).
  func writeCaps(to writer: inout JSONWriter) {
    let mode = face.pump.mode
    writer.beginObject()
    writer.key("renderer")
    writer.string("native")
    writer.key("eval")
    writer.bool(scripts != nil)
    writer.key("snapshot")
    writer.bool(true)
    writer.key("navigate")
    writer.bool(true)
    writer.key("media")
    writer.beginObject()
    writer.key("image")
    writer.beginArray()
    for format: StaticString in ["png", "jpeg", "webp", "gif", "svg"] { writer.string(format) }
    writer.endArray()
    writer.key("video")
    writer.bool(false)
    writer.key("audio")
    writer.bool(false)
    writer.endObject()
    writer.key("a2ui")
    writer.beginObject()
    writer.key("version")
    writer.string("0.8")
    writer.key("versions")
    writer.beginArray()
    writer.string("0.8")
    writer.string("0.9")
    writer.endArray()
    writer.key("push")
    writer.bool(true)
    writer.key("reset")
    writer.bool(true)
    writer.key("introspect")
    writer.bool(true)
    writer.endObject()
    writer.key("display")
    writer.beginObject()
    writer.key("width")
    writer.int(Int64(face.pump.size.width))
    writer.key("height")
    writer.int(Int64(face.pump.size.height))
    writer.key("scale")
    writer.double(Double(face.scale) / 100)
    writer.key("rotation")
    writer.int(Int64(mode?.rotation.rawValue ?? 0))
    writer.key("bpp")
    writer.int(Int64(mode?.bitsPerPixel ?? 0))
    writer.key("driver")
    writer.string(mode?.driver ?? "none")
    writer.endObject()
    writer.key("input")
    writer.beginObject()
    writer.key("touch")
    writer.bool(face.hasTouch)
    writer.key("keyboard")
    writer.bool(face.hasKeyboard)
    writer.endObject()
    writer.endObject()
  }
}

extension JSONWriter {
  /// Adds a warning to the answer to a push, `{"ok":true,...}` or `{...,"warnings":[...]}`, at the start of `buffer`.
  /// - Returns: its new length; unchanged when there is no room.
  static func add(_ warning: StaticString, to buffer: UnsafeMutableBufferPointer<UInt8>, _ count: Int) -> Int {
    let answer = UnsafeBufferPointer(buffer).extracting(0..<count)
    guard count > 2 else { return count }
    let hasWarnings = JSONView(answer.span).member("warnings") != nil
    let start = hasWarnings ? count - 2 : count - 1
    let before: StaticString = hasWarnings ? ",\"" : ",\"warnings\":[\""
    let after: StaticString = "\"]}"
    let length = before.utf8CodeUnitCount + warning.utf8CodeUnitCount + after.utf8CodeUnitCount
    guard start + length <= buffer.count else { return count }
    var text = ByteWriter(into: buffer.extracting(start...))
    text.text(before)
    text.text(warning)
    text.text(after)
    return start + length
  }
}
