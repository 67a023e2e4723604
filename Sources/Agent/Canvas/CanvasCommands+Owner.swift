import A2UI
import Canvas
import Codec
import Gateway
import Runtime

// What the screen, presses and answers tell.

extension CanvasCommands: CanvasFaceOwner {
  func frameShown() {
    for slot in waiting.indices {
      guard let invoke = waiting[slot], face.pump.isShown(invoke.frame) else { continue }
      if invoke.isOpen { writeOpenAnswer() }
      waiting[slot] = nil
      deliver(slot, invoke)
    }
    snapshots.frameShown()
    recordings?.frameShown()
    #if TALON_SCRIPT
      scripts?.frameShown()
    #endif
  }

  func documentsArranged() { writeOpenAnswer() }

  func aboutToDraw() {
    #if TALON_SCRIPT
      scripts?.aboutToDraw()
    #endif
  }

  func pressed(_ tree: InstanceTree, _ index: Int) {
    face.documents.setBusy(true, tree, index)
    if author.isLocal, let door { return door.press(tree, index) }
    listener?.pressed(tree, index, session: author.session.span)
  }

  #if TALON_SCRIPT
    /// A script does what a press would: whoever changed the page last is told. False: the action has no name.
    func acted(_ action: UnsafeBufferPointer<UInt8>) -> Bool {
      if author.isLocal, let door { return door.act(JSONView(Span(_unsafeElements: action))) }
      return listener?.acted(action, session: author.session.span) == true
    }
  #endif

  func panicWanted() { listener?.panicWanted() }
}

extension CanvasCommands: PressQueueOwner {
  func pressFares(_ status: PressStatus, _ name: Span<UInt8>) {
    pressed = status == .working ? InlineText(cutting: name) : nil
    if status != .sending, presses.count == 0 { face.documents.endBusy() }
    face.say(status, name)
  }
}

extension CanvasCommands: BlobOwner {
  func blobRead(upTo count: Int) {}

  func blobReleased() {
    isDumpTaken = false
    dumpText.release()
  }
}
