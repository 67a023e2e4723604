// ScreenPart: what is on the board's screen: the canvas commands, fetching of content, recordings, the conversation and
// scripts. It must not know a display driver, and of other parts only `Part` and `ClipEncoderLender`.

import A2UI
import Camera
import Canvas
import Codec
import Consent
import Device
import Gateway
import Graphics
import Node
import Runtime

/// The screen as a part of the agent.
public final class Screen: Part {
  let commands: CanvasCommands
  let recordings: RecordCommands
  let displayName: InlineText<64>
  let notices: NoticeBoard
  unowned(unsafe) let table: PartTable
  unowned(unsafe) let panic: any PanicSwitch
  /// What is asked at the board; nil where nothing is. Outlives the screen.
  unowned(unsafe) let consent: (any ConsentDesk)?
  /// Links that wait for an answer; nil without them. Outlives the screen.
  unowned(unsafe) let links: LinkDesk?
  let clock: any Clock
  let random: any RandomSource
  let log: Log
  private let router: Router
  let parts: CanvasParts
  /// The conversation of people at the screen with the agent; nil without one.
  private(set) var conversation: Conversation?
  let session: Session
  let desk: OperatorDesk?
  /// True while a person holds the board.
  private(set) var isHeld = false
  /// Who talks with people; nil: nobody. Outlives the screen.
  unowned(unsafe) let voice: (any VoiceState)?
  /// The last request of the gateway that somebody has left to others: it and those before it are not shown any more.
  private var lastAside = 0
  /// The message of a press while it is written.
  let pressLine = FixedBuffer(capacity: Budget.a2uiActionCharacters)

  /// What the screen needs from the agent. `table` and `panic` outlive it.
  public struct Surroundings {
    public var displayName: InlineText<64>
    public var session: Session
    public var desk: OperatorDesk?
    public var surface: CanvasSurface
    public var encoder: any ClipEncoderLender
    public var tools: CameraTools
    public var notices: NoticeBoard
    public var table: PartTable
    public var panic: any PanicSwitch
    public var consent: (any ConsentDesk)?
    public var links: LinkDesk?
    public var voice: (any VoiceState)?
    public var router: Router
    public var runner: any JobRunner
    public var clock: any Clock
    public var random: any RandomSource
    public var cryptography: any Cryptography
    public var log: Log

    /// See the properties.
    public init(
      displayName: InlineText<64>, session: Session, desk: OperatorDesk?, surface: CanvasSurface,
      encoder: any ClipEncoderLender, tools: CameraTools,
      notices: NoticeBoard, table: PartTable, panic: any PanicSwitch, router: Router, runner: any JobRunner,
      clock: any Clock, random: any RandomSource, cryptography: any Cryptography, log: Log
    ) {
      self.displayName = displayName
      self.session = session
      self.desk = desk
      self.surface = surface
      self.encoder = encoder
      self.tools = tools
      self.notices = notices
      self.table = table
      self.panic = panic
      self.router = router
      self.runner = runner
      self.clock = clock
      self.random = random
      self.cryptography = cryptography
      self.log = log
    }
  }

  /// A screen that is dark until `start`.
  @export(interface)
  public init(_ parts: CanvasParts, _ agent: Surroundings) throws(Errno) {
    self.parts = parts
    displayName = agent.displayName
    session = agent.session
    desk = agent.desk
    notices = agent.notices
    table = agent.table
    panic = agent.panic
    consent = agent.consent
    links = agent.links
    voice = agent.voice
    clock = agent.clock
    random = agent.random
    log = agent.log
    router = agent.router
    commands = try CanvasCommands(
      parts, surface: agent.surface, router: agent.router, runner: agent.runner, clock: agent.clock, log: agent.log)
    recordings = try RecordCommands(
      commands.face, camera: agent.encoder, tools: agent.tools, router: agent.router, runner: agent.runner,
      clock: agent.clock)
    super.init()
    commands.recordings = recordings
    commands.delegate = self
    commands.host.gateway = self
    if let desk, let page = commands.face.chat {
      conversation = Conversation(
        page, commands.face, desk.makeFeed(), desk.makeDirectory(), title: displayName, clock: clock)
    }
    if let changes = parts.fetching.changes {
      try commands.follow(
        changes, clock: agent.clock, random: agent.random, cryptography: agent.cryptography, log: agent.log)
    }
  }

  /// The gateway's request that is shown: the first that nobody has put aside.
  var shownApproval: Approval? {
    guard let book = desk?.approvals else { return nil }
    for index in 0..<book.count where book[index].number > lastAside { return book[index] }
    return nil
  }

  /// A person leaves a request to others.
  func putAside(_ request: Int) { lastAside = max(lastAside, request) }

  /// Since when people see a question whole, in milliseconds of the monotonic clock; nil: they do not. What is shown on
  /// a display that exists in memory alone is seen by nobody.
  public func readableSince(isLink: Bool, _ number: Int) -> Int64? {
    guard let face = commands.face, face.isSeen, let mode = face.pump.mode, mode.bitsPerPixel > 0 else { return nil }
    return face.overlay.readableSince(isLink ? .link : .use, number)
  }

  /// Opens the screen to another program on the board: returns the delegate for its lines. Before `start`.
  public func openCanvasSocket(_ server: any LineServer) throws(Errno) -> any LineServerDelegate {
    try commands.openCanvasSocket(server, clock: clock, random: random)
  }

  // MARK: Part

  public override var declarationPlace: Int { 5 }

  public override func addCommands(to router: Router) {
    router.add(CanvasCommands.rows, capability: "canvas", commands)
    router.add(SnapshotCommands.rows, capability: "screen", commands.snapshots)
    router.add(RecordCommands.rows, capability: "screen", recordings)
    router.add(forTools: CardCommands.rows, commands.cards)
  }

  public override func start() {
    notices.shown = { [unowned(unsafe) self] in self.commands.face.toast($0.title.span, $0.body.span) }
    commands.face.start()
  }

  public override func stop() {
    recordings.stop()
    commands.face.stop()
  }

  public override var isStopped: Bool { recordings.isAtRest && commands.face.isStopped && !commands.longPush.isPending }

  public override func hold() { isHeld = true }

  public override func letGo() { isHeld = false }

  public override func online(_ session: Session) { commands.presses.online(session) }

  public override func offline() { commands.presses.offline() }

  public override var nextDeadline: Int64? {
    guard commands.face.isHomeVisible, BelievableDate.contains(clock.wall) else { return commands.nextDeadline }
    // The next minute of the clock that home shows.
    return earliest(commands.nextDeadline, clock.monotonic + 60_000 - clock.wall % 60_000)
  }

  public override func advance(to now: Int64) {
    commands.advance(to: now)
    conversation?.update()
    commands.face.say(homeFacts)
    commands.face.say(overlayFacts)
    if notices.notice == nil { commands.face.endToast() }
  }

  public override func report(to report: inout HardwareReport) {
    report.canvas =
      commands.face.pump.mode == nil
      ? HardwareState(.absent, detail: "no display found; pages wait for one") : HardwareState(.ok)
  }
}

extension Screen: CanvasGateway {
  var onlineURL: GatewayURL? { session.onlineURL }

  func isGateway(_ certificate: PeerCertificate) -> Bool { session.isGateway(certificate) }
}
