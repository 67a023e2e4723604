import Canvas
import Runtime

// Input of people, which waits while documents are being arranged.

extension CanvasFace: InputDelegate {
  func input(_ event: InputEvent, at instant: Int64) {
    if case .pointer(let what, let id, let place) = event {
      watch.feed(what, id: id, place, at: instant) { handle($0) }
    }
    let (wakes, isSpent) = blanker.take(event, at: instant)
    if wakes { light() }
    if cursor.take(event, at: instant), isSeen { pump.request() }
    if isSpent { return }
    if case .pointer(let what, let id, let place) = event {
      if what == .down, overlay.takes(place) { return endToast() }
      if what == .down, overlay.takesChat(place) { return openChat() }
      if overlay.coversAll { return input.feed(.pointer(.cancel, id: id, place), at: instant) }
    }
    guard !overlay.coversAll else { return }
    if case .key(.chat, true, false, _) = event, view != .chat || isHidden { return openChat() }
    if let page = visiblePage {
      if page.input(event, at: instant) { pump.request() }
      return
    }
    guard view == .documents, isSeen else { return }
    if documents.isPending {
      if waitingInputs.push(WaitingInput(event: event, instant: instant)) { return }
      // The queue is full: the events are for the page that is being arranged.
      documents.update()
      documentsArranged()
    }
    input.feed(event, at: instant)
  }

  /// True while arranging documents takes more than one turn of the loop.
  func arrangeMore() {
    guard documents.isPending else { return }
    documents.update(atMost: Budget.arrangedBytes)
    if !documents.isPending { documentsArranged() }
  }

  private func documentsArranged() {
    delegate.documentsArranged()
    while !documents.isPending, let waiting = waitingInputs.pop() {
      if view == .documents, isSeen { input.feed(waiting.event, at: waiting.instant) }
    }
    if view == .documents { pump.request() }
  }

  func handle(_ gesture: PointerGesture) {
    if gesture == .panic { delegate.panicWanted() }
  }

  func inputsChanged(hasTouch: Bool, hasKeyboard: Bool, hasKeys: Bool) {
    (self.hasTouch, self.hasKeyboard) = (hasTouch, hasKeyboard)
    input.devicesChanged(hasKeyboard: hasKeyboard)
    if let chat, chat.devicesChanged(hasKeyboard: hasKeyboard) { changed(chat) }
  }
}
