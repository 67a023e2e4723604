import Runtime

/// The changed area since the last frame: a few rectangles with little overlap. When the table is full, the two
/// rectangles whose union adds the least area are merged.
public struct Damage: Sendable {
  private var list = InlineList<8, Rect>()

  /// Nothing changed.
  public init() {}

  /// One rectangle changed.
  public init(_ rect: Rect) { add(rect) }

  public var count: Int { list.count }
  public var isEmpty: Bool { list.isEmpty }
  public subscript(index: Int) -> Rect { list[index] }

  /// The bounding rectangle.
  public var bounds: Rect {
    var result = Rect.empty
    for index in 0..<list.count { result = result.union(list[index]) }
    return result
  }

  /// Adds a rectangle.
  public mutating func add(_ rect: Rect) {
    guard !rect.isEmpty else { return }
    var best = -1
    var waste = Int.max
    for index in 0..<list.count {
      let union = list[index].union(rect).area
      let extra = union - list[index].area - rect.area
      guard extra < waste else { continue }
      waste = extra
      best = index
    }
    // Merges with one when the union adds no area, or when the table is full.
    if best >= 0, waste <= 0 || list.count == Budget.damageRects {
      list[best] = list[best].union(rect)
    } else {
      list.append(rect)
    }
  }

  /// Adds all of another.
  public mutating func add(_ other: Damage) {
    for index in 0..<other.count { add(other[index]) }
  }
}
