import CLinux

/// Severity of a line, with the numbers of syslog and journald (`sd-daemon(3)`).
public enum LogLevel: Int, Comparable, Sendable {
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6
  case debug = 7

  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

  /// The level of a configuration word: "error", "warning", "notice", "info", "debug".
  public init?(word: String) {
    switch word {
    case "error": self = .error
    case "warning": self = .warning
    case "notice": self = .notice
    case "info": self = .info
    case "debug": self = .debug
    default: return nil
    }
  }

  /// The word of the configuration.
  public var word: StaticString {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .notice: "notice"
    case .info: "info"
    case .debug: "debug"
    }
  }

  public static let all: [LogLevel] = [.error, .warning, .notice, .info, .debug]
}

/// Gets each line that the log keeps.
public protocol LogDelegate: AnyObject {
  /// A line was kept. Lines that are written during the call are kept without another call.
  func logKept(_ line: LogEntry)
}

/// One line of the log, valid during the call that passes it.
public struct LogEntry {
  public let level: LogLevel
  /// The line without its level: `module: text`.
  public let text: UnsafeBufferPointer<UInt8>
  /// When it was kept, a monotonic instant in milliseconds; 0 in a log without a clock.
  public let time: Int64
}

/// The log: a bounded ring of the last lines, also written to a descriptor in journald's form (`<6>gateway:
/// connected`). Secrets given to `hide` never appear in either. A line that repeats the previous one within a minute is
/// only counted, so that no peer can fill a journal with one sentence.
///
/// Belongs to the loop's thread. A job logs in its `finish`.
public final class Log {
  /// Lines above this level are dropped.
  public var level: LogLevel
  private let output: Descriptor?
  private let lines: FixedBuffer
  private let lengths: UnsafeMutableBufferPointer<Int>
  private let times: UnsafeMutableBufferPointer<Int64>
  /// Longer than a line: secrets are hidden before the line is cut, so that no half of a secret is missed.
  private let scratch = FixedBuffer(capacity: 4 * Budget.logLineBytes)
  private var redactor = Redactor()
  private var next = 0
  private var repeats: UInt64 = 0
  private let clock: (any Clock)?
  private var lastKept: Int64 = 0
  /// Milliseconds in which a repeated line is only counted.
  static let repeatPeriod: Int64 = 60_000
  /// Lines written since start, including those that the ring no longer holds.
  public private(set) var written: UInt64 = 0
  /// Gets each kept line; must set this to nil before it is released.
  public unowned(unsafe) var observer: (any LogDelegate)?

  /// A log that writes to `output` (standard error), or only keeps its ring when there is none. Without a clock,
  /// repeats are counted whatever time has passed.
  @export(interface)
  public init(level: LogLevel = .info, output: Descriptor? = Descriptor(2), clock: (any Clock)? = nil) {
    self.level = level
    self.clock = clock
    self.output = output
    lines = FixedBuffer(capacity: Budget.logLines * Budget.logLineBytes)
    lengths = .allocate(capacity: Budget.logLines)
    lengths.initialize(repeating: 0)
    times = .allocate(capacity: Budget.logLines)
    times.initialize(repeating: 0)
  }

  deinit {
    lengths.deallocate()
    times.deallocate()
  }

  /// Replaces `secret` by "[hidden]" in all later lines.
  public func hide(_ secret: UnsafeBufferPointer<UInt8>) { redactor.add(secret) }

  /// The same for a secret that replaces `old`, which is no longer valid.
  public func hide(_ secret: UnsafeBufferPointer<UInt8>, insteadOf old: UnsafeBufferPointer<UInt8>) {
    redactor.add(secret, insteadOf: old)
  }

  /// Writes one line: `room` is the module that it begins with, `build` adds the text.
  @export(interface)
  public func write(_ level: LogLevel, _ room: StaticString, _ build: (inout LogLine) -> Void) {
    if level > self.level { return }
    var line = LogLine(scratch.bytes)
    line.add("<")
    line.add(level.rawValue)
    line.add(">")
    line.add(room)
    line.add(": ")
    build(&line)
    let redacted = redactor.redact(scratch.bytes, count: line.count)
    let count = Self.cut(scratch.bytes, redacted, to: Budget.logLineBytes - 1)
    if isRepeat(count) { return repeats += 1 }
    if repeats > 0 { keepRepeats(next: count) }
    lastKept = clock?.monotonic ?? 0
    keep(scratch.bytes, count)
  }

