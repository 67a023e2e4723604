import A2UI
import Canvas
import Codec
import Gateway
import Graphics
import Node
import Runtime
import Script

/// What scripts need.
public struct ScriptParts {
  /// The process in which they run, and a thread that waits for it.
  public var host: ScriptHost
  public var runner: any JobRunner
  /// True when scripts may send actions to the agent.
  public var allowsActions: Bool

  /// The parts; see the properties.
  public init(_ host: ScriptHost, runner: any JobRunner, allowsActions: Bool = false) {
    self.host = host
    self.runner = runner
    self.allowsActions = allowsActions
  }
}

/// `canvas.eval`: one program after the other, in one context until another page is shown. Answered when its drawing is
/// visible.
public final class EvalCommands: Part, CommandHandler, PageScripts {
  static let rows = [CommandRow("canvas.eval", limit: Budget.evalInvokes)]

  /// An invoke whose program waits, in one of the two places.
  private struct Waiting {
    var token: InvokeToken
    var place: Int
    var count: Int
    var author: PageAuthor
  }

  /// Live longer than these commands.
  private unowned(unsafe) let commands: CanvasCommands
  private let face: CanvasFace
  private let router: Router
  private let allowsActions: Bool
  private let room: ScriptScheduler
  private let page: ScriptPage
  /// The author of the last program: owns what it changes later, in timers and frames.
  private var author = PageAuthor()
  private let programs: [ReservedBuffer]
  private var waiting: Waiting?
  /// The invoke whose program runs, or whose answer is being sent; its token is nil when the invoke was canceled.
  private var current: (token: InvokeToken?, place: Int)?
  /// How the program ended, and the frame that shows its drawing.
  private var end: ScriptScheduler.End?
  private var frame: UInt64 = 0
  private let answerMemory: ReservedBuffer

  /// Scripts on this screen.
  @export(interface)
  public convenience init(_ parts: ScriptParts, on screen: Screen, router: Router) throws(Errno) {
    try self.init(
      parts, commands: screen.commands, painter: screen.parts.painter, measurer: screen.parts.measurer, router: router,
      clock: screen.clock, log: screen.log)
  }

  init(
    _ parts: ScriptParts, commands: CanvasCommands, painter: any Painter, measurer: any TextMeasurer, router: Router,
    clock: any Clock, log: Log
  ) throws(Errno) {
    self.commands = commands
    face = commands.face
    self.router = router
    allowsActions = parts.allowsActions
    room = ScriptScheduler(parts.host, runner: parts.runner, clock: clock, log: log)
    page = ScriptPage(measurer: measurer, painter: painter)
    let size = Budget.scriptSourceBytes + 1
    programs = [try ReservedBuffer(capacity: size), try ReservedBuffer(capacity: size)]
    // A character of a result has at most six bytes as JSON.
    answerMemory = try ReservedBuffer(capacity: 6 * Budget.scriptResultBytes + 32)
    super.init()
    page.source = room
    room.delegate = self
    commands.scripts = self
  }

  // MARK: Part

  public override var declarationPlace: Int { 6 }

  public override func addCommands(to router: Router) { router.add(Self.rows, capability: "canvas", self) }

  public override var nextDeadline: Int64? { room.nextDeadline }

  public override func advance(to now: Int64) { room.advance(to: now) }

  public override func stop() { room.stop() }

  public override var isStopped: Bool { room.isAtRest }

  // MARK: CommandHandler

  @export(interface)
  public func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    do throws(CanvasError) {
      guard parameters.kind == .object else { throw .noObject }
      // The Windows node accepts these names, too.
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
    commands.setAuthor()
    waiting = Waiting(token: token, place: place, count: count, author: commands.author)
    next()
  }

  public func cancel(_ token: InvokeToken) {
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

  /// True when the answer is being sent, or not needed.
  private func done() {
    if let current { programs[current.place].release() }
    (current, end) = (nil, nil)
    room.releaseText()
    next()
  }

  // MARK: Answers

  /// The awaited frame is on the screen.
  func frameShown() {
    if let end, face.pump.isShown(frame) { answer(end) }
  }

  private func answer(_ end: ScriptScheduler.End) {
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
    if !router.succeed(token, json: text, delegate: self) { blobReleased() }
  }

  // MARK: Life

  /// Another page is shown: the context of scripts is reset.
  func reset() { room.reset() }

  /// The only time at which pictures may be released.
  func aboutToDraw() {
    if face.page !== page { page.dropPicture() }
  }

}

extension EvalCommands: BlobDelegate {
  public func blobRead(upTo count: Int) {}

  public func blobReleased() {
    answerMemory.release()
    done()
  }
}

extension EvalCommands: ScriptDelegate {
  public var scriptScreen: ScriptScreen { ScriptScreen(face.pump.size, scale: face.scale) }

  /// On its page, or on home, which a drawing would replace.
  public var isScriptVisible: Bool {
    if !face.isSeen || face.overlay.coversAll { return false }
    return face.view == .home || face.view == .page && face.page === page
  }

  public func scriptHasDrawn(isEvaluation: Bool) {
    guard isEvaluation || isScriptVisible else { return }
    commands.author = author
    if face.view == .page, face.page === page, face.isSeen {
      frame = face.changed(page)
    } else {
      commands.navigation.replace()
      frame = face.show(page)
    }
  }

  public func evaluationEnded(_ end: ScriptScheduler.End) {
    self.end = end
    frameShown()
  }

  public func answer(_ request: ScriptRequest) {
    if commands.isPushing { return request.fail { $0.text("the screen takes a long push: try again") } }
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
  let end: ScriptScheduler.End
  /// The exception that the script threw. Valid while the answer is written; errors never leave the loop's thread.
  nonisolated(unsafe) let text: UnsafeBufferPointer<UInt8>

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
