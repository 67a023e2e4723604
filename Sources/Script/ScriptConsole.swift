import Runtime

/// Console output of scripts, kept by the worker until the loop writes it to the log. Lines per turn and per minute are
/// limited.
final class ScriptConsole {
  private let bytes = FixedBuffer(capacity: Budget.scriptLines * Budget.logLineBytes)
  private var counts = InlineArray<16, Int>(repeating: 0)
  private var levels = InlineArray<16, LogLevel>(repeating: .info)
  private var count = 0
  private var left = 0
  private var written = 0
  private var minute: Int64 = 0

  /// Adds a line. `level`: 0 information, 1 warning, 2 error.
  func add(level: Double, _ text: UnsafeBufferPointer<UInt8>) {
    guard count < Budget.scriptLines else { return left += 1 }
    let length = min(text.count, Budget.logLineBytes)
    let line = bytes.bytes.extracting(count * Budget.logLineBytes..<(count + 1) * Budget.logLineBytes)
    // Line ends become spaces.
    for index in 0..<length { line[index] = text[index] < 0x20 ? UInt8(ascii: " ") : text[index] }
    counts[count] = length
    levels[count] = level == 0 ? .info : .warning
    count += 1
  }

  /// Passes all lines to `take` and removes them; returns how many lines had no room.
  func drain(_ take: (LogLevel, UnsafeBufferPointer<UInt8>) -> Void) -> Int {
    for index in 0..<count { take(levels[index], line(index)) }
    defer { (count, left) = (0, 0) }
    return left
  }

  /// Adds lines that were dropped elsewhere.
  func add(left: Int) { self.left = min(self.left, Self.leftMost) + min(left, Self.leftMost) }

  /// Largest count of dropped lines.
  private static let leftMost = 1_000_000

  private func line(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let start = index * Budget.logLineBytes
    return UnsafeBufferPointer(bytes.bytes).extracting(start..<start + counts[index])
  }

  /// Writes all lines to the log. On the loop's thread, while no script runs.
  func write(to log: Log, at now: Int64) {
    if now - minute >= 60_000 { (minute, written) = (now, 0) }
    for index in 0..<count {
      guard written < Budget.scriptLinesPerMinute else {
        left += count - index
        break
      }
      written += 1
      let text = line(index)
      log.write(levels[index], "script") { $0.add(text) }
    }
    count = 0
    guard left > 0, written < Budget.scriptLinesPerMinute else { return }
    let left = left
    log.write(.info, "script") { line in
      line.add(left)
      line.add(" more lines of the console were left out")
    }
    self.left = 0
  }
}
