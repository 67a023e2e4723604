import A2UI
import Canvas
import Codec
import Consent
import Gateway
import Node
import Runtime

/// Sends what a person does at the screen to the agent.
extension Screen: CanvasDelegate {
  func pressed(_ tree: InstanceTree, _ index: Int, session owner: Span<UInt8>) {
    guard let name = tree.actionName(index) else { return }
    let sessionKey = owner.isEmpty ? mainSession : SessionKey(cutting: owner)
    let tags = ActionTags(session: sessionKey.span, host: displayName.span, instance: session.identity.id.span)
    var line = ByteWriter(into: pressLine.bytes)
    guard let leftOut = tree.writeLine(index, tags, sendsObscured: false, into: &line) else { return }
    say(name, leftOut)
    post(line.count, sessionKey, ofButton: true)
  }

  func acted(_ action: UnsafeBufferPointer<UInt8>, session owner: Span<UInt8>) -> Bool { act(action, nil, owner) }

  func sketched(_ action: UnsafeBufferPointer<UInt8>, _ png: UnsafeBufferPointer<UInt8>, session owner: Span<UInt8>) {
    _ = act(action, png, owner)
  }

  private func act(
    _ action: UnsafeBufferPointer<UInt8>, _ png: UnsafeBufferPointer<UInt8>?, _ owner: Span<UInt8>
  ) -> Bool {
    let view = JSONView(Span(_unsafeElements: action))
    let sessionKey = owner.isEmpty ? mainSession : SessionKey(cutting: owner)
    let tags = ActionTags(session: sessionKey.span, host: displayName.span, instance: session.identity.id.span)
    var line = ByteWriter(into: pressLine.bytes)
    guard let written = ActionLine.write(view, tags, into: &line) else { return false }
    say(written.name.span, written.leftOut)
    post(line.count, sessionKey, ofButton: false, png: png)
    return true
  }

  /// Logs that a value was too long for the message to the agent; the message has `_truncated`.
  private func say(_ name: Span<UInt8>, _ leftOut: InlineText<64>) {
    guard !leftOut.isEmpty else { return }
    log.write(.notice, "canvas") { line in
      line.add("action ")
      line.add(code: name)
      line.add(": its context is too long for the agent, ")
      line.add(leftOut.span)
      line.add(" is left out")
    }
  }

  /// Posts the message in `pressLine`, with a picture if there is one.
  private func post(
    _ count: Int, _ sessionKey: SessionKey, ofButton: Bool, png: UnsafeBufferPointer<UInt8>? = nil
  ) {
    let text = UnsafeBufferPointer(pressLine.bytes).extracting(0..<count)
    let id = UUIDText.make(random)
    commands.presses.post(ofButton: ofButton) { writer in
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
      if let png { Self.write(png, to: &writer) }
    }
  }

  /// As an attachment of `agent.request` (gateway reference 9.7).
  private static func write(_ png: UnsafeBufferPointer<UInt8>, to writer: inout JSONWriter) {
    writer.key("attachments")
    writer.beginArray()
    writer.beginObject()
    writer.key("type")
    writer.string("image")
    writer.key("mimeType")
    writer.string("image/png")
    writer.key("fileName")
    writer.string("sketch.png")
    writer.key("content")
    writer.base64(png.span)
    writer.endObject()
    writer.endArray()
  }

  private var mainSession: SessionKey {
    session.hello.mainSession.isEmpty ? SessionKey(cutting: "main") : session.hello.mainSession
  }

  func answered(_ answer: ConsentAnswer, to question: Int) { consent?.answer(answer, to: question, by: .screen) }

  func linkAnswered(_ yes: Bool, to question: Int) { links?.answer(yes, to: question, by: .screen) }

  /// A link on a page asks first, whatever it carries. Why it is refused is told where it was pressed.
  func linkPressed(_ text: Span<UInt8>) {
    guard let links, case .refused(let failure) = links.open(text, from: .screen, .asks) else { return }
    let title: StaticString = "The link was not opened"
    commands.face.toast(title.utf8Bytes, failure.sentence.span)
  }

  func approvalAnswered(_ choice: Int, to request: Int) {
    if choice > 1 { return putAside(request) }
    if let failure = desk?.approvals.answer(request, allows: choice == 0) {
      let title: StaticString = "Not answered"
      commands.face.toast(title.utf8Bytes, failure.sentence.span)
    }
  }

  /// Three fingers do the same as the button: the same gesture releases the board.
  func panicWanted() { panic.toggle("by three fingers on the screen") }

  /// Taps begin panic and never end it.
  func panicTapped() { panic.holdStill("by a triple tap on the screen") }
}
