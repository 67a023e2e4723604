import Codec
import Gateway
import Motion
import Runtime

/// Which jolts are told to the gateway's agent.
public enum JoltNews: Sendable {
  case none, falls, all
}

/// `motion.activity` and `motion.pedometer`, answered by the motion room, and news of jolts.
final class MotionCommands: CommandHandler, MotionDelegate {
  static let rows = [
    CommandRow("motion.activity", limit: Budget.runningInvokes),
    CommandRow("motion.pedometer", limit: Budget.runningInvokes),
  ]
  private static let commands: [MotionCommand] = [.activity, .pedometer]
  /// A fall is still worth a word a day later. Milliseconds.
  private static let newsAge: Int64 = 86_400_000

  private let router: Router
  private let service: MotionService
  private let outbox: Outbox
  private let news: JoltNews
  private let clock: any Clock
  private let list: ActivityList

  init(service: MotionService, router: Router, outbox: Outbox, news: JoltNews, clock: any Clock) throws(Errno) {
    self.service = service
    self.router = router
    self.outbox = outbox
    self.news = news
    self.clock = clock
    list = try ActivityList()
    service.delegate = self
  }

  func begin(
    _ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64
  ) {
    do throws(MotionError) {
      try service.request(token.number, Self.commands[command], copy parameters)
    } catch {
      router.fail(token, error)
    }
  }

  func cancel(_ token: InvokeToken) { service.cancel(token.number) }

  func motionAnswered(_ token: Int, _ command: MotionCommand, _ window: MotionWindow) {
    guard command == .activity else {
      return router.succeed(InvokeToken(token)) { service.write(command, window, to: &$0) }
    }
    guard let text = list.fill({ service.write(command, window, to: &$0) }) else {
      return router.fail(InvokeToken(token), MotionError.tooMany)
    }
    if !router.succeed(InvokeToken(token), json: text, owner: list) { list.blobReleased() }
  }

  /// Jolts reach the gateway's agent as a line in its session, in the words of a phone's notification: the one event that does so without
  /// starting a run of its own.
  func felt(_ impact: Impact) {
    guard news == .all || news == .falls && impact.kind == .fall else { return }
    let isFall = impact.kind == .fall
    let happened = clock.wall - (clock.monotonic - impact.time / 1000)
    _ = outbox.post("notifications.changed", ageLimit: Self.newsAge, hasID: false) { writer in
      writer.key("change")
      writer.string("posted")
      writer.key("key")
      writer.string(isFall ? "talon.motion.fall" : "talon.motion.bump")
      writer.key("packageName")
      writer.string("talon")
      writer.key("postTimeMs")
      writer.int(happened)
      writer.key("isOngoing")
      writer.bool(false)
      writer.key("isClearable")
      writer.bool(true)
      writer.key("title")
      writer.string(isFall ? "The board fell" : "The board was bumped")
      writer.key("text")
      writer.string(Self.text(impact).span)
    }
  }

  /// Such as "4.2 g after 310 ms of falling".
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

/// The text of one long list of activities, lent to the message that it goes out in.
private final class ActivityList: BlobOwner {
  private let buffer: ReservedBuffer
  private var isLent = false

  init() throws(Errno) { buffer = try ReservedBuffer(capacity: Budget.activityListBytes) }

  /// Writes it; nil while the last one is still on its way.
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
