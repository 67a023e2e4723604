/// Calibration of a sensor, kept as a record.
public struct MotionCalibration: Equatable, Sendable {
  /// Offset of each axis of the accelerometer, in g.
  public var offset = Vector3()
  /// Scale factor of each axis, applied after the offset.
  public var scale = Vector3(1, 1, 1)
  /// Output of the gyroscope at rest, in radians per second.
  public var bias = Vector3()

  /// The record's name in its store.
  public static var name: StaticString { "motion-calibration" }
  /// Bytes of a record.
  public static let encodedBytes = 5 + 9 * 4
  private static let magic: StaticString = "TLMC"
  private static let version: UInt8 = 1

  /// Largest errors of a working sensor: offsets and scale from the chips' data sheets with a margin, the bias from the
  /// ±20 °/s of an MPU-6050.
  static let offsets: Float = 0.3
  static let scales: ClosedRange<Float> = 0.8...1.25
  static let biases: Float = 0.4

  /// No correction.
  public init() {}

  /// The corrected sample.
  public func apply(_ sample: MotionSample) -> MotionSample {
    MotionSample(
      acceleration: sample.acceleration.minus(offset).times(scale), rotation: sample.rotation.minus(bias))
  }

  /// True when a working sensor can have such errors.
  var isPlausible: Bool {
    guard offset.isFinite, scale.isFinite, bias.isFinite else { return false }
    return offset.largest <= Self.offsets && bias.largest <= Self.biases
      && Self.scales.contains(scale.x) && Self.scales.contains(scale.y) && Self.scales.contains(scale.z)
  }

  /// Reads a record; nil when it is not valid or not plausible.
  public init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count == Self.encodedBytes, RecordReader.begins(bytes, Self.magic, Self.version) else {
      return nil
    }
    var reader = RecordReader(bytes, from: 5)
    offset = reader.vector()
    scale = reader.vector()
    bias = reader.vector()
    guard isPlausible else { return nil }
  }

  /// Writes the record into the first `encodedBytes` bytes of `buffer`, which must have them.
  public func encode(into buffer: UnsafeMutableBufferPointer<UInt8>) {
    var writer = RecordWriter(buffer, Self.magic, Self.version)
    writer.vector(offset)
    writer.vector(scale)
    writer.vector(bias)
  }
}

/// Reads little-endian numbers from a record. Bytes beyond the end read as zero.
struct RecordReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var index: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, from index: Int) {
    self.bytes = bytes
    self.index = index
  }

  /// True when a record begins with four letters and a version.
  static func begins(_ bytes: UnsafeBufferPointer<UInt8>, _ magic: StaticString, _ version: UInt8) -> Bool {
    guard bytes.count >= 5, bytes[4] == version else { return false }
    for index in 0..<4 where bytes[index] != magic.utf8Start[index] { return false }
    return true
  }

  mutating func byte() -> UInt8 {
    guard index < bytes.count else { return 0 }
    defer { index += 1 }
    return bytes[index]
  }

  /// A number of `count` bytes, 8 at most.
  mutating func number(_ count: Int) -> UInt64 {
    var value: UInt64 = 0
    for place in 0..<count { value |= UInt64(byte()) << UInt64(8 * place) }
    return value
  }

  mutating func vector() -> Vector3 { Vector3(float(), float(), float()) }

  private mutating func float() -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: number(4))) }
}

/// Writes little-endian numbers into a record. The buffer must have room.
struct RecordWriter {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ magic: StaticString, _ version: UInt8) {
    self.bytes = bytes
    for index in 0..<4 { byte(magic.utf8Start[index]) }
    byte(version)
  }

  mutating func byte(_ value: UInt8) {
    bytes[count] = value
    count += 1
  }

  mutating func number(_ value: UInt64, _ count: Int) {
    for place in 0..<count { byte(UInt8(truncatingIfNeeded: value >> UInt64(8 * place))) }
  }

  mutating func vector(_ vector: Vector3) {
    number(UInt64(vector.x.bitPattern), 4)
    number(UInt64(vector.y.bitPattern), 4)
    number(UInt64(vector.z.bitPattern), 4)
  }
}
