import A2UI
import Canvas
import Codec
import Consent
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
    face.documents.beginPress(tree, index)
    if author.isLocal, let canvasSocket { return canvasSocket.press(tree, index) }
    delegate?.pressed(tree, index, session: author.session.span)
  }

  /// A script acts like a press: the author of the page gets the action. False when the action has no name.
  func acted(_ action: UnsafeBufferPointer<UInt8>) -> Bool {
    if author.isLocal, let canvasSocket { return canvasSocket.act(JSONView(Span(_unsafeElements: action))) }
    return delegate?.acted(action, session: author.session.span) == true
  }

  func linkPressed(_ text: Span<UInt8>) { delegate?.linkPressed(text) }

  func panicWanted() { delegate?.panicWanted() }

  func answered(_ answer: ConsentAnswer, to question: Int) { delegate?.answered(answer, to: question) }

  func linkAnswered(_ yes: Bool, to question: Int) { delegate?.linkAnswered(yes, to: question) }
  func approvalAnswered(_ choice: Int, to request: Int) { delegate?.approvalAnswered(choice, to: request) }
  func panicTapped() { delegate?.panicTapped() }
}

extension CanvasCommands: PressQueueDelegate {
  func pressArrived(ofButton: Bool) { face.say(.working, ofButton: ofButton, isLast: false, reason: noReason) }

  func pressFailed(_ reason: Span<UInt8>, ofButton: Bool, isLast: Bool) {
    face.say(.failed, ofButton: ofButton, isLast: isLast, reason: reason)
  }
}

extension CanvasCommands: BlobDelegate {
  func blobRead(upTo count: Int) {}

  func blobReleased() {
    isDumpTaken = false
    dumpText.release()
  }
}
