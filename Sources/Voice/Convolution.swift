/// One convolution of three taps over a row of positions.
///
/// Weights are stored as [block of 8 outputs][tap][input][8 outputs], so that the innermost loop loads one vector of
/// weights and uses it for four positions.
struct Convolution {
  typealias Lanes = SIMD8<Float>

  /// Inputs of a tap at one position, and the distance between positions.
  let inputs: Int
  let stride: Int
  let outputs: Int
  let positions: Int
  let bias: UnsafePointer<Lanes>
  let weights: UnsafePointer<Lanes>
  /// True when the activation is applied; false for the last layer.
  let hasActivation: Bool

  /// The starts of the taps' inputs.
  struct Taps {
    var first: UnsafePointer<Float>
    var second: UnsafePointer<Float>
    var third: UnsafePointer<Float>
  }

  /// Writes `outputs` numbers for each position.
  func run(_ taps: Taps, into result: UnsafeMutablePointer<Float>) {
    let blocks = outputs / Lanes.scalarCount
    let target = UnsafeMutableRawPointer(result).assumingMemoryBound(to: Lanes.self)
    for block in 0..<blocks {
      let kernel = weights + block * 3 * inputs
      var position = 0
      while position + 4 <= positions {
        runFour(taps, kernel, bias[block], at: position, into: target + position * blocks + block, blocks)
        position += 4
      }
      while position < positions {
        target[position * blocks + block] = bend(sum(taps, kernel, bias[block], at: position))
        position += 1
      }
    }
  }

  @inline(__always)
  private func runFour(
    _ taps: Taps, _ kernel: UnsafePointer<Lanes>, _ bias: Lanes, at position: Int,
    into target: UnsafeMutablePointer<Lanes>, _ blocks: Int
  ) {
    var (a, b, c, d) = (bias, bias, bias, bias)
    for tap in 0..<3 {
      let row = place(taps, tap) + position * stride
      let lanes = kernel + tap * inputs
      for input in 0..<inputs {
        let weight = lanes[input]
        a = Self.add(a, weight, row[input])
        b = Self.add(b, weight, row[input + stride])
        c = Self.add(c, weight, row[input + 2 * stride])
        d = Self.add(d, weight, row[input + 3 * stride])
      }
    }
    target[0] = bend(a)
    target[blocks] = bend(b)
    target[2 * blocks] = bend(c)
    target[3 * blocks] = bend(d)
  }

  @inline(__always)
  private func sum(_ taps: Taps, _ kernel: UnsafePointer<Lanes>, _ bias: Lanes, at position: Int) -> Lanes {
    var sum = bias
    for tap in 0..<3 {
      let row = place(taps, tap) + position * stride
      let lanes = kernel + tap * inputs
      for input in 0..<inputs { sum = Self.add(sum, lanes[input], row[input]) }
    }
    return sum
  }

  @inline(__always)
  private func place(_ taps: Taps, _ tap: Int) -> UnsafePointer<Float> {
    tap == 0 ? taps.first : tap == 1 ? taps.second : taps.third
  }

  /// Fused multiply-add where that is one instruction; elsewhere it would be a call for each lane.
  @inline(__always)
  private static func add(_ sum: Lanes, _ weight: Lanes, _ value: Float) -> Lanes {
    #if arch(arm64)
      sum.addingProduct(weight, Lanes(repeating: value))
    #else
      sum + weight * Lanes(repeating: value)
    #endif
  }

  /// The network's activation: a leaky ReLU with a slope of one fifth, not below -0.4.
  @inline(__always)
  private func bend(_ value: Lanes) -> Lanes {
    guard hasActivation else { return value }
    let gentle = value * 0.2
    let leaky = value.replacing(with: gentle, where: gentle .> value)
    let least = Lanes(repeating: -0.4)
    return leaky.replacing(with: least, where: least .> leaky)
  }
}
