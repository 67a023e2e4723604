import Codec
import Device
import Gateway
import Motion
import Node
import Runtime

/// Which jolts are reported to the gateway's agent.
public enum JoltNews: Sendable {
  case none, falls, all
}

/// `motion.activity` and `motion.pedometer`, answered by the motion service, and reports of jolts.
public final class MotionPart: Part, CommandHandler, MotionDelegate {
  private static let rows = [
    CommandRow("motion.activity", limit: Budget.runningInvokes),
    CommandRow("motion.pedometer", limit: Budget.runningInvokes),
  ]
  private static let commands: [MotionCommand] = [.activity, .pedometer]

  private let router: Router
  /// The motion service.
  public let service: MotionService
  private let outbox: Outbox
  private let news: JoltNews
  private let clock: any Clock
  private let list: ActivityList
  /// What a hard shake holds; outlives this.
  private unowned(unsafe) let panic: any PanicSwitch

  /// A part that reads no sensor until `start`. `outbox` takes the events of jolts. `panic` outlives the part.
  @export(interface)
  public init(
    _ service: MotionService, router: Router, outbox: Outbox, news: JoltNews, panic: any PanicSwitch, clock: any Clock
  ) throws(Errno) {
    self.service = service
    self.router = router
    self.outbox = outbox
    self.news = news
    self.panic = panic
    self.clock = clock
    list = try ActivityList()
    super.init()
    service.delegate = self
  }

  // MARK: Part

  public override var declarationPlace: Int { 3 }

  public override func addCommands(to router: Router) { router.add(Self.rows, capability: "motion", self) }

  public override var permission: (name: StaticString, isGranted: Bool)? { ("motion", true) }

  public override var operations: [ControlRow] {
    [
      ControlRow("imu") { (control, call, _) in
        control.finish(call) { self.service.writeReport(to: &$0, now: self.service.now) }
      },
      ControlRow("imu-calibrate") { MotionOperations.calibrate(self.service, $0, $1, $2) },
    ]
  }

  public override func start() { service.start() }

  public override func stop() { service.stop() }

  public override var isStopped: Bool { service.isStopped }

  public override var nextDeadline: Int64? { service.nextDeadline }

  public override func advance(to now: Int64) { service.advance(to: now) }

  public override func report(to report: inout HardwareReport) { report.motion = service.hardware }

  public override var hasFault: Bool {
    if case .lost = service.source { return true }
    return false
  }

  // MARK: CommandHandler

  public func begin(
    _ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64
  ) {
    do throws(MotionError) {
      try service.request(token.number, Self.commands[command], copy parameters)
    } catch {
      router.fail(token, error)
    }
  }

  public func cancel(_ token: InvokeToken) { service.cancel(token.number) }

  // MARK: MotionDelegate

  public func motionAnswered(_ token: Int, _ command: MotionCommand, _ window: MotionWindow) {
    guard command == .activity else {
      return router.succeed(InvokeToken(token)) { service.write(command, window, to: &$0) }
    }
    guard let text = list.fill({ service.write(command, window, to: &$0) }) else {
      return router.fail(InvokeToken(token), MotionError.tooMany)
    }
    if !router.succeed(InvokeToken(token), json: text, delegate: list) { list.blobReleased() }
  }

  /// Jolts reach the gateway's agent as a line in its session, as a phone's notification does: the only event that does
  /// so without starting a run.
  public func felt(_ impact: Impact) {
    guard news == .all || news == .falls && impact.kind == .fall else { return }
    let isFall = impact.kind == .fall
    let name: StaticString = isFall ? "fall" : "bump"
    let title: StaticString = isFall ? "The board fell" : "The board was bumped"
    let text = Self.text(impact)
    text.span.withUnsafeBufferPointer { words in
      outbox.post(Notice("motion", name.bytes, title: title.bytes, text: words, at: impact.time / 1000))
    }
  }

  /// Shaking begins panic and never ends it.
  public func shaken(_ shake: Shake) { panic.holdStill("by a hard shake") }

  /// Text such as "4.2 g after 310 ms of falling".
  private static func text(_ impact: Impact) -> InlineText<64> {
    var text = InlineText<64>()
    text.fill { bytes in
      var writer = ByteWriter(into: bytes)
      let tenths = Int64(clamping: (impact.peak * 10).rounded())
      writer.decimal(tenths / 10)
      writer.text(".")
      writer.decimal(tenths % 10)
      writer.text(" g")
      if impact.weightless > 0 {
        writer.text(" after ")
        writer.decimal(impact.weightless)
        writer.text(" ms of falling")
      }
      return min(writer.count, bytes.count)
    }
    return text
  }
}

/// The text of one long list of activities, lent to the message until it is sent.
private final class ActivityList: BlobDelegate {
  private let buffer: ReservedBuffer
  private var isLent = false

  init() throws(Errno) { buffer = try ReservedBuffer(capacity: Budget.activityListBytes) }

  /// Writes the list; nil while the last one is still being sent.
  func fill(_ write: (inout JSONWriter) -> Void) -> UnsafeBufferPointer<UInt8>? {
    if isLent { return nil }
    var writer = JSONWriter(into: buffer.bytes)
    write(&writer)
    guard writer.isComplete else { return nil }
    isLent = true
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<writer.count])
  }

  func blobRead(upTo count: Int) {}

  func blobReleased() {
    isLent = false
    buffer.release()
  }
}

extension MotionService {
  var hardware: HardwareState {
    switch source {
    case .absent: HardwareState(.absent, detail: "no sensor configured", isPermitted: false)
    case .opening: HardwareState(.absent, detail: "not looked for yet")
    case .open: HardwareState(.ok)
    case .lost(.absent): HardwareState(.absent, detail: "no motion sensor answers")
    case .lost(.noPermission): HardwareState(.error, detail: MotionError.noPermission.wire.text, isPermitted: false)
    case .lost(let error): HardwareState(.error, detail: error.wire.text)
    }
  }
}
