import Codec
import Runtime

/// An embedding as it is kept: of a vector of length 1, one byte for each number and one scale for all, a quarter of
/// its size as floats. The scale is a float in four bytes, lowest first; a byte times the scale is the number.
public enum VectorCode {
  static let headBytes = 4

  /// Bytes of the code of a vector of so many numbers.
  public static func bytes(dimensions: Int) -> Int { headBytes + max(dimensions, 0) }

  /// Writes the code of a vector of length 1 into `output`; how many bytes it has, or nil when it does not fit.
  public static func encode(
    _ vector: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int? {
    let count = bytes(dimensions: vector.count)
    guard !vector.isEmpty, count <= output.count else { return nil }
    var largest: Float = 0
    for number in vector { largest = max(largest, abs(number)) }
    guard largest.isFinite, largest > 0 else { return nil }
    let scale = largest / 127
    let bits = scale.bitPattern
    for index in 0..<headBytes { output[index] = UInt8(truncatingIfNeeded: bits >> UInt32(8 * index)) }
    for index in 0..<vector.count {
      let number = (vector[index] / scale).rounded().bounded(-127, 127)
      output[headBytes + index] = UInt8(bitPattern: Int8(truncatingIfNeeded: Int32(clamping: number)))
    }
    return count
  }

  /// The cosine of the angle between a vector of length 1 and a coded one, -1 to 1; nil when that has other dimensions,
  /// as after a change of the model, or is none.
  public static func cosine(_ query: UnsafeBufferPointer<Float>, _ code: UnsafeBufferPointer<UInt8>) -> Float? {
    guard code.count == bytes(dimensions: query.count), let scale = scale(of: code) else { return nil }
    var sum: Float = 0
    var index = 0
    while index < query.count {
      sum += query[index] * Float(Int8(bitPattern: code[headBytes &+ index]))
      index &+= 1
    }
    let cosine = sum * scale
    return cosine.isFinite ? cosine.bounded(-1, 1) : nil
  }

  /// The numbers of a code; nil when it is none, or there is no room.
  public static func decode(
    _ code: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<Float>
  ) -> Int? {
    let count = code.count - headBytes
    guard let scale = scale(of: code), count <= output.count else { return nil }
    for index in 0..<count { output[index] = Float(Int8(bitPattern: code[headBytes + index])) * scale }
    return count
  }

  private static func scale(of code: UnsafeBufferPointer<UInt8>) -> Float? {
    guard code.count > headBytes else { return nil }
    var bits: UInt32 = 0
    for index in 0..<headBytes { bits |= UInt32(code[index]) << UInt32(8 * index) }
    let scale = Float(bitPattern: bits)
    return scale.isFinite && scale > 0 ? scale : nil
  }
}
