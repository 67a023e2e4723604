import A2UI
import Canvas
import Codec
import Gateway
import Node
import Runtime

// The loop does short pushes at once. A worker does a long one, and has the documents meanwhile: nobody sees a part of
// it, and what is sent after it waits (`Router.occupy`), so the results are those of pushes that are done at once.

extension CanvasCommands {
  /// True while a worker has the documents.
  var isPushing: Bool { face.documents.isLent }

  /// Applies the messages that `source` says are in the parameters of a command. Not while a worker has the documents.
  func push(_ token: InvokeToken, in parameters: borrowing JSONView, _ source: PushSource) throws(CanvasError) {
    if parameters.tail.count > Budget.pushedAtOnce, begin(token, parameters.tail, source) { return }
    try push(token, source.messages(in: copy parameters))
  }

  /// `token`: who is answered when the change is visible; nil for nobody. Not while a worker has the documents.
  func push(_ token: InvokeToken?, _ messages: borrowing JSONView) throws(CanvasError) {
    if let token, messages.tail.count > Budget.pushedAtOnce, begin(token, messages.tail, .whole) { return }
    writeOpenAnswer()
    if token != nil { setAuthor() }
    do throws(PushError) {
      _ = try face.documents.store.push(messages: messages.rawText)
    } catch {
      guard let token else { throw .missing("the screen has no room for this") }
      return router.fail(token, error)
    }
    pushed(token)
  }

  /// Lends the documents to a worker. False when none takes the push, so that it is done at once.
  private func begin(_ token: InvokeToken, _ text: Span<UInt8>, _ source: PushSource) -> Bool {
    writeOpenAnswer()
    face.documents.lend()
    guard longPush.begin(text, source, token, caller) else {
      face.documents.takeBack()
      return false
    }
    router.occupy()
    return true
  }

  /// The worker is done.
  func longPushEnded() {
    face.documents.takeBack()
    let token = longPush.takeToken()
    if let refusal = longPush.refusal {
      if let token { fail(token, refusal) }
      // Nothing has changed but for the screen, or pictures that have come.
      face.documents.update(atMost: Budget.arrangedBytes)
    } else {
      author = longPush.author
      pushed(token)
    }
    cards.removeClosed()
    face.documentsReturned()
    router.release()
  }

  private func fail(_ token: InvokeToken, _ refusal: LongPush.Refusal) {
    switch refusal {
    case .parameters(let error): router.fail(token, error)
    case .messages(let error): router.fail(token, error)
    }
  }

  /// A push was applied.
  private func pushed(_ token: InvokeToken?) {
    let documents = face.documents
    documents.changePress(to: .updated, isLast: false, at: face.clock.monotonic)
    navigation.replace()
    let frame = face.documentsChanged(isPush: true)
    guard let token else { return }
    if documents.isPending {
      guard let slot = freeSlot else { return router.fail(token, RouterError.busy) }
      waiting[slot] = Waiting(token: token, frame: frame, isPush: true, isOpen: true)
      return
    }
    documents.reportOmissions()
    answer(token, when: frame, isPush: true) { documents.store.writeAnswer(into: &$0) }
  }

  /// Applies messages that only remove. Not while a worker has the documents.
  func remove(_ messages: borrowing JSONView) {
    writeOpenAnswer()
    _ = try? face.documents.store.push(messages: messages.rawText)
    face.documentsChanged(isPush: false)
  }
}
