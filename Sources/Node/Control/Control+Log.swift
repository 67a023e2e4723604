import Codec
import Runtime

/// The operations on the log.
extension Control {
  /// `{lines?, level?, follow?}`: sends the newest lines of the log as parts of type `line`, then the end. With
  /// `follow` it sends new lines as they are logged, until the client disconnects. `now` is the monotonic time, for the
  /// ages of lines.
  public func log(_ call: Int, _ request: borrowing JSONView, _ log: Log, now: Int64) {
    guard let level = level(request, or: .debug) else { return refuseLevel(call) }
    var count = Int64(Budget.logLines)
    if let member = request.member("lines") {
      guard let value = member.int64, (1...Int64(Budget.logLines)).contains(value) else {
        return refuse(call, "\"lines\" is a number from 1 to 256")
      }
      count = value
    }
    let follows = request.member("follow")?.bool ?? false
    log.forEachEntry(last: Int(count), upTo: level) { sendLine(call, $0, now: now) }
    guard follows else { return endParts(call, "final") }
    calls.follow(call, level)
    log.observer = self
    followedLog = log
  }

  /// A client has disconnected: the log stops calling this object when no follower is left.
  func unfollow() {
    guard let log = followedLog, log.observer === self, !calls.hasFollower else { return }
    log.observer = nil
    followedLog = nil
  }

  /// `{level}`: the least level of the lines that the log keeps from now on.
  public func setLogLevel(_ call: Int, _ request: borrowing JSONView, _ log: Log) {
    guard request.member("level") != nil, let level = level(request, or: .info) else { return refuseLevel(call) }
    log.level = level
    finishEmpty(call)
  }

  private func level(_ request: borrowing JSONView, or usual: LogLevel) -> LogLevel? {
    guard let member = request.member("level") else { return usual }
    for level in LogLevel.all where member.equals(level.word) { return level }
    return nil
  }

  private func refuseLevel(_ call: Int) { refuse(call, "\"level\" is error, warning, notice, info or debug") }

  private func sendLine(_ call: Int, _ entry: LogEntry, now: Int64) {
    sendPart(call, "line") { writer in
      writer.key("level")
      writer.string(entry.level.word)
      writer.key("age")
      writer.int(now - entry.time)
      writer.key("text")
      writer.string(Span(_unsafeElements: entry.text))
    }
  }
}

extension Control: LogDelegate {
  public func logKept(_ line: LogEntry) {
    for index in 0..<calls.capacity {
      if let level = calls[index]?.follows, line.level <= level { sendLine(index, line, now: line.time) }
    }
  }
}
