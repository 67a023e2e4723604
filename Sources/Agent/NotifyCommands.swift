import Codec
import Device
import Runtime

/// `system.notify`, shown by whatever the board has to show it with.
final class NotifyCommands: CommandHandler {
  static let rows = [CommandRow("system.notify", limit: Budget.runningInvokes, hasSideEffects: true)]

  private let router: Router
  private let reader = NotificationReader()
  private let notifier: any Notifier

  init(notifier: any Notifier, router: Router) {
    self.notifier = notifier
    self.router = router
  }

  func begin(
    _ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64
  ) {
    do throws(NotificationError) {
      try notifier.notify(reader.read(copy parameters))
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

  /// Never runs longer than `begin`.
  func cancel(_ token: InvokeToken) {}
}
