/// The directions in which vectors differ most, each divided by how much, by Jacobi's rotations (C. G. J. Jacobi, "Über
/// ein leichtes Verfahren, die in der Theorie der Säcularstörungen vorkommenden Gleichungen numerisch aufzulösen",
/// 1846).
struct PrincipalAxes {
  let mean: [Float]
  /// `count` lines.
  let basis: [Float]

  init(_ vectors: [[Float]], count: Int) {
    let width = vectors[0].count
    var sums = [Double](repeating: 0, count: width)
    for vector in vectors { for index in 0..<width { sums[index] += Double(vector[index]) } }
    let means = sums.map { $0 / Double(vectors.count) }
    var matrix = Self.covariance(vectors, means)
    let axes = Self.diagonalise(&matrix, width)
    let order = (0..<width).sorted { matrix[$0 * width + $0] > matrix[$1 * width + $1] }
    mean = means.map { Float($0) }
    basis = order.prefix(count).flatMap { axis -> [Float] in
      let deviation = max(matrix[axis * width + axis], 1e-9).squareRoot()
      return (0..<width).map { Float(axes[$0 * width + axis] / deviation) }
    }
  }

  /// The components of a vector.
  func project(_ vector: [Float]) -> [Float] {
    let width = mean.count
    return (0..<(basis.count / width)).map { axis in
      var sum: Float = 0
      for index in 0..<width { sum += basis[axis * width + index] * (vector[index] - mean[index]) }
      return sum
    }
  }

  private static func covariance(_ vectors: [[Float]], _ means: [Double]) -> [Double] {
    let width = means.count
    var matrix = [Double](repeating: 0, count: width * width)
    for vector in vectors {
      let centered = zip(vector, means).map { Double($0) - $1 }
      matrix.withUnsafeMutableBufferPointer { matrix in
        for row in 0..<width {
          for column in row..<width { matrix[row * width + column] += centered[row] * centered[column] }
        }
      }
    }
    for row in 0..<width {
      for column in row..<width {
        matrix[row * width + column] /= Double(vectors.count)
        matrix[column * width + row] = matrix[row * width + column]
      }
    }
    return matrix
  }

  /// Leaves the variances in the diagonal; the columns of the result are the axes.
  private static func diagonalise(_ matrix: inout [Double], _ width: Int) -> [Double] {
    var axes = [Double](repeating: 0, count: width * width)
    for index in 0..<width { axes[index * width + index] = 1 }
    for _ in 0..<12 {
      for low in 0..<(width - 1) {
        for high in (low + 1)..<width { rotate(&matrix, &axes, width, low, high) }
      }
    }
    return axes
  }

  private static func rotate(
    _ matrix: inout [Double], _ axes: inout [Double], _ width: Int, _ p: Int, _ q: Int
  ) {
    let off = matrix[p * width + q]
    guard abs(off) > 1e-12 else { return }
    let theta = (matrix[q * width + q] - matrix[p * width + p]) / (2 * off)
    let t = (theta < 0 ? -1 : 1) / (abs(theta) + (theta * theta + 1).squareRoot())
    let c = 1 / (t * t + 1).squareRoot()
    let s = t * c
    for k in 0..<width {
      let (a, b) = (matrix[k * width + p], matrix[k * width + q])
      (matrix[k * width + p], matrix[k * width + q]) = (c * a - s * b, s * a + c * b)
    }
    for k in 0..<width {
      let (a, b) = (matrix[p * width + k], matrix[q * width + k])
      (matrix[p * width + k], matrix[q * width + k]) = (c * a - s * b, s * a + c * b)
      let (x, y) = (axes[k * width + p], axes[k * width + q])
      (axes[k * width + p], axes[k * width + q]) = (c * x - s * y, s * x + c * y)
    }
  }
}
