/// Minimum, maximum and mean of the values of the last `milliseconds`, in a fixed number of pieces: a value leaves the
/// window with its piece, at most a sixtieth of the window late.
public struct SensorWindow: Sendable {
  /// Pieces of the window. 40 bytes each.
  static let pieces = 60

  /// What values there were.
  public struct Summary: Equatable, Sendable {
    public var minimum: Double
    public var maximum: Double
    public var mean: Double
    public var count: UInt64
  }

  private struct Piece {
    /// Number of the piece of time that it covers, -1 for none.
    var number: Int64 = -1
    var minimum = 0.0
    var maximum = 0.0
    var sum = 0.0
    var count: UInt64 = 0
  }

  private var storage = InlineArray<60, Piece>(repeating: Piece())
  private let pieceMilliseconds: Int64

  /// An empty window.
  public init(milliseconds: Int64) { pieceMilliseconds = max(milliseconds / Int64(Self.pieces), 1) }

  /// Takes a value at `now`, in milliseconds of the monotonic clock.
  public mutating func add(_ value: Double, at now: Int64) {
    let number = max(now, 0) / pieceMilliseconds
    let place = Int(number % Int64(Self.pieces))
    if storage[place].number != number {
      storage[place] = Piece(number: number, minimum: value, maximum: value, sum: value, count: 1)
      return
    }
    storage[place].minimum = min(storage[place].minimum, value)
    storage[place].maximum = max(storage[place].maximum, value)
    storage[place].sum += value
    storage[place].count += 1
  }

  /// The values of the window that ends at `now`; nil when there are none.
  public func summary(at now: Int64) -> Summary? {
    let newest = max(now, 0) / pieceMilliseconds
    var summary: Summary?
    var sum = 0.0
    for place in 0..<Self.pieces {
      let piece = storage[place]
      guard piece.count > 0, piece.number <= newest, piece.number > newest - Int64(Self.pieces) else { continue }
      sum += piece.sum
      guard let before = summary else {
        summary = Summary(minimum: piece.minimum, maximum: piece.maximum, mean: 0, count: piece.count)
        continue
      }
      summary = Summary(
        minimum: min(before.minimum, piece.minimum), maximum: max(before.maximum, piece.maximum), mean: 0,
        count: before.count + piece.count)
    }
    if let count = summary?.count { summary?.mean = sum / Double(count) }
    return summary
  }
}
