import A2UI
import Canvas
import Codec
import Consent
import Graphics
import Runtime

// Input of people, which waits while documents are being changed and arranged.

extension CanvasFace: InputDelegate {
  func input(_ event: InputEvent, at instant: Int64) {
    if case .pointer(let what, let id, let place) = event {
      watch.feed(what, id: id, place, at: instant) { handle($0, at: instant) }
    }
    let (wakes, isSpent) = blanker.take(event, at: instant)
    if wakes { light() }
    if cursor.take(event, at: instant), isSeen { pump.request() }
    if isSpent { return }
    if case .pointer(let what, let id, let place) = event {
      if what == .down, overlay.showCountdown(at: instant) { overlayChanged() }
      if overlay.isAsking {
        // A frame that the display has dropped is shown again as soon as somebody looks for it.
        if overlay.isUnseen, isSeen { pump.request() }
        answer(what, id: id, place, at: instant)
        return cancelPointer(id, place, at: instant)
      }
      if what == .down, overlay.takes(place) { return endToast() }
      if what == .down, overlay.takesChat(place) { return openChat() }
      if overlay.coversAll { return cover(id, place, at: instant) }
    }
    guard !overlay.coversAll else { return }
    if case .key(.chat, true, false, _) = event, view != .chat || isHidden { return openChat() }
    if let page = visiblePage {
      if page.input(event, at: instant) { pump.request() }
      return
    }
    guard view == .documents, isSeen else { return }
    if documents.isPending {
      if wait(event, instant) { return }
      // The queue is full: the events are for the page that is being arranged.
      documents.update()
      documentsArranged()
    }
    input.feed(event, at: instant)
  }

  /// Keeps an event until the documents are arranged; false when there is no room.
  private func wait(_ event: InputEvent, _ instant: Int64) -> Bool {
    // Nobody knows when a worker is done. Of a touch the end counts more than its beginning.
    if documents.isLent, waitingInputs.count == waitingInputs.capacity { _ = waitingInputs.pop() }
    return waitingInputs.push(WaitingInput(event: event, instant: instant))
  }

  /// Something is in front of the whole page, which gets no more of a touch.
  private func cover(_ id: Int, _ place: Point, at instant: Int64) {
    let event = InputEvent.pointer(.cancel, id: id, place)
    if documents.isLent { _ = wait(event, instant) } else { input.feed(event, at: instant) }
  }

  /// A touch while the question is shown, which is meant for it alone.
  private func answer(_ what: InputEvent.Pointer, id: Int, _ place: Point, at instant: Int64) {
    let (request, isMarked) = overlay.touchApproval(what, id: id, place, at: instant)
    if isMarked { overlayChanged() }
    if let (request, choice) = request { delegate.approvalAnswered(choice, to: request) }
    let (answer, isNew) = overlay.touch(what, id: id, place, at: instant)
    if isNew { overlayChanged() }
    guard let (question, choice) = answer else { return }
    if overlay.facts.consent?.kind == .link { return delegate.linkAnswered(choice == 0, to: question) }
    guard choice < ConsentAnswer.allCases.count else { return }
    delegate.answered(ConsentAnswer.allCases[choice], to: question)
  }

  /// The page under the question gets no more of a touch that began before.
  private func cancelPointer(_ id: Int, _ place: Point, at instant: Int64) {
    let event = InputEvent.pointer(.cancel, id: id, place)
    if let page = visiblePage {
      if page.input(event, at: instant) { pump.request() }
    } else if view == .documents, isSeen, !documents.isPending {
      input.feed(event, at: instant)
    }
  }

  /// True while arranging documents takes more than one turn of the loop.
  func arrangeMore() {
    guard documents.isPending, !documents.isLent else { return }
    documents.update(atMost: Budget.arrangedBytes)
    if !documents.isPending { documentsArranged() }
  }

  /// The documents were taken back, changed or not, and updated: what waited for them goes on.
  func documentsReturned() {
    if !documents.isPending { documentsArranged() }
  }

  private func documentsArranged() {
    delegate.documentsArranged()
    while !documents.isPending, let waiting = waitingInputs.pop() {
      if view == .documents, isSeen { input.feed(waiting.event, at: waiting.instant) }
    }
    if view == .documents { pump.request() }
  }

  /// Called before anything else has reacted to what a finger did.
  func handle(_ gesture: PointerGesture, at instant: Int64) {
    if gesture == .panic { delegate.panicWanted() }
    guard tripleTap?.take(gesture, at: instant, isFree: { isFree($0) }) == true else { return }
    delegate.panicTapped()
  }

  /// True where a person sees that nothing reacts to a tap. Not while the screen is dark, which a tap lights, nor while
  /// a page is being arranged, which makes people impatient, nor for the mouse, with which three clicks mark a line.
  private func isFree(_ place: Point) -> Bool {
    guard isSeen, !overlay.coversAll, !overlay.isAsking, !cursor.isAt(place) else { return false }
    if overlay.takes(place) || overlay.takesChat(place) { return false }
    if let page = visiblePage { return !page.reacts(at: place) }
    return view == .documents && !documents.isPending && !documents.reacts(at: place)
  }

  func inputsChanged(hasTouch: Bool, hasKeyboard: Bool, hasKeys: Bool) {
    (self.hasTouch, self.hasKeyboard) = (hasTouch, hasKeyboard)
    input.devicesChanged(hasKeyboard: hasKeyboard)
    if let chat, chat.devicesChanged(hasKeyboard: hasKeyboard) { changed(chat) }
  }
}

extension CanvasFace: PageTouchDelegate {
  func pageChanged() {
    documents.update(atMost: Budget.arrangedBytes)
    pump.request()
  }

  func pressed(_ hit: Hit) {
    if hit.kind == .link { return documents.withLink(hit) { delegate.linkPressed($0) } }
    guard let (tree, index) = documents.instance(hit) else { return }
    if tree.hasAction(index) { return delegate.pressed(tree, index) }
    if let address = tree.openedAddress(index) { delegate.linkPressed(address) }
  }
}
