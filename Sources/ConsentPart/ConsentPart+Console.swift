import Codec
import Consent
import Node
import Runtime

/// The operations of the local socket: `talon grants` and `talon journal`.
extension ConsentPart {
  var consentOperations: [ControlRow] {
    [
      ControlRow("grants") { (control, call, _) in self.list(control, call) },
      ControlRow("grants-give") { self.give($0, $1, $2) },
      ControlRow("grants-end") { self.take($0, $1, $2) },
      ControlRow("grants-answer") { self.answer($0, $1, $2) },
      ControlRow("journal") { self.show($0, $1, $2) },
    ]
  }

  // MARK: Grants

  private func list(_ control: Control, _ call: Int) {
    let now = clock.monotonic
    control.finish(call) { writer in
      writer.beginObject()
      writer.key("permissions")
      writer.beginArray()
      var rest = known
      while let permission = rest.popFirst() {
        writer.beginObject()
        writer.key("permission")
        writer.string(permission.word)
        writer.key("rule")
        writer.string(settings.rules[permission].word)
        if let grant = table.grant(permission, at: now) { Self.write(grant, at: now, to: &writer) }
        writer.endObject()
      }
      writer.endArray()
      if let question {
        Self.write(question, at: now, to: &writer)
        wasRead(at: now)
      }
      writer.endObject()
    }
  }

  /// The permissions that differ on this board: one camera rule is for every camera.
  var known: PermissionSet { settings.rules.hasFront ? .all : PermissionSet.all.subtracting(.frontCamera) }

  private static func write(_ grant: Grant, at now: Int64, to writer: inout JSONWriter) {
    writer.key("scope")
    writer.string(grant.scope.word)
    writer.key("grantedBy")
    writer.string(grant.source.word)
    writer.key("grantedAtMs")
    writer.int(grant.givenAt)
    writer.key("sameOnly")
    writer.bool(!grant.digest.isEmpty || grant.kinds != .all)
    guard let end = grant.end else { return }
    writer.key("leftMs")
    writer.int(max(end - now, 0))
  }

  private static func write(_ question: ConsentQuestion, at now: Int64, to writer: inout JSONWriter) {
    writer.key("question")
    writer.beginObject()
    writer.key("name")
    writer.string(question.name.span)
    var sentence = InlineText<192>()
    sentence.fill { buffer in
      var line = LogLine(buffer)
      question.writeSentence(to: &line)
      return line.count
    }
    writer.key("sentence")
    writer.string(sentence.span)
    writer.key("what")
    writer.string(question.what.span)
    // Quoted already, so that every program shows the same.
    var about = InlineText<720>()
    about.fill { buffer in
      var line = LogLine(buffer)
      question.subject.write(to: &line)
      return line.count
    }
    writer.key("about")
    writer.string(about.span)
    writer.key("onceOnly")
    writer.bool(question.isOnceOnly)
    writer.key("sameOnly")
    writer.bool(!question.subject.digest.isEmpty)
    writer.key("who")
    if question.isOwnAgent { writer.string("") } else { writer.string(question.who.span) }
    writer.key("purpose")
    writer.string(question.purpose.span)
    writer.key("leftMs")
    writer.int(max(question.until - now, 0))
    writer.endObject()
  }

  /// `{permissions:[…], for}`; `for` is "once", "session", "today", or a number of seconds.
  private func give(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    guard let permissions = permissions(control, call, request) else { return }
    if isHeld {
      return control.fail(call, DeskFailure("HELD", "a person holds this board (panic): talon panic release first"))
    }
    let useless = permissions.subtracting(settings.rules.those(of: permissions, with: .ask))
    if let permission = useless.first {
      let isDenied = settings.rules[permission] == .deny
      return control.fail(
        call,
        DeskFailure("NOT_ASKED") { line in
          line.add(permission.word)
          line.add(isDenied ? " is denied" : " is always allowed")
          line.add(" by [consent] of talon.conf: set it to ask")
        })
    }
    guard let grant = grant(for: request) else {
      return control.refuse(call, "\"for\" is once, session, today, or seconds from 1 to 86400")
    }
    give(permissions, grant)
    list(control, call)
  }

  private func grant(for request: borrowing JSONView) -> Grant? {
    guard let length = request.member("for") else { return ConsentAnswer.minute.grant(by: .console, at: moment) }
    if let seconds = length.int64 {
      guard seconds >= 1, seconds <= Budget.grantMilliseconds / 1000 else { return nil }
      return moment.grant(.until, by: .console, for: seconds * 1000)
    }
    for candidate in ConsentAnswer.allCases where candidate != .no && length.equals(candidate.word) {
      return candidate.grant(by: .console, at: moment)
    }
    return nil
  }

