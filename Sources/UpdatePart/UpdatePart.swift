// UpdatePart: the part of the agent that brings a board to a new system: it asks an update server or a list, gets the
// bundle, has root's side install and try it, and proves or leaves what runs. `Updates` decides what is to be done.

import Codec
import Device
import Fetch
import Gateway
import Node
import Runtime
import Updates

/// Brings the board to a new system; see the head of this file.
public final class UpdatePart: Part, RecordDelegate {
  let settings: UpdateSettings
  let world: UpdateSurroundings
  var clock: any Clock { world.clock }
  var log: Log { world.log }
  private let memory = FixedBuffer(capacity: Budget.updateRecordBytes)
  private let kept: Kept
  var course: UpdateCourse
  private(set) var root: RootLink! = nil
  private(set) var download: BundleDownload! = nil
  private(set) var dialog: ServerDialog! = nil
  /// Tells what only the whole agent knows. Lives as long as the part.
  public unowned(unsafe) var host: (any UpdateHost)?
  /// What waits until the record is on flash.
  private var effect: UpdateEffect?
  /// A request to root's side is on flash, or about to be.
  private var isServing = false
  private var isHeld = false
  var pauses = RetryPause(Budget.updateResume)
  /// The answer that waits for the report of the slots.
  var answer: RootAnswer?
  /// The last trouble that was logged, so that it is logged once.
  private var trouble = UpdateText()
  /// The path of a file that a person gave.
  var localPath = ""
  let talon: InlineText<64>
  let serial: InlineText<64>

  /// A part that does nothing before `start`. `version` is Talon's own.
  @export(interface)
  public init(
    _ settings: UpdateSettings, version: InlineText<64>, surroundings: UpdateSurroundings
  ) throws(Errno) {
    self.settings = settings
    world = surroundings
    (talon, serial) = (version, InlineText(cutting: surroundings.board.serial))
    kept = Kept(
      in: memory.bytes, store: world.board.store, runner: world.runner, clock: world.clock, log: world.log,
      "update", "the record of the update")
    course = UpdateCourse(UpdateRecord(), slots: nil, proof: settings.proof, at: world.clock.monotonic)
    super.init()
    kept.delegate = self
    root = RootLink(world.board.files, runner: world.runner, clock: world.clock, delegate: self)
    download = try BundleDownload(
      world.board.bundles, files: world.board.files, runner: world.runner, clock: world.clock, delegate: self)
    dialog = try ServerDialog(self)
    settings.token.withBytes { if !$0.isEmpty { log.hide($0) } }
  }

  deinit { kept.delegate = nil }

  // MARK: Life

  public override func addCommands(to router: Router) {
    if settings.hasCommand { router.add(Self.rows, capability: "update", self) }
  }

  static let rows = [CommandRow("update.start", limit: 1, hasSideEffects: true)]

  public override var operations: [ControlRow] { controlRows }

  public override func writeStatus(to writer: inout JSONWriter) {
    writer.key("update")
    writeObject(to: &writer)
  }

  public override func report(to report: inout HardwareReport) { fill(&report) }

  public override func start() {
    isServing = true
    course = UpdateCourse(loadRecord(), slots: root.readSlots(), proof: settings.proof, at: clock.monotonic)
    if settings.server.isEmpty { course.abandon(.server) }
    if settings.list.isEmpty { course.abandon(.list) }
    if course.record.state == .trial {
      log.write(.notice, "update") { line in
        line.add("this is the first run of ")
        line.add(self.course.record.release.version.span)
        line.add(", which has to prove itself")
      }
    }
    dialog.start()
    save()
  }

  private func loadRecord() -> UpdateRecord {
    do throws(StoreError) {
      guard let (count, _) = try kept.load("update-state") else { return UpdateRecord() }
      if let record = UpdateRecord(kept.prefix(count).span) { return record }
    } catch {}
    log.write(.warning, "update", "the record of updates cannot be read, and begins anew")
    return UpdateRecord()
  }

  public override func stop() {
    isServing = false
    dialog.stop()
    download.stop()
    root.rest()
  }

  public override func flush() { kept.flush() }

  public override var isStopped: Bool { kept.isSettled && download.isIdle && !root.isPending }

  public override func hold() {
    isHeld = true
    dialog.stop()
    download.stop()
    course.interrupted(pause: 0, at: clock.monotonic)
  }

  public override func letGo() {
    isHeld = false
    dialog.start()
  }

  public override func online(_ session: Session) {
    course.gatewayOpened(at: clock.monotonic)
    save()
  }

  public override func offline() { course.gatewayLost() }

  // MARK: Time

  var scene: UpdateScene {
    UpdateScene(now: clock.monotonic, isBusy: host?.isBusy ?? false, isWindowOpen: minutesUntilWindow == 0)
  }

  /// Minutes until the maintenance window opens; 0 while it is open, or where there is none; nil while the date is not
  /// known.
  private var minutesUntilWindow: Int64? {
    guard let window = settings.window else { return 0 }
    let wall = clock.wall
    guard BelievableDate.contains(wall) else { return nil }
    return window.minutesUntilOpen(localMinutes: wall / 60_000 + world.board.localOffset(wall))
  }

