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

  /// `token`: who is answered when the change is visible; nil for nobody. Not while a worker has the documents.
  func push(
    _ token: InvokeToken?, _ messages: JSONView?, _ complaint: StaticString = "messages[] required"
  ) throws(CanvasError) {
    guard let messages, messages.kind == .array || messages.kind == .string else { throw .missing(complaint) }
    let text = messages.rawText
    writeOpenAnswer()
    if let token, text.count > Budget.pushedAtOnce, begin(token, text) { return }
    if token != nil { setAuthor() }
    do throws(PushError) {
      _ = try face.documents.store.push(messages: text)
    } catch {
      guard let token else { throw .missing("the screen has no room for this") }
      return router.fail(token, error)
    }
    pushed(token)
  }

  /// Lends the documents to a worker. False when none takes the push, so that it is done at once.
  private func begin(_ token: InvokeToken, _ text: Span<UInt8>) -> Bool {
    face.documents.lend()
    guard longPush.begin(text, token, caller) else {
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
      if let token { router.fail(token, refusal) }
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
