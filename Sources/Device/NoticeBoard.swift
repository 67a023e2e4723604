import Runtime

/// Shows notifications: each as a line of the log, which truncates it, and the most urgent one until it is acknowledged
/// or expires. Of two with the same level the newer one is kept.
public final class NoticeBoard: Notifier {
  /// The notification that is shown.
  public struct Notice: Sendable {
    public let level: AttentionLevel
    /// Title and body on one line, as much as there is room for.
    public let text: InlineText<160>
    /// The monotonic instant in milliseconds.
    public let postedAt: Int64
  }

  /// The current notification.
  public private(set) var notice: Notice?
  private let clock: any Clock
  private let log: Log
  /// Called with each notification, for a screen.
  public var shown: ((Notification) -> Void)?

  /// No notification. Writes to `log`.
  @export(interface)
  public init(clock: any Clock, log: Log) {
    precondition(Budget.noticeBytes == 160)
    self.clock = clock
    self.log = log
  }

  public func notify(_ notification: Notification) {
    log.write(.notice, "notify") { Self.write(notification, to: &$0) }
    show(notification)
  }

  /// Shows what a person wanted to be reminded of, which the log does not get.
  public func remind(_ text: UnsafeBufferPointer<UInt8>) {
    let title: StaticString = "Reminder"
    show(Notification(title: title.bytes, body: text, hasSound: true, priority: .active, attention: .active))
  }

  private func show(_ notification: Notification) {
    shown?(notification)
    if let notice, notice.level > notification.attention { return }
    var text = InlineText<160>()
    text.fill { buffer in
      var line = LogLine(buffer)
      Self.write(notification, to: &line)
      return Self.wholeCharacters(buffer, line.count)
    }
    notice = Notice(level: notification.attention, text: text, postedAt: clock.monotonic)
  }

  private static func write(_ notification: Notification, to line: inout LogLine) {
    line.add(notification.title)
    if !notification.title.isEmpty, !notification.body.isEmpty { line.add(" - ") }
    line.add(notification.body)
  }

  /// The length of a text without an incomplete last character.
  private static func wholeCharacters(_ text: UnsafeMutableBufferPointer<UInt8>, _ count: Int) -> Int {
    guard count == text.count else { return count }
    var start = count - 1
    while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
    let lead = text[start]
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    return count - start == length ? count : start
  }

  /// Acknowledges the notification. False when there is none.
  @discardableResult
  public func acknowledge() -> Bool {
    defer { notice = nil }
    return notice != nil
  }

  /// When `advance` wants to be called.
  public var nextDeadline: Int64? { notice.map { $0.postedAt + $0.level.lifetime } }

  /// Removes an expired notification.
  public func advance(to now: Int64) {
    if let deadline = nextDeadline, now >= deadline { notice = nil }
  }
}
