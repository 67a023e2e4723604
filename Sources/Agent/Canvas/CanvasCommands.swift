import A2UI
import Canvas
import Codec
import Fetch
import Gateway
import Runtime

/// Told of what a person does at the screen.
protocol CanvasListener: AnyObject {
  /// A button was pressed whose action is for the agent. `session`: whose page it is, empty: the main session's.
  func pressed(_ tree: InstanceTree, _ index: Int, session: Span<UInt8>)
  func panicWanted()
  #if TALON_SCRIPT
    /// A script does what a press of a button would; `action` is JSON. False: it has no name.
    func acted(_ action: UnsafeBufferPointer<UInt8>, session: Span<UInt8>) -> Bool
  #endif
}

/// Who changes a page.
struct PageAuthor {
  /// The session of the agent; empty: none that said so, which is the main one (node-commands 9).
  var session = InlineText<256>()
  /// Another program at the board.
  var isLocal = false
}

/// The commands of capability `canvas`, and the screen's own picture. What changes the screen is answered when it is seen.
final class CanvasCommands: CommandHandler {
  private enum Number: Int { case present, hide, navigate, snapshot, push, pushLines, reset, dump, caps, draw }

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
    CommandRow("canvas.draw", limit: Budget.pushInvokes, hasSideEffects: true),
  ]

  /// An invoke whose frame is not seen yet, and its answer.
  struct Waiting {
    var token: InvokeToken
    var frame: UInt64
    /// The answer tells what its frame had no room for.
    var isPush = false
    /// The answer is written when all of the page is arranged, and known what limits keep off it.
    var isOpen = false
  }

  let router: Router
  let log: Log
  private(set) var face: CanvasFace! = nil
  private(set) var snapshots: SnapshotCommands! = nil
  /// Recordings of the screen; set once at start, where there is an encoder.
  var recordings: RecordCommands?
  #if TALON_SCRIPT
    /// Nil: scripts are off.
    private(set) var scripts: EvalCommands?
  #endif
  private var drawing: DrawingPage! = nil
  let presses: PressQueue
  /// Minutes that local time is ahead of UTC, at an instant in milliseconds since the Unix epoch.
  let offset: (Int64) -> Int64
  /// Who changed the page last: presses, and what scripts do in place of one, are for them.
  var author = PageAuthor()
  /// For that program; nil: there is no socket for one.
  private(set) var door: CanvasDoor?
  /// The action that the agent works at, until it changes the page.
  var pressed: InlineText<96>?
  private(set) var navigation: Navigation! = nil
  let host: CanvasHost
  /// Tells when what the gateway hosts changes; nil: nobody listens.
  private(set) var changes: LiveReload?
  /// The page that the navigation showed last; see `CanvasFace.pageNumber`.
  var navigatedPage: UInt64 = 0
  /// Tells the agent of presses. Lives as long as these commands.
  unowned(unsafe) var listener: (any CanvasListener)?
  /// The answers of those that wait, each in a part of its own.
  private let answers: ReservedBuffer
  let dumpText: ReservedBuffer
  var isDumpTaken = false
  private var counts = InlineArray<12, Int>(repeating: 0)
  var waiting: [Waiting?]

  init(
    _ face: CanvasParts, surface: CanvasSurface, router: Router, runner: any JobRunner, clock: any Clock, log: Log
  ) throws(Errno) {
    self.router = router
    self.log = log
    host = CanvasHost(surface, allowed: face.fetching.allowed)
    precondition(Self.slots <= 12)
    answers = try ReservedBuffer(capacity: Self.slots * Budget.pushAnswerBytes)
    dumpText = try ReservedBuffer(capacity: Budget.dumpBytes)
    presses = try PressQueue(clock: clock)
    offset = face.offset
    waiting = Array(repeating: nil, count: Self.slots)
    self.face = try CanvasFace(face, host: host, runner: runner, clock: clock, log: log, owner: self)
    let loader = try ContentLoader(
      face.fetching.pages, host: host, codec: face.fetching.pictures, runner: runner, clock: clock)
    navigation = try Navigation(loader, self.face.pictures, measurer: face.measurer, clock: clock)
    navigation.owner = self
    snapshots = try SnapshotCommands(self.face, codec: face.snapshots, router: router, runner: runner, clock: clock)
    presses.owner = self
    drawing = DrawingPage(flow: self.face.documents.flow, pictures: self.face.pictures, clock: clock)
    #if TALON_SCRIPT
      guard let parts = face.scripts else { return }
      scripts = try EvalCommands(
        parts, commands: self, painter: face.painter, measurer: face.measurer, router: router, clock: clock, log: log)
    #endif
  }

  /// Another page is shown: what scripts made is gone.
  private func resetScripts() {
    #if TALON_SCRIPT
      scripts?.reset()
    #endif
  }

  /// Agents may run scripts.
  var hasScripts: Bool {
    #if TALON_SCRIPT
      return scripts != nil
    #else
      return false
    #endif
  }

  /// Listens to the gateway over `transport` while a page that it hosts is shown.
  func follow(
    _ transport: any Transport, clock: any Clock, random: any RandomSource, cryptography: any Cryptography, log: Log
  ) throws(Errno) {
    changes = try LiveReload(
      transport, host: host, clock: clock, random: random, cryptography: cryptography, log: log, owner: self)
  }

  /// Opens the canvas to another program at the board, whose lines `server` brings: `CanvasDoor` is to be its delegate.
  func openDoor(_ server: any LineServer, clock: any Clock, random: any RandomSource) throws(Errno) -> CanvasDoor {
    let door = try CanvasDoor(server: server, router: router, clock: clock, random: random, log: log)
    door.owner = self
    router.locals = door
    self.door = door
    return door
  }

  /// Invokes of all commands that may wait at once.
  private static var slots: Int { Budget.runningInvokes }

  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    takeOwner(Number(rawValue: command), hasAddress: parameters.member("url") != nil)
    do throws(CanvasError) {
      guard parameters.isNull || parameters.kind == .object else { throw .noObject }
      switch Number(rawValue: command) {
      case .present: try navigate(token, parameters.member("url"), isPresent: true, deadline: deadline)
      case .navigate: try navigate(token, parameters.member("url"), isPresent: false, deadline: deadline)
      case .hide:
        navigation.replace()
        face.hide()
        succeed(token)
      case .snapshot: try snapshots.begin(token, SnapshotParameters(copy parameters, ofScreen: false))
      case .push:
        let hasMessages = parameters.member("messages") != nil
        try push(token, parameters.member(hasMessages ? "messages" : "jsonl"), "messages[] required")
      case .pushLines: try push(token, parameters.member("jsonl"), "jsonl required")
      case .reset:
        resetScripts()
        writeOpenAnswer()
        face.documents.store.reset()
        answer(token, when: face.documentsChanged(isPush: false)) { Self.writeOK(to: &$0) }
      case .dump: dump(token)
      case .draw: try draw(token, parameters)
      case .caps, nil: router.succeed(token) { self.writeCaps(to: &$0) }
      }
    } catch {
      router.fail(token, error)
    }
  }

  func cancel(_ token: InvokeToken) {
    for slot in waiting.indices where waiting[slot]?.token == token { waiting[slot] = nil }
    snapshots.cancel(token)
    navigation.cancel(token)
  }

  /// Whoever changes the page owns the presses on it. One who does not say who it is leaves them to the main session, but for
  /// showing what is there already.
  private func takeOwner(_ command: Number?, hasAddress: Bool) {
    switch command {
    case .present where !hasAddress && router.sessionKey.isEmpty && router.isLocal == author.isLocal: return
    case .present, .navigate, .push, .pushLines, .reset, .draw: takeOwner()
    case .hide, .snapshot, .dump, .caps, nil: return
    }
  }

  /// Whoever asks now changes the page.
  func takeOwner() { author = PageAuthor(session: router.sessionKey, isLocal: router.isLocal) }

  // MARK: Time

  /// When `advance` wants to be called.
  var nextDeadline: Int64? {
    var earliest = Int64.max
    if let instant = face.nextDeadline { earliest = min(earliest, instant) }
    if let instant = presses.nextDeadline { earliest = min(earliest, instant) }
    if let instant = door?.nextDeadline { earliest = min(earliest, instant) }
    if let instant = snapshots.nextDeadline { earliest = min(earliest, instant) }
    if let instant = navigation.nextDeadline { earliest = min(earliest, instant) }
    if let instant = recordings?.nextDeadline { earliest = min(earliest, instant) }
    if let instant = changes?.nextDeadline { earliest = min(earliest, instant) }
    #if TALON_SCRIPT
      if let instant = scripts?.nextDeadline { earliest = min(earliest, instant) }
    #endif
    return earliest == .max ? nil : earliest
  }

  /// Lets time pass.
  func advance(to now: Int64) {
    face.advance(to: now)
    presses.advance(to: now)
    door?.advance(to: now)
    snapshots.advance(to: now)
    navigation.advance(to: now)
    recordings?.advance(to: now)
    changes?.advance(to: now)
    #if TALON_SCRIPT
      scripts?.advance(to: now)
    #endif
  }

  // MARK: Views

  /// Home for an empty address; for another, what it names, once it is seen.
  private func navigate(_ token: InvokeToken, _ url: JSONView?, isPresent: Bool, deadline: Int64) throws(CanvasError) {
    guard let url, !url.isNull else {
      guard isPresent else { throw .missing("url required") }
      navigation.replace()
      return answer(token, when: face.present()) { Self.writeOK(to: &$0) }
    }
    guard url.kind == .string else { throw .missing("url must be a string") }
    do throws(ContentError) {
      let isElsewhere = try navigation.take(url)
      resetScripts()
      if isElsewhere { return try navigation.go(token, face.pump.size, deadline: deadline) }
    } catch {
      return router.fail(token, error)
    }
    answer(token, when: face.show(.home)) { Self.writeOK(to: &$0) }
  }

  // MARK: Documents

  private func push(_ token: InvokeToken, _ messages: JSONView?, _ complaint: StaticString) throws(CanvasError) {
    guard let messages, messages.kind == .array || messages.kind == .string else { throw .missing(complaint) }
    let store = face.documents.store
    writeOpenAnswer()
    do throws(PushError) {
      _ = try store.push(messages: messages.rawText)
    } catch {
      return router.fail(token, error)
    }
    if let name = pressed {
      face.say(.updated, name.span)
      pressed = nil
    }
    navigation.replace()
    let frame = face.documentsChanged(isPush: true)
    if face.documents.isPending {
      guard let slot = freeSlot else { return router.fail(token, RouterError.busy) }
      waiting[slot] = Waiting(token: token, frame: frame, isPush: true, isOpen: true)
      return
    }
    face.documents.reportOmissions()
    answer(token, when: frame, isPush: true) { store.writeAnswer(into: &$0) }
  }

  /// Writes the answer of the last push, as far as is known what it has led to: its page is arranged, or another one comes.
  func writeOpenAnswer() {
    for slot in waiting.indices where waiting[slot]?.isOpen == true {
      face.documents.reportOmissions()
      waiting[slot]?.isOpen = false
      var writer = JSONWriter(into: part(slot))
      face.documents.store.writeAnswer(into: &writer)
      counts[slot] = writer.isComplete ? writer.count : 0
    }
  }

  // MARK: Drawings

  /// Elements by coordinates; their page is shown until a push or another page comes.
  private func draw(_ token: InvokeToken, _ parameters: borrowing JSONView) throws(CanvasError) {
    do throws(DrawingError) {
      try drawing.take(parameters)
    } catch {
      return router.fail(token, error)
    }
    navigation.replace()
    answer(token, when: face.show(drawing)) { Self.writeOK(to: &$0) }
  }

  // MARK: Answers

  /// Answers when a frame is seen.
  func answer(_ token: InvokeToken, when frame: UInt64, isPush: Bool = false, _ build: (inout JSONWriter) -> Void) {
    if !isPush, face.pump.isShown(frame) { return router.succeed(token, build) }
    guard let slot = freeSlot else { return router.fail(token, RouterError.busy) }
    var writer = JSONWriter(into: part(slot))
    build(&writer)
    counts[slot] = writer.isComplete ? writer.count : 0
    guard !face.pump.isShown(frame) else { return deliver(slot, Waiting(token: token, frame: frame, isPush: isPush)) }
    waiting[slot] = Waiting(token: token, frame: frame, isPush: isPush)
  }

  private var freeSlot: Int? {
    for slot in waiting.indices where waiting[slot] == nil { return slot }
    return nil
  }

  private func part(_ slot: Int) -> UnsafeMutableBufferPointer<UInt8> {
    answers.bytes.extracting(slot * Budget.pushAnswerBytes..<(slot + 1) * Budget.pushAnswerBytes)
  }

  private func succeed(_ token: InvokeToken) { router.succeed(token) { Self.writeOK(to: &$0) } }

  static func writeOK(warning: StaticString? = nil, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("ok")
    writer.bool(true)
    if let warning {
      writer.key("warnings")
      writer.beginArray()
      writer.string(warning)
      writer.endArray()
    }
    writer.endObject()
  }

  func deliver(_ slot: Int, _ invoke: Waiting) {
    if invoke.isPush, let omission = face.frameOmission {
      counts[slot] = JSONWriter.add(omission, to: part(slot), counts[slot])
    }
    let (token, text) = (invoke.token, UnsafeBufferPointer(part(slot)).extracting(0..<counts[slot]))
    router.succeed(token) { writer in
      text.isEmpty ? Self.writeOK(to: &writer) : writer.raw(text.span)
    }
  }

  // MARK: Facts

  /// A page may be larger than a message that is written at once: it is written into memory that is given back when it is sent.
  private func dump(_ token: InvokeToken) {
    guard !isDumpTaken, !face.documents.isPending else { return router.fail(token, RouterError.busy) }
    var writer = JSONWriter(into: dumpText.bytes)
    writeDump(to: &writer)
    guard writer.isComplete else { return router.fail(token, CanvasError.pageTooLarge) }
    isDumpTaken = true
    let text = UnsafeBufferPointer(dumpText.bytes).extracting(0..<writer.count)
    if !router.succeed(token, json: text, owner: self) { blobReleased() }
  }
}