  private func isRepeat(_ count: Int) -> Bool {
    guard written > 0 else { return false }
    if let clock, clock.monotonic - lastKept >= Self.repeatPeriod { return false }
    let last = (next + Budget.logLines - 1) % Budget.logLines
    guard lengths[last] == count else { return false }
    let start = last * Budget.logLineBytes
    for index in 0..<count where lines.bytes[start + index] != scratch.bytes[index] { return false }
    return true
  }

  /// Logs how often the last line was repeated, built in the scratch buffer after the line that is about to be kept.
  private func keepRepeats(next count: Int) {
    let rest = UnsafeMutableBufferPointer(rebasing: scratch.bytes[Budget.logLineBytes...])
    var line = LogLine(rest)
    line.add("<6>log: the last line was repeated ")
    line.add(Int(clamping: repeats))
    line.add(repeats == 1 ? " time" : " times")
    repeats = 0
    keep(rest, line.count)
  }

  /// Shortens a line to `limit` bytes, at a character boundary; it then ends in "...".
  private static func cut(
    _ line: UnsafeMutableBufferPointer<UInt8>, _ count: Int, to limit: Int
  ) -> Int {
    guard count > limit else { return count }
    var end = limit - 3
    // A character has at most 3 continuation bytes; text that is not UTF-8 may have more in a row.
    while end > limit - 6, line[end] & 0xC0 == 0x80 { end -= 1 }
    for offset in 0..<3 { line[end + offset] = UInt8(ascii: ".") }
    return end + 3
  }

  /// Writes one fixed line.
  public func write(_ level: LogLevel, _ room: StaticString, _ text: StaticString) {
    write(level, room) { $0.add(text) }
  }

  /// Keeps the line at the start of `bytes`, which have room for one more byte.
  private func keep(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ count: Int) {
    let slot = lines.bytes.baseAddress! + next * Budget.logLineBytes
    slot.update(from: bytes.baseAddress!, count: count)
    lengths[next] = count
    times[next] = lastKept
    let entry = entry(next)
    next = (next + 1) % Budget.logLines
    written += 1
    write(bytes, count)
    if let observer {
      self.observer = nil
      observer.logKept(entry)
      self.observer = observer
    }
  }

  private func write(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ count: Int) {
    guard let output else { return }
    // When the pipe is full the line is dropped, so that the agent does not block: standard error is shared with other
    // processes and so cannot be made non-blocking.
    guard tl_poll(output.number, UInt32(TL_OUT), -1, 0) == 1 else { return }
    // One write per line keeps lines whole between processes.
    bytes[count] = UInt8(ascii: "\n")
    _ = tl_write(output.number, bytes.baseAddress, numericCast(count + 1))
  }

  /// Calls `body` with each line in the ring, oldest first, `<level>` included.
  public func forEachLine(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    forEachIndex { body(line($0)) }
  }

  /// Calls `body` with the last `count` lines up to this level, oldest first.
  public func forEachEntry(last count: Int, upTo level: LogLevel, _ body: (LogEntry) -> Void) {
    var surplus = -count
    forEachIndex { if entry($0).level <= level { surplus += 1 } }
    forEachIndex { index in
      let entry = entry(index)
      guard entry.level <= level else { return }
      if surplus <= 0 { body(entry) }
      surplus -= 1
    }
  }

  /// The number of the oldest line in the ring; lines are counted from 0.
  public var oldest: UInt64 { written - min(written, UInt64(Budget.logLines)) }

  /// The line of a number, valid until the next one is written; nil when the ring does not hold it.
  public func entry(_ number: UInt64) -> LogEntry? {
    guard number >= oldest, number < written else { return nil }
    let age = Int(written - number)
    return entry((next - age + Budget.logLines) % Budget.logLines)
  }

  private func forEachIndex(_ body: (Int) -> Void) {
    let kept = Int(min(written, UInt64(Budget.logLines)))
    for age in stride(from: kept, to: 0, by: -1) { body((next - age + Budget.logLines) % Budget.logLines) }
  }

  private func line(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: lines.bytes.baseAddress! + index * Budget.logLineBytes, count: lengths[index])
  }

  /// Every line begins with its level, `<6>`.
  private func entry(_ index: Int) -> LogEntry {
    let line = line(index)
    let level = LogLevel(rawValue: Int(line[1]) - Int(UInt8(ascii: "0"))) ?? .error
    return LogEntry(level: level, text: UnsafeBufferPointer(rebasing: line[3...]), time: times[index])
  }
}
