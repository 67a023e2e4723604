/// How long turns of a loop took: from its waking up until it sleeps again, during which it serves nothing else. By the
/// clock of the loop, in milliseconds: shorter turns count as 0 or 1.
public final class TurnTimes {
  /// The upper edges of the buckets in milliseconds; the last bucket has all turns.
  public static let edges: InlineArray<6, Int64> = [5, 10, 50, 100, 500, 1000]

  /// Turns that took at most this long, by the edges.
  private var counts = InlineArray<6, UInt64>(repeating: 0)
  /// All turns, and their milliseconds.
  public private(set) var count: UInt64 = 0
  public private(set) var milliseconds: Int64 = 0
  private var beganAt: Int64?

  /// Nothing counted.
  @export(interface)
  public init() {}

  /// Turns of at most the edge with this index.
  public func atMost(_ edge: Int) -> UInt64 { counts[edge] }

  func began(at now: Int64) { beganAt = now }

  func ended(at now: Int64) {
    guard let beganAt else { return }
    self.beganAt = nil
    count += 1
    milliseconds += now - beganAt
    for edge in 0..<Self.edges.count where now - beganAt <= Self.edges[edge] { counts[edge] += 1 }
  }
}
