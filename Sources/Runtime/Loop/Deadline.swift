/// The earlier of two optional instants or deadlines, in milliseconds of `Clock.monotonic`.
public func earliest(_ one: Int64?, _ other: Int64?) -> Int64? {
  guard let one, let other else { return one ?? other }
  return min(one, other)
}
