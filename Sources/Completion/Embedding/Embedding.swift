import Codec

/// Vectors of texts: numbers whose directions are alike where the meanings are.
public enum Embedding {
  /// Makes a vector one of length 1.
  /// - Returns: false, and nothing changed, when it has no direction: all zeros, or a number that is not finite.
  public static func normalize(_ vector: UnsafeMutableBufferPointer<Float>) -> Bool {
    var sum = 0.0
    for number in vector { sum += Double(number) * Double(number) }
    // The squares of all finite numbers of this type are finite in the wider one.
    guard sum > 0, sum.isFinite else { return false }
    let length = sum.squareRoot()
    for index in 0..<vector.count { vector[index] = Float(Double(vector[index]) / length) }
    return true
  }

  /// The cosine of the angle between two vectors of length 1, which is their dot product: 1 for the same direction, 0
  /// for a right angle. 0 for vectors of different dimensions.
  public static func cosine(_ one: UnsafeBufferPointer<Float>, _ other: UnsafeBufferPointer<Float>) -> Float {
    guard one.count == other.count else { return 0 }
    // Four sums, which do not wait for each other.
    var (first, second, third, fourth): (Float, Float, Float, Float) = (0, 0, 0, 0)
    var index = 0
    while index &+ 4 <= one.count {
      first += one[index] * other[index]
      second += one[index &+ 1] * other[index &+ 1]
      third += one[index &+ 2] * other[index &+ 2]
      fourth += one[index &+ 3] * other[index &+ 3]
      index &+= 4
    }
    while index < one.count {
      first += one[index] * other[index]
      index &+= 1
    }
    return ((first + second) + (third + fourth)).bounded(-1, 1)
  }
}
