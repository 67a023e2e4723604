import Codec
import Device
import Node
import Runtime

/// `system.notify`, shown by the board's notifiers.
public final class NotificationPart: Part, CommandHandler, ReminderNotifier {
  private static let rows = [CommandRow("system.notify", limit: Budget.runningInvokes, hasSideEffects: true)]

  private let router: Router
  private let reader = NotificationReader()
  /// The notifications that want attention.
  public let notices: NoticeBoard

  /// A part that shows nothing yet.
  @export(interface)
  public init(router: Router, clock: any Clock, log: Log) {
    notices = NoticeBoard(clock: clock, log: log)
    self.router = router
  }

  // MARK: Part

  public override var declarationPlace: Int { 4 }

  public override func addCommands(to router: Router) { router.add(Self.rows, capability: "system", self) }

  public override var nextDeadline: Int64? { notices.nextDeadline }

  public override func advance(to now: Int64) { notices.advance(to: now) }

  // MARK: ReminderNotifier

  public func remind(_ text: UnsafeBufferPointer<UInt8>) { notices.remind(text) }

  // MARK: CommandHandler

  public func begin(
    _ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64
  ) {
    do throws(NotificationError) {
      try notices.notify(reader.read(copy parameters))
      router.succeed(token) { writer in
        writer.beginObject()
        writer.key("ok")
        writer.bool(true)
        writer.endObject()
      }
    } catch {
      router.fail(token, error)
    }
  }

  /// The command is answered within `begin`, so there is nothing to cancel.
  public func cancel(_ token: InvokeToken) {}
}
