import Runtime

/// What a hand keeps on flash: four numbers, little-endian, after a version byte. A newer version only appends.
public struct HandRecord: Equatable, Sendable {
  private static let version: UInt8 = 1

  public var first: Int64
  public var second: Int64
  public var third: Int64
  public var fourth: Int64

  /// The numbers of a hand; their meaning is its own.
  public init(_ first: Int64, _ second: Int64 = 0, _ third: Int64 = 0, _ fourth: Int64 = 0) {
    (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
  }

  /// The record in `bytes`; nil when that is none.
  public init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= Budget.handRecordBytes, bytes[0] >= Self.version else { return nil }
    let raw = UnsafeRawBufferPointer(bytes)
    func number(_ index: Int) -> Int64 {
      Int64(littleEndian: raw.loadUnaligned(fromByteOffset: 1 + 8 * index, as: Int64.self))
    }
    self.init(number(0), number(1), number(2), number(3))
  }

  /// Writes it to the beginning of `bytes`; returns its length.
  public func encode(into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let raw = UnsafeMutableRawBufferPointer(bytes)
    raw[0] = Self.version
    raw.storeBytes(of: first.littleEndian, toByteOffset: 1, as: Int64.self)
    raw.storeBytes(of: second.littleEndian, toByteOffset: 9, as: Int64.self)
    raw.storeBytes(of: third.littleEndian, toByteOffset: 17, as: Int64.self)
    raw.storeBytes(of: fourth.littleEndian, toByteOffset: 25, as: Int64.self)
    return Budget.handRecordBytes
  }
}
