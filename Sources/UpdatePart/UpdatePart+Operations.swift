import Codec
import Device
import Fetch
import Node
import Runtime
import Updates

/// What people at the board and the gateway ask of updates, and what they see.
extension UpdatePart {
  /// The operations of the local socket.
  var controlRows: [ControlRow] {
    [
      ControlRow("update") { self.begin($0, $1, $2) },
      ControlRow("update-status") { (control, call, _) in control.finish(call) { self.writeObject(to: &$0) } },
      ControlRow("update-check") { (control, call, _) in self.check(control, call) },
      ControlRow("update-rollback") { (control, call, _) in
        self.carryOut(control, call) { (part, now) throws(UpdateRefusal) in try part.course.rollback(at: now) }
      },
      ControlRow("update-confirm") { (control, call, _) in
        self.carryOut(control, call) { (part, _) throws(UpdateRefusal) in try part.course.confirm() }
      },
      ControlRow("update-cancel") { (control, call, _) in
        self.carryOut(control, call) { (part, now) throws(UpdateRefusal) in _ = try part.cancelUpdate(at: now) }
      },
    ]
  }

  /// `{bundle}`: installs a bundle, from a file of this board or an address.
  private func begin(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    var place = UpdateLink()
    guard let member = request.member("bundle"), place.fill({ member.copyString(into: $0) }), !place.isEmpty else {
      return control.refuse(call, "\"bundle\" is a file's path or an address of at most 1024 bytes")
    }
    carryOut(control, call) { (part, now) throws(UpdateRefusal) in try part.want(place, at: now) }
  }

  /// Begins the update that a person or the gateway wants.
  func want(_ place: UpdateLink, at now: Int64) throws(UpdateRefusal) {
    let isPath = place.span.isPath
    try course.wanted(place.span, at: now)
    download.stop()
    if isPath { localPath = place.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
  }

  private func carryOut(
    _ control: Control, _ call: Int, _ body: (UpdatePart, Int64) throws(UpdateRefusal) -> Void
  ) {
    do throws(UpdateRefusal) {
      try body(self, clock.monotonic)
    } catch {
      return control.fail(call, DeskFailure(error.isTemporary ? "BUSY" : "REFUSED", error.text))
    }
    step()
    control.finish(call) { self.writeObject(to: &$0) }
  }

  private func check(_ control: Control, _ call: Int) {
    guard dialog.hurry() else {
      return control.fail(
        call, DeskFailure("REFUSED", "nothing is asked for updates: set server or url in [update]"))
    }
    control.finish(call) { self.writeObject(to: &$0) }
  }

  /// Ends what is under way, for a person or the server: false when it ends later.
  func cancelUpdate(at now: Int64) throws(UpdateRefusal) -> Bool {
    let isOver = try course.cancel(at: now)
    download.stop()
    return isOver
  }

  // MARK: Reports

  func writeObject(to writer: inout JSONWriter) {
    let record = course.record
    writer.beginObject()
    writer.key("state")
    writer.string(record.state.word)
    if let slots = course.slots {
      writer.key("running")
      writer.string(slots.version.span)
      writer.key("slot")
      writer.string(slots.letter)
      writer.key("isTrial")
      writer.bool(slots.state == .trial)
      if !slots.otherVersion.isEmpty {
        writer.key("other")
        writer.string(slots.otherVersion.span)
        writer.key("otherState")
        writer.string(slots.otherState.word)
      }
    }
    if record.state != .idle {
      text("version", record.release.version.span, &writer)
      if let percent = course.percent {
        writer.key("percent")
        writer.int(percent)
      }
    }
    if record.outcome != .none {
      writer.key("outcome")
      writer.string(record.outcome.word)
      if record.state == .idle { text("outcomeVersion", record.release.version.span, &writer) }
    }
    text("reason", record.reason.span, &writer)
    if settings.isConfigured {
      writer.key("asksInMs")
      writer.int(dialog.wait(at: clock.monotonic))
      writer.key("failures")
      writer.int(Int64(dialog.failures))
    }
    writer.endObject()
  }

  private func text(_ key: StaticString, _ value: Span<UInt8>, _ writer: inout JSONWriter) {
    if value.isEmpty { return }
    writer.key(key)
    writer.string(value)
  }

  func fill(_ report: inout HardwareReport) {
    var update = UpdateReport()
    let record = course.record
    if let slots = course.slots { (update.version, update.slot) = (slots.version, slots.letter) }
    update.state = record.state.word
    if record.state != .idle { update.pending = InlineText(cutting: record.release.version.span) }
    if record.outcome == .failure { update.failure = InlineText(cutting: record.reason.span) }
    report.update = update
  }

  /// What the server and a list have to know of this board.
  var attributes: BoardAttributes {
    var attributes = BoardAttributes()
    attributes.talon = talon
    attributes.serial = serial
    attributes.region = InlineText(cutting: settings.region)
    attributes.version = talon
    if let slots = course.slots {
      attributes.board = slots.board
      attributes.slot = slots.slot
      attributes.version = slots.version
    }
    return attributes
  }

  var query: ReleaseQuery {
    var query = ReleaseQuery()
    query.channel = InlineText(cutting: settings.channel)
    query.key = settings.listKey
    query.highestNumber = course.record.listNumber
    // By a date that is far ahead lists have expired, and nothing is installed.
    query.wall = clock.wall >= Budget.earliestWall ? clock.wall : nil
    query.version = talon
    if let slots = course.slots {
      query.board = slots.board
      query.version = slots.version
    }
    return query
  }
}

// MARK: The node command

extension UpdatePart: CommandHandler {
  /// `update.start`: `{url?}`. Begins what is pending now instead of in its window, or this bundle; where nothing is,
  /// the server or list is asked at once, for the next call. The result is the object of `talon status --json`.
  public func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    guard parameters.isNull || parameters.kind == .object else {
      return world.router.fail(token, UpdateCommandError.notAnObject)
    }
    var place = UpdateLink()
    if let url = parameters.member("url") {
      guard place.fill({ url.copyString(into: $0) }), place.span.hasPrefix(lowercased: "https://") else {
        return world.router.fail(token, UpdateCommandError.address)
      }
    }
    do throws(UpdateRefusal) {
      let now = clock.monotonic
      if place.isEmpty { try course.hurry(at: now) } else { try want(place, at: now) }
    } catch {
      if error == .notOffered, dialog.hurry(pause: Budget.updatePollRange.lowerBound) {
        return world.router.fail(token, UpdateCommandError.asking)
      }
      return world.router.fail(token, UpdateCommandError.refused(error))
    }
    step()
    world.router.succeed(token) { self.writeObject(to: &$0) }
  }

  public func cancel(_ token: InvokeToken) {}
}

/// Why `update.start` was refused.
private enum UpdateCommandError: WireError {
  case notAnObject, address, asking, refused(UpdateRefusal)

  var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .notAnObject: ("INVALID_REQUEST", "parameters must be an object")
    case .asking: ("UNAVAILABLE", "no release is offered; the server is asked now, so try again in a minute")
    case .address: ("INVALID_REQUEST", "url must be an address that begins with https://")
    case .refused(let reason): ("UNAVAILABLE", reason.text)
    }
  }
}
