import A2UI
import Canvas
import Codec
import Consent
import Fetch
import Gateway
import Node
import Runtime

/// Gets what a person does at the screen.
protocol CanvasDelegate: AnyObject {
  /// A button with an action for the agent was pressed. `session`: the session of the page's author, empty for the main
  /// session.
  func pressed(_ tree: InstanceTree, _ index: Int, session: Span<UInt8>)
  /// A link of a text was pressed.
  func linkPressed(_ text: Span<UInt8>)
  func panicWanted()
  /// Somebody at the screen answers the question of this number.
  func answered(_ answer: ConsentAnswer, to question: Int)
  /// The same for the question about a link.
  func linkAnswered(_ yes: Bool, to question: Int)
  /// Somebody at the screen has answered the gateway's request of this number.
  func approvalAnswered(_ choice: Int, to request: Int)
  func panicTapped()
  /// A script acts like a press; `action` is JSON. False when the action has no name.
  func acted(_ action: UnsafeBufferPointer<UInt8>, session: Span<UInt8>) -> Bool
  /// A person has drawn something: an action as a script's, and its picture.
  func sketched(_ action: UnsafeBufferPointer<UInt8>, _ png: UnsafeBufferPointer<UInt8>, session: Span<UInt8>)
}

/// Scripts that draw on the screen.
protocol PageScripts: AnyObject {
  /// A frame is on the display.
  func frameShown()
  /// A frame is about to be drawn: the only time at which pictures may be released.
  func aboutToDraw()
  /// Another page is shown: the drawings of scripts are gone.
  func reset()
}

/// Who changed a page.
struct PageAuthor {
  /// The agent session; empty when the gateway does not say, for the main session (node-commands 9).
  var session = SessionKey()
  /// True for another program on the board.
  var isLocal = false
}

/// The commands of capability `canvas`, and snapshots of the screen. A command that changes the screen is answered when
/// the change is visible.
final class CanvasCommands: CommandHandler {
  private enum Number: Int { case present, hide, navigate, snapshot, push, pushLines, reset, dump, caps, draw }

  static let rows = [
    CommandRow("canvas.present", limit: Budget.pushInvokes),
    CommandRow("canvas.hide", limit: Budget.pushInvokes),
    CommandRow("canvas.navigate", limit: Budget.pushInvokes),
    CommandRow("canvas.snapshot", limit: Budget.snapshotInvokes, queues: true),
    CommandRow("canvas.a2ui.push", limit: Budget.pushInvokes, hasSideEffects: true),
    CommandRow("canvas.a2ui.pushJSONL", limit: Budget.pushInvokes, hasSideEffects: true),
    CommandRow("canvas.a2ui.reset", limit: Budget.pushInvokes),
    CommandRow("canvas.a2ui.dump", limit: Budget.pushInvokes),
    CommandRow("canvas.caps", limit: Budget.pushInvokes),
    CommandRow("canvas.draw", limit: Budget.pushInvokes, hasSideEffects: true),
  ]

  /// An invoke that waits for its frame, and its answer.
  struct Waiting {
    var token: InvokeToken
    var frame: UInt64
    /// The answer lists what its frame had no room for.
    var isPush = false
    /// The answer is written after the whole page is arranged, when it is known what limits left out.
    var isOpen = false
  }

