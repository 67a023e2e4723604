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

/// Counts what a server sends without being asked, a second at a time.
struct MCPRate: Equatable, Sendable {
  enum Verdict: Equatable, Sendable { case read, ignored, flood }

  private var began: Int64 = 0
  private var count = 0
  /// All that were ignored.
  private(set) var ignored: UInt64 = 0

  /// One more line.
  mutating func receive(at now: Int64) -> Verdict {
    if count == 0 || now - began >= 1_000 { (began, count) = (now, 0) }
    count += 1
    if count <= Budget.mcpLinesPerSecond { return .read }
    ignored &+= 1
    return count <= Budget.mcpFloodPerSecond ? .ignored : .flood
  }
}
