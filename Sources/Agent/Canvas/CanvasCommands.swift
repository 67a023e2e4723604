import A2UI
import Canvas
import Codec
import Runtime

/// Told of what a person does at the screen.
protocol CanvasListener: AnyObject {
  /// A button was pressed whose action is for the agent.
  func pressed(_ tree: InstanceTree, _ index: Int)
  func panicWanted()
  #if TALON_SCRIPT
    /// A script does what a press of a button would; `action` is JSON. False: the agent cannot be told.
    func acted(_ action: UnsafeBufferPointer<UInt8>) -> Bool
  #endif
}

/// The commands of capability `canvas`, and the screen's own picture. What changes the screen is answered when it is seen.
final class CanvasCommands: CommandHandler {
  private enum Number: Int { case present, hide, navigate, snapshot, push, pushLines, reset, dump, caps }

  static let rows = [
    CommandRow("canvas.present", limit: Budget.pushInvokes),
    CommandRow("canvas.hide", limit: Budget.pushInvokes),
    CommandRow("canvas.navigate", limit: Budget.pushInvokes),
    CommandRow("canvas.snapshot", limit: Budget.snapshotInvokes),
    CommandRow("canvas.a2ui.push", limit: Budget.pushInvokes, hasSideEffects: true),
    CommandRow("canvas.a2ui.pushJSONL", limit: Budget.pushInvokes, hasSideEffects: true),
    CommandRow("canvas.a2ui.reset", limit: Budget.pushInvokes),
    CommandRow("canvas.a2ui.dump", limit: Budget.pushInvokes),
    CommandRow("canvas.caps", limit: Budget.pushInvokes),
  ]

  /// An invoke whose frame is not seen yet, and its answer.
  private struct Waiting {
    var token: InvokeToken
    var frame: UInt64
  }

  private let router: Router
  private(set) var face: CanvasFace! = nil
  private(set) var snapshots: SnapshotCommands! = nil
  #if TALON_SCRIPT
    /// Nil: scripts are off.
    private(set) var scripts: EvalCommands?
  #endif
  /// Tells the agent of presses. Lives as long as these commands.
  unowned(unsafe) var listener: (any CanvasListener)? {
    didSet {
      #if TALON_SCRIPT
        scripts?.listener = listener
      #endif
    }
  }
  /// The answers of those that wait, each in a part of its own.
  private let answers: ReservedBuffer
  private var counts = InlineArray<12, Int>(repeating: 0)
  private var waiting: [Waiting?]

  init(_ face: CanvasParts, router: Router, runner: any JobRunner, clock: any Clock, log: Log) throws(Errno) {
    self.router = router
    precondition(Self.slots <= 12)
    answers = try ReservedBuffer(capacity: Self.slots * Budget.pushAnswerBytes)
    waiting = Array(repeating: nil, count: Self.slots)
    self.face = try CanvasFace(face, runner: runner, clock: clock, log: log, owner: self)
    snapshots = try SnapshotCommands(self.face, codec: face.snapshots, router: router, runner: runner)
    #if TALON_SCRIPT
      guard let parts = face.scripts else { return }
      scripts = try EvalCommands(
        parts, face: self.face, painter: face.painter, measurer: face.measurer, router: router, clock: clock, log: log)
    #endif
  }

  /// Another page is shown: what scripts made is gone.
  private func resetScripts() {
    #if TALON_SCRIPT
      scripts?.reset()
    #endif
  }

  private var hasScripts: Bool {
    #if TALON_SCRIPT
      return scripts != nil
    #else
      return false
    #endif
  }

