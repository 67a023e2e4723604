import Runtime

/// The best of many: a list of fixed size, best first. Of two that are equally good the newer one is better, which has
/// the larger number.
public struct BestList: Sendable {
  private var ids = InlineArray<64, Int64>(repeating: 0)
  private var scores = InlineArray<64, Float>(repeating: 0)
  /// Entries in the list.
  public private(set) var count = 0
  /// The most that it keeps.
  public let limit: Int

  /// An empty list that keeps `limit` entries, of `Budget.memoryCandidates` at most.
  public init(limit: Int = Budget.memoryCandidates) {
    self.limit = min(max(limit, 0), Budget.memoryCandidates)
  }

  /// The number of an entry; `index` is below `count`.
  public func id(_ index: Int) -> Int64 { ids[index] }
  /// The score of an entry.
  public func score(_ index: Int) -> Float { scores[index] }

  private func isBetter(_ id: Int64, _ score: Float, than index: Int) -> Bool {
    score == scores[index] ? id > ids[index] : score > scores[index]
  }

  /// Takes an entry into the list if it is among the best. A score that is no number is ignored.
  public mutating func offer(_ id: Int64, _ score: Float) {
    guard limit > 0, !score.isNaN else { return }
    var place = count
    if count == limit {
      guard isBetter(id, score, than: count - 1) else { return }
      place -= 1
    } else {
      count += 1
    }
    while place > 0, isBetter(id, score, than: place - 1) {
      ids[place] = ids[place - 1]
      scores[place] = scores[place - 1]
      place -= 1
    }
    ids[place] = id
    scores[place] = score
  }

  /// Joins two rankings by reciprocal rank fusion: an entry's score is the sum of 1/(60 + rank) over the rankings that
  /// have it, ranks counted from 1, so that it need not be known how their scores compare. (Cormack, Clarke, Büttcher:
  /// "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods", SIGIR 2009.)
  public static func fused(_ first: borrowing BestList, _ second: borrowing BestList, limit: Int) -> BestList {
    var result = BestList(limit: limit)
    for index in 0..<first.count {
      let id = first.ids[index]
      var score = reciprocal(index)
      for other in 0..<second.count where second.ids[other] == id { score += reciprocal(other) }
      result.offer(id, score)
    }
    for index in 0..<second.count {
      let id = second.ids[index]
      var isKnown = false
      for other in 0..<first.count where first.ids[other] == id { isKnown = true }
      if !isKnown { result.offer(id, reciprocal(index)) }
    }
    return result
  }

  private static func reciprocal(_ index: Int) -> Float { 1 / Float(61 + index) }
}