  /// `{permissions:[…]}`
  private func take(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    guard let permissions = permissions(control, call, request) else { return }
    takeBack(permissions, "it was taken back at the console")
    list(control, call)
  }

  /// The permissions of a request; nil, after ending the call with an error, when there are none.
  private func permissions(_ control: Control, _ call: Int, _ request: borrowing JSONView) -> PermissionSet? {
    var found: PermissionSet = []
    if let list = request.member("permissions"), list.kind == .array {
      var elements = list.elements()
      while let element = elements.next() {
        var word = InlineText<16>()
        guard word.fill({ element.copyString(into: $0) }), let permission = Permission.named(word.span) else {
          found = []
          break
        }
        found.insert(PermissionSet(permission == .frontCamera && !settings.rules.hasFront ? .camera : permission))
      }
    }
    if !found.isEmpty { return found }
    control.refuse(
      call,
      "\"permissions\" is a list of camera, camera.front, microphone, location, screen.record, motion, tools, run")
    return nil
  }

  /// `{answer, question?}`: answers the question of this name. A no needs none: it allows nothing.
  private func answer(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    guard let question else {
      return control.fail(call, DeskFailure("NO_QUESTION", "nothing is asked at this board now: see talon grants"))
    }
    let name = request.member("question")
    if let name, !name.equals(question.name.span) {
      return control.fail(
        call, DeskFailure("NO_QUESTION", "that question is over, and another one is asked: see talon grants"))
    }
    guard let word = request.member("answer"), word.kind == .string else {
      return control.refuse(call, "\"answer\" is once, 60s, session, today or no")
    }
    for candidate in ConsentAnswer.allCases where word.equals(candidate.word) {
      if candidate != .no, let failure = unfit(candidate, question, isNamed: name != nil) {
        return control.fail(call, failure)
      }
      answer(candidate, to: question.number, by: .console)
      return list(control, call)
    }
    control.refuse(call, "\"answer\" is once, 60s, session, today or no")
  }

  /// Why this yes of a console does not count; nil: it does.
  private func unfit(_ answer: ConsentAnswer, _ question: ConsentQuestion, isNamed: Bool) -> DeskFailure? {
    if !isNamed {
      return DeskFailure("INVALID_REQUEST", "\"question\" is the name of the question that was read: see talon grants")
    }
    if !isArmed(question) {
      return DeskFailure("TOO_SOON", "the question has only just appeared: read it, and answer again")
    }
    if question.isOnceOnly, answer != .once {
      return DeskFailure("ONCE_ONLY", "not all of it is shown, or words of others led to it: only once is possible")
    }
    return nil
  }

  // MARK: The journal

  /// `{back?}`: the uses before the newest `back`, the newest first; `count` is the number of all.
  private func show(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    guard let journal = journal?.journal else {
      return control.fail(call, DeskFailure("NO_JOURNAL", "no journal is kept: set journal = yes in [consent]"))
    }
    let back = request.member("back")?.int64 ?? 0
    guard back >= 0, back <= Int64(Int32.max) else {
      return control.refuse(call, "\"back\" is a number of entries, 0 for the newest")
    }
    control.finish(call) { writer in
      writer.beginObject()
      writer.key("count")
      writer.int(Int64(journal.count))
      writer.key("uses")
      writer.beginArray()
      for index in 0..<Budget.consentJournalLines {
        guard let use = journal.use(back: Int(clamping: back + Int64(index))) else { break }
        use.write(to: &writer)
      }
      writer.endArray()
      writer.endObject()
    }
  }
}

extension Use {
  /// Writes the entry for people and programs on the board.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("atMs")
    writer.int(wall)
    writer.key("command")
    writer.string(command.span)
    writer.key("permissions")
    writer.beginArray()
    var rest = permissions
    while let permission = rest.popFirst() { writer.string(permission.word) }
    writer.endArray()
    writer.key("count")
    writer.int(Int64(count))
    writer.key("lastedMs")
    writer.int(lasted)
    writer.key("allowedBy")
    switch basis {
    case .file: writer.string("file")
    case .board: writer.string("board")
    case .grant(let scope, let source):
      writer.string(source.word)
      writer.key("scope")
      writer.string(scope.word)
    }
    writer.key("session")
    writer.string(who.span)
    writer.endObject()
  }
}