  /// Invokes of all commands that may wait at once.
  private static var slots: Int { Budget.runningInvokes }

  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    do throws(CanvasError) {
      guard parameters.isNull || parameters.kind == .object else { throw .noObject }
      switch Number(rawValue: command) {
      case .present: try navigate(token, parameters.member("url"), isPresent: true)
      case .navigate: try navigate(token, parameters.member("url"), isPresent: false)
      case .hide:
        face.hide()
        succeed(token)
      case .snapshot: try snapshots.begin(token, SnapshotParameters(copy parameters, ofScreen: false))
      case .push:
        let hasMessages = parameters.member("messages") != nil
        try push(token, parameters.member(hasMessages ? "messages" : "jsonl"), "messages[] required")
      case .pushLines: try push(token, parameters.member("jsonl"), "jsonl required")
      case .reset:
        resetScripts()
        face.documents.store.reset()
        answer(token, when: face.documentsChanged(isPush: false)) { Self.writeOK(to: &$0) }
      case .dump: router.succeed(token) { self.writeDump(to: &$0) }
      case .caps, nil: router.succeed(token) { self.writeCaps(to: &$0) }
      }
    } catch {
      router.fail(token, error)
    }
  }

  func cancel(_ token: InvokeToken) {
    for slot in waiting.indices where waiting[slot]?.token == token { waiting[slot] = nil }
    snapshots.cancel(token)
  }

  // MARK: Views

  /// Home for an empty address; other content is refused, for nobody could see it.
  private func navigate(_ token: InvokeToken, _ url: JSONView?, isPresent: Bool) throws(CanvasError) {
    guard let url, !url.isNull else {
      guard isPresent else { throw .missing("url required") }
      return answer(token, when: face.present()) { Self.writeOK(to: &$0) }
    }
    guard url.kind == .string else { throw .missing("url must be a string") }
    guard url.equals("") || url.equals("/") else { throw .unsupported }
    resetScripts()
    answer(token, when: face.show(.home)) { Self.writeOK(to: &$0) }
  }

  // MARK: Documents

  private func push(_ token: InvokeToken, _ messages: JSONView?, _ complaint: StaticString) throws(CanvasError) {
    guard let messages, messages.kind == .array || messages.kind == .string else { throw .missing(complaint) }
    let store = face.documents.store
    do throws(PushError) {
      _ = try store.push(messages: messages.rawText)
    } catch {
      return router.fail(token, error)
    }
    answer(token, when: face.documentsChanged(isPush: true)) { store.writeAnswer(into: &$0) }
  }

  // MARK: Answers

  /// Answers when a frame is seen.
  private func answer(_ token: InvokeToken, when frame: UInt64, _ build: (inout JSONWriter) -> Void) {
    if face.pump.isShown(frame) { return router.succeed(token, build) }
    guard let slot = freeSlot else { return router.fail(token, RouterError.busy) }
    var writer = JSONWriter(into: part(slot))
    build(&writer)
    counts[slot] = writer.isComplete ? writer.count : 0
    waiting[slot] = Waiting(token: token, frame: frame)
  }

  private var freeSlot: Int? {
    for slot in waiting.indices where waiting[slot] == nil { return slot }
    return nil
  }

  private func part(_ slot: Int) -> UnsafeMutableBufferPointer<UInt8> {
    answers.bytes.extracting(slot * Budget.pushAnswerBytes..<(slot + 1) * Budget.pushAnswerBytes)
  }

  private func succeed(_ token: InvokeToken) { router.succeed(token) { Self.writeOK(to: &$0) } }

  private static func writeOK(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("ok")
    writer.bool(true)
    writer.endObject()
  }

  private func deliver(_ slot: Int, _ token: InvokeToken) {
    let text = UnsafeBufferPointer(part(slot)).extracting(0..<counts[slot])
    router.succeed(token) { writer in
      text.isEmpty ? Self.writeOK(to: &writer) : writer.raw(text.span)
    }
  }

  // MARK: Facts

  private func writeDump(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("renderer")
    writer.string("native")
    writer.key("a2uiVersion")
    writer.string("0.8")
    writer.key("surfaceCount")
    writer.int(Int64(face.documents.store.count))
    writer.key("surfaces")
    face.documents.store.writeSurfaces(into: &writer)
    writer.key("layout")
    face.documents.writeLayout(to: &writer)
    writer.endObject()
  }

  private func writeCaps(to writer: inout JSONWriter) {
    let mode = face.pump.mode
    writer.beginObject()
    writer.key("renderer")
    writer.string("native")
    writer.key("eval")
    writer.bool(hasScripts)
    writer.key("snapshot")
    writer.bool(true)
    writer.key("navigate")
    writer.bool(false)
    writer.key("a2ui")
    writer.beginObject()
    writer.key("version")
    writer.string("0.8")
    writer.key("push")
    writer.bool(true)
    writer.key("reset")
    writer.bool(true)
    writer.key("introspect")
    writer.bool(true)
    writer.endObject()
    writer.key("display")
    writer.beginObject()
    writer.key("width")
    writer.int(Int64(face.pump.size.width))
    writer.key("height")
    writer.int(Int64(face.pump.size.height))
    writer.key("scale")
    writer.double(Double(face.scale) / 100)
    writer.key("rotation")
    writer.int(Int64(mode?.rotation.rawValue ?? 0))
    writer.key("bpp")
    writer.int(Int64(mode?.bitsPerPixel ?? 0))
    writer.key("driver")
    writer.string(mode?.driver ?? "none")
    writer.endObject()
    writer.endObject()
  }
}

extension CanvasCommands: CanvasFaceOwner {
  func frameShown() {
    for slot in waiting.indices {
      guard let invoke = waiting[slot], face.pump.isShown(invoke.frame) else { continue }
      waiting[slot] = nil
      deliver(slot, invoke.token)
    }
    snapshots.frameShown()
    #if TALON_SCRIPT
      scripts?.frameShown()
    #endif
  }

  func aboutToDraw() {
    #if TALON_SCRIPT
      scripts?.aboutToDraw()
    #endif
  }

  func pressed(_ tree: InstanceTree, _ index: Int) { listener?.pressed(tree, index) }

  func panicWanted() { listener?.panicWanted() }
}
