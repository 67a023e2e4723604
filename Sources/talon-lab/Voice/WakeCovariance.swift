/// How the numbers of a window of speech vary with each other.
struct WakeCovariance {
  private static let width = WakeExamples.width
  /// Windows that are left out between two: neighbours have eight ninths in common.
  private static let thinning = 7
  private var matrix = [Float](repeating: 0, count: width * width)

  /// - Parameter speech: components of recordings, whose mean is zero
  init(_ speech: [[Float]]) {
    var count: Float = 0
    for sequence in speech {
      let end = sequence.count - Self.width
      for start in stride(from: 0, through: end, by: Self.thinning * SpeechBank.components) {
        add(sequence, start)
        count += 1
      }
    }
    for index in matrix.indices { matrix[index] /= max(1, count) }
  }

  private mutating func add(_ floats: [Float], _ start: Int) {
    let width = Self.width
    matrix.withUnsafeMutableBufferPointer { matrix in
      floats.withUnsafeBufferPointer { floats in
        for row in 0..<width {
          let factor = floats[start + row]
          for column in 0..<width { matrix[row * width + column] += factor * floats[start + column] }
        }
      }
    }
  }

  /// The variance of the scores that weights give to speech, times `price`; its gradient is added.
  func addCost(_ price: Float, of weights: [Float], to gradient: inout [Float]) -> Float {
    let width = Self.width
    var cost: Float = 0
    for row in 0..<width {
      var sum = SIMD8<Float>.zero
      matrix.withUnsafeBytes { matrix in
        weights.withUnsafeBytes { weights in
          for offset in stride(from: 0, to: 4 * width, by: 32) {
            sum +=
              matrix.loadUnaligned(fromByteOffset: 4 * row * width + offset, as: SIMD8<Float>.self)
              * weights.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
          }
        }
      }
      gradient[row] += 2 * price * sum.sum()
      cost += price * sum.sum() * weights[row]
    }
    return cost
  }
}
