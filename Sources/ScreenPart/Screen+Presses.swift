import A2UI
import Canvas
import Codec
import Gateway
import Node
import Runtime

/// Sends what a person does at the screen to the agent.
extension Screen: CanvasDelegate {
  func pressed(_ tree: InstanceTree, _ index: Int, session owner: Span<UInt8>) {
    guard let name = tree.actionName(index) else { return }
    let sessionKey = owner.isEmpty ? mainSession : InlineText<256>(cutting: owner)
    let tags = ActionTags(session: sessionKey.span, host: displayName.span, instance: session.identity.id.span)
    var line = ByteWriter(into: pressLine.bytes)
    guard let leftOut = tree.writeLine(index, tags, sendsObscured: false, into: &line) else { return }
    say(name, leftOut)
    post(name, line.count, sessionKey)
  }

  func acted(_ action: UnsafeBufferPointer<UInt8>, session owner: Span<UInt8>) -> Bool {
    let view = JSONView(Span(_unsafeElements: action))
    let sessionKey = owner.isEmpty ? mainSession : InlineText<256>(cutting: owner)
    let tags = ActionTags(session: sessionKey.span, host: displayName.span, instance: session.identity.id.span)
    var line = ByteWriter(into: pressLine.bytes)
    guard let written = ActionLine.write(view, tags, into: &line) else { return false }
    say(written.name.span, written.leftOut)
    post(written.name.span, line.count, sessionKey)
    return true
  }

  /// Logs that a value was too long for the message to the agent; the message has `_truncated`.
  private func say(_ name: Span<UInt8>, _ leftOut: InlineText<64>) {
    guard !leftOut.isEmpty else { return }
    log.write(.notice, "canvas") { line in
      line.add("action ")
      line.add(name)
      line.add(": its context is too long for the agent, ")
      line.add(leftOut.span)
      line.add(" is left out")
    }
  }

  /// Posts the message in `pressLine`.
  private func post(_ name: Span<UInt8>, _ count: Int, _ sessionKey: InlineText<256>) {
    let text = UnsafeBufferPointer(pressLine.bytes).extracting(0..<count)
    let id = UUIDText.make(random)
    commands.presses.post(name) { writer in
      writer.key("message")
      writer.string(text.span)
      writer.key("sessionKey")
      writer.string(sessionKey.span)
      writer.key("thinking")
      writer.string("low")
      writer.key("deliver")
      writer.bool(false)
      writer.key("key")
      writer.string(id.span)
    }
  }

  private var mainSession: InlineText<256> {
    session.hello.mainSession.isEmpty ? InlineText<256>(cutting: "main") : session.hello.mainSession
  }

  /// Three fingers do the same as the button: the same gesture releases the board.
  func panicWanted() { panic.toggle("by three fingers on the screen") }
}