  let router: Router
  let log: Log
  private(set) var face: CanvasFace! = nil
  private(set) var snapshots: SnapshotCommands! = nil
  /// Recordings of the screen; set once at start, when there is an encoder.
  var recordings: RecordCommands?
  /// Nil without scripts. Outlives these commands.
  unowned(unsafe) var scripts: (any PageScripts)?
  private(set) var drawing: DrawingPage! = nil
  private(set) var video: VideoStream! = nil
  private(set) var cards: CardCommands! = nil
  private(set) var longPush: LongPush! = nil
  let presses: PressQueue
  /// Minutes by which local time is ahead of UTC, at a time in milliseconds since the Unix epoch.
  let offset: (Int64) -> Int64
  /// Who changed the page last: gets presses, and the actions of scripts.
  var author = PageAuthor()
  /// The server for another program on the board; nil without a socket.
  private(set) var canvasSocket: CanvasSocketServer?
  private(set) var navigation: Navigation! = nil
  let host: CanvasHost
  /// Follows changes of what the gateway hosts; nil without a transport.
  private(set) var changes: LiveReload?
  /// The page that the navigation showed last; see `CanvasFace.pageNumber`.
  var navigatedPage: UInt64 = 0
  /// Gets what a person does at the screen. Lives as long as these commands.
  unowned(unsafe) var delegate: (any CanvasDelegate)?
  /// The answers of waiting invokes, each in its own part.
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
    self.face = try CanvasFace(face, host: host, runner: runner, clock: clock, log: log, delegate: self)
    let loader = try ContentLoader(
      face.fetching.pages, host: host, codec: face.fetching.pictures, runner: runner, clock: clock)
    navigation = try Navigation(loader, self.face.pictures, measurer: face.measurer, clock: clock)
    navigation.delegate = self
    snapshots = try SnapshotCommands(self.face, codec: face.snapshots, router: router, runner: runner, clock: clock)
    longPush = try LongPush(self.face.documents.store, runner: runner) { [unowned(unsafe) self] in
      self.longPushEnded()
    }
    presses.delegate = self
    cards = try CardCommands(self, codes: face.codes, router: router)
    drawing = try DrawingPage(flow: self.face.documents.flow, pictures: self.face.pictures, clock: clock)
    video = try VideoStream(
      face.fetching.videos, host: host, codec: face.fetching.pictures, keeper: self.face.pictures, runner: runner,
      clock: clock, log: log)
    video.delegate = self
    drawing.delegate = self
    drawing.video = video
  }

  /// Follows changes over `transport` while a page of the gateway is shown.
  func follow(
    _ transport: any Transport, clock: any Clock, random: any RandomSource, cryptography: any Cryptography, log: Log
  ) throws(Errno) {
    changes = try LiveReload(
      transport, host: host, clock: clock, random: random, cryptography: cryptography, log: log, delegate: self)
  }

  /// Opens the canvas to another program on the board, whose lines `server` reads: the returned `CanvasSocketServer`
  /// must become its delegate.
  func openCanvasSocket(_ server: any LineServer, clock: any Clock, random: any RandomSource) throws(Errno)
    -> CanvasSocketServer
  {
    let canvasSocket = try CanvasSocketServer(server: server, router: router, clock: clock, random: random, log: log)
    canvasSocket.delegate = self
    router.locals = canvasSocket
    self.canvasSocket = canvasSocket
    return canvasSocket
  }

  /// Limit of waiting invokes of all commands.
  private static var slots: Int { Budget.runningInvokes }

  @export(interface)
  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    if isPushing, Self.waits(Number(rawValue: command)) { return router.fail(token, RouterError.busy) }
    let isPresent = command == Number.present.rawValue
    // Not looked for in a push, which may be long.
    setAuthor(Number(rawValue: command), hasAddress: isPresent && parameters.member("url") != nil)
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
      case .push: try push(token, in: parameters, .messages)
      case .pushLines: try push(token, in: parameters, .lines)
      case .reset:
        scripts?.reset()
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

  /// Whether a command changes what is shown, which none may while a worker has the documents.
  private static func waits(_ command: Number?) -> Bool {
    switch command {
    case .present, .hide, .navigate, .push, .pushLines, .reset, .draw: true
    case .snapshot, .dump, .caps, nil: false
    }
  }

  func cancel(_ token: InvokeToken) {
    longPush.forget(token)
    for slot in waiting.indices where waiting[slot]?.token == token { waiting[slot] = nil }
    snapshots.cancel(token)
    navigation.cancel(token)
  }

  /// The author of the last change owns the presses on the page. A command without a session moves them to the main
  /// session, unless it only shows what is already there.
  private func setAuthor(_ command: Number?, hasAddress: Bool) {
    switch command {
    case .present where !hasAddress && router.sessionKey.isEmpty && router.isLocal == author.isLocal: return
    case .present, .navigate, .reset, .draw: setAuthor()
    // A push has its author when it counts.
    case .push, .pushLines, .hide, .snapshot, .dump, .caps, nil: return
    }
  }

  /// The current invoke is the author of the page.
  func setAuthor() { author = caller }

  /// Who sends the current invoke.
  var caller: PageAuthor { PageAuthor(session: router.sessionKey, isLocal: router.isLocal) }

  // MARK: Time

  /// When `advance` is to be called.
  var nextDeadline: Int64? {
    let shown = earliest(earliest(face.nextDeadline, presses.nextDeadline), canvasSocket?.nextDeadline)
    let made = earliest(snapshots.nextDeadline, recordings?.nextDeadline)
    let fetched = earliest(earliest(navigation.nextDeadline, changes?.nextDeadline), video.nextDeadline)
    return earliest(earliest(shown, made), fetched)
  }

  /// Does what is due.
  func advance(to now: Int64) {
    face.advance(to: now)
    presses.advance(to: now)
    canvasSocket?.advance(to: now)
    snapshots.advance(to: now)
    navigation.advance(to: now)
    recordings?.advance(to: now)
    changes?.advance(to: now)
    video.show(face.visiblePage === drawing ? drawing.videoAddress : nil)
    video.advance(to: now)
  }

  // MARK: Views

  /// Shows home for an empty address, otherwise the page of the address once it is visible.
  private func navigate(_ token: InvokeToken, _ url: JSONView?, isPresent: Bool, deadline: Int64) throws(CanvasError) {
    guard let url, !url.isNull else {
      guard isPresent else { throw .missing("url required") }
      navigation.replace()
      return answer(token, when: face.present()) { Self.writeOK(to: &$0) }
    }
    guard url.kind == .string else { throw .missing("url must be a string") }
    do throws(ContentError) {
      let isElsewhere = try navigation.take(url)
      scripts?.reset()
      if isElsewhere { return try navigation.go(token, face.pump.size, deadline: deadline) }
    } catch {
      return router.fail(token, error)
    }
    answer(token, when: face.show(.home)) { Self.writeOK(to: &$0) }
  }

  // MARK: Answers

  /// Completes the answer of the last push, with what is known of its result: its page is arranged, or another one
  /// follows.
  func writeOpenAnswer() {
    for slot in waiting.indices where waiting[slot]?.isOpen == true {
      face.documents.reportOmissions()
      waiting[slot]?.isOpen = false
      var writer = JSONWriter(into: part(slot))
      face.documents.store.writeAnswer(into: &writer)
      counts[slot] = writer.isComplete ? writer.count : 0
    }
  }

  /// Answers when a frame is visible.
  func answer(_ token: InvokeToken, when frame: UInt64, isPush: Bool = false, _ build: (inout JSONWriter) -> Void) {
    if !isPush, face.pump.isShown(frame) { return router.succeed(token, build) }
    guard let slot = freeSlot else { return router.fail(token, RouterError.busy) }
    var writer = JSONWriter(into: part(slot))
    build(&writer)
    counts[slot] = writer.isComplete ? writer.count : 0
    guard !face.pump.isShown(frame) else { return deliver(slot, Waiting(token: token, frame: frame, isPush: isPush)) }
    waiting[slot] = Waiting(token: token, frame: frame, isPush: isPush)
  }

  var freeSlot: Int? {
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

  /// A page may be larger than a message that is written at once: it is written into memory that is released when it is
  /// sent.
  private func dump(_ token: InvokeToken) {
    guard !isDumpTaken, !face.documents.isPending else { return router.fail(token, RouterError.busy) }
    var writer = JSONWriter(into: dumpText.bytes)
    writeDump(to: &writer)
    guard writer.isComplete else { return router.fail(token, CanvasError.pageTooLarge) }
    isDumpTaken = true
    let text = UnsafeBufferPointer(dumpText.bytes).extracting(0..<writer.count)
    if !router.succeed(token, json: text, delegate: self) { blobReleased() }
  }
}
