import A2UI
import Canvas
import Codec
import Gateway
import Runtime

// Events of the screen, presses and answers.

extension CanvasCommands: CanvasFaceDelegate {
  func frameShown() {
    for slot in waiting.indices {
      guard let invoke = waiting[slot], face.pump.isShown(invoke.frame) else { continue }
      if invoke.isOpen { writeOpenAnswer() }
      waiting[slot] = nil
      deliver(slot, invoke)
    }
    snapshots.frameShown()
    recordings?.frameShown()
    scripts?.frameShown()
  }

  func documentsArranged() { writeOpenAnswer() }

  func aboutToDraw() {
    scripts?.aboutToDraw()
  }

  func pressed(_ tree: InstanceTree, _ index: Int) {
    if cards.take(tree, index) { return }
    face.documents.setBusy(true, tree, index)
    if author.isLocal, let canvasSocket { return canvasSocket.press(tree, index) }
    delegate?.pressed(tree, index, session: author.session.span)
  }

  /// A script acts like a press: the author of the page gets the action. False when the action has no name.
  func acted(_ action: UnsafeBufferPointer<UInt8>) -> Bool {
    if author.isLocal, let canvasSocket { return canvasSocket.act(JSONView(Span(_unsafeElements: action))) }
    return delegate?.acted(action, session: author.session.span) == true
  }

  func panicWanted() { delegate?.panicWanted() }
}

extension CanvasCommands: PressQueueDelegate {
  func pressStatusChanged(_ status: PressStatus, _ name: Span<UInt8>) {
    pressed = status == .working ? InlineText(cutting: name) : nil
    if status != .sending, presses.count == 0 { face.documents.endBusy() }
    face.say(status, name)
  }
}

extension CanvasCommands: BlobDelegate {
  func blobRead(upTo count: Int) {}

  func blobReleased() {
    isDumpTaken = false
    dumpText.release()
  }
}