  public override var nextDeadline: Int64? {
    guard isServing, !isHeld else { return earliest(kept.nextDeadline, download.nextDeadline) }
    let now = clock.monotonic
    var next = earliest(kept.nextDeadline, earliest(root.nextDeadline, download.nextDeadline))
    next = earliest(next, dialog.nextDeadline)
    if effect != nil || isWaitingForHost { next = earliest(next, now + Budget.updateAnswerPoll) }
    let opens = minutesUntilWindow.map { now + max($0, 0) * 60_000 }
    let window = course.record.state == .installed && settings.window != nil && opens != now ? opens : nil
    return earliest(next, course.nextDeadline(scene, windowOpensAt: window).map { max($0, now + (canStep ? 0 : 1000)) })
  }

  /// An installed release waits for the board to be idle, or a trial for the gateway's state.
  private var isWaitingForHost: Bool {
    switch course.record.state {
    case .installed: course.order == nil && host?.isBusy == true
    case .trial: true
    default: false
    }
  }

  private var canStep: Bool { effect == nil && !kept.isWriting }

  public override func advance(to now: Int64) {
    kept.advance(to: now)
    download.advance(to: now)
    guard isServing, !isHeld else { return }
    if course.record.state == .trial, let host {
      if host.hasReachedGateway { course.gatewayReached() }
      let words = host.gatewaySentence
      course.gatewayWords = UpdateText(cutting: words.span)
    }
    course.expire(at: now)
    if course.order == nil { root.rest() }
    root.advance(to: now)
    step()
    dialog.advance(to: now)
  }

  /// Begins what is next, after its record is on flash.
  @export(interface)
  func step() {
    guard isServing, !isHeld, effect == nil else { return save() }
    // Of an action that the server took back, or put another in the place of.
    if !course.isDownloading, !download.isIdle { download.stop() }
    if let next = course.next(scene) { effect = next }
    if course.takeRollback() { effect = .request }
    if course.isChanged { return save() }
    perform()
  }

  private func perform() {
    guard let effect else { return }
    switch effect {
    case .download where !download.isIdle, .discard where download == nil: return
    case .test:
      guard host?.testBoard(for: self) == true else { return }
    case .download: beginDownload()
    case .request: ask()
    case .discard: download.discard()
    }
    self.effect = nil
  }

  /// The self-test has ended: a bit for each check that is good, and the words of one that is not.
  public func boardTested(passed: Int64, failed: Span<UInt8>) {
    keepLines()
    course.tested(passed: passed, failed: failed, at: clock.monotonic)
    step()
  }

  // MARK: The record

  func save() {
    if course.isChanged, !kept.isWriting { kept.changed(waits: true) }
  }

  public func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    guard course.isChanged else { return nil }
    let count = course.record.encode(into: bytes)
    course.kept()
    return RecordOrder(("update-state" as StaticString).bytes, count)
  }

  public func recordKept(_ failure: StoreError?) {
    guard failure == nil else { return course.lost() }
    if !course.isChanged { perform() }
  }

  /// Keeps the last lines of the log of a trial: the old system tells them, if it comes to that.
  private func keepLines() {
    guard course.record.state == .trial else { return }
    var lines = InlineText<800>()
    lines.fill { buffer in
      var writer = ByteWriter(into: buffer)
      log.forEachEntry(last: 6, upTo: .warning) { entry in
        guard writer.count + entry.text.count + 1 <= buffer.count else { return }
        writer.bytes(Span(_unsafeElements: entry.text))
        writer.byte(UInt8(ascii: "\n"))
      }
      return writer.count
    }
    course.keep(lines: lines.span)
  }

  /// Something that was in trouble is not any more.
  func wentWell() { trouble.clear() }

  /// Logs a sentence once, until there is another.
  func say(_ level: LogLevel, _ text: UpdateText) {
    if trouble == text { return }
    trouble = text
    log.write(level, "update") { $0.add(text.span) }
  }

  // MARK: Effects

  private func beginDownload() {
    let record = course.record
    if record.origin == .local, record.release.url.span.isPath {
      return download.copy(localPath)
    }
    do throws(WebURLError) {
      let url = try dialog.place(of: record.release.url.span)
      download.start(record.release, url: url, dialog.request(for: url), etag: record.etag.span)
    } catch {
      var text = UpdateText()
      text.fill { buffer in
        var writer = ByteWriter(into: buffer)
        writer.text("the address of the bundle ")
        writer.text(error.text)
        return min(writer.count, buffer.count)
      }
      course.faulted(text, at: clock.monotonic)
    }
  }

  private func ask() {
    keepLines()
    guard let request = course.request(bundlePath: world.board.bundlePath.utf8.span) else { return }
    root.send(request)
  }
}

extension Span where Element == UInt8 {
  /// True for an absolute path.
  var isPath: Bool { count > 0 && self[0] == UInt8(ascii: "/") }
}
