import Codec

/// A sample format: linear and floating point of any width and byte order, mu-law and A-law.
public struct SampleFormat: Equatable, Sendable {
  /// The kind of encoding.
  public enum Kind: Equatable, Sendable { case signed, unsigned, float, muLaw, aLaw }

  public var kind: Kind
  /// Significant bits, right-aligned in the sample's bytes.
  public var bits: Int
  /// Bytes of a sample.
  public var bytes: Int
  /// True for big-endian.
  public var isBigEndian: Bool

  /// A format; see the properties.
  public init(_ kind: Kind, bits: Int, bytes: Int, isBigEndian: Bool = false) {
    self.kind = kind
    self.bits = bits
    self.bytes = bytes
    self.isBigEndian = isBigEndian
  }

  /// The format inside Talon.
  public static let s16 = SampleFormat(.signed, bits: 16, bytes: 2)

  /// Its name as in `aplay`: "S24_3LE".
  public func write(_ put: (StaticString) -> Void) {
    switch kind {
    case .muLaw: return put("MU_LAW")
    case .aLaw: return put("A_LAW")
    case .signed: put("S")
    case .unsigned: put("U")
    case .float: put("FLOAT")
    }
    switch bits {
    case 8: return put("8")
    case 16: put(kind == .float ? "" : "16")
    case 18: put("18")
    case 20: put("20")
    case 24: put("24")
    case 64: put("64")
    default: put(kind == .float ? "" : "32")
    }
    put(bytes == 3 ? "_3" : "_")
    put(isBigEndian ? "BE" : "LE")
  }

  // MARK: Reading and writing

  /// Reads a sample as -1 to 1. Floats beyond that range are kept, and NaN becomes 0.
  @inline(__always)
  public func read(_ at: UnsafeRawPointer) -> Float {
    switch kind {
    case .signed: return Float(signed(at)) * (1 / Float(1 << (bits - 1)))
    case .unsigned:
      return Float(Int64(raw(at) & (1 << bits - 1)) - 1 << (bits - 1)) * (1 / Float(1 << (bits - 1)))
    case .float:
      let value =
        bytes == 8
        ? Float(Double(bitPattern: raw(at))) : Float(bitPattern: UInt32(truncatingIfNeeded: raw(at)))
      return value.isFinite ? value : 0
    case .muLaw: return Float(G711.muLaw(at.load(as: UInt8.self))) * (1 / 32768)
    case .aLaw: return Float(G711.aLaw(at.load(as: UInt8.self))) * (1 / 32768)
    }
  }

  /// Writes a sample, clamped to -1 to 1.
  @inline(__always)
  public func write(_ value: Float, to at: UnsafeMutableRawPointer) {
    let cut = value < -1 ? -1 : value > 1 ? 1 : value
    switch kind {
    case .signed: put(UInt64(bitPattern: whole(cut)), at)
    case .unsigned: put(UInt64(bitPattern: whole(cut) + 1 << (bits - 1)), at)
    case .float: put(bytes == 8 ? Double(cut).bitPattern : UInt64(cut.bitPattern), at)
    case .muLaw: at.storeBytes(of: G711.muLaw(encoding: Int16(clamping: cut * 32767)), as: UInt8.self)
    case .aLaw: at.storeBytes(of: G711.aLaw(encoding: Int16(clamping: cut * 32767)), as: UInt8.self)
    }
  }

  @inline(__always)
  private func whole(_ value: Float) -> Int64 {
    let full = Int64(1) << (bits - 1)
    let number = Int64(clamping: (Double(value) * Double(full)).rounded())
    return number < full ? number : full - 1
  }

  @inline(__always)
  private func signed(_ at: UnsafeRawPointer) -> Int64 {
    let shift = UInt64(64 - bits)
    return Int64(bitPattern: raw(at) << shift) >> Int64(shift)
  }

  @inline(__always)
  private func raw(_ at: UnsafeRawPointer) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<bytes {
      let byte = UInt64(at.load(fromByteOffset: index, as: UInt8.self))
      value = isBigEndian ? value << 8 | byte : value | byte << UInt64(8 * index)
    }
    return value
  }

  @inline(__always)
  private func put(_ value: UInt64, _ at: UnsafeMutableRawPointer) {
    for index in 0..<bytes {
      let shift = UInt64(8 * (isBigEndian ? bytes - 1 - index : index))
      at.storeBytes(of: UInt8(truncatingIfNeeded: value >> shift), toByteOffset: index, as: UInt8.self)
    }
  }
}
