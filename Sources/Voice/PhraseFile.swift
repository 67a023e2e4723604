import Codec
import Runtime

/// Why bytes are no phrase's vector.
public enum PhraseFileError: UInt8, Error, Sendable {
  /// Too short for what it says, or for anything.
  case isShort
  /// Does not begin with the eight letters of a phrase file.
  case isNone
  /// Of a version, or for a network, that this Talon does not know.
  case isOther
  /// The checksum is another: torn or rotten.
  case isDamaged
  /// A number in it is none, or its text is not a phrase as it is compared.
  case isSenseless

  /// For people, to stand behind the file's name.
  public var text: StaticString {
    switch self {
    case .isShort: "is cut off"
    case .isNone: "is not a phrase file"
    case .isOther: "is of a version that this Talon does not know"
    case .isDamaged: "is damaged: its checksum is wrong"
    case .isSenseless: "has a text or numbers that make no sense"
    }
  }
}

/// The vector of one phrase in memory: a view of bytes that somebody else keeps.
///
/// All little-endian, CRC-32 over everything before it:
///
///     0   "TALONWAK"
///     8   u16 version, 2       10  u16 bytes of the text, 1 to 192
///     12  u16 vectors, 9       14  u16 numbers of a vector, 96
///     16  f32 threshold        20  f32 bias
///     24  f32 scales, 9        what the weights of each vector are multiplied by, the oldest vector's first
///     60  text, normalised (`PhraseText`), filled up to a multiple of four with zeros
///     ... i8 weights, 864
///     ... u32 checksum
///
/// A byte for each weight costs nothing that could be measured (docs/developers/WAKE-PHRASES.md, "The recipe").
public struct PhraseFile {
  static let version: UInt16 = 2
  static let magic: StaticString = "TALONWAK"
  static let scalesOffset = 24
  static let textOffset = scalesOffset + 4 * Budget.wakeVectors

  /// The file itself.
  public let bytes: UnsafeRawBufferPointer

  /// The first phrase in `bytes`, which must stay as they are; there may be more behind it.
  public init(_ bytes: UnsafeRawBufferPointer) throws(PhraseFileError) {
    try self.init(unchecked: bytes)
    try check()
  }

  /// The first phrase in `bytes`, of which only the header was looked at: enough to find the next one.
  init(unchecked bytes: UnsafeRawBufferPointer) throws(PhraseFileError) {
    for index in 0..<min(8, bytes.count) where bytes[index] != Self.magic.utf8Start[index] { throw .isNone }
    guard bytes.count >= Self.textOffset else { throw .isShort }
    guard Self.short(bytes, 8) == Self.version, Self.short(bytes, 12) == UInt16(Budget.wakeVectors),
      Self.short(bytes, 14) == UInt16(EmbeddingNetwork.width)
    else { throw .isOther }
    let length = Int(Self.short(bytes, 10))
    guard length > 0, length <= Budget.wakePhraseBytes else { throw .isSenseless }
    let size = Self.size(text: length)
    guard bytes.count >= size else { throw .isShort }
    self.bytes = UnsafeRawBufferPointer(rebasing: bytes[..<size])
  }

  /// Looks at the rest.
  func check() throws(PhraseFileError) {
    let end = bytes.count - 4
    var checksum = Checksum()
    checksum.update(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
    guard checksum.value == UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt32.self))
    else {
      throw .isDamaged
    }
    guard hasSense() else { throw .isSenseless }
  }

  /// Bytes of a file whose text has so many.
  static func size(text: Int) -> Int { weightsOffset(text: text) + WakeDetector.weights + 4 }

  /// Where the weights are behind a text of so many bytes.
  private static func weightsOffset(text: Int) -> Int { textOffset + (text + 3) / 4 * 4 }

  /// Bytes of the file.
  public var size: Int { bytes.count }
  /// The phrase, normalised.
  public var text: UnsafeBufferPointer<UInt8> {
    let start = bytes.baseAddress! + Self.textOffset
    return UnsafeBufferPointer(
      start: start.assumingMemoryBound(to: UInt8.self), count: Int(Self.short(bytes, 10)))
  }
  /// The score above which the phrase was heard.
  public var threshold: Float { float(16) }
  /// What is added to the product of weights and window.
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
    // A weight is at most 128 scales and no embedding larger than some hundreds, so no sum of these is beyond a float.
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
  /// Writes a phrase file; the bytes that it has, or nil when `target` is too small.
  /// - Parameter weights: 864; the greatest of a vector is 127, the others are rounded
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

  /// Writes the weights of one vector; what they are multiplied by.
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
