/// Minimisation with limited memory (J. Nocedal, "Updating quasi-Newton matrices with limited storage", 1980).
enum QuasiNewton {
  private static let memory = 8

  static func minimise(from start: [Float], steps: Int, _ function: ([Float], inout [Float]) -> Float)
    -> [Float]
  {
    var (place, gradient) = (start, [Float](repeating: 0, count: start.count))
    var value = function(place, &gradient)
    var pairs: [(step: [Float], change: [Float], scale: Float)] = []
    for _ in 0..<steps {
      let direction = direction(gradient, pairs)
      let slope = dot(direction, gradient)
      guard slope < -1e-9 else { break }
      var length: Float = pairs.isEmpty ? 1 / max(1, dot(gradient, gradient).squareRoot()) : 1
      var next = place
      var nextGradient = gradient
      var nextValue = Float.infinity
      for _ in 0..<12 {
        next = zip(place, direction).map { $0 + length * $1 }
        nextValue = function(next, &nextGradient)
        if nextValue <= value + 1e-4 * length * slope { break }
        length /= 2
      }
      guard nextValue < value else { break }
      let (step, change) = (zip(next, place).map { $0 - $1 }, zip(nextGradient, gradient).map { $0 - $1 })
      let curvature = dot(step, change)
      if curvature > 1e-10 { pairs = Array((pairs + [(step, change, 1 / curvature)]).suffix(memory)) }
      (place, gradient, value) = (next, nextGradient, nextValue)
    }
    return place
  }

  private static func direction(
    _ gradient: [Float], _ pairs: [(step: [Float], change: [Float], scale: Float)]
  ) -> [Float] {
    var direction = gradient.map { -$0 }
    var factors: [Float] = []
    for pair in pairs.reversed() {
      let factor = pair.scale * dot(pair.step, direction)
      factors.append(factor)
      for index in direction.indices { direction[index] -= factor * pair.change[index] }
    }
    if let last = pairs.last {
      let size = 1 / (last.scale * dot(last.change, last.change))
      for index in direction.indices { direction[index] *= size }
    }
    for (pair, factor) in zip(pairs, factors.reversed()) {
      let correction = factor - pair.scale * dot(pair.change, direction)
      for index in direction.indices { direction[index] += correction * pair.step[index] }
    }
    return direction
  }

  private static func dot(_ a: [Float], _ b: [Float]) -> Float {
    var sum: Float = 0
    for index in a.indices { sum += a[index] * b[index] }
    return sum
  }
}
