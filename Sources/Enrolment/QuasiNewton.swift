/// L-BFGS minimization (J. Nocedal, "Updating quasi-Newton matrices with limited storage", 1980).
enum QuasiNewton {
  /// Pairs of steps and gradients that are remembered (Nocedal and Wright, 7.2: 3 to 20).
  private static let memory = 8

  private struct Pair {
    var step: [Float]
    var change: [Float]
    var scale: Float
  }

  static func minimize(from start: [Float], steps: Int, _ function: ([Float], inout [Float]) -> Float) -> [Float] {
    var place = start
    var gradient = [Float](repeating: 0, count: start.count)
    var value = function(place, &gradient)
    var pairs: [Pair] = []
    for _ in 0..<steps {
      let direction = direction(gradient, pairs)
      let slope = dot(direction, gradient)
      guard slope < -1e-9 else { break }
      var length: Float = pairs.isEmpty ? 1 / max(1, dot(gradient, gradient).squareRoot()) : 1
      var (next, nextGradient, nextValue) = (place, gradient, Float.infinity)
      for _ in 0..<12 {
        for index in place.indices { next[index] = place[index] + length * direction[index] }
        nextValue = function(next, &nextGradient)
        if nextValue <= value + 1e-4 * length * slope { break }
        length /= 2
      }
      guard nextValue < value else { break }
      let (step, change) = (difference(next, place), difference(nextGradient, gradient))
      let curvature = dot(step, change)
      if curvature > 1e-10 {
        if pairs.count == memory { pairs.removeFirst() }
        pairs.append(Pair(step: step, change: change, scale: 1 / curvature))
      }
      (place, gradient, value) = (next, nextGradient, nextValue)
    }
    return place
  }

  private static func direction(_ gradient: [Float], _ pairs: [Pair]) -> [Float] {
    var direction = gradient
    for index in direction.indices { direction[index] = -gradient[index] }
    var factors = [Float](repeating: 0, count: pairs.count)
    for pair in pairs.indices.reversed() {
      factors[pair] = pairs[pair].scale * dot(pairs[pair].step, direction)
      add(-factors[pair], pairs[pair].change, to: &direction)
    }
    if let last = pairs.last {
      let size = 1 / (last.scale * dot(last.change, last.change))
      for index in direction.indices { direction[index] *= size }
    }
    for pair in pairs.indices {
      add(factors[pair] - pairs[pair].scale * dot(pairs[pair].change, direction), pairs[pair].step, to: &direction)
    }
    return direction
  }

  private static func add(_ factor: Float, _ other: [Float], to sum: inout [Float]) {
    for index in sum.indices { sum[index] += factor * other[index] }
  }

  private static func difference(_ a: [Float], _ b: [Float]) -> [Float] {
    var result = a
    for index in result.indices { result[index] -= b[index] }
    return result
  }

  private static func dot(_ a: [Float], _ b: [Float]) -> Float {
    var sum: Float = 0
    for index in a.indices { sum += a[index] * b[index] }
    return sum
  }
}
