import Runtime

/// Shows notifications as lines of the log, which cuts them to its width.
public final class LogNotifier: Notifier {
  private let log: Log

  /// Writes to `log`.
  public init(log: Log) { self.log = log }

  public func notify(_ notification: Notification) {
    log.write(.notice, "notify") { line in
      line.add(notification.title)
      if !notification.title.isEmpty, !notification.body.isEmpty { line.add(" - ") }
      line.add(notification.body)
    }
  }
}
