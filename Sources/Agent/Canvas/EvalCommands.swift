#if TALON_SCRIPT
  import A2UI
  import Canvas
  import Codec
  import Gateway
  import Runtime
  import Script

  /// What scripts need of the board.
  public struct ScriptParts {
    /// Where they run, and one thread that waits for them.
    public var host: ScriptHost
    public var runner: any JobRunner
    /// Scripts may tell the agent what a press of a button would.
    public var allowsActions: Bool

    /// Parts; see the properties.
    public init(_ host: ScriptHost, runner: any JobRunner, allowsActions: Bool = false) {
      self.host = host
      self.runner = runner
      self.allowsActions = allowsActions
    }
  }

  /// `canvas.eval`: one program after the other, in one context until another page is shown. Answered when what it has drawn is
  /// seen.
  final class EvalCommands: CommandHandler {
    static let rows = [CommandRow("canvas.eval", limit: Budget.evalInvokes)]

    /// An invoke whose program waits, in one of the two places.
    private struct Waiting {
      var token: InvokeToken
      var place: Int
      var count: Int
      var author: PageAuthor
    }

    /// Live longer than these.
    private unowned(unsafe) let commands: CanvasCommands
    private let face: CanvasFace
    private let router: Router
    private let allowsActions: Bool
    private let room: ScriptRoom
    private let page: ScriptPage
    /// Who had the last program run: what it changes later, in timers and frames, is theirs.
    private var author = PageAuthor()
    private let programs: [ReservedBuffer]
    private var waiting: Waiting?
    /// Whose program runs, or whose answer is on its way; its token is nil when nobody waits any more.
    private var current: (token: InvokeToken?, place: Int)?
    /// How it has ended, and the frame that shows what it has drawn.
    private var end: ScriptRoom.End?
    private var frame: UInt64 = 0
    private let answerMemory: ReservedBuffer

    init(
      _ parts: ScriptParts, commands: CanvasCommands, painter: any Painter, measurer: any TextMeasurer, router: Router,
      clock: any Clock, log: Log
    ) throws(Errno) {
      self.commands = commands
      face = commands.face
      self.router = router
      allowsActions = parts.allowsActions
      room = ScriptRoom(parts.host, runner: parts.runner, clock: clock, log: log)
      page = ScriptPage(measurer: measurer, painter: painter)
      let size = Budget.scriptSourceBytes + 1
      programs = [try ReservedBuffer(capacity: size), try ReservedBuffer(capacity: size)]
      // A character of a result has six bytes at most as JSON.
      answerMemory = try ReservedBuffer(capacity: 6 * Budget.scriptResultBytes + 32)
      page.source = room
      room.owner = self
    }

    func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
      do throws(CanvasError) {
        guard parameters.kind == .object else { throw .noObject }
        // The Windows node takes these names, too.
        let names: InlineArray<3, StaticString> = ["javaScript", "script", "javascript"]
        for index in 0..<3 {
          if let program = parameters.member(names[index]) { return try take(program, token) }
        }
        throw .missing("javaScript required")
      } catch {
        router.fail(token, error)
      }
    }

    private func take(_ program: borrowing JSONView, _ token: InvokeToken) throws(CanvasError) {
      guard program.kind == .string, !program.equals("") else { throw .missing("javaScript required") }
      guard waiting == nil else { return router.fail(token, RouterError.busy) }
      let place = current?.place == 0 ? 1 : 0
      let room = programs[place].bytes.extracting(0..<Budget.scriptSourceBytes)
      guard let count = program.copyString(into: room) else { throw .missing("javaScript is longer than 256 KiB") }
      programs[place].bytes[count] = 0
      commands.takeOwner()
      waiting = Waiting(token: token, place: place, count: count, author: commands.author)
      next()
    }

    func cancel(_ token: InvokeToken) {
      if waiting?.token == token { waiting = nil }
      guard current?.token == token else { return }
      current?.token = nil
      room.cancel()
    }

    private func next() {
      guard current == nil, let program = waiting else { return }
      waiting = nil
      current = (program.token, program.place)
      author = program.author
      frame = 0
      room.evaluate(UnsafeBufferPointer(programs[program.place].bytes).extracting(0..<program.count))
    }

    /// The answer is on its way, or nobody wants one.
    private func done() {
      if let current { programs[current.place].release() }
      (current, end) = (nil, nil)
      room.releaseText()
      next()
    }

    // MARK: Answers

    /// What was asked for is on the screen.
    func frameShown() {
      if let end, face.pump.isShown(frame) { answer(end) }
    }

    private func answer(_ end: ScriptRoom.End) {
      guard let token = current?.token else { return done() }
      guard case .outcome(.result) = end else {
        router.fail(token, EvalError(end: end, text: room.text))
        return done()
      }
      var writer = JSONWriter(into: answerMemory.bytes)
      writer.beginObject()
      writer.key("result")
      writer.string(Span(_unsafeElements: room.text))
      writer.endObject()
      let text = UnsafeBufferPointer(answerMemory.bytes).extracting(0..<writer.count)
      self.end = nil
      if !router.succeed(token, json: text, owner: self) { blobReleased() }
    }

    // MARK: Life

    /// Another page is shown: scripts begin anew.
    func reset() { room.reset() }

    /// The one moment at which pictures may be given back.
    func aboutToDraw() {
      if face.page !== page { page.dropPicture() }
    }

    var nextDeadline: Int64? { room.nextDeadline }
    func advance(to now: Int64) { room.advance(to: now) }
    func stop() { room.stop() }
    var isAtRest: Bool { room.isAtRest }
  }

  extension EvalCommands: BlobOwner {
    func blobRead(upTo count: Int) {}

    func blobReleased() {
      answerMemory.release()
      done()
    }
  }

  extension EvalCommands: ScriptOwner {
    var scriptScreen: ScriptScreen { ScriptScreen(face.pump.size, scale: face.scale) }

    /// On its page, or on home, where a drawing would take home's place.
    var isScriptSeen: Bool {
      if !face.isSeen || face.overlay.coversAll { return false }
      return face.view == .home || face.view == .page && face.page === page
    }

    func scriptHasDrawn(isEvaluation: Bool) {
      guard isEvaluation || isScriptSeen else { return }
      commands.author = author
      if face.view == .page, face.page === page, face.isSeen {
        frame = face.changed(page)
      } else {
        commands.navigation.replace()
        frame = face.show(page)
      }
    }

    func evaluationEnded(_ end: ScriptRoom.End) {
      self.end = end
      frameShown()
    }

    func answer(_ request: ScriptRequest) {
      switch request.kind {
      case .push: push(request)
      case .reset:
        commands.author = author
        commands.writeOpenAnswer()
        face.documents.store.reset()
        frame = face.documentsChanged(isPush: false)
      case .surfaces: writeSurfaces(request)
      case .action: send(request)
      }
    }

    private func push(_ request: ScriptRequest) {
      commands.writeOpenAnswer()
      do throws(PushError) {
        _ = try face.documents.store.push(messages: Span(_unsafeElements: request.text))
      } catch {
        return request.fail { error.writeMessage(to: &$0) }
      }
      commands.author = author
      commands.navigation.replace()
      frame = face.documentsChanged(isPush: true)
      writeSurfaces(request)
    }

    private func writeSurfaces(_ request: ScriptRequest) {
      let store = face.documents.store
      request.succeed { store.writeAnswer(into: &$0) }
    }

    private func send(_ request: ScriptRequest) {
      guard allowsActions else {
        return request.fail { $0.text("actions of scripts are off: [canvas] script_actions = on allows them") }
      }
      guard commands.acted(request.text) else {
        return request.fail { $0.text("an action has a name") }
      }
    }
  }

  /// Why a program has no result.
  struct EvalError: WireError {
    let end: ScriptRoom.End
    /// What the script threw.
    let text: UnsafeBufferPointer<UInt8>

    var wire: (code: StaticString, text: StaticString) {
      switch end {
      case .outcome(.tooLarge): ("CANVAS_EVAL_FAILED", "the result has more than 256 KiB")
      case .outcome: ("CANVAS_EVAL_FAILED", "")
      case .timedOut: ("CANVAS_UNAVAILABLE", "the script did not end within 8 seconds")
      case .stopped: ("CANVAS_UNAVAILABLE", "another page was shown before the script had ended")
      case .full: ("CANVAS_EVAL_FAILED", "InternalError: out of memory: a script has 16 MiB")
      case .noMemory: ("CANVAS_UNAVAILABLE", "no memory for a script")
      case .lost: ("CANVAS_EVAL_FAILED", "")
      }
    }

    func writeDetail(to writer: inout ByteWriter) {
      if case .lost(let reason) = end {
        let sentence = reason.sentence("the script's process ")
        return writer.bytes(sentence.span)
      }
      guard case .outcome(.failure(let line)) = end else { return }
      // The whole message has 512 bytes.
      writer.bytes(Span(_unsafeElements: text.extracting(0..<min(text.count, 400))))
      guard line > 0 else { return }
      writer.text(" (line ")
      writer.decimal(Int64(line))
      writer.text(")")
    }
  }
#endif
