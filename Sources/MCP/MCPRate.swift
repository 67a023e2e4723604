import Runtime

/// Counts the lines that a server writes to its standard error, a minute at a time.
struct MCPErrorRate: Equatable, Sendable {
  private var began: Int64 = 0
  private var count = 0

  /// One more line: true when it may be told.
  mutating func receive(at now: Int64) -> Bool {
    if count == 0 || now - began >= 60_000 { (began, count) = (now, 0) }
    guard count < Budget.mcpErrorLinesPerMinute else { return false }
    count += 1
    return true
  }
}

/// Counts what a server sends without being asked, a second at a time: lines, and what reading them has cost.
struct MCPRate: Equatable, Sendable {
  enum Verdict: Equatable, Sendable { case read, ignored, flood }

  private var began: Int64 = 0
  private var count = 0
  private var weight = 0
  /// All that were ignored.
  private(set) var ignored: UInt64 = 0

  /// One more line of so many bytes; 0 for a message that shares its line with one before. Bytes do not make lines
  /// ignored, for they were read already when a line is counted; they make a flood.
  mutating func receive(at now: Int64, bytes: Int) -> Verdict {
    if count == 0 || now - began >= 1_000 { (began, count, weight) = (now, 0, 0) }
    count += 1
    weight += 1 + bytes / 1024
    if weight > Budget.mcpFloodPerSecond {
      ignored &+= 1
      return .flood
    }
    if count <= Budget.mcpLinesPerSecond { return .read }
    ignored &+= 1
    return .ignored
  }
}
