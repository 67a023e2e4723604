import Codec
import Gateway
import Runtime

extension OperatorDesk {
  /// True when the gateway has granted this scope. A gateway that does not list scopes grants those that were
  /// requested.
  public func isGranted(_ scopes: Scopes) -> Bool {
    guard session.state == .online else { return false }
    let granted = session.hello.scopes
    return granted.isEmpty ? requested.contains(scopes) : granted.contains(scopes)
  }
}

extension Control {
  /// The requests that wait at the gateway for a person.
  func approvals(_ call: Int) {
    guard let book = book(for: call) else { return }
    finish(call) { writer in
      writer.beginObject()
      writer.key("programs")
      writer.bool(book.hasPrograms)
      writer.key("devices")
      writer.bool(book.hasDevices)
      writer.key("leftOut")
      writer.int(Int64(book.leftOut))
      writer.key("failure")
      writer.string(book.failure.span)
      writer.key("approvals")
      writer.beginArray()
      for index in 0..<book.count { write(book[index], to: &writer) }
      writer.endArray()
      writer.endObject()
    }
  }

  private func write(_ approval: Approval, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("name")
    writer.string(approval.name.span)
    writer.key("kind")
    writer.string(approval.kind == .program ? "program" : approval.kind == .device ? "device" : "node")
    writer.key("subject")
    writer.string(approval.subject.span)
    writer.key("isCut")
    writer.bool(approval.isCut)
    writer.key("place")
    writer.string(approval.place.span)
    if approval.until < .max, let now = node.desk?.now {
      writer.key("leftMs")
      writer.int(max(approval.until - now, 0))
    }
    writer.endObject()
  }

  /// `{name, allow}`: a person answers the request of this name, which they have read.
  func answerApproval(_ call: Int, _ request: borrowing JSONView) {
    guard let name = request.member("name"), name.kind == .string, let allows = request.member("allow")?.bool else {
      return refuse(call, "\"name\" is a request's name, and \"allow\" true or false")
    }
    guard let book = book(for: call) else { return }
    guard let approval = book.named(name) else {
      return fail(
        call, DeskFailure("NO_APPROVALS", "no request of this name waits: see talon gateway approvals"))
    }
    if allows, let now = node.desk?.now, now - approval.askedAt < Budget.consentArmMilliseconds {
      return fail(call, DeskFailure("TOO_SOON", "the request has only just come: read it, and answer again"))
    }
    if let failure = book.answer(approval.number, allows: allows) { return fail(call, failure) }
    finishEmpty(call)
  }

  /// The book; nil after ending the call with an error.
  private func book(for call: Int) -> ApprovalBook? {
    guard let desk = desk(for: call) else { return nil }
    guard desk.approvals.isWanted else {
      fail(
        call,
        DeskFailure("NO_APPROVALS", "set approvals = yes in [operator] of talon.conf, then talon reload"))
      return nil
    }
    guard desk.session.state == .online else {
      fail(call, desk.unavailable)
      return nil
    }
    guard desk.approvals.hasPrograms || desk.approvals.hasDevices else {
      fail(
        call,
        DeskFailure(
          "NO_APPROVALS",
          "neither operator.approvals nor operator.pairing is granted: approve the console connection again"
        ))
      return nil
    }
    return desk.approvals
  }
}
