import Codec
import Runtime

/// The head of a segment: some intervals' samples in at most `Budget.metricSegmentBytes`, as they stand in memory and
/// as a record on flash.
///
/// Layout, numbers in little-endian order: version (1 byte), flags (1), a checksum of the catalogue (4), sequence (8),
/// start in milliseconds (8), number of intervals (2). Then for each interval its time as the difference to the one
/// before it, how many values have changed, and for each of them how far its index and its value are from those before:
/// all of them varints of protocol buffers, signed ones in zigzag. Values are absent at first.
struct SegmentHead {
  static let bytes = 24
  static let version: UInt8 = 1

  /// The times are those of the calendar; else of `Clock.monotonic` in the run that took them.
  var isDated = false
  var catalogue: UInt32 = MetricCatalogue.checksum
  var sequence: UInt64 = 0
  var start: Int64 = 0
  var count = 0

  /// A head of nothing.
  init(sequence: UInt64, start: Int64, isDated: Bool) {
    (self.sequence, self.start, self.isDated) = (sequence, start, isDated)
  }

  /// From the bytes of a segment; nil when this release cannot read it.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.bytes, bytes[0] == Self.version, bytes[1] <= 1 else { return nil }
    isDated = bytes[1] == 1
    catalogue = bytes.loadUnaligned(fromByteOffset: 2, as: UInt32.self).littleEndian
    sequence = bytes.loadUnaligned(fromByteOffset: 6, as: UInt64.self).littleEndian
    start = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 14, as: Int64.self))
    count = Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 22, as: UInt16.self)))
    guard catalogue == MetricCatalogue.checksum else { return nil }
  }

  /// Writes it at the start of a segment.
  func write(to bytes: UnsafeMutableRawBufferPointer) {
    bytes[0] = Self.version
    bytes[1] = isDated ? 1 : 0
    bytes.storeBytes(of: catalogue.littleEndian, toByteOffset: 2, as: UInt32.self)
    bytes.storeBytes(of: sequence.littleEndian, toByteOffset: 6, as: UInt64.self)
    bytes.storeBytes(of: start.littleEndian, toByteOffset: 14, as: Int64.self)
    bytes.storeBytes(of: UInt16(clamping: count).littleEndian, toByteOffset: 22, as: UInt16.self)
  }
}

/// Writes intervals at the end of a segment.
struct SegmentWriter {
  private(set) var used = SegmentHead.bytes
  private var last = MetricValues()
  private var time: Int64

  /// At the start of a segment whose head has this start.
  init(start: Int64) { time = start }

  /// Adds an interval; false, and nothing has changed, when there is no room.
  mutating func append(
    _ values: MetricValues, at instant: Int64, to segment: UnsafeMutableBufferPointer<UInt8>
  ) -> Bool {
    var writer = ByteWriter(into: UnsafeMutableBufferPointer(rebasing: segment[used...]))
    writer.signedVarint(instant &- time)
    var changed: UInt64 = 0
    for index in 0..<MetricCatalogue.rows.count where values[index] != last[index] { changed += 1 }
    writer.varint(changed)
    var before = 0
    for index in 0..<MetricCatalogue.rows.count where values[index] != last[index] {
      writer.varint(UInt64(index - before))
      writer.signedVarint(values[index] &- Self.base(last[index]))
      before = index
    }
    guard writer.isComplete else { return false }
    used += writer.count
    (last, time) = (values, instant)
    return true
  }

  /// What a difference counts from.
  static func base(_ value: Int64) -> Int64 { value == MetricValues.absent ? 0 : value }
}

/// Reads the intervals of a segment in their order. What stands in a segment may be damaged: reading then ends early.
struct SegmentReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = SegmentHead.bytes
  private var left: Int
  /// Of the last interval that was read.
  private(set) var values = MetricValues()
  private(set) var time: Int64

  /// At the start of a segment.
  init(_ head: SegmentHead, _ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    left = head.count
    time = head.start
  }

  /// Bytes up to the end of what was read.
  var end: Int { index }

  /// Reads the next interval; false at the end, or when it cannot be read.
  mutating func next() -> Bool {
    guard left > 0 else { return false }
    left -= 1
    guard let step = signedVarint(), let changed = varint(), changed <= UInt64(MetricCatalogue.rows.count) else {
      return false
    }
    time = time &+ step
    var series: UInt64 = 0
    for _ in 0..<changed {
      guard let gap = varint(), gap < UInt64(MetricCatalogue.rows.count), let difference = signedVarint() else {
        return false
      }
      series += gap
      guard series < UInt64(MetricCatalogue.rows.count) else { return false }
      let place = Int(series)
      values[place] = SegmentWriter.base(values[place]) &+ difference
    }
    return true
  }

  private mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while index < bytes.count, shift < 64 {
      let byte = bytes[index]
      index += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  private mutating func signedVarint() -> Int64? {
    varint().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
  }
}

extension ByteWriter {
  /// Writes a varint (protocol buffers, "Encoding", "Base 128 Varints").
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      byte(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    byte(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a signed number in zigzag ("Signed Integers").
  mutating func signedVarint(_ value: Int64) { varint(UInt64(bitPattern: (value << 1) ^ (value >> 63))) }
}

extension MetricCatalogue {
  /// Tells catalogues of releases apart: samples that wait on flash are numbered by the catalogue's rows.
  static let checksum: UInt32 = {
    var checksum = Checksum()
    func add(_ text: StaticString) { checksum.update(UnsafeRawBufferPointer(text.bytes)) }
    for row in rows {
      add(row.name)
      for label in row.labels {
        add(label.name)
        if case .literal(let value) = label.value { add(value) }
      }
    }
    return checksum.value
  }()
}
