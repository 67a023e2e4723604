import Codec
import Consent
import Runtime

/// The operations of the local socket: `talon open`.
extension LinkDesk {
  var linkOperations: [ControlRow] {
    [
      ControlRow("link") { self.take($0, $1, $2) },
      ControlRow("link-question") { (control, call, _) in self.tell(control, call) },
      ControlRow("link-answer") { self.answer($0, $1, $2) },
      ControlRow("link-key") { self.giveKey($0, $1, $2) },
    ]
  }

  /// `{text, transfer?, offset?, more?, confirm?}`: a link, or a piece of one. `confirm`: "ask" for a question at the
  /// board, "given" when whoever opens it has said yes; otherwise a link without the board's key is `unconfirmed`.
  private func take(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    guard let piece = request.member("text"), piece.kind == .string else {
      return control.refuse(call, "\"text\" is a link, or a piece of one")
    }
    let offset = request.member("offset")?.int64 ?? 0
    guard transfer.add(piece, number: request.member("transfer")?.int64 ?? 0, offset: offset) else {
      transfer.clear()
      return control.refuse(call, "the pieces of the link do not follow each other, or it has more than 65536 bytes")
    }
    if request.member("more")?.bool == true { return finish(control, call, "more") }
    var confirmation = Confirmation.none
    if let word = request.member("confirm") {
      if word.equals("ask") { confirmation = .asks }
      if word.equals("given") { confirmation = .given(.console) }
    }
    let outcome = open(Span(_unsafeElements: transfer.text), from: .console, confirmation)
    transfer.clear()
    switch outcome {
    case .sent: finish(control, call, "sent")
    case .waits: sending = (control, call)
    case .asked: tell(control, call)
    case .unconfirmed: finish(control, call, "unconfirmed")
    case .refused(let failure): control.fail(call, failure)
    }
  }

  /// Ends a call with the state of its link.
  func finish(_ control: Control, _ call: Int, _ state: StaticString) {
    control.finish(call) { writer in
      writer.beginObject()
      writer.key("state")
      writer.string(state)
      writer.endObject()
    }
  }

  /// What is asked now.
  private func tell(_ control: Control, _ call: Int) {
    guard let question else { return finish(control, call, "none") }
    readAt = readAt ?? clock.monotonic
    let left = max(question.until - clock.monotonic, 0)
    control.finish(call) { writer in
      writer.beginObject()
      writer.key("state")
      writer.string("asked")
      writer.key("name")
      writer.string(question.name.span)
      writer.key("sentence")
      writer.string(question.sentence)
      writer.key("message")
      writer.string(question.message.span)
      writer.key("isCut")
      writer.bool(question.isCut)
      writer.key("link")
      writer.string(question.preview.span)
      writer.key("leftMs")
      writer.int(left)
      writer.endObject()
    }
  }

  /// `{yes, name?}`: answers the question of this name. A no needs none: it sends nothing.
  private func answer(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    guard let yes = request.member("yes")?.bool else { return control.refuse(call, "\"yes\" is true or false") }
    guard let question else {
      return control.fail(call, DeskFailure("NO_QUESTION", "no link waits for an answer at this board"))
    }
    if let name = request.member("name") {
      guard name.equals(question.name.span) else {
        return control.fail(
          call, DeskFailure("NO_QUESTION", "that question is over, and another link waits: talon open yes shows it"))
      }
    } else if yes {
      return control.refuse(call, "\"name\" is the name of the question that was read")
    }
    if yes, clock.monotonic - question.askedAt < Budget.consentArmMilliseconds {
      return control.fail(
        call, DeskFailure("TOO_SOON", "the question has only just appeared: read it, and answer again"))
    }
    answer(yes, to: question.number, by: .console)
    finish(control, call, yes ? "sent" : "refused")
  }

  /// `{renew?}`: the board's own key, which is made when it is asked for first. Told when flash has it.
  private func giveKey(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    guard let keeper else { return control.fail(call, DeskFailure("NO_KEY", "this board keeps no key for links")) }
    guard keying == nil else { return control.fail(call, DeskFailure("BUSY", "the key is being written to flash")) }
    let renews = request.member("renew")?.bool == true
    guard renews || keeper.key.isEmpty else { return tellKey(control, call, keeper) }
    keying = (control, call)
    keeper.renew()
    log.write(.notice, "links", renews ? "the key for links was renewed at the console" : "a key for links was made")
  }

  private func tellKey(_ control: Control, _ call: Int, _ keeper: LinkKeeper) {
    let key = keeper.key
    control.finish(call) { writer in
      writer.beginObject()
      writer.key("key")
      writer.string(key.span)
      writer.endObject()
    }
  }

  func linkKeyKept(_ failure: StoreError?) {
    guard let (control, call) = keying, let keeper else { return }
    keying = nil
    if failure == nil { return tellKey(control, call, keeper) }
    control.fail(call, DeskFailure("NOT_KEPT", "the key could not be written to flash; see talon doctor"))
  }
}
