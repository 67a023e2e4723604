import Codec
import Runtime

/// Why bytes are not a valid phrase file.
public enum PhraseFileError: UInt8, Error, Sendable {
  /// Shorter than its header says, or than a header.
  case truncated
  /// Does not begin with the magic of a phrase file.
  case wrongFormat
  /// Of a version, or for a network, that this version of Talon does not know.
  case unsupportedVersion
  /// The checksum is wrong.
  case damaged
  /// A number is NaN or infinite, or the text is not in normal form.
  case invalid

  /// The error for people, to be put after the file's name.
  public var text: StaticString {
    switch self {
    case .truncated: "is cut off"
    case .wrongFormat: "is not a phrase file"
    case .unsupportedVersion: "is of a version that this Talon does not know"
    case .damaged: "is damaged: its checksum is wrong"
    case .invalid: "has an invalid text or invalid numbers"
    }
  }
}

/// The vector of one phrase: a view of borrowed memory.
///
/// All little-endian, CRC-32 over everything before it:
///
///     0   "TALONWAK"
///     8   u16 version, 2       10  u16 bytes of the text, 1 to 192
///     12  u16 vectors, 9       14  u16 numbers of a vector, 96
///     16  f32 threshold        20  f32 bias
///     24  f32 scales, 9        scale of the weights of each vector, the oldest vector's first
///     60  text, normalized (`PhraseText`), padded to a multiple of four with zeros
///     ... i8 weights, 864
///     ... u32 checksum
///
/// A byte for each weight has no measurable disadvantage (docs/developers/WAKE-PHRASES.md, "The recipe").
public struct PhraseFile {
  /// As drawn above.
  static let version: UInt16 = 2
  static let magic: StaticString = "TALONWAK"
  static let scalesOffset = 24
  static let textOffset = scalesOffset + 4 * Budget.wakeVectors

  /// The file itself.
  public let bytes: UnsafeRawBufferPointer

  /// The first phrase in `bytes`, which must not change; more may follow.
  public init(_ bytes: UnsafeRawBufferPointer) throws(PhraseFileError) {
    try self.init(unchecked: bytes)
    try check()
  }

  /// The first phrase in `bytes`, of which only the header was checked: enough to find the next one.
  init(unchecked bytes: UnsafeRawBufferPointer) throws(PhraseFileError) {
    for index in 0..<min(8, bytes.count) where bytes[index] != Self.magic.utf8Start[index] { throw .wrongFormat }
    guard bytes.count >= Self.textOffset else { throw .truncated }
    guard Self.short(bytes, 8) == Self.version, Self.short(bytes, 12) == UInt16(Budget.wakeVectors),
      Self.short(bytes, 14) == UInt16(EmbeddingNetwork.width)
    else { throw .unsupportedVersion }
    let length = Int(Self.short(bytes, 10))
    guard length > 0, length <= Budget.wakePhraseBytes else { throw .invalid }
    let size = Self.size(text: length)
    guard bytes.count >= size else { throw .truncated }
    self.bytes = UnsafeRawBufferPointer(rebasing: bytes[..<size])
  }

  /// Checks the rest.
  func check() throws(PhraseFileError) {
    let end = bytes.count - 4
    var checksum = Checksum()
    checksum.update(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
    guard checksum.value == UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt32.self))
    else {
      throw .damaged
    }
    guard hasSense() else { throw .invalid }
  }

  /// Bytes of a file with a text of this length.
  static func size(text: Int) -> Int { weightsOffset(text: text) + WakeDetector.weights + 4 }

  /// The offset of the weights after a text of this length.
  private static func weightsOffset(text: Int) -> Int { textOffset + (text + 3) / 4 * 4 }

  /// Bytes of the file.
  public var size: Int { bytes.count }
  /// The phrase, normalized.
  public var text: UnsafeBufferPointer<UInt8> {
    let start = bytes.baseAddress! + Self.textOffset
    return UnsafeBufferPointer(
      start: start.assumingMemoryBound(to: UInt8.self), count: Int(Self.short(bytes, 10)))
  }
  /// The score above which the phrase is detected.
  public var threshold: Float { float(16) }
  /// The bias, added to the product of weights and window.
  public var bias: Float { float(20) }

  /// Copies the 864 weights.
  public func copyWeights(into floats: UnsafeMutablePointer<Float>) {
    let start = Self.weightsOffset(text: Int(Self.short(bytes, 10)))
    let width = EmbeddingNetwork.width
    for vector in 0..<Budget.wakeVectors {
      let scale = float(Self.scalesOffset + 4 * vector)
      for index in (vector * width)..<((vector + 1) * width) {
        floats[index] = scale * Float(Int8(bitPattern: bytes[start + index]))
      }
    }
  }

  private func hasSense() -> Bool {
    guard let phrase = PhraseText(text), phrase.equals(text) else { return false }
    // A weight is at most 128 scales and an embedding at most some hundreds, so their sums fit a float.
    for offset in stride(from: 16, to: Self.textOffset, by: 4) where !(float(offset).magnitude < 1e6) {
      return false
    }
    return true
  }

  private func float(_ offset: Int) -> Float {
    Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  private static func short(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt16 {
    UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }
}

extension PhraseFile {
  /// Writes a phrase file, and returns its length, or nil when `target` is too small.
  /// - Parameter weights: 864; scaled so that the largest of a vector is 127, and rounded
  public static func write(
    _ text: borrowing PhraseText, threshold: Float, bias: Float, weights: UnsafePointer<Float>,
    into target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    let size = size(text: text.count)
    guard target.count >= size else { return nil }
    for index in 0..<size { target[index] = 0 }
    for index in 0..<8 { target[index] = magic.utf8Start[index] }
    put(version, at: 8, target)
    put(UInt16(text.count), at: 10, target)
    put(UInt16(Budget.wakeVectors), at: 12, target)
    put(UInt16(EmbeddingNetwork.width), at: 14, target)
    put(threshold.bitPattern, at: 16, target)
    put(bias.bitPattern, at: 20, target)
    for index in 0..<text.count { target[textOffset + index] = text[index] }
    for vector in 0..<Budget.wakeVectors {
      let line = weights + vector * EmbeddingNetwork.width
      let start = weightsOffset(text: text.count) + vector * EmbeddingNetwork.width
      put(round(line, to: target, at: start).bitPattern, at: scalesOffset + 4 * vector, target)
    }
    var checksum = Checksum()
    checksum.update(UnsafeRawBufferPointer(rebasing: target[..<(size - 4)]))
    put(checksum.value, at: size - 4, target)
    return size
  }

  /// Writes the weights of one vector, and returns their scale.
  private static func round(
    _ weights: UnsafePointer<Float>, to target: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Float {
    var greatest: Float = 0
    for index in 0..<EmbeddingNetwork.width { greatest = max(greatest, weights[index].magnitude) }
    let scale = greatest / 127
    guard scale > 0, scale.isFinite else { return scale }
    for index in 0..<EmbeddingNetwork.width {
      let weight = (weights[index] / scale).rounded()
      target[start + index] = UInt8(bitPattern: Int8(clamping: weight.bounded(-127, 127)))
    }
    return scale
  }

  private static func put<Number: FixedWidthInteger>(
    _ number: Number, at offset: Int, _ target: UnsafeMutableRawBufferPointer
  ) {
    target.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
  }
}
